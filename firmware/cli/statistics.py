"""`coyote record statistics`: what the players at this table did, over all matches kept."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from firmware.cli.output import journal_option, kept_matches, say_all
from firmware.language.speaking import LANGUAGE, _, label_text
from referee.camera_readings import worst_share
from referee.games.catalogue import GAMES
from referee.summaries import PlayerFigures, deck_readings, name_key, rates_of, statistics
from referee.telling import tell_rate, tell_share


@click.command(
    "statistics", help=_("Print how often who won, bluffed and called rightly, in matches that are over.")
)
@click.option("--game", type=click.Choice(GAMES), help=_("Only this game."))
@click.option("--player", metavar="NAME", help=_("Only this player."))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=_("Print one object: a list of players, once over all games and once for each; and what was read."),
)
@journal_option
def figures(game: str | None, player: str | None, *, as_json: bool, journal: Path) -> None:
    summaries = [each.summary for each in kept_matches(journal) if each.summary is not None]
    of_game = [each for each in summaries if game in (None, each.game)]
    found = [each for each in statistics(of_game) if player is None or name_key(each.name) == name_key(player)]
    # what the camera reads belongs to no player
    decks = deck_readings(of_game if player is None else ())
    if not as_json:
        nothing = _(
            "Nothing to count yet: no such match has been played to its end."
            " coyote record list lists what is kept."
        )
        camera = [_("Camera: cards read, and those that people put right")] if decks else []
        told = _("{name}: read {named}, put right {wrong} (at worst 1 in {bound})")
        for deck in decks:
            name = ", ".join(filter(None, (_title(deck.game), deck.edition.title())))
            read, bound = deck.overall, int(1 / worst_share(deck.overall))
            camera.append("  " + told.format(name=name, named=read.named, wrong=read.put_right, bound=bound))
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
                told = _("{name}: played {played}, won {won} ({share})")
                share = tell_share(each.won / each.played)
                yield "  " + told.format(name=each.name, played=each.played, won=each.won, share=share)
                yield from _rates(each)


def _title(name: str) -> str:
    """Give a game's title; one that isn't installed has only its name."""
    return LANGUAGE.gettext(GAMES[name].words.title) if name in GAMES else name


def _rates(each: PlayerFigures) -> Iterator[str]:
    game = GAMES.get(each.game)
    if game is None:
        return
    rates = rates_of(game, each.feats)
    for rate in game.counting.rates:
        if rate.key in rates:
            value = tell_rate(LANGUAGE, rate, rates[rate.key])
            yield "    " + label_text(LANGUAGE.gettext(game.words.statistics[rate.key]), value)
