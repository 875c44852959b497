"""Decks: taught ones, our printed ones, and card counts of the owner's box."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import DECKS, TRIED, state_directory
from firmware.storage.cards_choice import CARDS_CHOICE
from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.print.raster import picture
from referee.contract import Game
from vision.reading.templates import BACK, Picture, Templates
from vision.teaching import taught_decks
from vision.teaching.lessons import Course
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.taught_decks import DECK, TaughtDeck, save_deck

SHARPNESS = 4.0  # pixels per millimetre at which our own cards are drawn for comparison


def deck_folder(name: str, scratch: Path) -> Path:
    """Return the folder of a taught deck, or draw one of ours into a scratch folder, once."""
    taught = state_directory() / DECKS / name
    if not _is_printed(name) and _is_there(taught_decks.last_whole(taught) / DECK):
        return taught
    printed, folder = PRINTED[name], scratch / name
    # the file that makes a folder a deck is written last
    if not (folder / DECK).exists():
        size, counts = (printed.width, printed.height), all_counts(printed)
        save_deck(taught_decks.bare_deck(name, size, counts, draw_faces(name)), folder)
    return folder


def deck_named(name: str, *, at_once: bool = False) -> Templates:
    """Return a deck by its name or folder; a taught deck precedes one of ours.

    With `at_once`, a deck without trials isn't tried now.
    """
    # a table's start doesn't need the modules for trials
    from vision.teaching.tried_decks import prepare_deck, ready_deck  # noqa: PLC0415

    taught = taught_deck(name)
    if taught is None and name not in PRINTED:
        raise DeckTroubleError("no such deck", name=name, known=", ".join(PRINTED))
    faces, card = (draw_faces(name), (63, 88)) if taught is None else (taught.faces, taught.card)
    deck = (ready_deck if at_once else prepare_deck)(faces, card, state_directory() / TRIED)
    return deck if taught is None else replace(deck, doubtful=taught.doubtful)


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


def _is_printed(name: str) -> bool:
    """Return whether people chose the printed cards of a deck."""
    return name in CARDS_CHOICE.read(state_directory()).printed and name in PRINTED


def _is_there(file: Path) -> bool:
    """Return whether a file exists, also without permission to check: reading it will report that."""
    try:
        file.stat()
    except OSError as error:
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def all_counts(printed: PrintedDeck) -> dict[str, int]:
    """Return the counts of all faces of a deck that can be on the table, including the back."""
    return {**printed.counts, **printed.extras, BACK: 0}


def draw_faces(name: str) -> dict[str, tuple[Picture, ...]]:
    printed = PRINTED[name]
    faces = {face: (picture(drawing, SHARPNESS),) for face, drawing in printed.faces.items()}
    return {**faces, BACK: (picture(printed.back, SHARPNESS),)}


def with_box_counts(game: Game, house: Struct) -> Struct:
    """Return the house rules with the box's counts, if the deck was taught and the game needs them."""
    folder = state_directory() / DECKS / game.table.deck(house).name
    # the vision process reports why a deck can't be read
    with suppress(DeckTroubleError):
        if not _is_printed(folder.name) and taught_decks.is_deck(folder):
            house = game.rules.boxed(house, taught_decks.read_deck_file(folder).faces)
    return house


class DeckToTeach(Struct, frozen=True):
    """The deck being taught, with its known properties."""

    name: str
    folder: Path
    faces: Mapping[str, int]
    """Faces to teach, with their counts; if empty, people name them."""
    card: tuple[float, float] | None  # size in millimetres; None derives it from the cards' shape


def keep_new(deck: DeckToTeach, before: Course, after: Course, counts: Mapping[str, int]) -> None:
    new = {face: some for face, some in after.taught.items() if before.taught.get(face) is not some}
    if new:
        counted = {face: counts.get(face, 1) for face in new}
        high, wide = next(iter(new.values()))[0].picture.shape[:2]
        size = deck.card or taught_decks.card_size_for(wide / high)
        save_deck(TaughtDeck(deck.name, size, counted, new), deck.folder)
