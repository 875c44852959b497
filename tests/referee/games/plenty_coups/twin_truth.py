"""Where the cards really are, compared with what the referee knows of them."""

from collections import Counter

from hardware.twin.dealer import DealtMatch
from referee.contract import CENTRE, DISCARD, PILE
from referee.games.plenty_coups.cards import most_held
from referee.games.plenty_coups.deck import PLENTY_COUPS as DECK
from referee.games.plenty_coups.hands import hand
from referee.games.plenty_coups.scenes import scene_of
from referee.games.plenty_coups.state import Gifting, State, holder, markers, plain_markers


def state_of(table: DealtMatch) -> State:
    """Give the state."""
    assert isinstance(table.match.state, State)
    return table.match.state


def check_truth(table: DealtMatch) -> None:
    """Compare where everything is with what the referee knows."""
    state = state_of(table)
    check_cards(table, state)
    check_hands(table, state)
    assert sum(clan.herd for clan in state.clans) + state.plain == 6 * len(state.clans)
    for seat, clan in enumerate(state.clans):
        assert clan.herd >= 0
        assert 0 <= clan.feats <= (4 if state.house.renown_cap == 4 else 54)
        assert 0 <= plain_markers(state, seat) <= markers(state, seat) <= 4
    assert len({raid.target for raid in state.raids}) == len(state.raids)
    assert len({proposal.target for proposal in state.proposals}) == len(state.proposals)


def check_cards(table: DealtMatch, state: State) -> None:
    """Look for each of the 54 cards."""
    truth = table.truth
    assert Counter(card for cards in truth.values() for card in cards) == Counter(DECK.counts)
    assert len(truth[PILE]) == state.pile
    scene = scene_of(state)
    for zone, cards in truth.items():
        if zone.name not in {"pile", "hand", "neutral-hand", "gift"}:
            assert Counter(cards) == Counter(scene.get(zone, ())), zone
    assert Counter(truth.get(CENTRE, ())) == Counter(state.display)
    assert Counter(truth.get(DISCARD, ())) == Counter(state.discard)


def check_hands(table: DealtMatch, state: State) -> None:
    """Count each hand; what all have seen to be in it is there, and what can't be isn't."""
    stage = state.stage
    giver = holder(state, stage.turn.seat) if isinstance(stage, Gifting) else None
    for seat, clan in enumerate(state.clans):
        if holder(state, seat) != seat:
            assert clan.cards == 0
            continue
        cards = Counter(table.truth[hand(state, seat)])
        if seat == giver:
            assert cards.total() == clan.cards - 1
            continue
        assert cards.total() == clan.cards
        assert not Counter(clan.known) - cards
        assert not cards - Counter(most_held(state, seat))
