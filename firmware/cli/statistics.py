"""`coyote record statistics` and `analyse`: players over all matches, and each decision of one match."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from firmware.cli.output import journal_option, kept_matches, say_all
from firmware.cli.replay import record_of
from firmware.cli.rules import tell_head
from firmware.cli.terminal import listener_of
from firmware.language.speaking import LANGUAGE, _, label_text
from hardware.twin.playouts import BotLaboratory
from referee.camera_readings import worst_share
from referee.coaching import SeatAnalysis, judgement_texts
from referee.coaching import analyse as analyse_match
from referee.contract import Judgement
from referee.games.catalogue import GAMES
from referee.match import Match, name_key, people_of
from referee.record import read_record
from referee.sentences import rate_text, share_text
from referee.summaries import PlayerFigures, deck_readings, rates_of, statistics


@click.command(help=_("Print how often each player won, bluffed and called correctly in finished matches."))
@click.option("--game", type=click.Choice(GAMES), help=_("Only this game."))
@click.option("--player", metavar="NAME", help=_("Only this player."))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=_("Print one object: a list of players, in total and for each game; and the number of cards read."),
)
@journal_option
def figures(game: str | None, player: str | None, *, as_json: bool, journal: Path) -> None:
    summaries = [each.summary for each in kept_matches(journal) if each.summary is not None]
    of_game = [each for each in summaries if game in (None, each.game)]
    found = [each for each in statistics(of_game) if player is None or name_key(each.name) == name_key(player)]
    # camera readings belong to no player
    decks = deck_readings(of_game if player is None else ())
    if not as_json:
        nothing = _("No finished matches yet; coyote record list lists the stored ones.")
        camera = [_("Camera: cards read, and cards that people corrected")] if decks else []
        message = _("{name}: read {named}, corrected {wrong} (at worst 1 in {bound})")
        for deck in decks:
            name = ", ".join(filter(None, (_title(deck.game), deck.edition.title())))
            read, bound = deck.overall, int(1 / worst_share(deck.overall))
            camera.append("  " + message.format(name=name, named=read.named, wrong=read.put_right, bound=bound))
        say_all([*_as_text(found), *camera] or [nothing])
        return
    rows = [
        {
            "game": each.game or None,
            "player": each.name,
            "played": each.played,
            "won": each.won,
            "counts": each.feats,
            "rates": rates_of(GAMES[each.game], each.feats) if each.game in GAMES else {},
        }
        for each in found
    ]
    click.echo(msgspec.json.encode({"players": rows, "camera": decks}).decode())


def _as_text(found: list[PlayerFigures]) -> Iterator[str]:
    for name in dict.fromkeys(each.game for each in found):
        yield _title(name) if name else _("All games")
        for each in found:
            if each.game == name:
                message = _("{name}: played {played}, won {won} ({share})")
                share = share_text(each.share or 0.0)
                yield "  " + message.format(name=each.name, played=each.played, won=each.won, share=share)
                yield from _rates(each)


def _title(name: str) -> str:
    """Return a game's title; one that isn't installed has only its name."""
    return LANGUAGE.gettext(GAMES[name].words.title) if name in GAMES else name


def _rates(each: PlayerFigures) -> Iterator[str]:
    game = GAMES.get(each.game)
    if game is None:
        return
    rates = rates_of(game, each.feats)
    for rate in game.counting.rates:
        if rate.key in rates:
            value = rate_text(LANGUAGE, rate, rates[rate.key])
            yield "    " + label_text(LANGUAGE.gettext(game.words.statistics[rate.key]), value)


@click.command(
    help=_("""Show what players could know at each decision of a finished match, and the costliest decisions.

    MATCH is a number from coyote record list, or a file written by coyote record save. Bots continue the match
    in the same way for the same seed; all other numbers are exact.""")
)
@click.argument("match", metavar="MATCH")
@click.option("--seat", metavar="NAME", help=_("Only this player."))
@click.option("--seed", default=1, show_default=True, help=_("The seed of the random numbers."))
@click.option(
    "--json", "as_json", is_flag=True, help=_("Print one object: game, names, seed, and the judged decisions.")
)
@journal_option
def analyse(match: str, seat: str | None, seed: int, *, as_json: bool, journal: Path) -> None:
    played = _match_named(match, journal)
    if played.outcome is None:
        message = _("this match isn't over: decisions are analysed afterwards, never during the match")
        raise click.ClickException(message)
    names = people_of(played)
    if seat is not None and name_key(seat) not in map(name_key, names):
        message = _("no player is named {name}; there are {names}")
        raise click.UsageError(message.format(name=seat, names=", ".join(names)))
    analysed = analyse_match(played, BotLaboratory(played.setup, seed))
    chosen = [each for each in analysed if seat is None or name_key(each.name) == name_key(seat)]
    if not as_json:
        say_all(_judged_lines(played, seed, chosen))
        return
    players = [
        {
            "name": each.name,
            "decisions": [_judgement_data(played, judgement) for judgement in each.judgements],
            "turning_points": [judgement.moment for judgement in each.turning_points],
        }
        for each in chosen
    ]
    whole = {"game": played.setup.game.name, "seed": seed, "players": players}
    click.echo(msgspec.json.encode(whole).decode())


def _match_named(text: str, journal: Path) -> Match:
    reading = read_record(record_of(text, journal)[1])
    if reading.match is None:
        raise click.ClickException(_("there is no such match; coyote record list lists them"))
    if reading.fault is not None:
        message = _("this match is readable only up to line {line}: coyote record replay shows why")
        raise click.ClickException(message.format(line=reading.fault.line))
    return reading.match


def _judged_lines(match: Match, seed: int, seats: list[SeatAnalysis]) -> Iterator[str]:
    listener = listener_of(match)
    yield from tell_head(listener, match)
    if not any(each.judgements for each in seats):
        yield _("Nothing can be judged here.")
        return
    for each in seats:
        yield ""
        count = _("decisions judged: {count}").format(count=len(each.judgements))
        yield label_text(each.name, count)
        if each.turning_points:
            yield "  " + _("Turning points, costliest first:")
        for judgement in each.turning_points:
            first, *others = judgement_texts(match, judgement, LANGUAGE)
            yield f"{judgement.moment:6}  {first}"
            yield from (f"        {other}" for other in others)
    yield ""
    yield _("Seed of the bots' play-outs: {seed}").format(seed=seed)


def _judgement_data(match: Match, judgement: Judgement) -> dict[str, object]:
    fields = ("moment", "chosen", "kind", "worth", "best", "better", "loss")
    values = [{"key": remark.key, **remark.values} for remark in judgement.remarks]
    texts = {"text": judgement_texts(match, judgement, LANGUAGE), "values": values}
    return {**{name: getattr(judgement, name) for name in fields}, **texts}
