"""Cheat: its rules, its French, and the checks for all games."""

from random import Random

import pytest
from cheat import GAME
from cheat.bot import choose_action
from cheat.hands import CLAIM
from cheat.rules import House, State, rank_due, turn_of

from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from hardware.twin.conformance import check_game
from hardware.twin.dealer import deal_match
from hardware.twin.playouts import answer_by_bots, next_table
from hardware.twin.strengths import TEMPERS, Temper
from hardware.twin.tabletop import Tabletop, cards_in_reach, known_cards
from referee.contract import PROOF, Answer, Option, Outcome, Refusal, hand_of
from referee.finish_view import story_of
from referee.kit.claims import CHALLENGE, PASS
from referee.match import Match, Setup, begin, hear
from referee.sentences import listener_at, ruling_text

NAMES = ("Ana", "Bo", "Chloé", "Dan")
DOUBTED: tuple[int | Option, ...] = (2, PASS, CHALLENGE)


@pytest.fixture(autouse=True, scope="module")
def games() -> None:
    hand_in_games()


def match_after(*said: int | Option | tuple[str, ...]) -> Match:
    """Apply claims, challenges and proofs; Ana begins, and challengers answer from her left on."""
    match = begin(Setup(GAME, House(), NAMES))
    assert isinstance(match, Match)
    for value in said:
        (ask,) = match.asks
        after = hear(match, Answer(match.number, ask.key, value, ask.seats[0]))
        assert not isinstance(after, Refusal), after
        match = after
    return match


def keys(match: Match) -> list[str]:
    return [ruling.key for ruling in match.rulings]


@pytest.mark.parametrize(("seats", "cards"), [(3, (18, 17, 17)), (4, (13,) * 4), (6, (9, 9, 9, 9, 8, 8))])
def test_deal_and_first_player(seats: int, cards: tuple[int, ...]) -> None:
    started = GAME.rules.start(tuple(range(seats)), House(), Outcome("out", (2,)))
    assert (started.state.cards, started.state.first, started.rulings[0].rule) == (cards, 2, "deal-again")
    assert GAME.rules.start(tuple(range(seats)), House(), None).rulings[0].rule == "deal"


def test_unchallenged_claim_passes_the_turn() -> None:
    match = match_after(4, PASS, PASS, PASS)
    assert keys(match) == ["stands"]
    assert (match.state.cards, turn_of(match.state), rank_due(match.state)) == ((9, 13, 13, 13), 1, "2")


def test_clock_passes_for_silent_players() -> None:
    (ask,) = match_after(1).asks
    assert (ask.seats, ask.deadline.seconds, ask.deadline.value) == ((1, 2, 3), 10.0, PASS)


def test_first_challenge_closes_the_window() -> None:
    match = match_after(*DOUBTED)
    (ask,) = match.asks
    assert (ask.seats, ask.count, ask.zone) == ((0,), 2, PROOF)


@pytest.mark.parametrize(
    ("cards", "told", "hands"),
    [
        (("As", "Ah"), "honest", (11, 13, 15, 13)),
        (("As", "2h"), "lied", (13, 13, 13, 13)),
        (("Kc", "2h"), "lied", (13, 13, 13, 13)),
    ],
)
def test_liar_or_wrong_challenger_takes_all(cards: tuple[str, ...], told: str, hands: tuple[int, ...]) -> None:
    match = match_after(*DOUBTED, cards)
    assert keys(match) == [told, "takes"]
    assert match.state.cards == hands


def test_taker_receives_the_whole_pile() -> None:
    match = match_after(4, PASS, PASS, PASS, 1, CHALLENGE, ("3s",))
    assert match.state.cards == (9, 17, 13, 13)
    assert (turn_of(match.state), rank_due(match.state)) == (2, "3")


def test_simultaneous_challenges_count_clockwise() -> None:
    match = match_after(1, PASS, PASS, PASS, 1)
    calls = tuple(Answer(match.number, "doubt", CHALLENGE, seat) for seat in (0, 3))
    first, _second = GAME.rules.in_order(match.state, calls)
    assert (first.seat, first.tied) == (3, (0,))
    told = GAME.rules.hear(match.state, first)
    assert [ruling.key for ruling in told.rulings] == ["tie", "challenged"]
    assert told.state.claim.challenger == 3


@pytest.mark.parametrize(
    ("said", "winners"), [((PASS, PASS), (0,)), ((CHALLENGE, ("As",)), (0,)), ((CHALLENGE, ("2s",)), None)]
)
def test_empty_hand_wins_unless_the_last_claim_was_a_lie(
    said: tuple[Option | tuple[str, ...], ...], winners: tuple[int, ...] | None
) -> None:
    state = State(House(), (1, 20, 20), 0)
    (ask,) = GAME.rules.asks(state)
    assert ask.most == 1
    state = GAME.rules.hear(state, Answer(0, "claim", 1, 0)).state
    assert GAME.rules.outcome(state) is None
    for value in said:
        (ask,) = GAME.rules.asks(state)
        state = GAME.rules.hear(state, Answer(0, ask.key, value, ask.seats[0])).state
    over = GAME.rules.outcome(state)
    assert (over and over.winners) == winners


def test_fewest_cards_win_after_the_last_tour() -> None:
    state = State(House(tours=5), (10, 5, 5), 0, 13 * 5)
    assert GAME.rules.outcome(state) == Outcome("fewest", (1, 2))
    assert [(each.seat, each.place) for each in GAME.rules.standings(state)] == [(1, 1), (2, 1), (0, 3)]
    assert GAME.rules.outcome(State(House(tours=5), (10, 5, 5), 0, 13 * 5 - 1)) is None


def test_hand_counts_match_the_bots_hands() -> None:
    """Hand counts match the bots' hands, and claimed cards are face down until challenged."""
    told, looked, rng = set[str](), 0, Random(3)
    dealt = deal_match(begin(Setup(GAME, House(), NAMES)), rng)
    while dealt.match.asks:
        told.update(keys(dealt.match))
        held = tuple(len(dealt.truth.get(hand_of(seat), ())) for seat in range(4))
        assert held == dealt.match.state.cards
        claim = dealt.match.state.claim
        for seat in range(4) if claim else ():
            assert CLAIM not in known_cards(GAME, dealt.truth, seat)
            reach = [each.zone for each in cards_in_reach(dealt.truth, Tabletop(), dealt.match, seat)]
            assert (CLAIM in reach) == (claim.challenger is not None and seat == claim.seat)
            looked += CLAIM in reach
        dealt = next_table(dealt, *answer_by_bots(dealt, rng), rng)
    assert looked
    assert {"honest", "lied", "stands", "challenged"} <= told


def test_bot_challenges_impossible_claims() -> None:
    said = choose_action(match_after(3), 1, {hand_of(1): ("As", "Ah", "2c")}, Random(1))
    assert said.answer.value == CHALLENGE
    laid = choose_action(match_after(), 0, {hand_of(0): ("As", "2h", "Ah", "Kc")}, Random(1))
    assert {"As", "Ah"} <= {*laid.hand[-laid.answer.value :]}


def share_of_calls(temper: Temper, *hand: str) -> float:
    """Return how often a bot with this temper challenges three aces."""
    match, rng = match_after(3), Random(1)
    said = [choose_action(match, 1, {hand_of(1): hand}, rng, temper).answer.value for _time in range(1000)]
    return said.count(CHALLENGE) / 1000


def test_temper_changes_challenge_rate() -> None:
    hare, pup, owl = (share_of_calls(TEMPERS[name], "As", "2c") for name in ("Zip", "Pip", "Nox"))
    assert 0 < hare < pup / 2
    assert owl > 2 * pup
    assert {share_of_calls(temper, "As", "Ah", "2c") for temper in TEMPERS.values()} == {1.0}
    assert GAME.play.traits == ("doubts",)


def test_french_sentences() -> None:
    match = match_after(*DOUBTED, ("As", "2h"))
    told = [ruling_text(listener_at(match.setup, language("fr")), ruling) for ruling in match.rulings]
    assert told == ["Ana a menti\N{NO-BREAK SPACE}: as de pique, 2 de cœur.", "Ana prend les 2 cartes."]


def test_passes_the_game_checks() -> None:
    assert list(check_game(GAME)) == []


def test_end_remembers_the_challenge_that_cost_most() -> None:
    lie = (2, CHALLENGE, ("As", "2h"))
    truth = (1, PASS, PASS, PASS, 3, CHALLENGE, ("3s", "3h", "3d"))
    for said, key, seat, count in (((*lie, *truth), "honest", 2, 4), (lie, "caught", 0, 2)):
        found = GAME.finish.highlight(story_of(match_after(*said)))
        assert found is not None
        assert (found.key, found.values["seat"], found.values["count"]) == (key, seat, count)
        assert [(card.face, card.seat) for card in found.cards] == [(face, seat) for face in said[-1]]
