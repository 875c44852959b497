"""What the table's screen shows: laid out by what there is to show, whichever game it is."""

from itertools import islice

import pytest

from firmware.language.catalogues import language
from firmware.start.pages.look_door import Looks
from referee.match import Match, moments
from referee.telling import Listener
from tests.browser.moments import MOMENTS, Moment, find_match
from webui.drawing.looks import LookBook
from webui.drawing.score_board import score_of
from webui.drawing.screen_view import ScreenView, screen_of

LAYOUTS = {
    "number": ("coyote-begin", "coyote-bid", "coyote-six", "coyote-all-join", "coyote-all", "coup-turn"),
    "call": ("coyote-call",),
    "count": ("coyote-count",),
    "claim": ("coup-claim", "coup-block", "coup-caught"),
    "row": (
        "coup-d-etat-trick",
        "coup-d-etat-attempt",
        "plenty-coups-display",
        "plenty-coups-raid",
        "plenty-coups-winter",
    ),
    "rows": ("coup-d-etat-dominos",),
    "grid": ("ogallala-place",),
    "won": ("coyote-won", "coup-won", "coup-d-etat-won", "plenty-coups-won", "ogallala-won"),
}
LOOKS = LookBook(Looks())


def seen(match: Match, *, has_free: bool = False) -> ScreenView:
    listener = Listener(match.setup.game.words, match.setup.names, language("en"))
    asks = score_of(match, None, listener).asks
    return screen_of(match, listener, LOOKS.look_of(match), asks, has_free=has_free)


def moment_of(name: str) -> Moment:
    return next(moment for moment in MOMENTS if f"{moment.game}-{moment.name}" == name)


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment.game}-{moment.name}")
def test_each_decisive_moment_has_the_layout_that_shows_it(moment: Moment) -> None:
    screen = seen(find_match(moment))
    assert f"{moment.game}-{moment.name}" in LAYOUTS[screen.window.layout]
    assert screen.window.question or screen.is_over
    assert len(screen.plates) == moment.seats


@pytest.mark.parametrize("game", sorted({moment.game for moment in MOMENTS}))
def test_every_moment_of_a_match_can_be_shown(game: str) -> None:
    match = find_match(next(each for each in MOMENTS if each.game == game and each.name == "won"))
    for moment in islice(moments(match), 0, None, 7):
        screen = seen(moment)
        assert screen.window.question or screen.is_over, moment.number
        assert screen.window.situation or screen.window.question or screen.is_over


def test_before_the_first_answer_free_seats_come_first() -> None:
    match = find_match(moment_of("coyote-begin"))
    assert seen(match, has_free=True).window.layout == "seats"
    assert seen(find_match(moment_of("coyote-bid")), has_free=True).window.layout == "number"


def test_the_head_names_the_edition_and_what_there_is_room_for() -> None:
    screen = seen(find_match(moment_of("coyote-bid")))
    assert (screen.title, screen.facts) == ("Coyote", ("Gigamic", "Round 2"))


def test_a_claimed_card_wears_a_ribbon_and_a_caught_one_lies_struck() -> None:
    claimed = seen(find_match(moment_of("coup-claim"))).window.rows[0]
    assert claimed.ribbon.startswith("says ")
    assert not claimed.is_struck
    assert seen(find_match(moment_of("coup-caught"))).window.rows[0].is_struck


def test_only_those_are_awaited_who_are_asked_what_stops_play() -> None:
    match = find_match(moment_of("coup-block"))
    assert seen(match).window.awaited == ("Ana", "Chloé")


def test_cells_that_may_be_chosen_are_shown() -> None:
    screen = seen(find_match(moment_of("ogallala-place")))
    cells = [place for line in screen.window.lines for place in line]
    assert len(cells) >= 14 * 3
    assert any(place.is_allowed for place in cells)
    assert not any(place.is_allowed and place.face for place in cells)


def test_in_the_end_plates_stand_by_place_and_the_winner_is_green() -> None:
    plates = seen(find_match(moment_of("ogallala-won"))).plates
    assert [plate.place for plate in plates] == sorted(plate.place for plate in plates)
    assert (plates[0].place, plates[0].lamp, plates[0].has_won) == (1, "green", True)


def test_who_has_just_lost_is_red_and_who_plays_is_green() -> None:
    lamps = {plate.name: plate.lamp for plate in seen(find_match(moment_of("coyote-count"))).plates}
    assert lamps["Bo"] == "red"
    lamps = {plate.name: plate.lamp for plate in seen(find_match(moment_of("coyote-bid"))).plates}
    assert (lamps["Eve"], lamps["Ana"]) == ("green", "")
