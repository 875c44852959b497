"""Oh Hell: its rules, its French, and the checks for all games."""

from random import Random

import pytest
from oh_hell import GAME
from oh_hell.rules import House, State, dealer, sizes, turn_of

from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from hardware.twin.conformance import check_game
from hardware.twin.dealer import deal_match, step
from referee.contract import Answer, Number, Refusal
from referee.finish_view import story_of
from referee.match import Match, Setup, begin, hear
from referee.sentences import listener_at, ruling_text

NAMES = ("Ana", "Bo", "Chloé")


@pytest.fixture(autouse=True, scope="module")
def games() -> None:
    hand_in_games()


def match_after(*said: str, house: House = House(most=3)) -> Match:  # noqa: B008 - frozen
    """Turn up a card, bid and play cards; Ana deals, so Bo begins."""
    match = begin(Setup(GAME, house, NAMES))
    assert isinstance(match, Match)
    for word in said:
        (ask,) = match.asks
        value = int(word) if isinstance(ask, Number) else (word,)
        after = hear(match, Answer(match.number, ask.key, value, ask.seats[0] if ask.seats else None))
        assert not isinstance(after, Refusal), after
        match = after
    return match


def test_dealer_bid_may_not_even_out() -> None:
    (ask,) = match_after("As", "1", "1").asks
    assert (ask.seats, ask.barred) == ((0,), (1,))
    (free,) = match_after("As", "1", "1", house=House(most=3, hook=False)).asks
    assert free.barred == ()
    (over,) = match_after("As", "3", "1").asks
    assert over.barred == ()


def test_dealer_and_leader_follow_the_rules() -> None:
    told = [match_after("As", "1", "1", "0", *cards).rulings[0] for cards in (("Kh",), ("Kh", "2s"))]
    assert [ruling.rule for ruling in (*match_after().rulings, *told)] == ["deals dealer", "lead", "follow"]


def test_trumps_win_and_the_winner_leads() -> None:
    match = match_after("As", "1", "1", "0", "Kh", "2s", "3h")
    assert [ruling.key for ruling in match.rulings] == ["lays", "takes"]
    assert (turn_of(match.state), match.state.won) == (2, (0, 0, 1))
    assert turn_of(match_after("As", "1", "1", "0", "Kh", "2d", "Ah").state) == 0


def test_exact_bid_scores_ten_extra() -> None:
    house = House(most=3)
    state = State(house, (0, 0, 0), 3, "As", (0, 1, 0), (0, 0, 0), 1)
    for card in ("3h", "Kh", "2h"):
        state = GAME.rules.hear(state, Answer(0, "card", (card,))).state
    assert state.points == (10, 0, 1)
    assert GAME.rules.outcome(state).winners == (0,)


def test_deal_sizes_shrink_then_grow_and_dealer_rotates() -> None:
    assert sizes(House(most=3)) == (3, 2, 1)
    assert sizes(House(most=3, and_back=True)) == (3, 2, 1, 2, 3)
    assert [dealer(State(House(), (0, 0, 0), deal)) for deal in (1, 2, 3, 4)] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("laid", "told"),
    [
        (("Kh", "2d", "Ah", "3h", "4h", "5h"), (2, (1,), "5h")),
        (("Kh", "2d", "Ah", "3h", "4h", "3d", "5c", "5h"), (2, (1, 2), "5h")),
    ],
)
def test_revoke_is_reported_with_all_its_tricks(
    laid: tuple[str, ...], told: tuple[int, tuple[int, ...], str]
) -> None:
    match = match_after("As", "1", "1", "0", *laid, house=House(most=4))
    values = [ruling.values for ruling in match.rulings if ruling.key == "revoke"]
    assert [(each["seat"], each["tricks"], each["card"]) for each in values] == [told]


def test_honest_players_never_revoke_and_share_all_tricks() -> None:
    dealt = deal_match(begin(Setup(GAME, House(), NAMES)), Random(2))
    while dealt.match.outcome is None:
        stepped = step(dealt, Random(dealt.match.number))
        assert not isinstance(stepped, Refusal)
        dealt = stepped
        assert not [ruling for ruling in dealt.match.rulings if ruling.key == "revoke"]
    exact = sum(dealt.match.state.points) - sum(sizes(House()))
    assert exact % 10 == 0


def test_french_sentences() -> None:
    match = match_after("As", "1")
    told = [ruling_text(listener_at(match.setup, language("fr")), ruling) for ruling in match.rulings]
    assert told == ["Bo annonce 1 pli."]


def test_passes_the_game_checks() -> None:
    assert list(check_game(GAME)) == []


def test_end_remembers_the_highest_bid_taken_exactly_with_the_cards_that_took_it() -> None:
    match = match_after("As", "1", "1", "0", "Kh", "2s", "3h", "2d", "3d", "Kd", "Kc", "2c", "3c")
    found = GAME.finish.highlight(story_of(match))
    assert found is not None
    assert (found.key, found.values) == ("exact", {"round": 1, "seat": 2, "count": 1, "size": 3})
    assert [card.face for card in found.cards] == ["As", "2s"]
    # a bid that isn't taken exactly is nothing to remember
    missed = match_after("As", "0", "2", "0", "Kh", "2s", "3h", "2d", "3d", "Kd", "Kc", "2c", "3c")
    assert GAME.finish.highlight(story_of(missed)) is None
