"""Clips as the eyes record them: what is remembered, for how long, and what is kept of it on the disk."""

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.storage.table_zones import seat_zones
from referee.contract import TableLayout
from tests.vision.process.live import DUKE, with_cards
from vision.process import clip_files
from vision.process.clip_files import Clip, ClipFrame, clips_of_match, forget_clips, keep_clip, load_clip
from vision.process.clip_recorder import AFTER, BEFORE, ClipRecorder, RingFrame, add_frame
from vision.process.clip_view import FilmedParts
from vision.process.evidence import throw_out_oldest
from vision.process.messages import EvidenceKept, EyesSettings, FilmParts, KeepClip, TroubleBegan, TroubleEnded
from vision.process.on_frame import EyesState, obey_order
from vision.process.watching import begin_unread_watch
from vision.table.calibration import calibrate
from vision.troubles import Problem

PARTS = FilmedParts(("centre", "proof", "discard"))
ZONES = seat_zones(TableLayout(4), 800.0, 530.0)


class Clock:
    """A clock that a test moves on."""

    seconds = 100.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.seconds


def eyes_over(folder: Path) -> EyesState:
    """Give eyes that watch cards on a table that they know."""
    picture = with_cards(DUKE).picture
    table = calibrate(picture)
    settings = EyesSettings("live:none", "", None, table, zones=ZONES, evidence=str(folder), filmed=PARTS)
    return EyesState(settings, watch=begin_unread_watch(picture), picture=picture)


def hidden_plates(count: int) -> tuple[Problem, ...]:
    return tuple(Problem("marker hidden", {"marker": number}) for number in range(count))


def run(recorder: ClipRecorder, eyes: EyesState, clock: Clock, seconds: float, rate: float = 15) -> EyesState:
    for _picture in range(round(seconds * rate)):
        clock.seconds += 1 / rate
        eyes, _news = recorder.go_on(eyes)
    return eyes


def kept_in(folder: Path, match: str = "7") -> list[Clip]:
    clips = [load_clip(file) for file in clips_of_match(folder, match)]
    assert None not in clips
    return [clip for clip in clips if clip is not None]


def test_a_clip_shows_what_was_before_a_ruling_and_after_it(tmp_path: Path) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), eyes_over(tmp_path)
    eyes = run(recorder, eyes, clock, 20)
    recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
    eyes = run(recorder, eyes, clock, AFTER + 0.2)
    recorder.wait()
    (clip,) = kept_in(tmp_path)
    assert (clip.match, clip.moment, clip.by_hand) == ("7", 3, False)
    assert clip.frames[-1].at == pytest.approx((BEFORE + AFTER) * 1000, abs=300)
    assert clip.ruled == pytest.approx(BEFORE * 1000, abs=300)
    assert 45 <= len(clip.frames) <= 52
    picture = cv2.imdecode(np.frombuffer(clip.frames[0].jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 640
    assert sum(len(frame.jpeg) for frame in clip.frames) < clip_files.LARGEST


@pytest.mark.parametrize(
    "change",
    [
        lambda eyes: replace(eyes, settings=replace(eyes.settings, filmed=None)),
        lambda eyes: replace(eyes, settings=replace(eyes.settings, table=None)),
        lambda eyes: replace(eyes, settings=replace(eyes.settings, evidence="")),
        lambda eyes: replace(eyes, wrong={"table": (Problem("nudged"),)}),
        lambda eyes: replace(eyes, wrong={"table": hidden_plates(3)}),
        lambda eyes: replace(eyes, watch=None),
    ],
    ids=["off", "no table", "no folder", "nudged", "hidden", "resting"],
)
def test_nothing_is_remembered_where_nothing_may_be(tmp_path: Path, change: object) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), eyes_over(tmp_path)
    run(recorder, eyes, clock, 2)
    assert recorder.ring
    run(recorder, change(eyes), clock, 1)  # type: ignore[operator]
    assert not recorder.ring
    recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
    run(recorder, change(eyes), clock, 5)  # type: ignore[operator]
    recorder.wait()
    assert not list(tmp_path.iterdir())


def test_a_sleeve_over_plates_and_a_low_camera_stop_nothing(tmp_path: Path) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), eyes_over(tmp_path)
    run(recorder, eyes, clock, 1)
    before = recorder.ring[0]
    run(recorder, replace(eyes, wrong={"table": (*hidden_plates(2), Problem("too far"))}), clock, 1)
    assert recorder.ring[0] is before


def test_what_was_ruled_before_a_pause_is_kept_with_what_there_is(tmp_path: Path) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), eyes_over(tmp_path)
    run(recorder, eyes, clock, 3)
    recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
    run(recorder, replace(eyes, watch=None), clock, 0.2)
    recorder.wait()
    (clip,) = kept_in(tmp_path)
    assert clip.frames[-1].at <= 3100


def test_clips_that_are_kept_by_hand_replace_none(tmp_path: Path) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), eyes_over(tmp_path)
    eyes = run(recorder, eyes, clock, 2)
    recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
    for _tap in range(2):
        recorder.note_ruling(KeepClip("7", 3))
    for _clip in range(6):
        eyes = run(recorder, eyes, clock, 1)
        recorder.wait()
    assert [file.name for file in clips_of_match(tmp_path, "7")] == [
        "7.000003.clip",
        "7.000003-2.clip",
        "7.000003-3.clip",
    ]
    assert [clip.by_hand for clip in kept_in(tmp_path)] == [False, True, True]


def test_a_disk_that_takes_no_clip_is_told_and_stops_nothing(tmp_path: Path) -> None:
    clock, blocked = Clock(), tmp_path / "file"
    blocked.write_text("no folder")
    recorder, eyes = ClipRecorder(clock), eyes_over(blocked)
    told: list[object] = []
    for folder in (blocked, tmp_path / "folder"):
        eyes = replace(eyes, settings=replace(eyes.settings, evidence=str(folder)))
        eyes = run(recorder, eyes, clock, 2)
        recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
        for _picture in range(60):
            clock.seconds += 1 / 15
            eyes, news = recorder.go_on(eyes)
            recorder.wait()
            told += news
    assert [(type(each), each.problem.key) for each in told] == [  # type: ignore[attr-defined]
        (TroubleBegan, "no clip"),
        (TroubleEnded, "no clip"),
    ]


def test_an_order_says_what_may_be_recorded() -> None:
    eyes = EyesState(EyesSettings("live:none"))
    on, _news = obey_order(eyes, FilmParts(PARTS))
    assert on.settings.filmed == PARTS
    off, _news = obey_order(on, FilmParts(None))
    assert off.settings.filmed is None


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
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "10.000001.clip",
        "10.000002.clip",
        "9.000001.clip",
    ]
    keep_clip(tmp_path, clip("10", 3), most=3500)
    keep_clip(tmp_path, clip("10", 4), most=3500)
    assert [file.name for file in clips_of_match(tmp_path, "10")] == [
        "10.000002.clip",
        "10.000003.clip",
        "10.000004.clip",
    ]


def test_clips_make_room_before_any_picture(tmp_path: Path) -> None:
    for name in ("1.000001.jpg", "1.000001.json", "1.000001.clip", "2.000001.clip"):
        (tmp_path / name).write_bytes(bytes(1000))
    gone = throw_out_oldest(tmp_path, "2", most=3000)
    assert [file.name for file in gone] == ["1.000001.clip"]
    assert [file.name for file in throw_out_oldest(tmp_path, "2", most=1500)] == [
        "2.000001.clip",
        "1.000001.jpg",
    ]
    assert not list(tmp_path.iterdir())


def test_clips_are_forgotten_with_their_match(tmp_path: Path) -> None:
    for match in ("1", "1", "11"):
        keep_clip(tmp_path, clip(match, 1))
    keep_clip(tmp_path, replace(clip("1", 1), by_hand=True))
    assert forget_clips(tmp_path, "1") == 2
    assert [file.name for file in tmp_path.iterdir()] == ["11.000001.clip"]
    assert forget_clips(tmp_path) == 1
    assert forget_clips(tmp_path / "nowhere") == 0


@pytest.mark.parametrize("match", ["", "../x", "a.b", "x" * 81])
def test_clips_are_named_after_matches_alone(tmp_path: Path, match: str) -> None:
    with pytest.raises(ValueError, match="can't be named"):
        keep_clip(tmp_path, clip(match, 1))


@pytest.mark.parametrize("content", [b"", b"\x80", b"\xff" * 50, msgspec.msgpack.encode({"match": "1"})])
def test_a_damaged_clip_is_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "1.000001.clip"
    file.write_bytes(content)
    assert load_clip(file) is None


def test_a_clip_that_was_cut_off_is_none(tmp_path: Path) -> None:
    file = keep_clip(tmp_path, clip("1", 1))
    whole = file.read_bytes()
    for length in range(0, len(whole), 50):
        file.write_bytes(whole[:length])
        assert load_clip(file) is None
