"""Stored pictures of taught cards, with the ground around them."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.given import present
from tests.vision.laid_cards import lay_onto
from tests.vision.teaching.cards import BRIDGE, laid, pips
from vision.pictures import Picture, unpack_picture
from vision.table.plane import UNIT_SQUARE, Reals, as_outline
from vision.teaching.folder_lessons import teach_from
from vision.teaching.kept_cuts import (
    CUTS,
    ROOM,
    Corners,
    CutCard,
    WideCut,
    cut_card,
    keep_ground,
    read_wide,
    turned_round,
    without_ground,
)
from vision.teaching.lone_card import rectify_card
from vision.teaching.odd_cuts import odd_cuts
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.taught_decks import TaughtDeck, load_deck, load_kept_deck, save_deck, save_face

SHAPE = BRIDGE[0] / BRIDGE[1]


def face(seed: int) -> Picture:
    return pips(np.random.default_rng(seed), BRIDGE)


def on_cloth(card: Picture, turn: float) -> tuple[Picture, Reals]:
    """Lay a card on a dark cloth, turned by degrees: the picture, and where the card's corners are."""
    turned = np.radians(turn)
    way = np.array([(np.cos(turned), np.sin(turned)), (-np.sin(turned), np.cos(turned))])
    corners = ((UNIT_SQUARE - 0.5) * BRIDGE) @ way + (400, 400)
    picture = np.full((800, 800, 3), 30, np.uint8)
    lay_onto(picture, card, as_outline(corners))
    return picture, corners - 0.5


def apart(one: Picture, other: Picture | None) -> float:
    """Give the mean difference of two pictures, in grey levels."""
    return float(np.abs(one.astype(np.float64) - present(other)).mean())


def cut_again(wide: WideCut, corners: Corners, width_by_height: float) -> Picture:
    """Cut a card out of its stored picture."""
    picture = present(unpack_picture(wide.jpeg))
    return rectify_card(picture, np.array(corners) * picture.shape[1::-1] - 0.5, width_by_height)


@pytest.mark.parametrize("turn", [0, 8, 90, 137, 180, 268])
def test_stored_picture_is_upright_with_ground(turn: float) -> None:
    card = face(1)
    picture, corners = on_cloth(card, turn)
    wide = keep_ground(picture, corners)
    shown = present(unpack_picture(wide.jpeg))
    assert (shown.shape[1], shown.shape[0]) == wide.cut.size
    inside = np.array(wide.cut.corners) * wide.cut.size
    across = float(np.linalg.norm(inside[1] - inside[0]))
    assert abs(inside[:, 0].min() / across - ROOM) < 0.03
    # its upper side is the upper one, or leans by less than half a quarter turn
    assert inside[1, 0] - inside[0, 0] > abs(inside[1, 1] - inside[0, 1])
    assert abs(present(wide.cut.light) - 30) < 5
    again = cut_again(wide, wide.cut.corners, SHAPE)
    assert apart(rectify_card(picture, corners, SHAPE), again) < 3


def test_cut_along_printed_frame_is_odd() -> None:
    pictures = [on_cloth(face(seed), seed) for seed in range(6)]
    wides = {seed: keep_ground(*picture) for seed, picture in enumerate(pictures)}
    picture, corners = pictures[0]
    inner = keep_ground(picture, corners + 0.15 * (corners.mean(axis=0) - corners))
    assert odd_cuts({seed: wide.cut for seed, wide in wides.items()}) == {}
    assert list(odd_cuts({seed: wide.cut for seed, wide in {**wides, 0: inner}.items()})) == [0]


def test_stored_picture_rotates_with_its_card() -> None:
    picture, corners = on_cloth(face(3), 5)
    card = cut_card(picture, corners, SHAPE)
    kept = present(card.wide)
    turned = turned_round(replace(card, wide=replace(kept, cut=replace(kept.cut, steps=(1, 2, 3, 4)))))
    wide = present(turned.wide)
    assert wide.cut.steps == (3, 4, 1, 2)
    assert (turned.picture == card.picture[::-1, ::-1]).all()
    assert apart(turned.picture, cut_again(wide, wide.cut.corners, SHAPE)) < 3


def test_taught_cards_are_stored_with_ground(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    for seed in range(6):
        picture, _corners = laid(face(seed), "black", "even", seed)
        cv2.imwrite(str(tmp_path / "pictures" / f"{seed}.png"), picture)
    lesson = teach_from(tmp_path / "pictures")
    save_deck(lesson.taught, tmp_path / "deck")
    taught = load_kept_deck(tmp_path / "deck")
    for name, (card,) in taught.cards.items():
        wide = present(card.wide)
        assert (wide.cut.kind, wide.cut.is_sure) == ("ground", True)
        assert abs(wide.cut.rim - 0.06) < 0.02
        assert present(wide.cut.light) < 60
        again = cut_again(wide, wide.cut.corners, taught.card[0] / taught.card[1])
        assert apart(taught.faces[name][0], again) < 4


# on the disk


def kept_deck(folder: Path) -> Path:
    picture, corners = on_cloth(face(4), 0)
    card = cut_card(picture, corners, SHAPE)
    save_deck(TaughtDeck("mine", (57.6, 88.0), {"one": 1}, {"one": (card, card)}), folder)
    return folder


def test_deck_without_ground_has_its_rim_as_outline(tmp_path: Path) -> None:
    folder = kept_deck(tmp_path / "mine")
    assert [each.wide is not None for each in load_kept_deck(folder).cards["one"]] == [True, True]
    pictures = load_deck(folder).faces["one"]
    save_face(folder, "one", [*map(CutCard, pictures)])
    assert [each.wide for each in load_kept_deck(folder).cards["one"]] == [None, None]
    assert (load_deck(folder).faces["one"][0] == pictures[0]).all()
    shown = without_ground(pictures[0])
    assert shown.cut.light is None
    again = cut_again(shown, shown.cut.corners, SHAPE)
    assert apart(pictures[0], again) < 3


def test_damaged_cut_data_is_ignored(tmp_path: Path) -> None:
    folder = kept_deck(tmp_path / "mine")
    first, cuts = folder / "one" / "1.png", folder / "one" / CUTS
    good, jpeg = cuts.read_bytes(), first.with_suffix(".jpg").read_bytes()
    for bad in (b"", b"[" * 10**5, b"{}", b'{"1": 3}', good.replace(b'"size":[', b'"size":[9'), b"\xff"):
        cuts.write_bytes(bad)
        assert read_wide(first) is None, bad
    cuts.write_bytes(good)
    for bad in (b"", b"\xff\xd8\xff", jpeg[:40]):
        first.with_suffix(".jpg").write_bytes(bad)
        assert read_wide(first) is None, bad
    assert read_wide(folder / "one" / "2.png") is not None
    first.with_suffix(".jpg").unlink()
    first.with_suffix(".jpg").symlink_to(folder / "one" / "2.jpg")
    assert read_wide(first) is None
    assert len(load_deck(folder).faces["one"]) == 2
    with pytest.raises(DeckTroubleError):
        load_kept_deck(tmp_path)
