"""`coyote teach-pieces`: learn coins, horses and other round pieces of a box from photographs."""

import os
from collections.abc import Mapping
from pathlib import Path

import click

from firmware.cli.output import click_errors
from firmware.language.speaking import LANGUAGE, _
from firmware.language.troubles import problem_text
from firmware.storage.piece_folders import taught_name
from firmware.storage.places import decks_directory
from referee.contract import Piece
from referee.games.catalogue import GAMES
from vision.teaching.lone_piece import pieces_in_folder
from vision.teaching.taught_decks import TaughtDeck, save_deck
from vision.troubles import TroubleError


def known_pieces() -> Mapping[str, Piece]:
    """List all kinds of pieces by the name under which they are taught: the deck's and their own."""
    return {
        taught_name(game.table.deck(house).name, piece.name): piece
        for game in GAMES.values()
        for house in game.rules.settings.values()
        for piece in game.table.pieces
    }


@click.command(
    "teach-pieces",
    help=_("""Learn the round pieces NAME of a box, such as coup-coins or plenty-coups-horses, from photographs.

    Each photograph shows one piece, alone on an even ground of another colour, from above; at least one of each
    side, in the light of the table. Something must be printed or struck on it. --across is its diameter.

    \b
    coyote teach-pieces coup-coins --across 23 --from pictures/"""),
)
@click.argument("name")
@click.option(
    "--from",
    "source",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    required=True,
    help=_("The pictures."),
)
@click.option(
    "--across", type=click.FloatRange(10, 60), required=True, help=_("A piece's diameter in millimetres.")
)
def teach_pieces(name: str, source: Path, across: float) -> None:
    """Teach pieces."""
    known = known_pieces()
    if name not in known:
        raise click.UsageError(
            _("{name}: no such pieces; name one of {names}").format(name=name, names=", ".join(known))
        )
    folder, piece = decks_directory(os.environ) / name, known[name]
    try:
        pictures, wrong = pieces_in_folder(source, across)
        for problem in wrong:
            click.echo(problem_text(problem), err=True)
        if not pictures:
            raise click.ClickException(_("Nothing was learnt: no picture shows a piece."))
        with click_errors(folder):
            save_deck(
                TaughtDeck(name, (across, across), {piece.name: piece.count}, {piece.name: pictures}), folder
            )
    except TroubleError as error:
        raise click.ClickException(problem_text(error.problem)) from error
    told = LANGUAGE.ngettext(
        "{name}: {count} picture learnt; the table counts them from its next start on",
        "{name}: {count} pictures learnt; the table counts them from its next start on",
        len(pictures),
    )
    click.echo(told.format(name=name, count=len(pictures)))
