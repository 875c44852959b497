"""Decks: those that were taught, ours as drawings, and what the owner's box has."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import DECKS, TRIED, state_directory
from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.print.raster import picture
from referee.contract import Game
from vision.reading.templates import BACK, Picture, Templates
from vision.teaching import taught_decks
from vision.teaching.lessons import Course
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.taught_decks import DECK, TaughtDeck, save_deck

SHARPNESS = 4.0  # pixels a millimetre at which our own cards are drawn for comparison


def deck_folder(name: str, scratch: Path) -> Path:
    """Find the folder of a deck that was taught, or draw one of ours into a scratch folder, once."""
    taught = state_directory() / DECKS / name
    if _is_there(taught_decks.last_whole(taught) / DECK):
        return taught
    printed, folder = PRINTED[name], scratch / name
    # what tells of a deck is written last
    if not (folder / DECK).exists():
        size, counts = (printed.width, printed.height), all_counts(printed)
        save_deck(taught_decks.bare_deck(name, size, counts, draw_faces(name)), folder)
    return folder


def deck_named(name: str, *, at_once: bool = False) -> Templates:
    """Find a deck by its name or folder: one that was taught goes before one of ours.

    One that is wanted at once isn't tried now if it never was.
    """
    # a table starts without what tries decks
    from vision.teaching.tried_decks import prepare_deck, ready_deck  # noqa: PLC0415

    taught = taught_deck(name)
    if taught is None and name not in PRINTED:
        raise DeckTroubleError("no such deck", name=name, known=", ".join(PRINTED))
    faces, card = (draw_faces(name), (63, 88)) if taught is None else (taught.faces, taught.card)
    return (ready_deck if at_once else prepare_deck)(faces, card, state_directory() / TRIED)


def taught_deck(name: str) -> TaughtDeck | None:
    folder = taught_folder(name)
    return None if folder is None else taught_decks.load_deck(folder)


def taught_folder(name: str) -> Path | None:
    folder = Path(name) if taught_decks.is_deck(Path(name)) else state_directory() / DECKS / name
    return folder if taught_decks.is_deck(folder) else None


def deck_names() -> tuple[str, ...]:
    decks = state_directory() / DECKS
    taught = (name for name in taught_decks.decks_in(decks) if taught_decks.is_deck(decks / name))
    return tuple(dict.fromkeys((*taught, *PRINTED)))


def _is_there(file: Path) -> bool:
    """Return whether a file is there; one that may not be looked at counts: reading it will say so."""
    try:
        file.stat()
    except OSError as error:
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def all_counts(printed: PrintedDeck) -> dict[str, int]:
    """Count every face of a deck that can lie on the table; the back, too, is a face."""
    return {**printed.counts, **printed.extras, BACK: 0}


def draw_faces(name: str) -> dict[str, tuple[Picture, ...]]:
    printed = PRINTED[name]
    faces = {face: (picture(drawing, SHARPNESS),) for face, drawing in printed.faces.items()}
    return {**faces, BACK: (picture(printed.back, SHARPNESS),)}


def with_box_counts(game: Game, house: Struct) -> Struct:
    """Give the house rules with the counts of the box, where a deck was taught and the game wants to know."""
    folder = state_directory() / DECKS / game.table.deck(house).name
    # of a deck that can't be read, the eyes report why
    with suppress(DeckTroubleError):
        if taught_decks.is_deck(folder):
            house = game.rules.boxed(house, taught_decks.read_deck_file(folder).faces)
    return house


class DeckToTeach(Struct, frozen=True):
    """The deck that is taught: what is known of it before."""

    name: str
    folder: Path
    faces: Mapping[str, int]
    """Faces to teach, and how many of each there are; without any, people name them."""
    card: tuple[float, float] | None  # how large the cards are; without it, their shape tells


def keep_new(deck: DeckToTeach, before: Course, after: Course, counts: Mapping[str, int]) -> None:
    new = {face: some for face, some in after.taught.items() if before.taught.get(face) is not some}
    if new:
        counted = {face: counts.get(face, 1) for face in new}
        high, wide = next(iter(new.values()))[0].picture.shape[:2]
        size = deck.card or taught_decks.card_size_for(wide / high)
        save_deck(TaughtDeck(deck.name, size, counted, new), deck.folder)
