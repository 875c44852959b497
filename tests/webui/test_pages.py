"""Requirements of all pages, and the rule pages."""

import re
from pathlib import Path

import pytest

from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.grounds import rules_of
from tests.webui.matches import open_round
from tests.webui.room import Room, match_of, room_with

ROOT = Path(__file__).parents[2] / "webui"
TEMPLATES = ROOT / "templates"


@pytest.mark.parametrize("page", ["/", "/join", "/seat", "/host", "/history", "/nothing"])
def test_every_page_checks_rights(room: Room, page: str) -> None:
    response = room.browser().get(page)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_cookies_last_a_year_and_are_closed_to_scripts_and_other_sites(room: Room) -> None:
    phone = room.browser()
    seen, seated = phone.get("/seat"), phone.send("/seat", "/seat/take", code=phone.links.codes[0])
    cookies = [*seen.headers.getlist("Set-Cookie"), *seated.headers.getlist("Set-Cookie")]
    assert len(cookies) == 2
    for cookie in cookies:
        assert {f"Max-Age={365 * 24 * 60 * 60}", "HttpOnly", "SameSite=Lax"} <= {*cookie.split("; ")}


def test_page_language_follows_browser_then_table(tmp_path: Path) -> None:
    browser = room_with(match_of(), tmp_path, language="fr").browser()
    for wanted, code in (("en", "en"), ("fr", "fr"), ("de, en;q=0.5", "en"), ("de", "fr"), ("", "fr")):
        assert f'<html lang="{code}"' in browser.get("/", {"Accept-Language": wanted}).text


def test_templates_contain_no_scripts_styles_or_hard_colons() -> None:
    # a film's file is self-contained
    for template in set(TEMPLATES.rglob("*.html")) - {TEMPLATES / "film" / "film_file.html"}:
        # sentences are punctuated by the catalogues' own rules
        drawn = re.sub(r'(say|phrase)\("[^"]*"', "", template.read_text(encoding="utf-8"))
        assert not re.search(r"[}>]\s*[:;!]\s", drawn), template
        assert not re.search(r"<[^>{]*\s(style|on\w+)=", drawn), template
        assert set(re.findall(r"<script[^>]*>(.*?)</script>", drawn, re.DOTALL)) <= {""}, template


def test_only_players_can_have_rules_read_aloud(tmp_path: Path) -> None:
    room = room_with(open_round(match_of()), tmp_path)
    player, looker = room.browser().sit(1), room.browser()
    codes = [player.send("/rules/why", "/rules/why/aloud").status_code for _time in range(5)]
    assert codes == [303] * 4 + [429]
    assert room.client.actions == [("explain_aloud",)] * 4
    assert "/rules/why/aloud" not in looker.get("/rules/why").text


def test_rule_book_matches_the_table_and_is_searchable(tmp_path: Path) -> None:
    house = House(x2="total", powers=("restart",))
    browser = room_with(match_of(house=house), tmp_path).browser()
    page = browser.get("/rules").text
    assert "By default: The leader doubles the cards that are added, not those that are subtracted." in page
    assert "Take over:" not in page, "a special rule that isn't agreed on"
    assert page.count('<div class="rule') == len(list(rules_of(COYOTE, house)))
    for find, code, count in (("LEADER", "en", 1), ("unicorn", "en", 0), ("meneur", "fr", 1)):
        found = browser.get(f"/rules?find={find}", {"Accept-Language": code}).text
        assert found.count('<div class="rule') == count
    # a seat's rules begin with what it is asked
    room = room_with(open_round(match_of(house=house)), tmp_path / "asked")
    assert 'href="/rules"' in room.browser().sit(0).get("/seat/rules").text
    assert "<script>alert" not in browser.get("/rules?find=%3Cscript%3Ealert(1)%3C/script%3E").text
