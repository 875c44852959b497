"""A browser as the camera, with Chromium's own moving test picture."""

from pathlib import Path

from playwright.sync_api import Browser

from firmware.services.browser_camera import BrowserCamera
from firmware.services.looks import Looks
from firmware.storage.people import evening as evenings
from firmware.table.watcher import EyesNews
from tests.browser.house import Phone, sit_at_computer
from tests.browser.rooms import now_shown, page_of
from tests.given import present
from tests.waiting import until
from tests.webui.room import match_of, room_with
from vision.pictures import load_picture
from vision.process.messages import TableRead
from vision.sightings import Sighting
from vision.table.camera_names import PHONE_FRAMES
from vision.table.values import PlacedCard

CORNERS = ((100.0, 100.0), (300.0, 100.0), (300.0, 400.0), (100.0, 400.0))
STREAMED = 3  # frames
REFUSED = "the server responded with a status of 403"


def test_frames_arrive_until_the_camera_is_stopped(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / PHONE_FRAMES
    camera = BrowserCamera(file)
    room = room_with(match_of(), tmp_path, camera=camera, looks=Looks())
    with page_of(chromium, room, Phone(1366, height=650, misses=(REFUSED,))) as page:
        sit_at_computer(page, room.links_file.evening())
        page.goto("/camera")
        assert now_shown(page) == []
        page.click("text=Turn the camera on")
        page.wait_for_selector("text=Lay cards on the table.")
        frames = set[bytes]()

        def have_arrived() -> bool:
            frames.update((file.read_bytes(),) if file.exists() else ())
            return len(frames) >= STREAMED

        until(have_arrived)
        picture = present(load_picture(file))
        shown = page.evaluate(
            "(({videoWidth, videoHeight}) => [videoWidth, videoHeight])(document.querySelector('video'))"
        )
        # neither scaled nor turned: outlines fit both
        assert [picture.shape[1], picture.shape[0]] == shown
        camera.hear(EyesNews(TableRead((PlacedCard(Sighting("20", True, 0.9, (), CORNERS, "up", 1.0)),), 1)))
        page.wait_for_selector("text=Good. Leave the camera there.")
        points = page.get_attribute(".outlines polygon.found", "points")
        assert [round(float(each)) for each in present(points).replace(",", " ").split()] == [
            round(side) for corner in CORNERS for side in corner
        ]
        assert now_shown(page) == []
        # the host stops it elsewhere
        used = present(evenings.camera_of(room.links_file.evening()))
        room.links_file.change(lambda now: evenings.put_out(now, used.token))
        page.wait_for_selector("text=The host has stopped or refused it.")
        assert page.evaluate("document.querySelector('video').srcObject") is None


def test_browser_that_may_not_ask_is_told_why(chromium: Browser, tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, camera=BrowserCamera(tmp_path / PHONE_FRAMES), looks=Looks())
    room.browser("192.0.2.9").send("/camera", "/camera/ask")
    refused = room.browser("192.0.2.9").send("/camera", "/camera/ask")
    told = refused.text.replace("plain-off", "off")
    with page_of(chromium, room, Phone(1366, height=650, misses=(REFUSED.replace("403", "409"),))) as page:
        page.route(
            "**/camera/ask", lambda route: route.fulfill(status=409, body=told, content_type="text/html")
        )
        page.goto("/camera")
        for _time in range(2):
            page.click("text=Turn the camera on")
            page.wait_for_selector("main > [role=alert]:not([data-seen]) >> text=is asking already")
            page.evaluate("for (const each of document.querySelectorAll('[role=alert]')) each.dataset.seen = 1")
            assert page.locator("main > [role=alert]").count() == 1
