"""The count: the dossier's vectors PC-03, 04 and 21, allies, and a second scorer that retells whole matches."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.dealer import deal_match, step
from hardware.twin.player import play_on
from referee.contract import Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.deck import CLANS
from referee.games.plenty_coups.house import House
from referee.games.plenty_coups.score import final, herd_renown, ranks
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.plenty_coups.compare_scores import compare_with_tale
from tests.referee.games.plenty_coups.script import Script, table, with_clan
from tests.referee.games.plenty_coups.second_scorer import Reckoning, Tribe
from tests.referee.tables import new_match


def stand_clans(*rows: tuple[int, int], **house: object) -> Script:
    """Let clans stand with so much renown beside the herd's, and so many horses."""
    script = table(len(rows), **house)
    for seat, (feats, herd) in enumerate(rows):
        script = with_clan(script, seat, feats=feats, herd=herd)
    return script


def ally_first_two(script: Script) -> Script:
    """Ally the first two."""
    return with_clan(with_clan(script, 0, bond="yellow-3"), 1, bond="black-3")


def places(script: Script) -> list[int]:
    """List the places by seats."""
    return [rank.place for rank in sorted(ranks(script.state), key=lambda rank: rank.seat)]


def totals(script: Script) -> list[int]:
    """List what the seats have."""
    return [rank.renown for rank in sorted(ranks(script.state), key=lambda rank: rank.seat)]


@on_both_sides_of("herd")
def test_pc_03_horses_after_the_fifth() -> None:
    assert [herd_renown(horses) for horses in (0, 5, 6, 7, 7 - 1)] == [0, 0, 1, 2, 1]


def test_pc_04_no_horses_cost_one() -> None:
    script = stand_clans((2, 0), (0, 0), (1, 3), (0, 6))
    assert [final(script.state, seat).total for seat in range(4)] == [1, 0, 1, 1]


@on_both_sides_of("most-renown")
def test_pc_21_ties() -> None:
    assert places(stand_clans((4, 8), (3, 9), (0, 5))) == [1, 2, 3]
    assert places(stand_clans((2, 4), (2, 3), (0, 5))) == [1, 2, 3]
    assert places(stand_clans((2, 4), (2, 4), (0, 5))) == [1, 1, 3]


@on_both_sides_of("together")
def test_allies_add_up_if_both_have_two_beside_the_herd_s() -> None:
    assert totals(ally_first_two(stand_clans((2, 6), (2, 5), (4, 5), (0, 0)))) == [5, 5, 4, 0]
    assert totals(ally_first_two(stand_clans((2, 6), (1, 9), (4, 5), (0, 0)))) == [3, 5, 4, 0]
    assert places(ally_first_two(stand_clans((2, 6), (2, 5), (4, 5), (0, 0)))) == [1, 1, 3, 4]


@on_both_sides_of("penalty/first", "penalty/last")
@pytest.mark.parametrize(("first", "sums"), [(True, [1, 2]), (False, [3, 3])])
def test_the_penalty_comes_before_the_question_unless_agreed_otherwise(first: bool, sums: list[int]) -> None:
    script = ally_first_two(stand_clans((2, 0), (2, 5), (0, 5), (0, 5), penalty_first=first))
    assert totals(script)[:2] == sums


def test_ties_of_allies_are_broken_by_sums_or_by_the_better_one() -> None:
    rows = ((2, 5), (2, 5), (3, 6), (0, 5))
    assert totals(ally_first_two(stand_clans(*rows)))[:3] == [4, 4, 4]
    assert places(ally_first_two(stand_clans(*rows))) == [1, 1, 3, 4]
    assert places(ally_first_two(stand_clans(*rows, alliance_tiebreak="best_member"))) == [2, 2, 1, 4]


def test_the_neutral_clan_has_no_place() -> None:
    script = with_clan(table(2), 2, feats=4, herd=9)
    assert [rank.seat for rank in ranks(script.state)] in ([0, 1], [1, 0])


@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=4, max_size=6),
    pairs=st.sampled_from([(), ((0, 1),), ((0, 1), (2, 3))]),
    first=st.booleans(),
    sums=st.booleans(),
)
def test_any_count_comes_to_the_same_twice(
    rows: list[tuple[int, int]], pairs: tuple[tuple[int, int], ...], *, first: bool, sums: bool
) -> None:
    house = House(penalty_first=first, alliance_tiebreak="sums" if sums else "best_member")
    script = stand_clans(*rows, penalty_first=first, alliance_tiebreak=house.alliance_tiebreak)
    for one, other in pairs:
        script = with_clan(script, one, bond=f"{CLANS[other]}-3")
        script = with_clan(script, other, bond=f"{CLANS[one]}-3")
    tribes = [Tribe(clan.colour, clan.herd, clan.feats, clan.bond) for clan in script.state.clans]
    again = Reckoning(tribes, len(rows), house)
    assert places(script) == [again.ranks[seat] for seat in range(len(rows))]
    assert totals(script) == [again.total(seat) for seat in range(len(rows))]


@pytest.mark.parametrize("rules", PLENTY_COUPS.settings)
@pytest.mark.parametrize("players", range(2, 7))
def test_the_tale_of_a_match_comes_to_the_same(rules: str, players: int) -> None:
    rng = Random(players)
    for _match in range(3):
        compare_with_tale(play_on(new_match(PLENTY_COUPS, rules, players), rng))
    table = deal_match(new_match(PLENTY_COUPS, rules, players), rng)
    while table.match.asks:
        after = step(table, rng)
        assert not isinstance(after, Refusal)
        table = after
    compare_with_tale(table.match)
