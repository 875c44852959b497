"""The process that decodes video: real films and RTSP, hostile ones, limits, its end."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.firmware.start.program import peak_memory
from tests.proc import is_alive
from tests.tiers import slow, tiered
from tests.vision.table.hostile_camera import CONTAINERS, FILMS
from tests.vision.table.network_server import FILM, grey_pictures, make_film
from tests.vision.table.rtsp_server import describe_endlessly, refuse, rtsp_server, show_film
from tests.waiting import until
from vision.table import video_process
from vision.table.camera import CameraTroubleError
from vision.table.network_cameras import FORMATS
from vision.table.video_process import MEMORY, VideoProcess

NAMES = {"ts": "mpegts", "mkv": "matroska", "mpg": "mpeg"}
"""FFmpeg's names of formats, where they aren't the files' endings."""
SECONDS = 60.0
IMPORTS = 100.0  # megabytes that Python and OpenCV have in memory
PARENT = """
import sys, time
from vision.table.video_process import VideoProcess
video = VideoProcess(lambda most: time.sleep(600) or b"", "avi")
print(video._process.pid, flush=True)
time.sleep(600)
"""


def endless(film: BytesIO) -> Callable[[int], bytes]:
    return lambda most: film.read(most) or bytes(most)


@pytest.mark.parametrize("ending", tiered(("avi", "mpg"), tuple(CONTAINERS)))
def test_first_picture_of_a_film_is_shown(ending: str) -> None:
    film = make_film(grey_pictures(), ending, CONTAINERS[ending])
    with closing(VideoProcess(BytesIO(film).read, NAMES.get(ending, ending))) as video:
        first = video.picture(SECONDS)
        assert first is not None
        assert first.shape == (48, 64, 3)
        # FFmpeg's codecs lose a little
        assert first.mean() < 15
        while video.picture(SECONDS) is not None:
            pass


def test_rtsp_camera_with_a_login() -> None:
    film = make_film(grey_pictures(), "ts", "mp4v")
    with (
        rtsp_server(show_film(film)) as place,
        closing(VideoProcess(f"rtsp://ana:secret@{place}/live", "rtsp")) as video,
    ):
        assert video.picture(SECONDS) is not None
        for name in ("cmdline", "environ"):
            assert b"secret" not in Path(f"/proc/{video._process.pid}/{name}").read_bytes()


@pytest.mark.parametrize("scheme", ["rtsp", "http"])
def test_rtsp_redirect_is_refused(scheme: str) -> None:
    asked = list[str]()
    with rtsp_server(lambda _line, request: asked.append(request)) as other:
        moved = refuse("302 Found", f"Location: {scheme}://{other}/live\r\n")
        with rtsp_server(moved) as place, closing(VideoProcess(f"rtsp://{place}/live", "rtsp")) as video:
            assert video.picture(SECONDS) is None
    assert asked == []


@slow("FFmpeg fills its memory")
@pytest.mark.parametrize("name", ["2 GB of brands in mp4", "56 megapixels in avi"])
def test_memory_of_a_hostile_film_is_limited(name: str) -> None:
    film = FILMS[name]
    start = BytesIO(film.start())
    read = endless(start) if film.is_endless else start.read
    assert peak_of(read, FORMATS[film.kind]) < IMPORTS + MEMORY / 1e6


@slow("FFmpeg reads on")
def test_memory_of_a_hostile_rtsp_camera_is_limited() -> None:
    with rtsp_server(describe_endlessly) as place:
        assert peak_of(f"rtsp://{place}/live", "rtsp") < IMPORTS + MEMORY / 1e6


def peak_of(source: str | Callable[[int], bytes], form: str) -> float:
    """Return the most megabytes until the process ends, or gives no picture for some seconds."""

    def read_all() -> None:
        with suppress(TimeoutError):
            while video.picture(5.0) is not None:
                pass

    peak = 0.0
    with closing(VideoProcess(source, form)) as video:
        reader = Thread(target=read_all)
        reader.start()
        while reader.is_alive():
            # a process that has ended has no memory
            with suppress(IndexError):
                peak = max(peak, peak_memory(video._process.pid))
            reader.join(0.01)
    return peak


def test_huge_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video_process, "MAX_PIXELS", 64 * 48 - 1)
    with (
        closing(VideoProcess(BytesIO(FILM).read, "avi")) as video,
        pytest.raises(CameraTroubleError, match="huge picture"),
    ):
        video.picture(SECONDS)


def test_a_stream_without_pictures_is_given_up() -> None:
    over = Event()

    def read(_most: int) -> bytes:
        over.wait()
        return b""

    video = VideoProcess(read, "avi")
    with pytest.raises(TimeoutError):
        video.picture(0.1)
    over.set()
    video.close()
    assert not is_alive(video._process.pid)


def test_process_ends_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    until(lambda: not is_alive(child))
