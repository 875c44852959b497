"""The live picture on the pages: who may see it, how it renews itself, and who is told of it."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from firmware.parts.live_pictures import LivePictures, TakenPicture
from tests.given import Clock
from tests.webui.room import Room, match_of, room_with
from tests.webui.server.late_evenings import let_wait
from vision.process.messages import LivePicture
from webui.pages.players.overlay import EACH_WATCHING, NOTHING, pieces_of

JPEG = b"\xff\xd8 not drawn \xff\xd9"


@pytest.fixture
def live() -> LivePictures:
    live = LivePictures(is_on=True)
    live.show(LivePicture(JPEG))
    return live


@pytest.fixture
def room(tmp_path: Path, live: LivePictures) -> Room:
    return room_with(match_of(), tmp_path, live=live, clock=Clock())


def first_pieces(pieces: Iterator[bytes], count: int) -> bytes:
    return b"".join(islice(pieces, count))


def test_whoever_sees_the_score_sees_the_picture_as_it_is_now(room: Room, live: LivePictures) -> None:
    browser = room.browser()
    assert '<img class="live-picture" src="/live.mjpg"' in browser.get("/live").text
    now = browser.get("/live.jpg")
    assert (now.data, now.mimetype, now.headers["Cache-Control"]) == (JPEG, "image/jpeg", "no-store")
    with browser.get("/live.mjpg") as response:
        assert response.mimetype == "multipart/x-mixed-replace"
        shown = first_pieces(response.iter_encoded(), 2)
    assert shown.startswith(b"--picture\r\nContent-Type: image/jpeg\r\n")
    assert shown.endswith(JPEG + b"\r\n--picture\r\n")
    live.show(LivePicture(b""))
    assert browser.get("/live.jpg").status_code == 404
    with browser.get("/live.mjpg") as response:
        assert NOTHING in first_pieces(response.iter_encoded(), 2)


def test_who_sees_the_table_late_gets_none_and_is_told_why(room: Room) -> None:
    with room.browser().get("/live.mjpg") as running:
        pieces = running.iter_encoded()
        assert JPEG in first_pieces(pieces, 2)
        let_wait(room, 2)
        # one that runs already ends with nothing to be seen
        rest = b"".join(pieces)
        assert JPEG not in rest
        assert NOTHING in rest
    late = room.browser()
    page = late.get("/live").text
    assert "no live picture: to show it late, all of it would have to be kept" in page
    assert "<img" not in page
    assert late.get("/live.jpg").status_code == late.get("/live.mjpg").status_code == 404
    assert "live.mjpg" not in late.get("/overlay?parts=score,picture").text
    # seats and the host see the table as it is
    for browser in (room.browser().sit(0), room.browser().host()):
        assert browser.get("/live.jpg").data == JPEG


def test_it_is_off_unless_the_host_wants_it(tmp_path: Path) -> None:
    off = LivePictures(is_on=False)
    off.show(LivePicture(JPEG))
    browser = room_with(match_of(), tmp_path, live=off).browser()
    assert "the host can switch it on" in browser.get("/live").text
    assert browser.get("/live.jpg").status_code == browser.get("/live.mjpg").status_code == 404
    assert 'href="/live"' not in browser.get("/").text
    assert "live.mjpg" not in browser.get("/overlay?parts=picture").text


def test_so_many_may_watch_and_no_more_until_one_goes(room: Room) -> None:
    browser = room.browser()
    watching = [browser.get("/live.mjpg") for _each in range(EACH_WATCHING)]
    full = browser.get("/live.mjpg")
    assert (full.status_code, full.headers["Retry-After"]) == (429, "10")
    # a seat's place isn't taken by strangers
    with room.browser().sit(0).get("/live.mjpg") as response:
        assert response.status_code == 200
    watching.pop().close()
    with browser.get("/live.mjpg") as response:
        assert response.status_code == 200
    for each in watching:
        each.close()


class FilmedLive:
    """A live picture by the clock of a test: each wait brings the next one of these."""

    def __init__(self, clock: Clock, *pictures: bytes) -> None:
        """Take what comes, one every half second; an empty one withdraws the last."""
        self._clock, self._coming = clock, list(pictures)
        self._shown = LivePictures(clock, is_on=True)
        self.is_on, self.newest = self._shown.is_on, self._shown.newest

    def after(self, number: int, seconds: float) -> TakenPicture | None:
        self._clock.seconds += seconds
        if self._coming:
            self._shown.show(LivePicture(self._coming.pop(0)))
        return self._shown.after(number, 0)


def test_pictures_are_held_back_as_long_as_the_stream_comes_late() -> None:
    clock = Clock()
    live = FilmedLive(clock, *(f"<{number}>".encode() for number in range(40)))
    turns = iter(range(30))
    pieces = list(pieces_of(live, 5.0, lambda: next(turns, None) is not None, clock))
    shown = [piece.split(b"\r\n\r\n")[1].split(b"\r\n--")[0] for piece in pieces[1:]]
    assert shown[0] == NOTHING == shown[-1]
    numbers = [each for each in shown if each != NOTHING]
    # thirty came within fifteen seconds; those of the last five aren't shown
    assert numbers == [f"<{number}>".encode() for number in range(20)]
