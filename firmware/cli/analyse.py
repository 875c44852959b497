"""`coyote record analyse`: what could be known of each decision, once a match is over."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from firmware.cli.output import journal_option, say_all
from firmware.cli.replay import kept_lines, record_named
from firmware.cli.rules import tell_head
from firmware.cli.terminal import listener_of
from firmware.language.speaking import _, label_text
from hardware.twin.playouts import BotLaboratory
from referee.coaching import SeatAnalysis, tell_judgement
from referee.coaching import analyse as analyse_match
from referee.contract import Judgement
from referee.match import Match
from referee.record import read_record
from referee.summaries import name_key
from referee.telling import Listener


@click.command(
    help=_("""Show what could be known of each decision of a match that is over, and where most was given away.

    MATCH is its number, which coyote record list lists, or a file that coyote record save wrote. What bots
    play on is the same for the same seed; all other numbers are exact.""")
)
@click.argument("match", metavar="MATCH")
@click.option("--seat", metavar="NAME", help=_("Only this player."))
@click.option("--seed", default=1, show_default=True, help=_("Where chance starts."))
@click.option(
    "--json", "as_json", is_flag=True, help=_("Print one object: game, names, seed, and the judged decisions.")
)
@journal_option
def analyse(match: str, seat: str | None, seed: int, *, as_json: bool, journal: Path) -> None:
    played = _match_named(match, journal)
    if played.outcome is None:
        raise click.ClickException(
            _("this match isn't over: decisions are looked at afterwards, never during it")
        )
    names = played.setup.names
    seats = [number for number, name in enumerate(names) if seat is None or name_key(name) == name_key(seat)]
    if not seats:
        told = _("no player is named {name}; there are {names}")
        raise click.UsageError(told.format(name=seat, names=", ".join(names)))
    analysed = analyse_match(played, BotLaboratory(played.setup, seed))
    chosen = [each for each in analysed if each.seat in seats]
    if not as_json:
        say_all(_as_text(played, seed, chosen))
        return
    listener = listener_of(played)
    players = [
        {
            "name": names[each.seat],
            "decisions": [_judgement_data(listener, judgement) for judgement in each.judgements],
            "turning_points": [judgement.moment for judgement in each.turning_points],
        }
        for each in chosen
    ]
    whole = {"game": played.setup.game.name, "seed": seed, "players": players}
    click.echo(msgspec.json.encode(whole).decode())


def _match_named(text: str, journal: Path) -> Match:
    if text.isascii() and text.isdecimal():
        # of a number that no journal can have, there is none either
        lines = kept_lines(journal, int(text) if len(text) <= 9 else -1)
    else:
        lines = record_named(text)
    reading = read_record(lines)
    if reading.match is None:
        raise click.ClickException(_("there is no such match; coyote record list lists them"))
    if reading.fault is not None:
        told = _("this match can be read up to line {line} only: coyote record replay says why")
        raise click.ClickException(told.format(line=reading.fault.line))
    return reading.match


def _as_text(match: Match, seed: int, seats: list[SeatAnalysis]) -> Iterator[str]:
    listener = listener_of(match)
    yield from tell_head(listener, match)
    if not any(each.judgements for each in seats):
        yield _("Nothing can be judged here.")
        return
    for each in seats:
        yield ""
        count = _("decisions judged: {count}").format(count=len(each.judgements))
        yield label_text(match.setup.names[each.seat], count)
        if each.turning_points:
            yield "  " + _("Turning points, the costliest first:")
        for judgement in each.turning_points:
            first, *others = tell_judgement(listener, judgement)
            yield f"{judgement.moment:6}  {first}"
            yield from (f"        {other}" for other in others)
    yield ""
    yield _("Seed of what was played on: {seed}").format(seed=seed)


def _judgement_data(listener: Listener, judgement: Judgement) -> dict[str, object]:
    fields = ("moment", "chosen", "kind", "worth", "best", "better", "loss")
    values = [{"key": remark.key, **remark.values} for remark in judgement.remarks]
    told = {"text": tell_judgement(listener, judgement), "values": values}
    return {**{name: getattr(judgement, name) for name in fields}, **told}
