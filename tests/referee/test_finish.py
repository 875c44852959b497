"""The end of a match as a reader sees it: places and how they were reached, and the best moment."""

import pytest

from firmware.language.catalogues import language
from referee.contract import Option
from referee.finish_view import FinishView, HighlightView, finish_of
from referee.games.catalogue import GAMES
from referee.match import EndMatch, Match, hear
from tests.given import allowed, present
from tests.referee.games.coup.script import table
from tests.referee.games.coyote.script import sit_down
from tests.webui.matches import play_match

ENGLISH = language("en")


def finish(match: Match, seat: int | None = None) -> FinishView:
    return present(finish_of(match, ENGLISH, seat))


def best(match: Match) -> HighlightView:
    return present(finish(match).highlight)


def coyote() -> Match:
    """A loses three rounds, B two rounds and then by 1; C has one paw."""
    script = sit_down(3, edition="gigamic").answers("opener", Option("opens", 0))
    script = script.plays("loses:0 loses:0 loses:2 loses:0 loses:1 loses:1").climbs_to(1)
    return script.plays("16 coyote").shows("20 -5", owners=(1, 2)).match


def test_coyote_names_the_round_and_the_margin_of_each_departure() -> None:
    places = finish(coyote(), seat=0).places
    assert [(each.place, each.name, each.reason) for each in places] == [
        (1, "C", "1 paw of 3"),
        (2, "B", "out in round 7, by 1"),
        (3, "A", "out in round 4, by 4983"),
    ]


def test_winner_and_loser_read_their_own_result() -> None:
    match = coyote()
    won, lost, watched = (finish(match, seat) for seat in (2, 0, None))
    assert (won.is_won, won.title, won.how) == (True, "You won!", "B: out in round 7, by 1")
    assert (lost.is_won, lost.title, lost.standing) == (False, "", "You are 3rd of 3")
    assert (lost.how, won.standing, watched.standing) == ("out in round 4, by 4983", "", "")
    assert (watched.is_won, watched.how) == (False, won.how)
    assert won.length == ("7 rounds",)


def test_coyote_remembers_the_closest_call_with_its_cards() -> None:
    moment = best(coyote())
    assert (moment.heading, moment.text) == ("Closest call", "Round 7: B dared 16. The total was 15.")
    assert [(card.face, card.caption) for card in moment.cards] == [("20", "B"), ("-5", "C")]
    assert (moment.total, moment.missed) == ("15", "16")


def test_coup_names_the_turn_and_the_cause_of_each_departure() -> None:
    script = table("7:1", "3:1", "3:1").plays("coup:1 [captain] tax challenge:0 concede [captain]")
    assert [(each.place, each.name, each.reason) for each in finish(script.match).places] == [
        (1, "A", "1 influence"),
        (2, "C", "out in turn 2, a bluff"),
        (3, "B", "out in turn 1, a coup"),
    ]


def test_coup_remembers_a_bluff_whose_player_turned_up_both_cards() -> None:
    moment = best(table("7:2", "3:1", turn=1).plays("tax pass coup:1 [captain]").match)
    assert moment.heading == "Best bluff"
    assert moment.text == "B claimed the Duke once, and nobody challenged it."
    assert [(card.face, card.caption) for card in moment.cards] == [("duke", "claimed"), ("captain", "held")]


@pytest.mark.parametrize(
    "line",
    [
        "exchange pass returned coup:1 [captain]",  # drew other cards afterwards
        "tax pass coup:1 [duke]",  # the claim was true
        "tax challenge:0 [duke] [captain] coup:1 [contessa]",  # proved, and swapped for another card
    ],
)
def test_coup_calls_no_claim_a_bluff_that_may_have_been_true(line: str) -> None:
    highlight = finish(table("7:2", "3:1", turn=1).plays(line).match).highlight
    assert highlight is None or highlight.key != "bluff"


def test_coup_remembers_the_last_challenge_if_no_bluff_is_certain() -> None:
    right = best(table("3:2", "3:1").plays("income tax challenge:0 concede [captain]").match)
    assert right.text == "Turn 2: A challenged B's Duke, and was right."
    assert [(card.face, card.is_claimed) for card in right.cards] == [("duke", True), ("captain", False)]
    wrong = best(table("3:1", "3:1", turn=1).plays("tax challenge:0 [duke] [captain]").match)
    assert wrong.text == "Turn 1: A challenged B's Duke, and was wrong."
    assert [(card.face, card.caption, card.is_claimed) for card in wrong.cards] == [("duke", "B", False)]


def test_other_games_remember_the_largest_change_of_the_score() -> None:
    moment = best(play_match(GAMES["coup-d-etat"], ("A", "B", "C", "D")))
    assert (moment.heading, moment.cards) == ("Biggest swing", ())
    assert moment.text.startswith("Round 24: B went from 4")


def test_match_that_the_host_ended_has_no_places() -> None:
    match = play_match(GAMES["coyote"], moments=4)
    ended = finish(allowed(hear(match, EndMatch(match.number))), seat=0)
    assert (ended.is_won, ended.highlight) == (False, None)
    assert {each.place for each in ended.places} == {0}


def test_running_match_has_no_finish() -> None:
    assert finish_of(play_match(GAMES["coyote"], moments=4), ENGLISH) is None
