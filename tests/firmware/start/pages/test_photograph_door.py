"""Photographs that phones send, read in a process that is not trusted."""

from io import BytesIO
from itertools import pairwise
from math import dist
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from PIL import Image
from pillow_heif import register_heif_opener

from firmware.start.pages.photograph_door import WAITING, PhotographReader
from firmware.start.pages.table_look import TableLook
from firmware.start.phones import PHOTOGRAPH_PROCESS
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import SceneCard
from referee.games.catalogue import GAMES
from tests.referee.tables import new_match
from vision.sightings import Outline, Reading, Sighting
from webui.doors.companion import Photograph, UnreadPhotograph

register_heif_opener()
FACES = ("20", "10", "15")
PATIENCE = 600.0
"""Seconds that a busy machine may take to read a photograph."""
MATCH = new_match(GAMES["coyote"], "kidult", 3)


def photograph(kind: str, orientation: int) -> bytes:
    """Take a picture of three cards, as a phone that is held some way."""
    scene = random_scene(LEVELS["L0"], LAYOUTS["separate"], FACES, 5)
    picture = np.ascontiguousarray(render(scene, faces_of("coyote-kidult")).picture[..., ::-1])
    held = Image.fromarray(picture).transpose(Image.Transpose.ROTATE_90)
    out, exif = BytesIO(), Image.Exif()
    exif[0x0112] = orientation
    held.save(out, kind, quality=92, exif=exif.tobytes())
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "HEIF"])
def test_cards_are_read(kind: str) -> None:
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS, seconds=PATIENCE)
    read = reader.read(BytesIO(photograph(kind, 6)))
    assert isinstance(read, Photograph)
    assert sorted(card.face or "" for card in read.cards) == ["10", "15", "20"]
    assert all(card.is_sure and card.is_up and card.is_possible and card.guesses for card in read.cards)
    shown = cv2.imdecode(np.frombuffer(read.picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert max(shown.shape) == 900
    assert_only_cards_may_be_kept(read)


def assert_only_cards_may_be_kept(read: Photograph) -> None:
    """Look for the room: the part that may be kept ends a quarter of a card beyond the cards."""
    assert read.evidence is not None
    part = cv2.imdecode(np.frombuffer(read.evidence.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert part is not None
    reading = msgspec.json.decode(read.evidence.reading, type=Reading)
    corners = np.array([card.outline for card in reading.cards])
    longest = max(dist(one, other) for one, other in pairwise(corners.reshape(-1, 2)[:4]))
    beyond = (*corners.min((0, 1)), *(part.shape[1::-1] - corners.max((0, 1))))
    assert all(0 <= gap <= 0.5 * longest for gap in beyond)
    assert [card.face for card in reading.cards] == [card.face for card in read.cards]


def test_a_photograph_and_the_tables_own_look_are_read_together() -> None:
    seen = tuple(
        (sighting_of(face), outline_on_table(card))
        for face, card in zip(("20", "10", "x2"), cards_laid(), strict=True)
    )
    look = TableLook(seen, b"the table")
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS, PATIENCE, lambda: look)
    read = reader.read(BytesIO(photograph("JPEG", 6)))
    assert isinstance(read, Photograph)
    assert sorted((card.face or "", card.second) for card in read.cards) == [
        ("", "disputed"),
        ("10", "agreed"),
        ("20", "agreed"),
    ]
    (disputed,) = (card for card in read.cards if card.second == "disputed")
    assert {guess.face for guess in disputed.guesses[:2]} == {"15", "x2"}
    assert read.evidence is not None
    assert read.evidence.table == b"the table"


def cards_laid() -> tuple[SceneCard, ...]:
    """List the cards that are photographed, as they lie."""
    return random_scene(LEVELS["L0"], LAYOUTS["separate"], FACES, 5).cards


def sighting_of(face: str) -> Sighting:
    """See a card for sure, wherever it is in the other picture."""
    return Sighting(face, True, 0.9, (), ((0, 0), (63, 0), (63, 88), (0, 88)), "up", 1.0)


def outline_on_table(card: SceneCard) -> Outline:
    """Outline a card in millimetres."""
    turn = np.radians(card.angle)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    corners = np.array([(-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44)]) @ spin + (card.x, card.y)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


@pytest.mark.parametrize("content", [b"", b"no photograph at all"])
def test_what_is_no_photograph_is_told(content: bytes) -> None:
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS, seconds=PATIENCE)
    assert reader.read(BytesIO(content)) == UnreadPhotograph("photo unreadable")


def test_one_with_too_many_pixels_is_told() -> None:
    out = BytesIO()
    Image.new("1", (10_000, 10_000)).save(out, "PNG")
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS, seconds=PATIENCE)
    assert reader.read(BytesIO(out.getvalue())) == UnreadPhotograph("photo huge")


def test_one_that_takes_too_long_is_given_up() -> None:
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS, seconds=0.01)
    assert reader.read(BytesIO(b"anything")) == UnreadPhotograph("photo slow")


def test_a_process_that_is_stopped_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = tmp_path / "pid"
    stopped = f"import os\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\nos.kill(os.getpid(), 19)\n"
    (tmp_path / "stopped_reader.py").write_text(stopped, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert PhotographReader(lambda: MATCH, "stopped_reader", seconds=1.0).read(
        BytesIO(b"anything")
    ) == UnreadPhotograph("photo slow")
    assert not Path("/proc", pid.read_text(encoding="ascii")).exists()


def test_a_process_that_dies_is_told() -> None:
    reader = PhotographReader(lambda: MATCH, "firmware.nothing_of_that_name", seconds=PATIENCE)
    assert reader.read(BytesIO(b"anything")) == UnreadPhotograph("photo failed")


def test_too_many_at_once_are_turned_away() -> None:
    reader = PhotographReader(lambda: MATCH, PHOTOGRAPH_PROCESS)
    for _place in range(WAITING):
        assert reader._places.acquire(blocking=False)
    assert reader.read(BytesIO(b"anything")) == UnreadPhotograph("photo busy")
