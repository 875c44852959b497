"""The rematch on the welcome page: the same game, rules and people with one tap."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from firmware.table.client import TableSummary
from referee.contract import Refusal
from referee.games.catalogue import GAMES
from referee.house_rules import house_from
from referee.summaries import day_of
from tests.webui.fakes import FakeTwin
from tests.webui.matches import play_match
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.server.drawn_pages import picture_of

COYOTE = GAMES["coyote"]
FAR = "192.0.2.44"


def by_other_rules() -> Struct:
    house = house_from(COYOTE, {"edition": "kidult", "powers": "double"})
    assert not isinstance(house, Refusal)
    return house


def room_of(journal: Journal, folder: Path, **more: Any) -> Room:
    """A table after an evening: Coyote with Eve, then with other rules without her; one match is unfinished."""
    journal.begin(play_match(COYOTE, ("Ana", "Bo", "Eve")))
    journal.begin(play_match(COYOTE, ("Bo", "Ana", "Pip"), house=by_other_rules()))
    journal.begin(play_match(GAMES["coup"], ("Zoé", "Max"), moments=3))
    return room_with(match_of(), folder, history=History(folder / "journal.sqlite3"), **more)


def chosen(page: str) -> dict[str, bool]:
    boxes = re.findall(r'<input type="checkbox" name="name" value="([^"]*)"( checked)?>', page)
    return {unescape(name): bool(is_chosen) for name, is_chosen in boxes}


def begin_again(browser: Browser, **names: list[str]) -> int:
    fields = hidden_fields(browser.get("/welcome").text, "/welcome/again")
    return browser.client.post("/welcome/again", data={**fields, **names}).status_code


def test_rematch_starts_with_one_tap(journal: Journal, tmp_path: Path) -> None:
    room = room_of(journal, tmp_path)
    host = room.browser(FAR).host()
    page = host.get("/welcome").text
    assert "Coyote, 3 of you." in page
    assert chosen(page) == {"Bo": True, "Ana": True, "Pip": True, "Eve": False, "Zoé": False, "Max": False}
    assert begin_again(host, name=["Ana", "Bo", "Pip", "Eve", "Mallory"]) == 303
    setup = room.client.match.setup
    assert (setup.game, setup.names) == (COYOTE, ("Bo", "Ana", "Pip", "Eve"))
    assert setup.house == by_other_rules() != COYOTE.rules.house()


def test_too_few_players_start_no_rematch(journal: Journal, tmp_path: Path) -> None:
    room = room_of(journal, tmp_path)
    host, before = room.browser(FAR).host(), room.client.match
    assert begin_again(host, name=["Ana"]) == 400
    assert begin_again(host, name=["Ana", "Bo"], number=["1"]) == 404
    assert begin_again(host, name=["Ana", "Bo"], form=["forged"]) == 403
    assert room.browser(FAR).client.post("/welcome/again", data={"name": "Ana"}).location == "/host"
    assert room.client.match is before


def test_rematch_on_simulated_table_fills_seats_with_bots(journal: Journal, tmp_path: Path) -> None:
    twin = FakeTwin()
    room = room_of(journal, tmp_path, twin=twin)
    browser = room.computer()
    assert begin_again(browser, name=["Pip", "Ana", "Bo"]) == 303
    assert twin.seats == {1, 2}
    assert "You are Bo." in browser.get("/seat").text


def test_no_rematch_offer_with_forgotten_name_or_running_match(journal: Journal, tmp_path: Path) -> None:
    room = room_of(journal, tmp_path)
    host = room.browser(FAR).host()
    journal.forget("Bo")
    assert "/welcome/again" not in host.get("/welcome").text
    journal.begin(play_match(COYOTE, ("Ana", "Eve")))
    assert chosen(host.get("/welcome").text) == {
        "Ana": True,
        "Eve": True,
        "Pip": False,
        "Zoé": False,
        "Max": False,
    }
    room.client.match = play_match(COYOTE, ("Ana", "Bo"), moments=3)
    assert "/welcome/again" not in host.get("/welcome").text


def screen_of(room: Room) -> Browser:
    screen = room.browser(FAR).host()
    assert screen.send("/screen", "/screen/ask").status_code == 303
    return screen


def refuse(_path: Path) -> None:
    raise JournalError("journal disk")


def test_screen_recalls_the_last_evening_until_someone_joins(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = room_of(journal, tmp_path)
    room.client.kept = TableSummary(id=None)
    screen = screen_of(room)
    recalled = screen.get("/screen").text
    assert "Coyote, 3 of you." in recalled
    assert all(f"{name}</b>" in recalled for name in ("Bo", "Ana", "Pip", "Eve"))
    assert not any(code in recalled for code in screen.links.codes)
    with monkeypatch.context() as unread:
        unread.setattr("firmware.storage.match_history.open_readonly", refuse)
        assert "3 of you." not in screen.get("/screen").text
    room.browser(FAR).sit(1)
    assert "3 of you." not in (seated := screen.get("/screen").text)
    assert screen.links.codes[0] in seated


@pytest.mark.parametrize("is_saving", [True, False])
def test_finished_match_shows_the_evening_qr_code(journal: Journal, tmp_path: Path, is_saving: bool) -> None:
    room = room_of(journal, tmp_path)
    room.client.match = play_match(COYOTE, ("Ana", "Bo", "Eve"))
    room.client.kept = TableSummary(id=2, is_saving=is_saving)
    screen = screen_of(room)
    text = screen.get("/screen").text
    day = day_of(room.client.match.setup.begun)
    address = str(picture_of(f"http://192.0.2.7:8000/evenings/{day}"))
    assert (address in text) == is_saving
    assert screen.get(f"/evenings/{day}").status_code == 200
    assert not any(code in text for code in screen.links.codes)
