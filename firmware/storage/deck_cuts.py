"""How the cards of a taught deck were cut out, and moving a line: for a page, and for `coyote cards show`."""

import struct
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.teaching.kept_cuts import (
    CUTS,
    WHOLE,
    Corners,
    CutCard,
    KeptCut,
    WideCut,
    cut_again,
    mark_right,
    moved_by_hand,
    read_cuts,
    within,
    without_ground,
)
from vision.teaching.odd_cuts import CutsSum, Why, odd_cuts, sum_up
from vision.teaching.table_edges import Insets, cut_as_before, cut_by_table
from vision.teaching.taught_decks import (
    load_face,
    load_kept_deck,
    pictures_in,
    read_deck_file,
    save_deck,
    save_face,
)

PNG_SIZE = struct.Struct(">16x2I")
"""Where a PNG says how wide and how high it is."""


class ShownCut(Struct, frozen=True):
    """A picture of a taught card, and where the line runs by which it was cut out."""

    face: str
    number: int
    """Of this face's pictures, from 1 on."""
    file: Path
    cut: KeptCut
    why: Why | None
    """Why people should look at it, if they should."""
    mark: str
    """Another one once the picture or its line is another."""


class CutSheet(Struct, frozen=True):
    """A deck's pictures: those to look at first, the oddest before, then the others in the deck's order."""

    name: str
    pictures: tuple[ShownCut, ...]
    told: CutsSum

    @property
    def odd(self) -> tuple[ShownCut, ...]:
        """Give those to look at."""
        return tuple(each for each in self.pictures if each.why is not None)

    @property
    def is_corrected(self) -> bool:
        """Return whether the table has moved lines."""
        return any(each.cut.before is not None for each in self.pictures)

    @property
    def right(self) -> tuple[ShownCut, ...]:
        """Give those that look right."""
        return tuple(each for each in self.pictures if each.why is None)


def read_sheet(*folders: Path) -> CutSheet:
    """Read how a deck's cards were cut out; of a face that several folders have, the first one's count."""
    decks = [(folder, read_deck_file(folder)) for folder in folders]
    homes = {face: folder for folder, deck in reversed(decks) for face in deck.faces}
    shown = [each for face, folder in homes.items() for each in _shown_of(folder, face)]
    odd = odd_cuts(dict(enumerate(each.cut for each in shown)))
    first = [replace(shown[place], why=why) for place, why in odd.items()]
    then = [each for place, each in enumerate(shown) if place not in odd]
    deck = decks[0][1]
    told = sum_up([each.cut for each in shown], len(odd), deck.card[0])
    return CutSheet(deck.name, (*first, *then), told)


def _shown_of(folder: Path, face: str) -> Iterator[ShownCut]:
    files = pictures_in(folder, face)
    cuts = read_cuts(files[0].parent)
    for number, file in enumerate(files, 1):
        cut = cuts.get(file.stem) if file.with_suffix(".jpg").is_file() else None
        changed = max(each.stat().st_mtime_ns for each in (file, file.with_name(CUTS)) if each.exists())
        yield ShownCut(face, number, file, cut or _uncut(file), None, f"{changed:x}")


def _uncut(file: Path) -> KeptCut:
    """Tell of a picture of which no ground was kept."""
    with file.open("rb") as opened:
        wide, high = PNG_SIZE.unpack(opened.read(PNG_SIZE.size).ljust(PNG_SIZE.size, b"\0"))
    return KeptCut(WHOLE, (max(1, wide), max(1, high)), "before")


def wide_at(folder: Path, face: str, number: int) -> WideCut | None:
    """Find a picture of a face, with its ground if that was kept; None if there is no such picture."""
    cards = load_face(folder, face) if face in read_deck_file(folder).faces else ()
    if not 1 <= number <= len(cards):
        return None
    card = cards[number - 1]
    return card.wide or without_ground(card.picture)


def cut_by_line(folder: Path, wide: WideCut, corners: Corners) -> Picture | None:
    """Cut a card of a deck out by other corners."""
    across, high = read_deck_file(folder).card
    return cut_again(wide, corners, across / high)


def move_line(folder: Path, face: str, number: int, corners: Corners) -> bool:
    """Take a line that a person has looked at for right, wherever it is now; False if that can't be done."""
    wide = wide_at(folder, face, number)
    if wide is None:
        return False
    if within(wide.cut.corners) == corners and wide.cut.kind != "before":
        file = pictures_in(folder, face)[number - 1]
        mark_right(file.parent, {file.stem})
        return True
    picture = cut_by_line(folder, wide, corners)
    if picture is None:
        return False
    cards = [*load_face(folder, face)]
    cards[number - 1] = CutCard(picture, moved_by_hand(wide, corners))
    save_face(folder, face, [each.picture for each in cards], [each.wide for each in cards])
    return True


def accept_lines(*folders: Path) -> None:
    """Take all lines for right, because a person has looked at them."""
    for each in read_sheet(*folders).odd:
        mark_right(each.file.parent, {each.file.stem})


def correct_lines(folder: Path, insets: Insets) -> float:
    """Move all lines of a deck as cards on a table show: by how many millimetres at most."""
    deck = load_kept_deck(folder)
    save_deck(cut_by_table(deck, insets), folder)
    return round(max(map(abs, insets)) * deck.card[0], 1)


def take_lines_back(folder: Path) -> None:
    """Move the lines that a table has corrected back to where they ran."""
    save_deck(cut_as_before(load_kept_deck(folder)), folder)
