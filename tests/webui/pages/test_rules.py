"""The pages of the rules: the book of this table, what one may do now, and by which rules was ruled."""

from pathlib import Path
from random import Random

import pytest

from referee.contract import Answer, Option, Refusal
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.grounds import rules_of
from referee.match import Match, Setup, begin, hear
from tests.referee.tables import after_any, new_match
from tests.webui.room import Browser, Room, room_with

NAMES = ("Ana", "Bo", "Chloé")
MOMENTS, APART = 60, 6
OPENS = Option("opens", seat=0)


def played(house: House) -> Match:
    """Let Ana open with 5."""
    match = begin(Setup(COYOTE, house, NAMES))
    for answer in (Answer(0, "opener", OPENS), Answer(1, "announce", 5, 0)):
        assert isinstance(match, Match)
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        match = after
    assert isinstance(match, Match)
    return match


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(played(House(x2="total", powers=("restart",))), tmp_path)


def english(browser: Browser, address: str) -> str:
    page = browser.get(address, {"Accept-Language": "en"})
    assert page.status_code == 200
    return page.text


def test_the_book_is_the_one_of_this_table(room: Room) -> None:
    page = english(room.browser(), "/rules")
    assert "Rules of Coyote" in page
    assert "Kidult" in page
    assert "The leader doubles the whole total, after all is subtracted." in page
    assert "By default: The leader doubles what adds up, not what is subtracted." in page
    assert "Take over:" not in page, "a special rule that isn't agreed on"
    assert page.count('<div class="rule') == len(list(rules_of(COYOTE, room.door.match.setup.house)))


def test_rules_are_found_by_their_words_and_accents_do_not_matter(room: Room) -> None:
    page = english(room.browser(), "/rules?find=LEADER")
    assert page.count('<div class="rule') == 1
    assert "No rule has these words" in english(room.browser(), "/rules?find=unicorn")
    french = room.browser().get("/rules?find=meneur", {"Accept-Language": "fr"}).text
    assert french.count('<div class="rule') == 1


def test_what_is_looked_for_is_no_markup(room: Room) -> None:
    page = english(room.browser(), "/rules?find=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page


def test_a_seat_is_told_what_it_may_do_and_by_which_rules(room: Room) -> None:
    page = english(room.browser().sit(1), "/seat/rules")
    assert 'data-word="coyote"' in page
    assert "may call Coyote on the last as too high" in page
    assert "Again: the last number is refused" in page
    assert "By default this isn&#39;t played." in page


def test_a_seat_that_is_not_asked_is_told_so(room: Room) -> None:
    assert "You aren&#39;t asked anything" in english(room.browser().sit(2), "/seat/rules")


def test_without_a_seat_the_book_is_shown(room: Room) -> None:
    assert "Rules of Coyote" in english(room.browser(), "/seat/rules")


def test_the_newest_rulings_are_told_with_their_rules_the_newest_first(room: Room) -> None:
    page = english(room.browser(), "/rules/why")
    assert page.index("Ana says 5.") < page.index("Round 1.")
    assert "The best coyote laugh opens the first round" in page


def test_a_player_lets_the_table_say_the_rules_a_spectator_does_not(room: Room) -> None:
    player = room.browser().sit(1)
    assert player.send("/rules/why", "/rules/why/aloud").status_code == 303
    assert room.door.actions == ["explained"]
    codes = [player.send("/rules/why", "/rules/why/aloud").status_code for _time in range(4)]
    assert codes == [303, 303, 303, 429]
    assert room.browser().post("/rules/why/aloud", form="x").status_code == 403
    assert "Say it aloud" not in english(room.browser(), "/rules/why")


@pytest.mark.parametrize("name", list(GAMES))
def test_the_pages_of_every_game_can_be_read_all_along(name: str, tmp_path: Path) -> None:
    rng, match = Random(name), new_match(GAMES[name], next(iter(GAMES[name].settings)), 4)
    room = room_with(match, tmp_path)
    seats = [room.browser().sit(seat) for seat in range(4)]
    for number in range(MOMENTS):
        if number % APART == 0:
            room.door.tell(match)
            for browser in seats:
                english(browser, "/seat/rules")
            for address in ("/rules", "/rules/why"):
                english(seats[0], address)
        if match.asks:
            match = after_any(match, rng)
