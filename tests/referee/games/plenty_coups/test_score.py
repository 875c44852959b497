"""The count: vectors PC-03, 04 and 21 of the dossier, allies, and a second scorer for whole matches."""

from collections import Counter
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.dealer import DealtMatch, deal_match, step
from hardware.twin.player import play_on
from referee.contract import CENTRE, DISCARD, PILE, Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.hands import hand
from referee.games.plenty_coups.rules import ranks
from referee.games.plenty_coups.scenes import scene_of
from referee.games.plenty_coups.state import CLANS, Gifting, House
from referee.games.plenty_coups.state import PLENTY_COUPS as DECK
from referee.match import Match, Setup, begin, standing_answers
from tests.given import allowed, present
from tests.referee.games.plenty_coups.script import NAMES, Script, table, with_clan
from tests.referee.games.plenty_coups.second_scorer import Reckoning, Tale, Tribe
from tests.referee.tables import new_match
from tests.tiers import tiered


def stand_clans(*rows: tuple[int, int], **house: object) -> Script:
    """Set the marker renown and horses of each clan."""
    script = table(len(rows), **house)
    for seat, (feats, herd) in enumerate(rows):
        script = with_clan(script, seat, feats=feats, herd=herd)
    return script


def ally(script: Script, one: int, other: int) -> Script:
    script = with_clan(script, one, bond=f"{CLANS[other]}-3")
    return with_clan(script, other, bond=f"{CLANS[one]}-3")


def places(script: Script) -> list[int]:
    return [rank.place for rank in sorted(ranks(script.state), key=lambda rank: rank.seat)]


def totals(script: Script) -> list[int]:
    return [rank.renown for rank in sorted(ranks(script.state), key=lambda rank: rank.seat)]


ALLIES = ((2, 5), (2, 5), (3, 6), (0, 5))


@pytest.mark.parametrize(
    ("rows", "house", "allied", "renown", "ranked"),
    [
        # PC-04: no horses cost one; PC-21: ties
        (((2, 0), (0, 0), (1, 3), (0, 6)), {}, False, [1, 0, 1, 1], [2, 4, 1, 3]),
        (((4, 8), (3, 9), (0, 5)), {}, False, [7, 7, 0], [1, 2, 3]),
        (((2, 4), (2, 3), (0, 5)), {}, False, [2, 2, 0], [1, 2, 3]),
        (((2, 4), (2, 4), (0, 5)), {}, False, [2, 2, 0], [1, 1, 3]),
        # allies add up with two markers each
        (((2, 6), (2, 5), (4, 5), (0, 0)), {}, True, [5, 5, 4, 0], [1, 1, 3, 4]),
        (((2, 6), (1, 9), (4, 5), (0, 0)), {}, True, [3, 5, 4, 0], [3, 1, 2, 4]),
        (((2, 0), (2, 5), (0, 5), (0, 5)), {}, True, [1, 2, 0, 0], [2, 1, 3, 3]),
        (((2, 0), (2, 5), (0, 5), (0, 5)), {"penalty_first": False}, True, [3, 3, 0, 0], [1, 1, 3, 3]),
        # ties of allies are broken by sums, or by the better one
        (ALLIES, {}, True, [4, 4, 4, 0], [1, 1, 3, 4]),
        (ALLIES, {"alliance_tiebreak": "best_member"}, True, [4, 4, 4, 0], [2, 2, 1, 4]),
    ],
)
def test_renown_and_ties(
    rows: tuple[tuple[int, int], ...], house: dict[str, Any], allied: bool, renown: list[int], ranked: list[int]
) -> None:
    script = stand_clans(*rows, **house)
    script = ally(script, 0, 1) if allied else script
    assert (totals(script), places(script)) == (renown, ranked)


@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=4, max_size=6),
    pairs=st.sampled_from([(), ((0, 1),), ((0, 1), (2, 3))]),
    first=st.booleans(),
    sums=st.booleans(),
)
def test_final_counts_agree(
    rows: list[tuple[int, int]], pairs: tuple[tuple[int, int], ...], *, first: bool, sums: bool
) -> None:
    house = House(penalty_first=first, alliance_tiebreak="sums" if sums else "best_member")
    script = stand_clans(*rows, penalty_first=first, alliance_tiebreak=house.alliance_tiebreak)
    for one, other in pairs:
        script = ally(script, one, other)
    tribes = [Tribe(clan.colour, clan.herd, clan.feats, clan.bond) for clan in script.state.clans]
    again = Reckoning(tribes, len(rows), house)
    assert places(script) == [again.ranks[seat] for seat in range(len(rows))]
    assert totals(script) == [again.total(seat) for seat in range(len(rows))]


def compare_with_tale(match: Match) -> None:
    state = match.state
    tale = Tale(state.players, state.house, [step.answer for step in standing_answers(match)])
    rows = [(clan.colour, clan.herd, clan.feats, clan.bond) for clan in state.clans]
    assert [(tribe.colour, tribe.horses, tribe.prestige, tribe.behind) for tribe in tale.tribes] == rows
    stands = {each.seat: (each.place, each.counts["renown"]) for each in PLENTY_COUPS.rules.standings(state)}
    assert {seat: (tale.end.ranks[seat], tale.end.total(seat)) for seat in stands} == stands
    assert present(match.outcome).winners == tale.end.winners


def check_truth(table: DealtMatch) -> None:
    """Locate each of the 54 cards; publicly known cards are in the hand, and impossible ones aren't."""
    state, truth = table.match.state, table.truth
    assert Counter(card for cards in truth.values() for card in cards) == Counter(DECK.counts)
    assert len(truth[PILE]) == state.pile
    assert sum(clan.herd for clan in state.clans) + state.plain == 6 * len(state.clans)
    scene = scene_of(state)
    for zone, cards in truth.items():
        if zone.name not in {"pile", "hand", "neutral-hand", "gift"}:
            assert Counter(cards) == Counter(scene.get(zone, ())), zone
    assert Counter(truth.get(CENTRE, ())) == Counter(state.display)
    assert Counter(truth.get(DISCARD, ())) == Counter(state.discard)
    giver = state.holder(state.stage.turn.seat) if isinstance(state.stage, Gifting) else None
    for seat, clan in enumerate(state.clans):
        assert 0 <= clan.feats <= (4 if state.house.renown_cap == 4 else 54)
        assert 0 <= state.plain_markers(seat) <= state.markers(seat) <= 4
        if state.holder(seat) != seat:
            assert clan.cards == 0
            continue
        held = Counter(truth[hand(state, seat)])
        assert held.total() == clan.cards - (seat == giver)
        if seat != giver:
            assert not Counter(clan.known) - held
            assert not held - Counter(state.most_held(seat))


CHOICES = {
    name: get_args(kind) or (False, True) for name, kind in get_type_hints(House).items() if kind is not int
}


@pytest.mark.parametrize("players", range(2, 7))
def test_second_scorer_agrees(players: int) -> None:
    rng = Random(players)
    for _match in range(tiered(8, 60)):
        house = House(**{name: rng.choice(rule) for name, rule in CHOICES.items()})
        compare_with_tale(play_on(allowed(begin(Setup(PLENTY_COUPS, house, NAMES[:players]))), rng))


@pytest.mark.parametrize("rules", PLENTY_COUPS.rules.settings)
@pytest.mark.parametrize("players", range(2, 7))
def test_cards_horses_and_markers_are_conserved(rules: str, players: int) -> None:
    """The twin knows every card. Each clan has twelve turns and a known hand size at the end of each."""
    rng, turns, voices = Random(players), Counter[object](), {}
    table, rnd = deal_match(new_match(PLENTY_COUPS, rules, players), Random(players)), 0
    while table.match.asks:
        check_truth(table)
        after = step(table, rng)
        assert not isinstance(after, Refusal)
        table = after
        for ruling in table.match.rulings:
            rnd += ruling.key == "round"
            if ruling.key == "neutral-turn":
                voices[rnd] = ruling.values["seat"]
            if ruling.key == "turn-over":
                turns[ruling.values["seat"]] += 1
                # one card fewer after two weapons in the tenth round
                cards = {10: {3, 2}, 11: {2, 1}, 12: {1, 0}}.get(rnd, {3})
                assert rules != "rule text" or ruling.values["cards"] in cards
    check_truth(table)
    compare_with_tale(table.match)
    assert turns == dict.fromkeys(range(max(players, 3)), 12)
    elder = table.match.state.elder
    assert voices == ({each: elder if each % 2 else 1 - elder for each in range(1, 13)} if players == 2 else {})
