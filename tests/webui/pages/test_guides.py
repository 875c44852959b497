"""Finding the table and teaching a deck, on the pages: what is asked of the guides, and what is refused."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.parts.learning import LessonFace, TeachableDeck, TeachingProgress
from referee.kit.french_cards import CARDS
from tests.webui.fakes import FOUND, FakeFinder, FakeTeacher
from tests.webui.room import match_of, room_with


@pytest.fixture
def guides(tmp_path: Path) -> Any:
    finder, teacher = FakeFinder(), FakeTeacher()
    room = room_with(match_of(), tmp_path, finder=finder, teacher=teacher)
    return SimpleNamespace(room=room, host=room.browser().host(), finder=finder, teacher=teacher)


# the table


def test_what_was_found_is_shown_to_the_host_alone(guides: Any) -> None:
    host, finder = guides.host, guides.finder
    finder.told["sight"] = lambda: FOUND
    page = host.get("/host/table").text
    assert ">3 Chloé &lt;b&gt;</text>" in page
    assert ">9</text>" in page
    for file, content in (("picture.jpg", b"\xff\xd8jpeg"), ("markers.pdf", b"%PDF-markers")):
        assert host.get(f"/host/table/{file}").data == content
        assert guides.room.browser().sit(0).get(f"/host/table/{file}").status_code == 403


# a deck


def test_52_cards_are_offered_by_suits_and_those_that_are_taught_are_ticked(guides: Any) -> None:
    host, teacher = guides.host, guides.teacher
    deck = TeachableDeck("french-52", "coup", "", 52, 0, 13)
    faces = tuple(LessonFace(card, 1, "drafted" if card[-1] == "s" else "missing") for card in CARDS)
    teacher.told["lesson"] = lambda: TeachingProgress(deck, faces, "lay", "Ah", 0, 3, "")
    page = host.get("/host/teach").text
    ways = re.findall(r'name="suit" value="(\w+)">\s*<button class="\w+">([^<]*)<', page)
    assert ways == [
        ("spades", "✓ Spades"), ("hearts", "Hearts"), ("diamonds", "Diamonds"), ("clubs", "Clubs"),
    ]  # fmt: skip
    assert host.send("/host/teach", "/host/teach/suit", suit="hearts").status_code == 303
    assert host.send("/host/teach", "/host/teach/suit", suit="swords").status_code == 400
    assert guides.room.browser().sit(0).post("/host/teach/suit", suit="hearts").status_code == 403
    assert teacher.asked == [("suit", "hearts")]
    teacher.told["lesson"] = lambda: TeachingProgress(deck, faces[:-1], "lay", "Ah", 0, 3, "")
    assert "/host/teach/suit" not in host.get("/host/teach").text
