"""Clips on the pages: played, stepped through without scripts, kept by the host, and late for spectators."""

import re
from pathlib import Path

import pytest

from tests.webui.clips_kept import FRAMES, clip_files, frame, keep
from tests.webui.coyote_round import REVEAL, call_coyote, reveal_cards
from tests.webui.room import Browser, Room, match_of, room_with
from tests.webui.server.late_evenings import Clock, let_wait
from vision.process.messages import EyesOrder, KeepClip
from webui.access.late_table import LONGEST
from webui.pages.film.clips import EACH

CLIP = f"/clip/{REVEAL}"


@pytest.fixture
def orders() -> list[EyesOrder]:
    return []


@pytest.fixture
def room(tmp_path: Path, orders: list[EyesOrder]) -> Room:
    keep(tmp_path, REVEAL + 1)
    return room_with(reveal_cards(match_of()), tmp_path, clips=clip_files(tmp_path, orders), clock=Clock())


def test_without_scripts_a_clip_is_stepped_through(room: Room) -> None:
    browser, seen = room.browser(), []
    address = CLIP
    for _step in range(FRAMES):
        page = browser.get(address).text
        picture = re.search(r'<img src="([^"]*jpg)"', page)
        assert picture is not None
        seen.append(browser.get(picture[1]).data)
        following = re.search(r'clip-on" href="([^"]*)"', page)
        assert following is not None
        address = following[1]
    assert seen == [frame(number) for number in range(FRAMES)]
    assert f"{CLIP}?frame={FRAMES - 1}" == address
    page = browser.get(f"{CLIP}?frame=4").text
    assert "Picture 5 of 10" in page
    assert "0.7 s before the ruling" in page
    assert "0.3 s after the ruling" in browser.get(f"{CLIP}?frame=9").text


@pytest.mark.parametrize(
    "address",
    [
        "/clip/0", "/clip/999999999999", "/clip/..", "/clip/3-2", "/clip/3.clip", "/clip/x/0.jpg",
        f"{CLIP}/10.jpg",
        "/history/9/clip/3", "/history/1/clip/4", f"/history/{2**70}/clip/3", "/history/1/clip/3/10.jpg",
    ],
)  # fmt: skip
def test_what_is_not_kept_is_not_found(room: Room, address: str) -> None:
    assert room.browser().get(address).status_code == 404


def test_the_host_keeps_the_last_seconds_and_not_all_the_time(room: Room, orders: list[EyesOrder]) -> None:
    host = room.browser().host()
    assert host.send("/clips", "/clips").status_code == 303
    assert orders == [KeepClip("1", 4)]
    codes = [host.send("/clips", "/clips").status_code for _tap in range(EACH)]
    assert codes == [303] * (EACH - 1) + [429]
    assert len(orders) == EACH == 6


def test_the_list_has_all_clips_the_newest_first(room: Room, tmp_path: Path) -> None:
    keep(tmp_path, 1)
    keep(tmp_path, REVEAL + 1, by_hand=True)
    keep(tmp_path, 1, match="11")
    (tmp_path / "evidence" / "1.x.clip").write_bytes(b"no clip")
    listed = re.findall(r'show-clip" href="([^"]*)"', room.browser().get("/clips").text)
    assert listed == [f"{CLIP}-2", CLIP, "/clip/0"]
    assert "kept by the host" in room.browser().get(f"{CLIP}-2").text


def spectator_sees(room: Room) -> tuple[int, int, int]:
    browser: Browser = room.browser()
    assert browser.get(f"{CLIP}.webp").status_code == browser.get(f"{CLIP}/0.jpg").status_code
    return tuple(browser.get(page).status_code for page in (CLIP, f"{CLIP}/0.jpg", "/history/1/clip/3"))  # type: ignore[return-value]


def test_spectators_see_a_clip_when_all_of_it_is_old_enough(tmp_path: Path, orders: list[EyesOrder]) -> None:
    clock = Clock()
    before = call_coyote(match_of())
    room = room_with(before, tmp_path, clips=clip_files(tmp_path, orders), clock=clock)
    let_wait(room, 5)
    clock.seconds += 1000
    room.browser().get("/")
    room.door.tell(reveal_cards(match_of()))
    room.browser().get("/")
    keep(tmp_path, REVEAL + 1)
    keep(tmp_path, REVEAL + 1, by_hand=True)
    seat = room.browser().sit(0)
    # once its moment is shown, the clip is a few seconds away
    for seconds, page, rest in ((0, 404, 404), (299, 404, 404), (LONGEST, 202, 404), (2, 200, 200)):
        clock.seconds += seconds
        assert spectator_sees(room) == (page, rest, rest), seconds
        assert seat.get(CLIP).status_code == 200
    # what was kept by hand goes on for as long as the host likes
    clock.seconds += 10_000
    assert room.browser().get(f"{CLIP}-2").status_code == 404
    assert f"{CLIP}-2" not in room.browser().get("/clips").text
    assert seat.get(f"{CLIP}-2").status_code == 200
