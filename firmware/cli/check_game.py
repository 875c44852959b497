"""`coyote check-game`: whether a game can be played everywhere, and what it lacks."""

import click

from firmware.language.speaking import _
from hardware.twin.conformance import check_game
from referee.games.catalogue import GAMES


@click.command(
    help=_("""Play a game on all settings, and say what it lacks and where to write it.

    GAME is one that is installed. Every number of players plays at random, with real cards and among bots. Ends
    with 1 if something is lacking.""")
)
@click.argument("game", type=click.Choice(list(GAMES)), metavar="GAME")
@click.pass_context
def checking(context: click.Context, game: str) -> None:
    """Check a game."""
    found = check_game(GAMES[game])
    for sentence in found:
        click.echo(f"- {sentence}")
    if not GAMES[game].feel.art:
        click.echo(_("{game} has no artwork: its cards are drawn plainly.").format(game=game))
    if found:
        context.exit(1)
    click.echo(_("{game} can be played everywhere.").format(game=game))
