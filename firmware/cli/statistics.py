"""`coyote record statistics`: what the players at this table did, over all matches kept."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from firmware.cli.output import journal_option, kept_journal, kept_matches
from firmware.cli.replay import record_in
from firmware.cli.rules import tell_head
from firmware.cli.terminal import listener_of
from firmware.language.speaking import LANGUAGE, _, label_text
from hardware.twin.playouts import BotLaboratory
from referee.camera_readings import worst_share
from referee.coaching import SeatAnalysis, tell_judgement
from referee.coaching import analyse as analyse_match
from referee.contract import Judgement
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.record import read_record
from referee.summaries import DeckReadings, PlayerFigures, deck_readings, name_key, rates_of, statistics
from referee.telling import Listener, tell_rate, tell_share


@click.command(
    "statistics", help=_("Print how often who won, bluffed and called rightly, in matches that are over.")
)
@click.option("--game", type=click.Choice(list(GAMES)), help=_("Only this game."))
@click.option("--player", metavar="NAME", help=_("Only this player."))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=_("Print one object: a list of players, once over all games and once for each; and what was read."),
)
@journal_option
def figures(game: str | None, player: str | None, *, as_json: bool, journal: Path) -> None:
    """Print the statistics."""
    summaries = [each.summary for each in kept_matches(journal) if each.summary is not None]
    found = [
        each
        for each in statistics(summary for summary in summaries if game in (None, summary.game))
        if player is None or name_key(each.name) == name_key(player)
    ]
    # what the camera reads belongs to no player
    decks = deck_readings(each for each in summaries if player is None and game in (None, each.game))
    told = "\n".join([*_as_text(found), *_camera_text(decks)]) or _(
        "Nothing to count yet: no such match has been played to its end. coyote record list lists what is kept."
    )
    click.echo(_as_json(found, decks) if as_json else told)


def _as_text(found: list[PlayerFigures]) -> Iterator[str]:
    """Write each player's record, and below it what their game counts."""
    for name in dict.fromkeys(each.game for each in found):
        yield _title(name) if name else _("All games")
        for each in found:
            if each.game == name:
                yield _record(each)
                yield from _rates(each)


def _title(name: str) -> str:
    """Give a game's title; one that isn't installed has only its name."""
    return LANGUAGE.gettext(GAMES[name].words.title) if name in GAMES else name


def _record(each: PlayerFigures) -> str:
    share = tell_share(each.won / each.played)
    return "  " + _("{name}: played {played}, won {won} ({share})").format(
        name=each.name, played=each.played, won=each.won, share=share
    )


def _rates(each: PlayerFigures) -> Iterator[str]:
    game = GAMES.get(each.game)
    if game is None:
        return
    rates = rates_of(game, each.feats)
    for rate in game.counting.rates:
        if rate.key in rates:
            value = tell_rate(LANGUAGE, rate, rates[rate.key])
            yield "    " + label_text(LANGUAGE.gettext(game.words.statistics[rate.key]), value)


def _camera_text(decks: tuple[DeckReadings, ...]) -> Iterator[str]:
    if decks:
        yield _("Camera: cards read, and those that people put right")
    for deck in decks:
        name = ", ".join(filter(None, (_title(deck.game), deck.edition.title())))
        read, bound = deck.overall, int(1 / worst_share(deck.overall))
        yield "  " + _("{name}: read {named}, put right {wrong} (at worst 1 in {bound})").format(
            name=name, named=read.named, wrong=read.put_right, bound=bound
        )


def _as_json(found: list[PlayerFigures], decks: tuple[DeckReadings, ...]) -> str:
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
    return msgspec.json.encode({"players": rows, "camera": decks}).decode()


# `coyote record analyse`: what could be known of each decision, once a match is over


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
    """Analyse a match."""
    played = _match_named(match, journal)
    if played.outcome is None:
        raise click.ClickException(
            _("this match isn't over: decisions are looked at afterwards, never during it")
        )
    seats = range(len(played.setup.names)) if seat is None else [_seat_named(played, seat)]
    analysed = analyse_match(played, BotLaboratory(played.setup, seed))
    chosen = [each for each in analysed if each.seat in seats]
    click.echo(
        _analysis_json(played, seed, chosen) if as_json else "\n".join(_analysis_text(played, seed, chosen))
    )


def _match_named(text: str, journal: Path) -> Match:
    if text.isascii() and text.isdecimal():
        with kept_journal(journal) as kept:
            lines = kept.lines(int(text)) if len(text) <= 9 else []
    else:
        file = Path(text)
        if not file.is_file():
            raise click.ClickException(
                _("{text} is no match and no file; coyote record list lists the matches").format(text=text)
            )
        lines = record_in(file)
    reading = read_record(lines)
    if reading.match is None:
        raise click.ClickException(_("there is no such match; coyote record list lists them"))
    if reading.fault is not None:
        raise click.ClickException(
            _("this match can be read up to line {line} only: coyote record replay says why").format(
                line=reading.fault.line
            )
        )
    return reading.match


def _seat_named(match: Match, name: str) -> int:
    for seat, other in enumerate(match.setup.names):
        if name_key(other) == name_key(name):
            return seat
    names = ", ".join(match.setup.names)
    raise click.UsageError(_("no player is named {name}; there are {names}").format(name=name, names=names))


def _analysis_text(match: Match, seed: int, seats: list[SeatAnalysis]) -> Iterator[str]:
    listener = listener_of(match)
    yield from tell_head(listener, match)
    if not any(each.judgements for each in seats):
        yield _("Nothing can be judged here.")
        return
    for each in seats:
        yield ""
        yield label_text(
            match.setup.names[each.seat], _("decisions judged: {count}").format(count=len(each.judgements))
        )
        if each.turning_points:
            yield "  " + _("Turning points, the costliest first:")
        for judgement in each.turning_points:
            first, *others = tell_judgement(listener, judgement)
            yield f"{judgement.moment:6}  {first}"
            yield from (f"        {other}" for other in others)
    yield ""
    yield _("Seed of what was played on: {seed}").format(seed=seed)


def _analysis_json(match: Match, seed: int, seats: list[SeatAnalysis]) -> str:
    listener = listener_of(match)
    players = [
        {
            "name": match.setup.names[each.seat],
            "decisions": [_judgement_data(listener, judgement) for judgement in each.judgements],
            "turning_points": [judgement.moment for judgement in each.turning_points],
        }
        for each in seats
    ]
    whole = {"game": match.setup.game.name, "seed": seed, "players": players}
    return msgspec.json.encode(whole).decode()


def _judgement_data(listener: Listener, judgement: Judgement) -> dict[str, object]:
    return {
        "moment": judgement.moment,
        "chosen": judgement.chosen,
        "kind": judgement.kind,
        "worth": judgement.worth,
        "best": judgement.best,
        "better": judgement.better,
        "loss": judgement.loss,
        "text": tell_judgement(listener, judgement),
        "values": [{"key": remark.key, **remark.values} for remark in judgement.remarks],
    }
