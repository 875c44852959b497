"""A browser as the camera: its frames reach the eyes, at the pace that they need."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.services import browser_camera
from firmware.services.browser_camera import (
    CALM,
    GAP,
    MOST_IN_A_SECOND,
    QUICK,
    SETTLED,
    SHOWN_TIMES,
    BrowserCamera,
    CameraReply,
    CameraStream,
    FrameFault,
    reply_to,
    with_frame,
    with_news,
)
from firmware.services.jobs import JobError
from firmware.table.watcher import EyesNews, EyesStarted
from tests.given import present
from tests.waiting import until
from vision.pictures import unpack_picture
from vision.process.messages import PaceChanged, TableRead, TroubleBegan
from vision.sightings import Outline, Sighting
from vision.table.camera_names import PHONE_FRAMES
from vision.table.values import PlacedCard
from vision.troubles import Problem

SCENE = np.full((300, 400, 3), 90, np.uint8)
FRAME = cv2.imencode(".jpg", SCENE)[1].tobytes()
CORNERS: Outline = ((40.0, 30.0), (80.0, 30.0), (80.0, 90.0), (40.0, 90.0))


def card(*, sure: bool) -> PlacedCard:
    return PlacedCard(Sighting("20" if sure else None, sure, 0.9, (), CORNERS, "up", 1.0))


def stream_after(
    *times: float, size: tuple[int, int] = (400, 300), stream: CameraStream | None = None
) -> CameraStream:
    now = stream or CameraStream()
    for at in times:
        now = present(with_frame(now, size, at))
    return now


def test_pace_follows_the_eyes() -> None:
    stream = stream_after(0.0)
    assert reply_to(stream, 0.0).after == QUICK
    calm = with_news(stream, EyesNews(PaceChanged(is_calm=True)))
    assert reply_to(calm, 0.0).after == CALM
    assert reply_to(with_news(calm, EyesNews(PaceChanged(is_calm=False))), 0.0).after == QUICK
    # new eyes need many frames at first
    assert reply_to(with_news(calm, EyesStarted(2)), 0.0).after == QUICK


def test_frames_beyond_the_limit_are_refused() -> None:
    times = [at / MOST_IN_A_SECOND / 2 for at in range(MOST_IN_A_SECOND)]
    stream = stream_after(*times)
    assert with_frame(stream, (400, 300), 0.9) is None
    assert with_frame(stream, (400, 300), 1.01) is not None


def test_light_is_held_once_the_stream_has_settled() -> None:
    stream = stream_after(100.0, 100.0 + SETTLED)
    assert [reply_to(stream, 100.0 + seconds).holds for seconds in (0.0, SETTLED)] == [False, True]
    # a phone that slept measures the light again
    awake = stream_after(110.0 + GAP, stream=stream)
    assert not reply_to(awake, 110.0 + GAP).holds


def test_outlines_belong_to_the_current_picture() -> None:
    read = EyesNews(TableRead((card(sure=True), card(sure=False)), 1))
    stream = with_news(stream_after(0.0), read)
    assert reply_to(stream, 0.0).cards == (card(sure=True).card, card(sure=False).card)
    assert reply_to(stream_after(0.5, stream=stream), 0.5).cards != ()
    others = (
        # the phone was turned, or slept
        stream_after(0.5, size=(300, 400), stream=stream),
        stream_after(0.5 + GAP, stream=stream),
        with_news(stream, EyesNews(TroubleBegan(Problem("black", {"camera": "phone"})))),
        with_news(stream, EyesStarted(2)),
    )
    assert [reply_to(other, 9.0).cards for other in others] == [()] * 4
    assert with_news(stream, EyesNews(TroubleBegan(Problem("hand stays")))) == stream


def is_confirmed() -> bool:
    return True


def test_frame_that_arrives_after_its_browser_was_removed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = BrowserCamera(tmp_path / PHONE_FRAMES)
    monkeypatch.setattr(browser_camera, "read_file", exact)
    assert camera.take(FRAME, lambda: False) == "not the camera"
    assert camera.take_picture(BytesIO(FRAME), lambda: False) == "not the camera"
    assert list(tmp_path.iterdir()) == []


def test_frame_replaces_the_last_one(tmp_path: Path) -> None:
    now = [0.0]
    camera = BrowserCamera(tmp_path / PHONE_FRAMES, lambda: now[0])
    assert camera.take(FRAME, is_confirmed) == CameraReply(QUICK, (400, 300))
    assert camera.take(b"no picture", is_confirmed) == "not a picture"
    for _time in range(MOST_IN_A_SECOND):
        last = camera.take(FRAME, is_confirmed)
    assert last == "too fast"
    # nothing else is stored
    assert [file.name for file in tmp_path.iterdir()] == [PHONE_FRAMES]
    camera.stop()
    assert list(tmp_path.iterdir()) == []
    assert BrowserCamera().is_there is False
    assert BrowserCamera().take(FRAME, is_confirmed) == CameraReply(QUICK, (400, 300))


def exact(work: Callable[..., object], asked: object, file: BytesIO, *_limits: float) -> object:
    return work(asked, file)


def test_single_picture_is_shown_until_the_eyes_have_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_camera, "read_file", exact)
    waits, is_next = list[float](), Event()

    def wait(superseded: Event, seconds: float) -> bool:
        waits.append(seconds)
        return superseded.is_set()

    file = tmp_path / PHONE_FRAMES
    camera = BrowserCamera(file, wait=wait)
    # a phone's camera program turns a picture by EXIF data
    turned, exif = BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(SCENE).save(turned, "JPEG", exif=exif)
    assert isinstance(camera.take_picture(BytesIO(turned.getvalue()), is_confirmed), CameraReply)
    until(lambda: len(waits) == SHOWN_TIMES)
    assert present(unpack_picture(file.read_bytes())).shape == (400, 300, 3)

    # a later frame ends that
    def until_superseded(superseded: Event, _seconds: float) -> bool:
        superseded.wait()
        is_next.set()
        return superseded.is_set()

    camera._wait = until_superseded
    assert isinstance(camera.take_picture(BytesIO(FRAME), is_confirmed), CameraReply)
    assert camera.take(FRAME, is_confirmed) == CameraReply(QUICK, (400, 300))
    is_next.wait()


def test_stop_just_after_a_single_picture_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_camera, "read_file", exact)
    ended = list[bool]()

    def wait(superseded: Event, _seconds: float) -> bool:
        ended.append(superseded.is_set())
        return True

    class StoppedAtOnce(BrowserCamera):
        def take(self, *given: Any) -> CameraReply | FrameFault:
            taken = super().take(*given)
            self.stop()
            return taken

    camera = StoppedAtOnce(tmp_path / PHONE_FRAMES, wait=wait)
    assert isinstance(camera.take_picture(BytesIO(FRAME), is_confirmed), CameraReply)
    until(lambda: ended == [True])


def test_file_that_is_no_picture_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = BrowserCamera(tmp_path / PHONE_FRAMES)
    monkeypatch.setattr(browser_camera, "read_file", exact)
    assert camera.take_picture(BytesIO(b"no picture"), is_confirmed) == "not a picture"

    def died(*_given: object) -> object:
        raise JobError

    monkeypatch.setattr(browser_camera, "read_file", died)
    assert camera.take_picture(BytesIO(FRAME), is_confirmed) == "not a picture"
    assert list(tmp_path.iterdir()) == []
