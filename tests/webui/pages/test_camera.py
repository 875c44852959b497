"""A browser as the camera: only the one that the host confirmed sends frames, whatever others try."""

import json
import re
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from werkzeug.test import TestResponse

from firmware.services.addresses import TableAddress
from firmware.services.browser_camera import CALM, MOST_IN_A_SECOND, QUICK, SETTLED, BrowserCamera
from firmware.services.finding import CardsLaid
from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import CAMERAS
from firmware.storage.people.links import device_id
from firmware.table.watcher import EyesNews
from tests.given import present
from tests.webui.fakes import FakeFinder
from tests.webui.room import ADDRESS, Browser, Room, hidden_fields, match_of, room_with
from vision.process.messages import CardsShown, PaceChanged, ShownCard, TableRead
from vision.sent_frames import MAX_FRAME_BYTES
from vision.sightings import Sighting
from vision.table.camera_names import PHONE_FRAMES
from vision.table.values import PlacedCard
from vision.troubles import Problem
from webui.access.viewers import CAMERA

FRAME = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))[1].tobytes()
PHONE, SECOND = "192.0.2.9", "192.0.2.10"


class Clocked(BrowserCamera):
    """A browser camera with a clock of its own."""

    def __init__(self, file: Path) -> None:
        self.now = 0.0
        super().__init__(file, lambda: self.now)


@pytest.fixture
def camera(tmp_path: Path) -> Clocked:
    return Clocked(tmp_path / PHONE_FRAMES)


@pytest.fixture
def room(tmp_path: Path, camera: Clocked) -> Room:
    return room_with(match_of(), tmp_path, camera=camera)


def state(browser: Browser) -> Any:
    return json.loads(browser.get("/camera/state").text)


def send(browser: Browser, content: bytes = FRAME, kind: str = "image/jpeg", **more: Any) -> TestResponse:
    return browser.client.post("/camera/frame", data=content, content_type=kind, **more)


def confirmed_phone(room: Room, address: str = PHONE) -> Browser:
    phone = room.browser(address)
    assert phone.send("/camera", "/camera/ask").status_code == 303
    assert room.browser().host().send("/host", "/camera/confirm").status_code == 303
    return phone


def test_host_confirms_the_phone(room: Room, tmp_path: Path) -> None:
    phone, host = room.browser(PHONE), room.browser("192.0.2.1").host()
    assert state(phone)["state"] == "off"
    phone.send("/camera", "/camera/ask")
    assert (state(phone)["state"], send(phone).status_code) == ("asks", 403)
    word = device_id(phone.cookie(CAMERA))[:4].upper()
    for where in ("/host", "/host/people"):
        assert word in host.get(where).text
        assert phone.cookie(CAMERA) not in host.get(where).text
    # only who may confirm it learns of it
    assert (len(state(host)["asking"]), state(phone)["asking"]) == (1, [])
    host.send("/host", "/camera/confirm")
    assert state(phone)["state"] == "on"
    reply = json.loads(send(phone).text)
    assert (reply["after"], reply["lead"]) == (QUICK, "The camera is on.")
    assert "<polygon" not in reply["outlines"]
    assert (tmp_path / PHONE_FRAMES).exists()
    # it stays the camera after a restart of the table
    assert evenings.camera_of(phone.links) is not None


def test_this_computer_and_the_host_need_no_confirmation(room: Room) -> None:
    here, host = room.computer(), room.browser(PHONE).host()
    for browser, states in ((here, ("on", "other")), (host, ("other", "on"))):
        browser.send("/camera", "/camera/ask")
        assert (state(here)["state"], state(host)["state"]) == states
    # who sits at the computer decides about phones, too
    phone = room.browser(SECOND)
    phone.send("/camera", "/camera/ask")
    # another user of the computer doesn't
    other = room.browser()
    assert state(other)["asking"] == []
    other.send("/camera", "/camera/ask")
    assert state(other)["state"] == "asks"
    other.send("/camera", "/camera/stop")
    here.send("/host", "/host/enter", pin="00000000")
    [asking] = state(here)["asking"]
    form = hidden_fields(here.get("/camera").text, "/camera/confirm")["form"]
    assert here.post("/camera/confirm", form=form, device=asking["id"]).status_code == 303
    assert (state(phone)["state"], state(host)["state"]) == ("on", "other")


def test_second_phone_gets_a_clear_answer_and_the_host_can_switch(room: Room, tmp_path: Path) -> None:
    first, second = confirmed_phone(room), room.browser(SECOND)
    assert "The host can switch to this one." in second.get("/camera", {"Host": "localhost"}).text
    send(first)
    second.send("/camera", "/camera/ask")
    assert "Another camera is in use until then." in second.get("/camera").text
    assert (send(first).status_code, send(second).status_code) == (200, 403)
    room.browser().host().send("/host", "/camera/confirm")
    # the first one's last frame doesn't count as the second one's
    assert not (tmp_path / PHONE_FRAMES).exists()
    assert (send(first).status_code, send(second).status_code) == (403, 200)
    assert state(first)["state"] == "other"


@pytest.mark.parametrize("action", ["/camera/stop", "/camera/refuse", "/host/people/out"])
def test_rejected_phone_sends_nothing_more(room: Room, tmp_path: Path, action: str) -> None:
    phone, here = confirmed_phone(room), room.browser().host()
    assert send(phone).status_code == 200
    fields = hidden_fields(here.get("/host/people").text, "/camera/refuse")
    assert here.post(action, **fields).status_code == 303
    assert (send(phone).status_code, state(phone)["state"]) == (403, "off")
    assert not (tmp_path / PHONE_FRAMES).exists()
    # the request itself is refused, too
    phone.send("/camera", "/camera/ask")
    assert here.send("/host/people", "/camera/refuse").status_code == 303
    assert state(phone)["state"] == "off"


def test_phone_stops_itself_only(room: Room) -> None:
    phone, stranger = confirmed_phone(room), room.browser(SECOND)
    form = hidden_fields(stranger.get("/camera").text, "/camera/ask")["form"]
    stranger.post("/camera/stop", form=form)
    assert send(phone).status_code == 200
    # the end of an evening leaves the camera
    room.browser().host().send("/host/people", "/host/people/everybody-out")
    assert send(phone).status_code == 200
    phone.send("/camera", "/camera/stop")
    assert send(phone).status_code == 403


def test_strangers_send_no_frames_and_confirm_nothing(room: Room, tmp_path: Path) -> None:
    phone, stranger = room.browser(PHONE), room.browser(SECOND)
    phone.send("/camera", "/camera/ask")
    [asked] = phone.links.cameras
    form = hidden_fields(stranger.get("/camera").text, "/camera/ask")["form"]
    for action in ("confirm", "refuse"):
        assert stranger.post(f"/camera/{action}", form=form, device=device_id(asked.token)).status_code == 403
    seat = room.browser(SECOND).sit(0)
    for other in (stranger, seat):
        assert send(other).status_code == 403
        assert other.client.post("/camera/picture", data={"form": form}).status_code == 403
    # a form from another site, and one without its token
    other_site = {"Origin": "http://evil.example"}
    assert send(confirmed_phone(room, "192.0.2.11"), headers=other_site).status_code == 403
    assert phone.post("/camera/ask").status_code == 403
    assert not (tmp_path / PHONE_FRAMES).exists()
    # an id of something else is no camera
    host = room.browser("192.0.2.1").host()
    form = hidden_fields(host.get("/camera").text, "/camera/ask")["form"]
    host.post("/camera/refuse", form=form, device=device_id(seat.token))
    assert evenings.held_seats(host.links) == {0}


def ask(room: Room, address: str) -> TestResponse:
    return room.browser(address).send("/camera", "/camera/ask")


def test_requests_of_strangers_are_limited(room: Room) -> None:
    first = room.browser(PHONE)
    for _time in range(2):
        assert first.send("/camera", "/camera/ask").status_code == 303
    again = ask(room, PHONE)
    assert again.status_code == 409
    assert "Another browser with this address is asking already." in again.text
    assert [ask(room, PHONE).status_code for _phone in range(4)] == [409] * 3 + [429]
    more = [ask(room, f"192.0.2.{20 + number}") for number in range(5)]
    assert [each.status_code for each in more] == [303] * 3 + [409] * 2
    assert "Several cameras are asking already." in more[-1].text
    cameras = first.links.cameras
    assert (len(cameras), cameras[0].token) == (CAMERAS, first.cookie(CAMERA))
    # they don't block this computer
    assert room.computer().send("/camera", "/camera/ask").status_code == 303
    # after an answer, the next one may ask
    assert room.browser().host().send("/host", "/camera/confirm").status_code == 303
    assert ask(room, "192.0.2.24").status_code == 303
    # the table forgets the address of a confirmed one
    assert present(evenings.camera_of(first.links)).network == ""


def test_huge_malformed_and_flooding_frames_are_refused(room: Room, camera: Clocked, tmp_path: Path) -> None:
    phone = confirmed_phone(room)
    assert send(phone, kind="text/plain").status_code == 415
    assert send(phone, b"\xff\xd8" + bytes(MAX_FRAME_BYTES)).status_code == 413
    for content in (b"", b"\xff\xd8\xff\xd9", FRAME[:-2], FRAME + b"x", b"GIF89a"):
        assert send(phone, content).status_code == 422
    assert not (tmp_path / PHONE_FRAMES).exists()
    codes = [send(phone).status_code for _frame in range(MOST_IN_A_SECOND + 5)]
    assert codes == [200] * MOST_IN_A_SECOND + [429] * 5
    camera.now += 1.01
    assert send(phone).status_code == 200


def drawn_in(outlines: str) -> tuple[list[str], list[str]]:
    """Return the looks of all outlines, and the reasons at those that don't count."""
    return re.findall(r'<polygon class="(\w+)"', outlines), re.findall(r">([^<>]+)</text>", unescape(outlines))


CORNERS = ((40.0, 30.0), (80.0, 30.0), (80.0, 60.0), (40.0, 60.0))


def test_reply_tells_pace_light_and_cards(room: Room, camera: Clocked) -> None:
    phone = confirmed_phone(room)
    cards = [PlacedCard(Sighting(face, face is not None, 0.9, (), CORNERS, "up", 1.0)) for face in ("20", None)]
    send(phone)
    camera.hear(EyesNews(TableRead(tuple(cards), 1)))
    camera.hear(EyesNews(PaceChanged(is_calm=True)))
    camera.now += SETTLED - 1
    send(phone)
    camera.now += 1
    reply = json.loads(send(phone).text)
    assert (reply["after"], reply["holds"]) == (CALM, True)
    assert drawn_in(reply["outlines"]) == (["found", "hindered"], ["can't be read"])
    camera.hear(EyesNews(TableRead(tuple(cards[:1]), 2)))
    for wrong, holds in (("phone lost", True), ("black", False)):
        # in other light, it measures again
        room.client.lasting = (Problem(wrong, {"camera": "phone"}),)
        assert json.loads(send(phone).text)["holds"] == holds


def test_camera_page_says_what_the_guide_says(tmp_path: Path, camera: Clocked) -> None:
    finder = FakeFinder()
    phone = confirmed_phone(room_with(match_of(), tmp_path, camera=camera, finder=finder))
    finder.seeks = CardsLaid(
        1, CardsShown((400, 300), b"", (ShownCard(CORNERS), ShownCard(CORNERS, "covered")))
    )
    reply = json.loads(send(phone).text)
    assert drawn_in(reply["outlines"]) == (["found", "hindered"], ["covered"])
    assert reply["lead"] == "1 of 4 cards found: one is covered."


def test_single_picture_is_sent_over_plain_http(
    room: Room, camera: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, faults = confirmed_phone(room), iter([None, "not a picture", "busy"])
    monkeypatch.setattr(camera, "take_picture", lambda _file, _is_camera: next(faults))
    form = hidden_fields(phone.get("/camera").text, "/camera/picture")["form"]
    sent = [{"form": form, "picture": (BytesIO(FRAME), "a.jpg")} for _time in range(3)]
    assert [phone.client.post("/camera/picture", data=each).status_code for each in sent] == [303, 422, 429]


def test_plain_page_leads_a_phone_to_the_encrypted_one(tmp_path: Path, camera: Clocked) -> None:
    address = TableAddress(8000)
    address.secure_port = 8443
    room = room_with(match_of(), tmp_path, camera=camera, address=address)
    there = address.secure()
    phone, here = room.browser(PHONE), room.computer()
    assert not state(here)["isReached"]
    shown = phone.get("/camera").text
    assert f'href="{there}camera"' in shown
    assert 'data-state="plain-off"' in shown
    assert state(here)["isReached"]
    # encrypted, and at this computer, the browser may use its camera
    encrypted = phone.client.get("/camera", base_url="https://192.0.2.7/").text
    assert 'data-state="off"' in encrypted
    shown = here.get("/camera").text
    assert 'data-state="off"' in shown
    assert f"{address.own()}camera" in shown
    address.secure_port = None
    assert "This table has no encrypted pages" in phone.get("/camera").text


def test_table_with_another_camera_says_so(tmp_path: Path) -> None:
    browser = room_with(match_of(), tmp_path).browser(PHONE)
    shown = browser.get("/camera").text
    assert 'data-state="none"' in shown
    assert ADDRESS not in shown
    assert (state(browser)["state"], send(browser).status_code) == ("none", 403)
    assert browser.send("/camera", "/camera/ask").status_code == 409
    assert browser.links.cameras == ()
