"""What the camera sees, on a phone, a laptop and a television: nothing covers the question."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from firmware.table.cards import Count, TableCard
from firmware.table.client import TableSummary
from tests.browser.house import Phone
from tests.browser.rooms import become_screen, look_at, now_shown, page_of, sit, trigger_redraw
from tests.firmware.board.inputs.matches import call_moments
from tests.firmware.table.sat import card
from tests.tiers import tiered
from tests.waiting import until
from tests.webui.room import Room, room_with
from vision.process.messages import ViewTaken
from vision.troubles import Problem

JPEG = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
MOVED = Problem("did the camera move")
PHONES = (Phone(320, "light", "fr"), Phone(390, "dark", "en"))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    room = room_with(call_moments()[0], tmp_path, looks=Looks())
    cards = (TableCard(card("10")), TableCard(card("5", 1), count=Count.SHOWN), TableCard(card(None, 2)))
    room.client.summary, room.client.picture_size = TableSummary(1, cards=cards), (640, 480)
    room.client.seen[ViewTaken] = lambda order: ViewTaken(JPEG, order.is_read)
    return room


def wait_for_picture(page: Page) -> None:
    page.wait_for_selector(".seen img")
    until(lambda: page.evaluate("document.querySelector('.seen img').naturalWidth") == 640)


def is_question_free(page: Page) -> bool:
    """Return whether the question can be read: nothing lies over its middle."""
    return page.evaluate("""() => {
      const at = document.getElementById("question").getBoundingClientRect()
      return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)?.id === "question"
    }""")


@pytest.mark.parametrize("phone", tiered(PHONES[:1], PHONES), ids=lambda phone: phone.width)
def test_phone_shows_the_row_and_one_tap_away_the_picture(chromium: Browser, room: Room, phone: Phone) -> None:
    with page_of(chromium, room, phone) as page:
        sit(page, room, 0)
        assert page.locator("img[src^='/view.jpg']").count() == 0
        trigger_redraw(room, MOVED)
        page.wait_for_selector(".cam.of-moved form")
        assert now_shown(page) == []
        assert is_question_free(page)
        page.click(".cam .open")
        wait_for_picture(page)
        assert page.locator(".seen polygon").count() == 3
        assert look_at(page, "/view") == []
        # the picture goes as soon as it may not be seen any more
        room.client.summary = TableSummary(1)
        page.wait_for_selector(".seen polygon", state="detached")


def test_laptop_shows_the_picture_beside_the_question(chromium: Browser, room: Room) -> None:
    with page_of(chromium, room, Phone(1366, "light", "en", height=650)) as page:
        sit(page, room, 0)
        wait_for_picture(page)
        assert now_shown(page) == []
        assert is_question_free(page)
        trigger_redraw(room, MOVED)
        page.wait_for_selector(".cam.of-moved")
        room.client.lasting = ()
        room.client.redraw()
        page.wait_for_selector(".cam.found >> text=Found again.")
        page.wait_for_selector(".cam.of-odd:not(.found)")


def test_screen_shows_the_picture_while_cards_are_asked_for(chromium: Browser, room: Room) -> None:
    with page_of(chromium, room, Phone(1920, "light", "fr")) as page:
        become_screen(page, room)
        page.goto("/screen")
        wait_for_picture(page)
        trigger_redraw(room, MOVED)
        page.wait_for_selector(".lastline.camera")
        # the picture stays while the part is drawn anew
        assert page.locator(".viewed .seen img").count() == 1
        assert now_shown(page) == []
        room.client.lasting = ()
        room.client.redraw()
        page.wait_for_selector(".lastline.found >> text=Retrouvée.")
        assert now_shown(page) == []
        page.wait_for_selector(".lastline.camera", state="hidden")
