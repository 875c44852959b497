"""Which card is this? Two pictures cover neither the question nor the header."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from firmware.services.looks import Looks
from firmware.table.naming import UnknownOnTable
from tests.browser.house import Phone
from tests.browser.rooms import now_shown, page_of, sit
from tests.given import present
from tests.tiers import ALL, tiered
from tests.webui.matches import name_question
from tests.webui.room import match_of, room_with
from vision.pictures import packed_jpeg


@pytest.mark.parametrize("language", tiered(["fr"], ["en", "fr"]))
def test_two_pictures_cover_nothing(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    room = room_with(match_of(), tmp_path, looks=Looks())
    picture = packed_jpeg(np.full((489, 350, 3), 200, np.uint8), 90)
    asked = name_question(room.client.match, 7, before=1, like=("3", "5", "8"), earlier=picture)
    with page_of(chromium, room, Phone(390, height=844, language=language, misses=("404",))) as page:
        for is_good in (True, False):
            card = replace(asked.unknown.card, jpeg=picture, is_good=is_good)
            room.ask_names(replace(asked, unknown=UnknownOnTable(7, card)))
            sit(page, room, 1)
            page.wait_for_function("() => [...document.querySelectorAll('.cut')].every(x => x.naturalWidth)")
            pictures = [present(each.bounding_box()) for each in page.locator(".cut").all()]
            header, asks = (
                present(page.locator(each).first.bounding_box()) for each in ("header", "#question")
            )
            assert len(pictures) == 2
            assert all(each["y"] >= header["y"] + header["height"] for each in pictures)
            assert all(each["y"] + each["height"] <= asks["y"] for each in pictures)
            assert page.locator(".which > form .say").count() == is_good
            assert now_shown(page, has_axe=ALL or is_good) == []
