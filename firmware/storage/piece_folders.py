"""Where the pictures of pieces are: taught ones as decks are, a kind each; else our own prints, drawn."""

import os
from collections.abc import Iterator
from pathlib import Path

from firmware.storage.configuration import CameraSettings
from firmware.storage.eyes_settings import SHARPNESS
from firmware.storage.places import decks_directory
from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from referee.contract import Piece
from referee.match import Match
from vision.process.messages import UsePieces
from vision.teaching.taught_decks import DECK, TaughtDeck, save_deck


def taught_name(deck: str, piece: str) -> str:
    """Name the folder of a kind of pieces that goes with a deck."""
    return f"{deck}-{piece}"


def use_pieces(match: Match, scratch: Path, sight: CameraSettings) -> UsePieces:
    """Tell the eyes which pieces to count in a match: none, if the host doesn't want it."""
    game = match.setup.game
    deck = game.table.deck(match.setup.house).name
    return UsePieces(tuple(_folders(deck, game.table.pieces, scratch)) if sight.pieces else ())


def _folders(deck: str, pieces: tuple[Piece, ...], scratch: Path) -> Iterator[str]:
    """Find the folder of each kind; one that was never taught, and that isn't ours, can't be counted."""
    for piece in pieces:
        name = taught_name(deck, piece.name)
        taught = decks_directory(os.environ) / name
        if (taught / DECK).exists():
            yield str(taught)
        elif piece.name in PRINTED[deck].pieces:
            yield str(_draw(deck, piece, scratch / name))


def _draw(deck: str, piece: Piece, folder: Path) -> Path:
    """Draw our own pieces: each side is a look of the same kind."""
    sides = tuple(picture(side(), SHARPNESS) for side in PRINTED[deck].pieces[piece.name])
    size, counts = (piece.across, piece.across), {piece.name: piece.count}
    save_deck(TaughtDeck(taught_name(deck, piece.name), size, counts, {piece.name: sides}), folder)
    return folder
