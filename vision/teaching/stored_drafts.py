"""Store a draft in a deck's folder: as a deck, and beside it in a file what only learning needs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from vision.files import make_folder, read_json_or, write_whole
from vision.sightings import Outline
from vision.table.plates import Millimetres
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, taught_deck_of
from vision.teaching.kept_cuts import CutCard
from vision.teaching.taught_decks import DECK, MOST_FACES, is_deck, is_safe_name, load_kept_deck, update_deck

DRAFT = "learning.json"
Count = Annotated[int, Meta(ge=0)]
Distance = Annotated[float, Meta(ge=0)]
Shape = Annotated[float, Meta(gt=0.1, lt=10)]


class NamedPlace(Struct, frozen=True):
    """A card on the table whose name a person gave; it stays as long as the card."""

    outline: Outline
    face: str


class DraftFile(Struct, frozen=True):
    """The content of `learning.json`."""

    origins: dict[str, tuple[Origin, ...]] = {}
    """Origins of each face's pictures, in their order."""
    met: dict[str, Count] = {}
    nearest: dict[str, Distance] = {}
    shapes: tuple[Shape, ...] = ()
    places: tuple[NamedPlace, ...] = ()


def load_draft(
    folder: Path, name: str, card: Millimetres | None, possible: Mapping[str, int]
) -> tuple[DraftDeck, tuple[NamedPlace, ...]]:
    """Begin a draft, or continue the deck in a folder. Also return the cards that lay there, named.

    Raises TroubleError if there is a deck that can't be read. A lost list of origins only makes names careful.
    """
    stored = read_json_or(folder / DRAFT, DraftFile, DraftFile())
    if not is_deck(folder):
        return DraftDeck(name, card, possible=possible, shapes=stored.shapes), ()
    before = load_kept_deck(folder)
    faces = {
        face: _with_origins(name, some, stored.origins.get(face, ())) for face, some in before.cards.items()
    }
    draft = DraftDeck(
        name,
        # measured shapes go on determining the size
        card if stored.shapes else card or before.card,
        faces,
        met={face: stored.met.get(face, 2) for face in faces},
        nearest={face: apart for face, apart in stored.nearest.items() if face in faces},
        possible=possible,
        shapes=stored.shapes,
    )
    return draft, tuple(each for each in stored.places if each.face in faces)


def _with_origins(name: str, cuts: Sequence[CutCard], origins: Sequence[Origin]) -> tuple[LearntCard, ...]:
    if len(cuts) != len(origins):
        # the deck was taught, or a power cut came between the pictures and the list
        origins = [Origin(f"{name} {number}", (0, 0)) for number in range(len(cuts))]
    return tuple(LearntCard(cut, origin) for cut, origin in zip(cuts, origins, strict=True))


def save_draft(
    draft: DraftDeck,
    stored: Mapping[str, tuple[LearntCard, ...]],
    folder: Path,
    places: Sequence[NamedPlace] = (),
) -> None:
    """Store a draft; `stored` are the faces as they are in the folder. Raises OSError."""
    changed = [face for face, some in draft.faces.items() if stored.get(face) is not some]
    origins = {face: tuple(each.origin for each in some) for face, some in draft.faces.items()}
    content = DraftFile(origins, dict(draft.met), dict(draft.nearest), draft.shapes, tuple(places))
    # first the origins, because they decide who may see a new face
    make_folder(folder)
    write_whole(folder / DRAFT, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
    update_deck(taught_deck_of(draft), changed, folder)


def is_possible_name(draft: DraftDeck, name: str) -> bool:
    """Return whether a card may get this name."""
    if draft.possible and name not in draft.possible:
        return False
    is_new = name not in draft.faces
    return is_safe_name(name) and name not in {DECK, DRAFT} and not (is_new and len(draft.faces) >= MOST_FACES)
