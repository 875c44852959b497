"""Network cameras: streams and still pictures, slow, hostile and protected ones; no secret is shown."""

import socket
from collections.abc import Iterator
from contextlib import closing
from threading import Thread

import pytest

from tests.given import Clock, present
from tests.vision.table.network_server import camera_server, grey_pictures, jpeg, make_film
from tests.vision.table.rtsp_server import refuse, rtsp_server, show_film
from tests.waiting import TEST_TIMEOUT
from vision.pictures import Picture
from vision.process.eyes import EyesCamera
from vision.process.messages import EyesSettings
from vision.table.camera import CameraTroubleError
from vision.table.camera_names import is_address, is_camera_name, is_live, shown_name, with_scheme
from vision.table.device_cameras import open_camera
from vision.table.network_cameras import LIMITS, LatestFrame, Limits, NetworkCamera, pictures_in
from vision.troubles import Problem

QUICK = Limits(connect=0.3, first=0.3, stream=0.3, still=0.3, interval=0.01)
SHORT = Limits(stream=0.05, still=0.05, interval=0.01)
PATIENT = Limits(TEST_TIMEOUT, TEST_TIMEOUT, TEST_TIMEOUT, TEST_TIMEOUT, interval=0.01)


@pytest.fixture
def place() -> Iterator[str]:
    with camera_server() as here:
        yield here


def problem_of(camera: NetworkCamera) -> Problem:
    try:
        for _number in range(50):
            camera.picture()
    except CameraTroubleError as error:
        return error.problem
    raise AssertionError


def shade(picture: Picture | None) -> int:
    return int(present(picture).mean().round())


@pytest.mark.parametrize("path", ["still", "stream", "unsized", "moved", "video"])
def test_each_picture_is_newer(place: str, path: str) -> None:
    with closing(NetworkCamera(f"http://{place}/{path}", PATIENT)) as camera:
        shades = [shade(camera.picture()) for _number in range(1 if path == "video" else 4)]
    assert shades == sorted(set(shades))


def test_frames_that_nobody_took_are_dropped() -> None:
    latest = LatestFrame()
    for number in (1, 2, 3):
        latest.put(bytes([number]))
    assert latest.take(0.0) == b"\3"
    assert latest.take(0.0) is None
    latest.put(b"\4")
    latest.fail(Problem("gone"))
    assert [latest.take(0.0), latest.take(0.0)] == [b"\4", Problem("gone")]


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("page", "no stream"),
        ("file", "no stream"),
        ("elsewhere", "no stream"),
        ("headless", "no stream"),
        ("playlist", "no stream"),
        ("disguised", "no stream"),
        ("missing", "unreachable"),
        ("private", "login refused"),
        ("huge", "huge picture"),
        ("wide", "huge picture"),
        ("endless", "huge picture"),
        ("claimed", "huge picture"),
        ("ended", "stream ended"),
        ("broken", "stream ended"),
        ("nothing", "unreachable"),
        ("stopped", "stream slow"),
        ("same", "stream slow"),
    ],
)
def test_problem_of_each_bad_camera(place: str, path: str, key: str) -> None:
    limits = {"stream slow": SHORT, "unreachable": QUICK}.get(key, PATIENT)
    with closing(NetworkCamera(f"http://{place}/{path}", limits)) as camera:
        assert problem_of(camera).key == key


def test_login_is_sent_and_never_shown(place: str) -> None:
    with closing(NetworkCamera(f"http://ana:top%3Asecret@{place}/private", PATIENT)) as camera:
        assert camera.picture() is not None
    with closing(NetworkCamera(f"http://ana:wrong@{place}/private?token=wrong", PATIENT)) as camera:
        problem = problem_of(camera)
    assert problem == Problem("login refused", {"camera": f"http://{place}/…"})


def test_eyes_never_report_the_login() -> None:
    settings = EyesSettings("http://ana:secret@127.0.0.1:1/stream")
    seen = EyesCamera(settings).picture(held=False)
    assert seen == Problem("unreachable", {"camera": "http://127.0.0.1:1/…"})


def test_eyes_wait_longer_than_the_camera(place: str) -> None:
    with closing(NetworkCamera(f"http://{place}/still")) as camera:
        assert camera.patience > LIMITS.connect + LIMITS.first
        assert camera.picture() is not None
        assert camera.patience > LIMITS.still
    with closing(NetworkCamera(f"http://{place}/stream")) as camera:
        assert camera.picture() is not None
        assert LIMITS.stream < camera.patience < LIMITS.still


def test_hanging_camera_occupies_one_thread(place: str) -> None:
    clock = Clock(0.0)
    camera = NetworkCamera(f"http://{place}/nothing", Limits(connect=0.1, first=0.05), clock=clock)
    readers = set[Thread | None]()
    for second in range(3):
        clock.seconds = 2.0 * second
        before = camera._reader
        assert problem_of(camera).key == "unreachable"
        readers.add(camera._reader)
        assert before is None or before is camera._reader or not before.is_alive()
    for reader in readers:
        present(reader).join()


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for scheme in ("http", "https", "rtsp"):
        camera = NetworkCamera(f"{scheme}://ana:secret@127.0.0.1:{port}/", QUICK)
        assert problem_of(camera) == Problem("unreachable", {"camera": f"{scheme}://127.0.0.1:{port}"})


@pytest.mark.parametrize(
    ("answer", "key"), [("401 Unauthorized", "login refused"), ("404 Not Found", "no stream")]
)
def test_refusing_rtsp_camera(answer: str, key: str) -> None:
    with (
        rtsp_server(refuse(answer)) as place,
        closing(NetworkCamera(f"rtsp://ana:secret@{place}/live", PATIENT)) as camera,
    ):
        assert problem_of(camera).key == key


def test_rtsp_camera_is_read_and_closed() -> None:
    with rtsp_server(show_film(make_film(grey_pictures(), "ts", "mp4v"))) as place:
        camera = NetworkCamera(f"rtsp://ana:secret@{place}/live", PATIENT)
        assert camera.picture() is not None
        camera.close()
        present(camera._reader).join()


def test_picture_may_end_with_the_stream() -> None:
    rest = [b"\r\n--edge\r\nContent-Length: 2\r\n\r\nab\r\n--edge\r\nContent-Length: 9\r\n\r\nab", b""]
    assert list(pictures_in(lambda _most: rest.pop(0), b"edge")) == [b"ab"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("usb:0", "usb:0"),
        ("live:/run/coyote/phone.jpg", "phone"),
        ("http://192.0.2.7", "http://192.0.2.7"),
        ("HTTP://ana:p@ss/w@cam.local:81/a?b=c", "http://…"),
        ("rtsp://ana:p%40ss@cam.local:554/live", "rtsp://cam.local:554/…"),
        ("http://cam?user=ana&password=x", "http://cam/…"),
        ("http://cam#x", "http://cam/…"),
    ],
)
def test_shown_name_has_no_secret(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        "http://",
        "http://cam:port/",
        "http://cam:99999/",
        "rtsp://c am/",
        "http://cam/\n",
        "http://@/",
        "ftp://cam/",
        "file:///etc",
        "concat:a|b",
    ],
)
def test_bad_addresses(name: str) -> None:
    assert not is_address(name)


@pytest.mark.parametrize(
    "name", ["192.168.1.20:8080/video", "cam.local", "phone.lan/live", "cam:81/a", "ana:p@cam.local:81/a"]
)
def test_address_without_its_scheme_is_tried_with_http(name: str) -> None:
    assert with_scheme(name) == f"http://{name}"
    assert is_address(with_scheme(name))


@pytest.mark.parametrize(
    "name", ["pi", "pi:1", "usb:10", "phone", "imx708", "https://cam/x", "live:x", "file:a.png"]
)
def test_other_names_stay_as_they_are(name: str) -> None:
    assert with_scheme(name) == name


def test_camera_names() -> None:
    assert all(map(is_camera_name, ("pi", "usb:1", "/dev/video0", "phone", "https://cam/x", "live:x")))
    assert not any(map(is_camera_name, ("usb", "imx708", "ftp://cam/x", "http://cam:x/")))
    assert all(map(is_live, ("pi", "usb:0", "live:x")))
    assert not any(map(is_live, ("folder:x", "file:x")))
    with pytest.raises(CameraTroubleError, match="bad address"):
        open_camera("http://cam:x/")
    with pytest.raises(CameraTroubleError, match="browser only"):
        open_camera("phone")
    assert jpeg(1) != jpeg(200)
