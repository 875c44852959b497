"""Clips and live pictures as the eyes record them: what is remembered, for how long, and what is kept."""

from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.storage.found_table import seat_zones
from referee.contract import TableLayout
from tests.tiers import tiered
from tests.vision.process.live import DUKE, found_table, with_cards
from vision.process.clip_recorder import AFTER, BEFORE, LIVE, ClipRecorder, RingFrame, add_frame
from vision.process.evidence import (
    LARGEST,
    Clip,
    ClipFrame,
    clips_of_match,
    forget_clips,
    keep_clip,
    load_clip,
    throw_out_oldest,
)
from vision.process.messages import (
    EvidenceKept,
    EyesMessage,
    EyesSettings,
    FilmedParts,
    FilmParts,
    KeepClip,
    LivePicture,
    TroubleBegan,
    TroubleEnded,
    settings_after,
)
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.troubles import Problem

PARTS = FilmedParts(("centre", "proof", "discard"))
ZONES = seat_zones(TableLayout(4), 800.0, 530.0)
RULED = EvidenceKept("7", 3, "a file")
RATE = 15
Change = Callable[[EyesState], EyesState]


class Clock:
    """A clock that a test moves on."""

    seconds = 100.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.seconds


class Filming:
    """A recorder at a table with the duke, and its clock."""

    def __init__(self, folder: Path, **settings: object) -> None:
        """Let eyes watch a table that they know."""
        picture = with_cards(DUKE).picture
        known = EyesSettings("live:none", table=found_table(), zones=ZONES, evidence=str(folder), filmed=PARTS)
        watch = begin_unread_watch(picture)
        self.eyes = EyesState(replace(known, **settings), watch=watch, picture=picture)
        self.clock = Clock()
        self.recorder = ClipRecorder(self.clock)

    def go_on(self, seconds: float, change: Change | None = None) -> list[EyesMessage]:
        """Let time go by, as it is or with a change meanwhile; give what is told."""
        told, eyes = list[EyesMessage](), self.eyes if change is None else change(self.eyes)
        for _picture in range(round(seconds * RATE)):
            self.clock.seconds += 1 / RATE
            eyes, news = self.recorder.go_on(eyes)
            told += news
        self.recorder.wait()
        self.eyes = self.eyes if change else eyes
        return told


def kept_in(folder: Path, match: str = "7") -> list[Clip]:
    clips = [load_clip(file) for file in clips_of_match(folder, match)]
    assert None not in clips
    return [clip for clip in clips if clip is not None]


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_clip_shows_what_was_before_a_ruling_and_after_it(tmp_path: Path) -> None:
    filming = Filming(tmp_path)
    filming.go_on(BEFORE + 4)
    filming.recorder.note_rulings((RULED,))
    filming.go_on(AFTER + 0.2)
    (clip,) = kept_in(tmp_path)
    assert (clip.match, clip.moment, clip.by_hand) == ("7", 3, False)
    assert clip.frames[-1].at == pytest.approx((BEFORE + AFTER) * 1000, abs=300)
    assert clip.ruled == pytest.approx(BEFORE * 1000, abs=300)
    assert 45 <= len(clip.frames) <= 52
    picture = cv2.imdecode(np.frombuffer(clip.frames[0].jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 640
    assert sum(len(frame.jpeg) for frame in clip.frames) < LARGEST


def with_settings(**settings: object) -> Change:
    return lambda eyes: replace(eyes, settings=replace(eyes.settings, **settings))


def with_trouble(*problems: Problem) -> Change:
    return lambda eyes: replace(eyes, wrong={"table": problems})


def pictures_of(filming: Filming, seconds: float, change: Change | None = None) -> list[bytes]:
    """Let time go by, and collect what who looks on was given."""
    return [each.jpeg for each in filming.go_on(seconds, change) if isinstance(each, LivePicture)]


HIDDEN = tuple(Problem("marker hidden", {"marker": number}) for number in range(3))


@pytest.mark.parametrize(
    "change",
    [
        with_settings(filmed=None),
        with_settings(table=None),
        lambda eyes: replace(eyes, settings=settings_after(eyes.settings, FilmParts(None))),
        with_trouble(Problem("nudged")),
        with_trouble(*HIDDEN),
        lambda eyes: replace(eyes, watch=None),
        lambda eyes: replace(eyes, watch=None, picture=None),
    ],
    ids=["off", "no table", "another match", "nudged", "hidden", "resting", "no camera"],
)
def test_where_nothing_may_be_shown_all_is_forgotten_and_the_last_picture_withdrawn_at_once(
    tmp_path: Path, change: Change
) -> None:
    filming = Filming(tmp_path, live=True)
    assert pictures_of(filming, 1)
    assert filming.recorder.ring
    assert pictures_of(filming, 2, change) == [b""]
    assert not filming.recorder.ring
    filming.recorder.note_rulings((RULED,))
    filming.go_on(AFTER + 1, change)
    assert names_in(tmp_path) == []
    assert pictures_of(filming, 1)[0]


def test_clips_need_a_folder_and_a_live_picture_needs_somebody_who_looks_on(tmp_path: Path) -> None:
    filming = Filming(tmp_path, live=True)
    assert pictures_of(filming, 1)
    assert pictures_of(filming, 1, with_settings(live=False)) == [b""]
    assert filming.recorder.ring
    filming.go_on(1, with_settings(evidence=""))
    assert not filming.recorder.ring


def test_clips_that_are_kept_by_hand_replace_none(tmp_path: Path) -> None:
    filming = Filming(tmp_path)
    filming.go_on(2)
    filming.recorder.note_rulings((RULED,))
    for _tap in range(2):
        filming.recorder.note_ruling(KeepClip("7", 3))
    for _second in range(6):
        filming.go_on(1)
    assert [file.name for file in clips_of_match(tmp_path, "7")] == [
        "7.000003.clip",
        "7.000003-2.clip",
        "7.000003-3.clip",
    ]
    assert [clip.by_hand for clip in kept_in(tmp_path)] == [False, True, True]


def test_a_disk_that_takes_no_clip_is_told_and_stops_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    filming = Filming(blocked)
    told = list[EyesMessage]()
    for folder in (blocked, tmp_path / "folder"):
        filming.eyes = with_settings(evidence=str(folder))(filming.eyes)
        filming.go_on(1)
        filming.recorder.note_rulings((RULED,))
        for _picture in range(round((AFTER + 1) * RATE)):
            told += filming.go_on(1 / RATE)
    troubles = [each for each in told if isinstance(each, TroubleBegan | TroubleEnded)]
    assert [(type(each), each.problem.key) for each in troubles] == [
        (TroubleBegan, "no clip"),
        (TroubleEnded, "no clip"),
    ]


@given(
    st.lists(st.tuples(st.floats(0, 4), st.integers(0, 900)), min_size=1, max_size=120), st.integers(500, 5000)
)
def test_the_ring_is_bounded_in_time_and_bytes_and_has_the_newest(
    steps: list[tuple[float, int]], most: int
) -> None:
    ring, now = (), 0.0
    for pause, size in steps:
        now += pause
        ring = add_frame(ring, RingFrame(now, bytes(size)), most)
        assert ring[-1].at == now
        assert ring[0].at >= now - BEFORE - AFTER
        assert len(ring) == 1 or sum(len(frame.jpeg) for frame in ring) <= most


def clip(match: str, moment: int, size: int = 1000) -> Clip:
    return Clip(match, moment, (ClipFrame(0, bytes(size)),))


def test_the_oldest_clips_make_room_and_those_of_the_open_match_last(tmp_path: Path) -> None:
    for match, moment in (("9", 1), ("10", 1), ("2", 5), ("10", 2)):
        keep_clip(tmp_path, clip(match, moment), most=3500)
    assert names_in(tmp_path) == ["10.000001.clip", "10.000002.clip", "9.000001.clip"]
    for moment in (3, 4):
        keep_clip(tmp_path, clip("10", moment), most=3500)
    assert names_in(tmp_path) == ["10.000002.clip", "10.000003.clip", "10.000004.clip"]


def test_clips_make_room_before_any_picture(tmp_path: Path) -> None:
    for name in ("1.000001.jpg", "1.000001.json", "1.000001.clip", "2.000001.clip"):
        (tmp_path / name).write_bytes(bytes(1000))
    gone = [throw_out_oldest(tmp_path, "2", most) for most in (3000, 1500)]
    assert [[file.name for file in files] for files in gone] == [
        ["1.000001.clip"],
        ["2.000001.clip", "1.000001.jpg"],
    ]
    assert names_in(tmp_path) == []


def test_clips_are_forgotten_with_their_match(tmp_path: Path) -> None:
    for match in ("1", "1", "11"):
        keep_clip(tmp_path, clip(match, 1))
    keep_clip(tmp_path, replace(clip("1", 1), by_hand=True))
    assert forget_clips(tmp_path, "1") == 2
    assert names_in(tmp_path) == ["11.000001.clip"]
    assert forget_clips(tmp_path) == 1
    assert forget_clips(tmp_path / "nowhere") == 0


@pytest.mark.parametrize("match", ["", "../x", "a.b", "x" * 81])
def test_clips_are_named_after_matches_alone(tmp_path: Path, match: str) -> None:
    with pytest.raises(ValueError, match="can't be named"):
        keep_clip(tmp_path, clip(match, 1))


def test_a_damaged_clip_or_one_that_was_cut_off_is_none(tmp_path: Path) -> None:
    file = keep_clip(tmp_path, clip("1", 1))
    whole = file.read_bytes()
    damaged = (b"\x80", b"\xff" * 50, msgspec.msgpack.encode({"match": "1"}))
    for content in (*damaged, *(whole[:length] for length in range(0, len(whole), 50))):
        file.write_bytes(content)
        assert load_clip(file) is None


# the live picture

FACES = ("duke", *tiered((), ("captain", "contessa")), None)


def test_a_few_pictures_a_second_are_given_and_nothing_is_remembered(tmp_path: Path) -> None:
    filming = Filming(tmp_path, clips=False, live=True)
    given = pictures_of(filming, 5)
    assert 5 * LIVE * 0.7 <= len(given) <= 5 * LIVE + 1
    shown = cv2.imdecode(np.frombuffer(given[-1], np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[1] == 640
    assert not filming.recorder.ring
    filming.recorder.note_rulings((RULED,))
    filming.go_on(AFTER + 1)
    assert not list(tmp_path.iterdir())
