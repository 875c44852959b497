"""A commercial deck taught from twelve hand-held photographs and read in another camera's."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.twin.rendering.lens import Pixels, pixels
from tests.firmware.conftest import Coyote
from tests.hardware.twin.levels import L1
from tests.tiers import release
from tests.vision.foreign.sheets import kept_deck
from tests.vision.sets.drawn_decks import DrawnDeck
from tests.vision.sets.kinds import (
    CLOTH,
    DARK_WOOD,
    WOOD,
    Kind,
    Teaching,
    face_in,
    lay_apart,
    read_photographs,
    taught_pictures,
)
from vision.teaching.tried_decks import photograph, print_again

FACES = tuple(
    f"{colour}-{figure}" for colour in ("blue", "green", "red", "yellow") for figure in (7, "skip", "turn")
)


def printed(run: int) -> Callable[[], DrawnDeck]:
    drawn = kept_deck("coloured")
    deck = DrawnDeck(drawn.size, {name: cache(partial(_print, drawn, name, run)) for name in FACES})
    return lambda: deck


def _print(drawn: DrawnDeck, name: str, run: int) -> Pixels:
    return pixels(print_again(drawn.face(name), default_rng(run)))


def keep(file: Path, picture: Pixels, camera: int) -> Path:
    cv2.imwrite(str(file), photograph(picture.astype(np.float32), default_rng(camera)))
    return file


@release("twelve photographs are taken, a deck is taught and tried, and two tables are read")
def test_deck_taught_from_twelve_photographs_is_read_by_another_camera(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "taught").mkdir()
    hand = Teaching(1, DARK_WOOD, L1)
    kind = Kind("by hand", printed(1), hand, lay_apart, (CLOTH, WOOD), 2, (12, 12), L1, far=(480.0, 600.0))
    for name, picture in taught_pictures(kind):
        keep(tmp_path / "taught" / name, picture, 1)
    outcome = coyote(f"cards teach big --from {tmp_path / 'taught'} --into {tmp_path / 'big'}")
    assert outcome.code == 0
    # faces that differ only in colour must have different names
    assert outcome.out.splitlines() == [
        *(f"{face:16} 1 picture, 1 in the deck" for face in sorted(FACES)),
        "12 cut out, each by its outline on a table",
        f"the deck is in {tmp_path / 'big'}",
        f"check whether each card was cut out correctly: coyote cards show {tmp_path / 'big'} -o deck.html",
    ]
    for number, frame in enumerate(read_photographs(replace(kind, deck=printed(2)), 40)):
        table = keep(tmp_path / f"table-{number}.png", frame.picture, 2)
        result = coyote(f"cards read {table} --deck {tmp_path / 'big'}")
        lying = sorted(face_in(card.face) for card in frame.truth)
        assert len(lying) >= 6
        named = [line.strip() for line in result.out.splitlines() if line.startswith("  ")]
        assert sorted(line for line in named if line in FACES) == lying
