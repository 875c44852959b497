"""Hearts: its rules, its French, and the checks for all games; scores are counted by hand."""

from random import Random

import pytest
from hearts import GAME
from hearts.rules import MINE, ONLY, SEATS, House, State, barred_now, direction, trick_of, turn_of

from firmware.language.catalogues import language
from firmware.start.games import hand_in_games
from hardware.twin.conformance import check_game
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings, step
from referee.contract import Answer, Choice, Option, Reason, Refusal, Show, hand_of
from referee.contract.asks import make_ruling
from referee.contract.finish import StoryStep
from referee.finish_view import story_of
from referee.kit.french_cards import CARDS, SUIT
from referee.match import Match, Setup, begin, hear
from referee.sentences import listener_at, ruling_text

NAMES = ("Ana", "Bo", "Chloé", "Dan")
TRICK = ("2c", "Ac", "5c", "9c")


@pytest.fixture(autouse=True, scope="module")
def games() -> None:
    hand_in_games()


def match_after(*cards: str, house: House = House(passing=False)) -> Match:  # noqa: B008 - frozen
    """Give Ana the two of clubs and play cards; "only" declares a hand of forbidden cards."""
    match = begin(Setup(GAME, house, NAMES))
    assert isinstance(match, Match)
    match = told(match, "first", MINE, 0)
    for card in cards:
        said = ("only", ONLY, turn_of(match.state)) if card == "only" else ("card", (card,))
        match = told(match, *said)
    return match


def told(match: Match, ask: str, value: Option | tuple[str, ...], seat: int | None = None) -> Match:
    after = hear(match, Answer(match.number, ask, value, seat))
    assert not isinstance(after, Refusal), after
    return after


def test_each_card_cites_a_rule_of_its_position() -> None:
    rules = [match_after(*cards).rulings[0].rule for cards in (("2c",), ("2c", "3c"), (*TRICK, "3d"))]
    assert rules == ["two-of-clubs", "follow", "lead"]


def test_highest_card_of_the_led_suit_wins_the_trick() -> None:
    match = match_after(*TRICK)
    assert [ruling.key for ruling in match.rulings] == ["lays", "takes"]
    assert turn_of(match.state) == 1
    other_suits = match_after(*TRICK, "3d", "As", "Kh", "2d")
    assert (turn_of(other_suits.state), other_suits.state.taken) == (1, (0, 1, 0, 0))


@pytest.mark.parametrize(
    ("cards", "card", "why"),
    [
        ((), "3c", "two-of-clubs"),
        (("2c",), "Qs", "first-trick"),
        (("2c", "3c"), "4h", "first-trick"),
        (TRICK, "4h", "not-broken"),
    ],
)
def test_forbidden_cards_are_refused_with_the_reason(cards: tuple[str, ...], card: str, why: str) -> None:
    match = match_after(*cards)
    found = hear(match, Answer(match.number, "card", (card,)))
    assert isinstance(found, Refusal)
    assert (found.reason, found.values["why"]) == (Reason.CARD_BARRED, why)


def test_hand_without_alternatives_may_play_forbidden_cards() -> None:
    assert match_after("2c", "only", "Qs").state.taken == (0, 0, 0, 0)
    assert turn_of(match_after(*TRICK, "only", "4h").state) == 2
    assert not barred_now(match_after(*TRICK, "3d", "4d", "Qs", "5d").state)


def test_revoke_is_reported_when_proved() -> None:
    match = match_after(*TRICK, "3d", "As", "4d", "5d", "Ad", "6d", "Kd")
    (revoke,) = [ruling for ruling in match.rulings if ruling.key == "revoke"]
    assert (revoke.values["seat"], revoke.values["tricks"]) == (2, (2,))


def test_revoke_lists_each_trick_once() -> None:
    """Bo declares no alternatives, then revokes, also in tricks 2 and 3."""
    first = ("2c", "only", "4h", "3c", "Ac", "Kc", "4c", "5h", "6c", "2d", "3d", "7c")
    match = match_after(*first)
    assert reported_revokes(match) == [(1, (1, 2), "7c")]
    later = match_after(*first, "4d", "Kd", "5d", "6d", "8d")
    assert reported_revokes(later) == [(1, (3,), "8d")]


def test_card_refutes_only_its_players_declaration() -> None:
    """Bo and Chloé declare no alternatives; then Chloé plays another card, and Bo a heart."""
    match = match_after("2c", "only", "Qs", "only", "5d", "9c", "3d", "4d", "6d")
    assert reported_revokes(match) == [(1, (1,), "6d")]


def reported_revokes(match: Match) -> list[tuple[object, object, object]]:
    told = (ruling.values for ruling in match.rulings if ruling.key == "revoke")
    return [(values["seat"], values["tricks"], values["card"]) for values in told]


class Witness:
    """Tracks revokes with all hands visible: each seat's tricks, and the proving cards."""

    def __init__(self) -> None:
        self.revoked: dict[tuple[int, int], frozenset[str]] = {}
        """Cards that a seat should have played in a trick in which it revoked."""

    def watch(self, dealt: DealtMatch, card: str) -> tuple[int, ...]:
        """Record a revoke, if this card is one; return the tricks of the revokes that it proves."""
        state = dealt.match.state
        seat, number, trick = turn_of(state), len(state.seen) // SEATS + 1, trick_of(state)
        assert seat is not None
        proven = tuple(each for (who, each), kept in self.revoked.items() if who == seat and card in kept)
        for each in proven:
            del self.revoked[seat, each]
        held, barred = {*dealt.truth[hand_of(seat)]}, barred_now(state)
        better = {other for other in held if trick and SUIT[other] == SUIT[trick[0]] != SUIT[card]}
        if state.has_only_barred and card in barred:
            better |= held - {*barred}
        if better:
            self.revoked[seat, number] = frozenset(better)
        return proven


@pytest.mark.parametrize(("seed", "unfair"), [*((seed, 0.1) for seed in range(10)), (10, 0.5), (11, 0.5)])
def test_revokes_are_reported_exactly_once(seed: int, unfair: float) -> None:
    rng, witness, count = Random(seed), Witness(), 0
    dealt = deal_match(begin(Setup(GAME, House(target=50), NAMES)), rng)
    while dealt.match.outcome is None:
        answer, seat = dishonest_answer(dealt, rng, unfair), turn_of(dealt.match.state)
        proven = witness.watch(dealt, answer.value[0]) if isinstance(answer.value, tuple) else ()
        after = hear(dealt.match, answer)
        assert isinstance(after, Match)
        assert [each[:2] for each in reported_revokes(after)] == ([(seat, proven)] if proven else [])
        count += len(proven)
        dealt = DealtMatch(after, follow_rulings(dealt.truth, after, rng))
        if any(ruling.key in {"scored", "moon"} for ruling in after.rulings):
            assert not witness.revoked, "all cards of a deal are laid"
    assert count


def dishonest_answer(dealt: DealtMatch, rng: Random, unfair: float) -> Answer:
    """Return an answer that sometimes declares no alternatives, or plays any card the rules can't refuse."""
    asks = {ask.key: ask for ask in dealt.match.asks}
    if "only" in asks and rng.random() < unfair:
        return Answer(dealt.match.number, "only", ONLY, asks["only"].seats[0])
    card, answer = asks.get("card"), answer_of(dealt, rng)
    if not isinstance(card, Show) or answer.ask != "card" or rng.random() > unfair:
        return answer
    held = [face for face in dealt.truth[hand_of(card.seats[0])] if card.among[face]]
    return Answer(dealt.match.number, "card", (rng.choice(held),))


@pytest.mark.parametrize(("deal", "places"), [(1, 1), (2, 3), (3, 2), (4, 0), (5, 1)])
def test_passing_directions_rotate(deal: int, places: int) -> None:
    assert direction(State(House(), (0,) * SEATS, deal=deal)) == places
    assert direction(State(House(passing=False), (0,) * SEATS, deal=deal)) == 0


@pytest.mark.parametrize(
    ("house", "points", "after"),
    [
        (House(), (0, 5, 5, 5), (0, 31, 31, 31)),
        (House(moon="own"), (30, 5, 5, 5), (4, 5, 5, 5)),
        (House(moon="own"), (20, 5, 5, 5), (0, 5, 5, 5)),
    ],
)
def test_taking_all_points_shoots_the_moon(
    house: House, points: tuple[int, ...], after: tuple[int, ...]
) -> None:
    last = ("5d", "4d", "3d", "2d")
    seen = tuple(card for card in CARDS if card not in last)
    state = State(house, points, (26, 0, 0, 0), 1, leader=0, seen=seen)
    for card in last:
        state = GAME.rules.hear(state, Answer(0, "card", (card,))).state
    assert state.points == after


def test_fewest_points_win_the_match() -> None:
    state = State(House(), (99, 100, 40, 40))
    assert GAME.rules.outcome(state).winners == (2, 3)
    assert [(each.seat, each.place) for each in GAME.rules.standings(state)] == [(2, 1), (3, 1), (0, 3), (1, 4)]


def test_whole_deals_give_26_points_among_honest_players() -> None:
    rng = Random(2)
    dealt = deal_match(begin(Setup(GAME, House(target=50), NAMES)), rng)
    while dealt.match.outcome is None:
        stepped = step(dealt, rng)
        assert not isinstance(stepped, Refusal)
        dealt = stepped
        assert not [ruling for ruling in dealt.match.rulings if ruling.key == "revoke"]
        assert all(ask.options or isinstance(ask, Show) for ask in dealt.match.asks if isinstance(ask, Choice))
    assert sum(dealt.match.state.points) % 26 == 0


def test_french_sentences() -> None:
    match = match_after(*TRICK)
    assert [ruling_text(listener_at(match.setup, language("fr")), ruling) for ruling in match.rulings] == [
        "Dan pose\N{NO-BREAK SPACE}: 9 de trèfle.",
        "Bo prend le pli\N{NO-BREAK SPACE}: 0 point.",
    ]


def test_passes_the_game_checks() -> None:
    assert list(check_game(GAME)) == []


def test_end_remembers_the_costliest_trick_with_its_players() -> None:
    found = GAME.finish.highlight(story_of(match_after(*TRICK, "As", "Qs", "Ks", "2h")))
    assert found is not None
    assert (found.key, found.values) == ("trick", {"round": 1, "seat": 1, "points": 14})
    assert [(card.face, card.seat) for card in found.cards] == [("As", 1), ("Qs", 2), ("Ks", 3), ("2h", 0)]


def test_end_remembers_a_shot_moon() -> None:
    moon = StoryStep(7, 3, None, (make_ruling("moon", "moon", seat=2),), None)
    found = GAME.finish.highlight((moon,))
    assert found is not None
    assert (found.key, found.values, found.cards[0].face) == ("moon", {"round": 3, "seat": 2}, "Qs")
