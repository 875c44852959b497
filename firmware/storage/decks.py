"""Decks: taught ones, our printed ones, and card counts of the owner's box."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import DECKS, TRIED, state_directory
from firmware.storage.cards_choice import CARDS_CHOICE
from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.print.raster import picture
from referee.contract import Deck, Game
from referee.kit.french_cards import CARDS
from vision.files import read_json_or
from vision.pictures import load_picture, small_jpeg
from vision.process.messages import UseDeck
from vision.reading.templates import BACK, Picture, Templates
from vision.teaching import taught_decks
from vision.teaching.draft_deck import Origin
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.stored_drafts import DRAFT, DraftFile
from vision.teaching.taught_decks import DECK, DeckFile, TaughtDeck, save_deck

SHARPNESS = 4.0  # pixels per millimetre at which our own cards are drawn for comparison


def deck_folder(name: str, scratch: Path) -> Path:
    """Return the folder of the own deck used for a game's deck, or draw ours into a scratch folder, once."""
    own = own_folder(name)
    if not _is_printed(name) and (_is_there(taught_decks.last_whole(own) / DECK) or learnt_title(own.name)):
        return own
    return _drawn(name, scratch)


def _drawn(name: str, scratch: Path) -> Path:
    """Draw a printed deck into a scratch folder, once."""
    printed, folder = PRINTED[name], scratch / name
    # the file that makes a folder a deck is written last
    if not (folder / DECK).exists():
        size, counts = (printed.width, printed.height), all_counts(printed)
        save_deck(taught_decks.bare_deck(name, size, counts, draw_faces(name)), folder)
    return folder


def deck_order(deck: Deck, scratch: Path) -> UseDeck:
    """Return the eyes' order to read a game's deck; while it is learnt, its back and extras are possible."""
    folder = deck_folder(deck.name, scratch)
    title = learnt_title(folder.name) if folder == own_folder(deck.name) else ""
    counts = {**all_counts(PRINTED[deck.name]), **deck.counts} if title else deck.counts
    return UseDeck(str(folder), counts, title)


def laid_decks(names: Sequence[str], scratch: Path) -> tuple[str, ...]:
    """Return the folders of all decks whose cards people may lay for a game: own ones, then printed ones."""
    home = state_directory() / DECKS
    own = [home / each.folder for each in own_decks(*names) if each.known]
    printed = [_drawn(name, scratch) for name in names if is_worth_printing(name)]
    return tuple(map(str, dict.fromkeys((*own, *printed))))


def is_worth_printing(name: str) -> bool:
    """Return whether people may have printed a deck: nobody prints plain playing cards."""
    return not (is_french(PRINTED[name].counts) and PRINTED.is_plain(name))


def is_french(counts: Mapping[str, int]) -> bool:
    """Return whether a deck is one of playing cards, perhaps a part of the 52 and a joker."""
    return len({face for face, count in counts.items() if count} - {*CARDS}) <= 1


class OwnDeck(Struct, frozen=True):
    """A deck that people taught, or that is learnt while they play."""

    folder: str
    like: str
    """The game's deck with the same faces."""
    title: str  # name that people gave it; empty for a deck taught from pictures
    known: int
    """Number of faces with a picture."""
    is_kept: bool
    is_used: bool


def own_folder(name: str) -> Path:
    """Return the folder of the own deck used for a game's deck; it needn't exist."""
    return state_directory() / DECKS / CARDS_CHOICE.read(state_directory()).used.get(name, name)


def own_decks(*likes: str) -> tuple[OwnDeck, ...]:
    """Return the own decks like some games' decks, the oldest first for each; also new ones in use."""
    home, choice = state_directory() / DECKS, CARDS_CHOICE.read(state_directory())
    used = {like: choice.used.get(like, like) for like in likes if like not in choice.printed}
    names = {*taught_decks.decks_in(home), *(choice.learning.keys() & set(used.values()))}
    like_of = {name: like for name in names if (like := game_deck_of(name)) in likes}
    files = {name: _file_of(home / name) for name in like_of}
    return tuple(
        OwnDeck(
            name,
            like_of[name],
            choice.learning.get(name) or ("" if file is None or file.name == name else file.name),
            0 if file is None else len(file.faces),
            is_kept=name not in choice.learning,
            is_used=name == used.get(like_of[name]),
        )
        for name in sorted(like_of, key=lambda name: (likes.index(like_of[name]), len(name), name))
        if (file := files[name]) is not None or name in choice.learning
    )


def game_deck_of(folder: str) -> str:
    """Return the game's deck that an own deck's folder is named after; empty if there is none."""
    name, dash, number = folder.rpartition("-")
    plain = name if dash and number.isdecimal() and folder not in PRINTED else folder
    return plain if plain in PRINTED else ""


def new_folder(like: str) -> str:
    """Return the folder for another own deck: named after the game's deck, with the next number."""
    taken = taught_decks.decks_in(state_directory() / DECKS)
    numbered = (f"{like}-{number}" for number in count(2))
    return like if like not in taken else next(name for name in numbered if name not in taken)


def learnt_title(folder: str) -> str:
    """Return the title of a deck that is still learnt: it isn't kept, or it was learnt and lacks faces."""
    title = CARDS_CHOICE.read(state_directory()).learning.get(folder, "")
    file = _file_of(state_directory() / DECKS / folder)
    if title or file is None or file.name == folder:
        return title
    like = game_deck_of(folder)
    return file.name if like and not file.faces.keys() >= PRINTED[like].counts.keys() else ""


def faces_known(folder: Path) -> Mapping[str, int]:
    """Return the faces of an own deck with a picture, with their counts."""
    file = _file_of(folder)
    return {} if file is None else file.faces


def faces_learnt_in(folder: Path, match: str) -> dict[str, frozenset[int]]:
    """Return the faces that are new in a match, with the moments at which they were named."""
    return {
        face: frozenset(each.moment for each in some if each.source and each.moment is not None)
        for face, some in _origins_in(folder).items()
        # a picture that was added without a name has no source
        if all(each.source in {"", match} for each in some)
    }


def namers_in(folder: Path, match: str) -> frozenset[str]:
    """Return who named pictures of an own deck in a match."""
    origins = (each for some in _origins_in(folder).values() for each in some)
    return frozenset(each.named_by for each in origins if each.source == match)


def _origins_in(folder: Path) -> Mapping[str, tuple[Origin, ...]]:
    return read_json_or(folder / DRAFT, DraftFile, DraftFile()).origins


def face_picture(folder: Path, face: str, width: int) -> bytes | None:
    """Return the picture of an own deck's face as a small JPEG; None if it can't be read."""
    with suppress(DeckTroubleError):
        shown = load_picture(taught_decks.pictures_in(folder, face)[0])
        return None if shown is None else small_jpeg(shown, width)
    return None


def _file_of(folder: Path) -> DeckFile | None:
    # the vision process reports why a deck can't be read
    with suppress(DeckTroubleError):
        return taught_decks.read_deck_file(folder)
    return None


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


def extra_faces(name: str) -> tuple[str, ...]:
    """Return the faces of a game's deck outside its pile: its back, and cards such as summaries."""
    return (*PRINTED[name].extras, BACK)


def draw_faces(name: str) -> dict[str, tuple[Picture, ...]]:
    printed = PRINTED[name]
    faces = {face: (picture(drawing, SHARPNESS),) for face, drawing in printed.faces.items()}
    return {**faces, BACK: (picture(printed.back, SHARPNESS),)}


def with_box_counts(game: Game, house: Struct) -> Struct:
    """Return the house rules with the box's counts, if the deck was taught and the game needs them."""
    folder = own_folder(name := game.table.deck(house).name)
    file = None if _is_printed(name) or learnt_title(folder.name) else _file_of(folder)
    return house if file is None else game.rules.boxed(house, file.faces)
