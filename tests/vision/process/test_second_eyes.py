"""What eyes do for the sake of a second camera, as the first one's or as its own."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.scene import Glare, SceneCard, SceneLight
from tests.vision.process.live import CAPTAIN, DUKE, TABLE, render_scene, teach_artwork, with_cards
from tests.vision.process.test_on_frame import ONCE, bare_picture, calibrated_eyes, show_picture
from vision.files import read_json
from vision.pictures import unpack_picture
from vision.process.deck_trial import DeckTrial
from vision.process.evidence import Sidecar
from vision.process.messages import (
    CardChanged,
    EvidenceKept,
    EyesSettings,
    KeepEvidence,
    ReadTable,
    Rest,
    TableRead,
    UnexplainedChanged,
    Wake,
)
from vision.process.on_frame import (
    CALM,
    CHECKED,
    FRAME,
    IDLE,
    LEISURE,
    EyesState,
    obey_order,
    open_eyes,
    pause_after,
)
from vision.process.two_looks import FusedCard
from vision.table.camera import WARM


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / "coup")


def under_lamp(*cards: SceneCard) -> np.ndarray:
    """Render some cards, with a lamp mirrored where the duke lies."""
    light = SceneLight(glares=(Glare(DUKE.x, DUKE.y, radius=60.0, strength=2.5),))
    return render_scene(replace(TABLE, cards=cards, light=light)).picture


def second_eyes(deck: Path, eyes: EyesState) -> EyesState:
    """Open a second camera's eyes at the table that others know."""
    return open_eyes(replace(eyes.settings, deck=str(deck), resting=True, is_second=True))[0]


def test_something_unexplained_is_told_alone_and_beside_a_card_and_so_is_its_end(deck: Path) -> None:
    empty, _news = show_picture(calibrated_eyes(deck), under_lamp())
    _eyes, alone = show_picture(empty, under_lamp(DUKE), ONCE + CALM)
    assert [len(each.strange) for each in alone if isinstance(each, UnexplainedChanged)][-1] == 1
    assert not any(isinstance(each, CardChanged) for each in alone)
    eyes, both = show_picture(empty, under_lamp(DUKE, CAPTAIN), ONCE + CALM)
    assert [each.card.card.face for each in both if isinstance(each, CardChanged)] == ["captain"]
    told = [each for each in both if isinstance(each, UnexplainedChanged | TableRead)]
    assert [len(each.strange) for each in told][-1] == 1
    _eyes, gone = show_picture(eyes, under_lamp(CAPTAIN), ONCE + CALM)
    assert [len(each.strange) for each in gone if isinstance(each, UnexplainedChanged)] == [0]


def test_a_second_camera_hardly_looks_until_it_is_woken_and_then_tells_the_whole_table(deck: Path) -> None:
    first, _news = show_picture(calibrated_eyes(deck), bare_picture(), 1)
    eyes, _news = show_picture(second_eyes(deck, first), with_cards(DUKE).picture)
    assert pause_after(eyes) == IDLE
    for order in (Wake(), ReadTable("look 1")):
        eyes, _news = obey_order(eyes, order)
    assert eyes.unchecked == CHECKED
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    (read,) = [each for each in news if isinstance(each, TableRead)]
    assert (read.asked, [each.card.face for each in read.cards]) == ("look 1", ["duke"])
    assert pause_after(eyes) == FRAME
    eyes, _news = obey_order(eyes, Rest())
    eyes, news = show_picture(eyes, with_cards(DUKE, CAPTAIN).picture)
    assert news == []
    assert pause_after(eyes) == IDLE


def test_a_second_camera_finds_its_table_before_it_idles_and_idles_where_there_is_none(deck: Path) -> None:
    settings = EyesSettings("aside", str(deck), resting=True, is_second=True)
    eyes, _news = open_eyes(settings)
    assert pause_after(eyes) == LEISURE
    found, _news = show_picture(eyes, bare_picture(), WARM + 1)
    assert found.settings.table is not None
    assert pause_after(found) == IDLE
    lost, _news = show_picture(eyes, np.full_like(bare_picture(), 90), WARM + 1)
    assert lost.settings.table is None
    assert pause_after(lost) == IDLE


def test_evidence_that_two_cameras_share_says_what_both_have(deck: Path, tmp_path: Path) -> None:
    eyes = replace(calibrated_eyes(deck), settings=EyesSettings("twin", str(deck), evidence=str(tmp_path)))
    eyes, news = show_picture(replace(eyes, watch=None, warm=0), with_cards(DUKE).picture)
    read = next(each for each in news if isinstance(each, TableRead))
    card = replace(read.cards[0].card, face="captain")
    order = KeepEvidence(read.reading, "1", 4, fused=(FusedCard(card, "settled"),))
    for asked, faces, parts in ((order, ["captain"], ("settled",)), (replace(order, fused=()), ["duke"], ())):
        eyes, news = obey_order(eyes, asked)
        (kept,) = [each for each in news if isinstance(each, EvidenceKept)]
        sidecar = read_json(Path(kept.file).with_suffix(".json"), Sidecar)
        assert [each.face for each in sidecar.reading.cards] == faces
        assert sidecar.parts == parts


def test_of_a_second_cameras_picture_only_the_part_around_the_cards_is_held(deck: Path) -> None:
    first, _news = show_picture(calibrated_eyes(deck), bare_picture(), 1)
    eyes, _news = obey_order(second_eyes(deck, first), Wake())
    empty, _news = show_picture(eyes, bare_picture())
    assert empty.shown == ()
    laid, news = show_picture(empty, with_cards(DUKE).picture)
    (held,) = laid.shown
    picture = unpack_picture(held.jpeg)
    assert picture is not None
    assert picture.shape[0] * picture.shape[1] < 0.05 * bare_picture().shape[0] * bare_picture().shape[1]
    (outline,) = [each.outline for each in held.reading.cards]
    assert all(0 <= x <= picture.shape[1] and 0 <= y <= picture.shape[0] for x, y in outline)
    assert [each.reading for each in news if isinstance(each, CardChanged)] == [held.number]


def test_a_deck_is_tried_by_the_first_cameras_eyes_while_the_second_ones_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach_artwork(tmp_path / "deck")
    trial = DeckTrial()
    monkeypatch.setattr(trial, "_begin", lambda *_things: pytest.fail("it is tried"))
    settings = EyesSettings("aside", str(tmp_path / "deck"), tried=str(tmp_path / "tried"), is_second=True)
    resting = open_eyes(replace(settings, resting=True))[0]
    assert trial.go_on(resting) is resting
