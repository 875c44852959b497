"""Whole matches with the twin's dealer, who knows the hidden cards: coins and cards are kept throughout."""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from hardware.twin.player import any_answer
from referee.contract import PILE, PROOF, Answer, Refusal, Show, before_seat
from referee.games.coup import COUP
from referee.games.coup.deck import COUP as COURT
from referee.games.coup.hands import hand
from referee.games.coup.rules import CONCEDE
from referee.games.coup.state import Exchanging, Proving, State, Swapping, influence, open_cards, treasury
from referee.legal import ask_named
from referee.match import hear
from tests.referee.tables import new_match

MATCHES = 8

every_seating = pytest.mark.parametrize("seats", range(2, 7))
every_setting = pytest.mark.parametrize("rules", COUP.settings)


def state_of(table: DealtMatch) -> State:
    """Give the state."""
    assert isinstance(table.match.state, State)
    return table.match.state


def honest_answer(table: DealtMatch, rng: Random) -> Answer:
    """Answer anything legal, but lay a card that is there, and prove what can be proved."""
    answer = answer_of(table, rng)
    ask = ask_named(table.match.asks, answer.ask)
    if not isinstance(ask, Show):
        return answer
    (seat,) = ask.seats
    cards = table.truth[hand(seat)]
    claimed = claim_of(state_of(table))
    card = claimed if claimed in cards and ask.key == "prove" else rng.choice(cards)
    return replace(answer, value=(card,), owners=())


def claim_of(state: State) -> str:
    """Name the character that has to be shown, if one has to be."""
    match state.stage:
        case Proving(deed, block):
            words = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}
            return block.face if block else words[deed.word]
        case _:
            return ""


def step(table: DealtMatch, answer: Answer, rng: Random) -> DealtMatch:
    """Give an answer that has to be accepted, and let hands do what that leads to."""
    after = hear(table.match, answer)
    assert not isinstance(after, Refusal), after
    return DealtMatch(after, follow_rulings(table.truth, after, rng))


@every_setting
@every_seating
def test_cards_and_coins_are_kept(rules: str, seats: int) -> None:
    """15 cards, 50 coins; each hand has what the referee counts; the Court has the rest."""
    rng = Random(seats)
    for _match in range(MATCHES):
        table = deal_match(new_match(COUP, rules, seats), rng)
        while table.match.asks:
            check_cards(table, seats)
            check_coins(state_of(table))
            table = step(table, honest_answer(table, rng), rng)
        check_cards(table, seats)
        assert table.match.outcome is not None
        (winner,) = table.match.outcome.winners
        assert [seat for seat in range(seats) if table.truth[hand(seat)]] == [winner]


def check_cards(table: DealtMatch, seats: int) -> None:
    """Compare where the cards are with what the referee knows."""
    truth, state = table.truth, state_of(table)
    assert Counter(card for cards in truth.values() for card in cards) == Counter(COURT.counts)
    more = 2 if isinstance(state.stage, Exchanging) else 0
    for seat in range(seats):
        drawn = more if isinstance(state.stage, Exchanging) and state.stage.deed.seat == seat else 0
        assert Counter(truth.get(before_seat(seat), ())) == Counter(state.lost[seat])
        shown = len(truth.get(PROOF, ())) if prover_of(state) == seat else 0
        assert len(truth[hand(seat)]) + shown == influence(state, seat) + drawn
    assert len(truth[PILE]) == 15 - 2 * seats - more
    assert max(Counter(open_cards(state)).values(), default=0) <= 3


def prover_of(state: State) -> int | None:
    """Say whose card lies under the camera."""
    if not isinstance(state.stage, Swapping):
        return None
    proving = state.stage.proving
    return proving.block.seat if proving.block else proving.deed.seat


def check_coins(state: State) -> None:
    """Count the coins: 50 in all, no player owes any, and the dead have none once the turn is over."""
    assert sum(state.coins) + treasury(state) == 50
    assert min(state.coins) >= 0
    assert max(state.coins) <= 12
    assert state.house.bank_unlimited or treasury(state) >= 0


@every_setting
@every_seating
def test_the_verdict_is_what_the_cards_say(rules: str, seats: int) -> None:
    """No player who has the character and shows it loses; none who hasn't it is believed."""
    rng = Random(seats + 10)
    verdicts: Counter[bool] = Counter()
    for _match in range(MATCHES):
        table = deal_match(new_match(COUP, rules, seats), rng)
        while table.match.asks:
            answer, claimed = honest_answer(table, rng), claim_of(state_of(table))
            after = step(table, answer, rng)
            if claimed and answer.value != CONCEDE:
                (seat,) = (show.seats[0] for show in table.match.asks if isinstance(show, Show))
                has_it = claimed in table.truth[hand(seat)]
                keys = {ruling.key for ruling in after.match.rulings}
                assert ("proved" in keys) == has_it
                assert ("disproved" in keys) == (not has_it)
                verdicts[has_it] += 1
            table = after
    assert verdicts[True]
    assert verdicts[False]


@every_seating
def test_no_state_names_a_card_that_was_never_shown(seats: int) -> None:
    """Every face that a state or a view names was claimed aloud or laid open; and all see the same."""
    rng = Random(seats + 30)
    match, public = new_match(COUP, "rule text", seats), set()
    while match.asks:
        answer = any_answer(match.asks, match.number, rng)
        value = answer.value
        public |= set(value) if isinstance(value, tuple) else {getattr(value, "face", None)}
        claims = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}
        public |= {claims.get(getattr(value, "word", ""), "")}
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        match = after
        views = {msgspec.json.encode(COUP.view(match.state, viewer)) for viewer in (None, *range(seats))}
        assert len(views) == 1
        text = (msgspec.json.encode(match.state) + views.pop()).decode()
        assert {face for face in COURT.counts if f'"{face}"' in text} <= public
