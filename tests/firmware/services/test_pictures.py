"""Pictures for the pages: phones' photographs, and the table's own frame."""

from concurrent.futures import Future
from functools import partial
from io import BytesIO
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from firmware.cli.terminal import listener_of
from firmware.services import jobs
from firmware.services.jobs import MAX_WAITING
from firmware.services.match_files import MatchFiles
from firmware.services.photographs import EvidenceFiles, Photograph, PhotographReader, TableLook, look_at_table
from firmware.table.client import TableClient, TableSummary
from firmware.table.notices import Notice, sentence_for
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import SceneCard
from tests.firmware.board.inputs.matches import bidden, new_match
from tests.firmware.table.sat import card, see_table
from tests.given import present
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, random_scene
from tests.tiers import slow
from tests.vision.photographs import smaller
from tests.waiting import TEST_TIMEOUT
from vision.process.messages import SnapshotTaken, TableRead
from vision.sightings import Outline, Sighting
from vision.troubles import Problem

FACES = ("20", "10", "15")
LAID = smaller(random_scene(LEVELS["L0"], LAYOUTS["separate"], FACES, 5), (1352, 1014))
OWN_DECK_READER = """
from functools import partial
from firmware.services import photographs
from firmware.start.job_process import main
photographs.MAX_OTHER_DECKS = 0
photographs.deck_named = partial(photographs.deck_named, at_once=True)
main()
"""
"""Reads like the real reader, but neither tries the deck nor searches for another one."""

# photographs, read in an untrusted process


def photograph() -> bytes:
    picture = np.ascontiguousarray(render(LAID, faces_of("coyote-kidult"))[..., ::-1])
    out, exif = BytesIO(), Image.Exif()
    exif[0x0112] = 6
    held = Image.fromarray(picture).transpose(Image.Transpose.ROTATE_90)
    held.save(out, "JPEG", quality=92, exif=exif.tobytes())
    return out.getvalue()


def read(content: bytes, seconds: float = TEST_TIMEOUT, look: TableLook | None = None) -> Photograph | str:
    return PhotographReader(new_match, seconds, lambda: look).read(BytesIO(content))


@slow("a process loads a deck and reads a photograph of three cards")
def test_photograph_and_tables_frame_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hasty_reader.py").write_text(OWN_DECK_READER, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(jobs, "PROGRAM", "hasty_reader")
    seen = tuple(
        (Sighting(face, True, 0.9, (), ((0, 0), (63, 0), (63, 88), (0, 88)), "up", 1.0), outline_of(each))
        for face, each in zip(("20", "10", "x2"), LAID.cards, strict=True)
    )
    taken = read(photograph(), look=TableLook(seen, b"the table"))
    assert isinstance(taken, Photograph)
    told = sorted((card.face or "", card.second) for card in taken.cards)
    assert told == [("", "disputed"), ("10", "agreed"), ("20", "agreed")]
    assert all(card.facing == "up" and card.runners_up for card in taken.cards)
    assert all(card.sure and card.possible for card in taken.cards if card.face)
    (disputed,) = (card for card in taken.cards if card.second == "disputed")
    assert {guess.face for guess in disputed.runners_up[:2]} == {"15", "x2"}
    assert taken.evidence is not None
    assert taken.evidence.table == b"the table"
    assert max(Image.open(BytesIO(taken.picture)).size) == 900
    # the room isn't stored: the allowed part ends a quarter of a card beyond the cards
    size = Image.open(BytesIO(taken.evidence.jpeg)).size
    reading = taken.evidence.reading
    corners = np.array([card.outline for card in reading.cards])
    longest = max(dist(one, other) for one, other in pairwise(corners.reshape(-1, 2)[:4]))
    beyond = (*corners.min((0, 1)), *(size - corners.max((0, 1))))
    assert all(0 <= gap <= 0.5 * longest for gap in beyond)
    assert [card.face for card in reading.cards] == [card.face for card in taken.cards]
    files = EvidenceFiles(tmp_path / "evidence", partial(TableSummary, 1))
    with files.expect_photograph(3) as keep:
        keep(taken.evidence, ())
    assert [card.second for card in present(files.of(1)[3].cards())] == [card.second for card in taken.cards]


def outline_of(card: SceneCard) -> Outline:
    turn = np.radians(card.angle)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    corners = np.array([(-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44)]) @ spin + (card.x, card.y)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def huge_picture() -> bytes:
    out = BytesIO()
    Image.new("1", (10_000, 10_000)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "seconds", "why"),
    [
        (b"no photograph at all", TEST_TIMEOUT, "photo unreadable"),
        (huge_picture(), TEST_TIMEOUT, "photo huge"),
        (b"anything", 0.01, "photo slow"),
    ],
    ids=["no photograph", "too many pixels", "too long"],
)
def test_unread_picture_gets_a_reason(content: bytes, seconds: float, why: str) -> None:
    assert read(content, seconds) == why


def test_too_many_photographs_are_rejected() -> None:
    reader, files = PhotographReader(new_match), MatchFiles()
    for _place in range(MAX_WAITING):
        assert reader._queue._places.acquire(blocking=False)
        assert files._queue._places.acquire(blocking=False)
    assert reader.read(BytesIO(b"anything")) == "photo busy"
    assert files.read(BytesIO(b"anything")) == "busy"


# the table's own frame while a photograph is read

VISIBLE = card("20")
BOTH: dict[type, Any] = {TableRead: see_table(VISIBLE), SnapshotTaken: SnapshotTaken(b"small")}


def client_with(answers: dict[type, Any]) -> TableClient:
    """Open a client whose eyes answer at once, or never."""
    client = TableClient(lambda _errand: None, new_match())

    def show(_order: object, kind: type) -> "Future[Any]":
        shown: Future[Any] = Future()
        if kind in answers:
            shown.set_result(answers[kind])
        return shown

    client.show = show  # type: ignore[method-assign, assignment]
    return client


def test_frame_is_current_shows_known_cards_and_never_waits() -> None:
    assert look_at_table(client_with(BOTH)) == TableLook(((VISIBLE.card, VISIBLE.outline or ()),), b"small")  # type: ignore[arg-type]
    assert look_at_table(client_with({**BOTH, TableRead: see_table(replace(VISIBLE, outline=None))})) is None
    for lacks in BOTH:
        answers = {kind: answer for kind, answer in BOTH.items() if kind is not lacks}
        assert look_at_table(client_with(answers), seconds=0.0) is None

    client = client_with(BOTH)
    client.lasting = (Problem("missing", {"camera": "pi"}),)
    assert look_at_table(client) is None
    client.lasting = (Notice("disk", {"why": "full"}),)
    assert look_at_table(client) is not None


def test_camera_trouble_is_reported_without_paths(tmp_path: Path) -> None:
    listener = listener_of(bidden(3))
    for key in ("missing", "gone", "frozen", "black", "busy"):
        camera = f"live:{tmp_path}/camera.bmp"
        assert "/" not in sentence_for(Problem(key, {"camera": camera, "seconds": 3}), listener)
