"""The club's pages: accessible, not too wide or clipped, usable by keyboard and plain HTML."""

import pytest
from playwright.sync_api import APIResponse, Browser, Route

from club.database import tell_news
from plugins.club.tests.opened import PIN
from plugins.club.tests.said import keep_match
from referee.games.coyote import COYOTE
from tests.browser.club_house import DIRECTORS, LONG, OPEN, WHY, ClubHouse, become_director
from tests.browser.house import Phone, open_phone
from tests.browser.layout_rules import SIZES
from tests.browser.rooms import delayed_stream, each_phone, hold, look_at, now_shown
from tests.tiers import slow
from tests.waiting import until
from tests.webui.matches import play_match

PLAIN = Phone(has_script=False)
TV = Phone(1920)


@slow("every page of a club, in the midst of an evening")
@each_phone
def test_pages_follow_the_layout_rules_during_an_evening(
    chromium: Browser, club: ClubHouse, phone: Phone
) -> None:
    club.hold_busy_evening()
    with open_phone(chromium, club, phone) as page:
        assert look_at(page, *OPEN, "/people/1", "/history/1", "/history/8", sizes=SIZES) == []
        become_director(page, club)
        assert look_at(page, *DIRECTORS, sizes=SIZES) == []
        page.goto("/director/tables")
        page.locator("form.fields button").click()
        page.wait_for_selector(".qr svg")
        assert now_shown(page) == []
        club.send("/director/round/draw")
        assert look_at(page, "/director/round") == []
        club.send("/director/end")
        assert look_at(page, "/", "/standings", "/director/round", "/director/more", "/me") == []


def test_new_tournament_shows_the_rules_of_the_chosen_games(chromium: Browser, club: ClubHouse) -> None:
    with open_phone(chromium, club, Phone()) as page:
        become_director(page, club)
        page.goto("/director/new")
        games = page.locator("select[name^='game-']")
        for table in games.all():
            table.select_option("coyote")
        shown = page.locator("summary:visible")
        assert shown.all_inner_texts() == ["Coyote: House rules"]
        games.first.select_option("coup")
        assert shown.all_inner_texts() == ["Coup: House rules", "Coyote: House rules"]


@slow("plain HTML suffices")
def test_evening_works_without_javascript(chromium: Browser, club: ClubHouse) -> None:
    with open_phone(chromium, club, PLAIN) as director, open_phone(chromium, club, PLAIN) as zoe:
        director.goto("/director")
        director.get_by_label("PIN").fill(PIN)
        director.get_by_role("button", name="Enter").click()
        director.get_by_role("link", name="New tournament").click()
        director.get_by_role("button", name="Begin").click()
        for name in ("Ana", "Bo", "Chloé"):
            director.get_by_role("textbox", name="One name per line").fill(name)
            director.get_by_role("button", name="Add", exact=True).click()
        zoe.goto("/me")
        zoe.get_by_label("Your name").fill(LONG)
        zoe.get_by_label("Store my name").check()
        zoe.get_by_role("button", name="Take part").click()
        assert f"You are {LONG}, number 4." in zoe.inner_text("main")
        director.goto("/director/round")
        director.get_by_role("button", name="Draw round 1").click()
        first, second = director.locator("input[name=swap]").all()[:2]
        seats = [each.get_attribute("value") for each in (first, second)]
        first.check(force=True)
        second.check(force=True)
        director.get_by_role("button", name="Change places").click()
        swapped = director.locator("input[name=swap]").all()[:2]
        assert [each.get_attribute("value") for each in swapped] == seats[::-1]
        director.get_by_role("button", name="Send to the phones").click()
        zoe.reload()
        assert "Round 1: Table 1, seat" in zoe.inner_text("main")
        zoe.goto("/")
        assert zoe.locator("noscript meta[http-equiv=refresh]").count() == 1


def test_wall_screen_follows_tables_and_calls(chromium: Browser, club: ClubHouse) -> None:
    with open_phone(chromium, club, TV) as screen, open_phone(chromium, club) as director:
        become_director(director, club)
        screen.goto("/")
        tile = screen.locator("[data-table=table-1]")
        assert "Nobody plays yet." in tile.inner_text()
        screen.wait_for_function("() => document.body.classList.contains('scripted')")
        with club.pool.connection() as db:
            keep_match(db, "table-1", 1, play_match(COYOTE, moments=6))
        screen.wait_for_selector("[data-table=table-1].plays")
        club.call("table-1")
        screen.wait_for_selector("[data-table=table-1].calls")
        assert WHY in tile.inner_text()
        director.get_by_role("link", name="See the call of Table").click()
        director.get_by_role("heading", name=WHY).wait_for()
        director.get_by_role("button", name="I'll come to the table").click()
        screen.get_by_text("the director is coming").wait_for()
        director.get_by_label("My ruling").fill("It was the 8.")
        director.get_by_role("button", name="Send the ruling").click()
        screen.wait_for_selector("[data-table=table-1].plays")
        director.get_by_role("heading", name="Nobody calls.").wait_for()


def test_wall_screen_never_shows_an_older_state(chromium: Browser, club: ClubHouse) -> None:
    with open_phone(chromium, club, TV) as screen:
        held = list[tuple[Route, APIResponse]]()
        screen.route("**/part", lambda route: held.append((route, route.fetch())), times=1)
        screen.goto("/")
        until(lambda: screen.evaluate("true") and held)
        with club.pool.connection() as db:
            keep_match(db, "table-1", 1, play_match(COYOTE, moments=6))
        screen.wait_for_selector("[data-table=table-1].plays")
        [(route, drawn_before)] = held
        with screen.expect_request("**/part"):
            route.fulfill(response=drawn_before)
        screen.wait_for_selector("[data-table=table-1].plays")


@slow("waits for the hub's next sign of life")
def test_director_page_reports_database_outage_once(chromium: Browser, club: ClubHouse) -> None:
    with open_phone(chromium, club, Phone(misses=("503",))) as director:
        become_director(director, club)
        director.wait_for_function("() => document.body.classList.contains('scripted')")
        database = director.locator(".parts4 li", has_text="Database")
        assert "answers in" in database.inner_text()
        for is_away, told in ((True, "no response for"), (False, "answers in")):
            club.is_away = is_away
            with club.pool.connection() as db:
                tell_news(db, "tournament")
            database.get_by_text(told).wait_for()
            assert director.get_by_text("The database doesn't respond.").count() == is_away
            assert not director.get_by_text("The club's database can't be reached.").is_visible()
        # an outage before the page's events begin
        with delayed_stream(director):
            director.goto("/director")
            club.is_away = True
        database.get_by_text("no response for").wait_for()
        assert not director.get_by_text("Can't reach the club.").is_visible()
        club.is_away = False
        database.get_by_text("answers in").wait_for()


@slow("waits for the hub's next sign of life")
@pytest.mark.parametrize("is_refused", [True, False])
def test_refused_or_unending_look_at_a_page_is_repeated(
    chromium: Browser, club: ClubHouse, is_refused: bool
) -> None:
    with open_phone(chromium, club, Phone(misses=("503", "ERR_FAILED"))) as director:
        director.clock.install()
        become_director(director, club)
        director.wait_for_function("() => document.body.classList.contains('scripted')")
        held = hold(director, "**/director", times=1)
        club.call("table-1")
        until(lambda: director.evaluate("true") and held)
        if is_refused:
            held[0].fulfill(status=503)
        else:
            director.clock.fast_forward(13_000)
        director.get_by_role("link", name="See the call of Table").wait_for()


def test_round_reaches_a_loading_phone_and_preserves_typed_text(chromium: Browser, club: ClubHouse) -> None:
    club.begin("Ana", "Bo", "Chloé")
    with (
        open_phone(chromium, club) as zoe,
        open_phone(chromium, club) as eve,
        open_phone(chromium, club) as late,
    ):
        for page, name in ((zoe, "Zoé"), (eve, "Eve"), (late, "Lat")):
            page.goto("/me")
            page.get_by_label("Your name").fill(name)
        for page in (zoe, eve):
            page.get_by_role("button", name="Take part").click()
        zoe.get_by_text("The next round isn't drawn yet.").wait_for()
        with delayed_stream(eve):
            eve.goto("/me")
            club.send_round()
        for page in (zoe, eve):
            page.get_by_text("Round 1: Table").wait_for()
        assert late.get_by_label("Your name").input_value() == "Lat"
