"""Both sides of each boundary that the book of Plenty Coups draws, as far as no other test stands there."""

import pytest

from referee.contract import Answer, Option, Refusal
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.house import House
from referee.games.plenty_coups.score import ranks
from referee.games.plenty_coups.state import Proposal, Raid
from referee.match import Match, Setup, begin, hear
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state

BLACK, YELLOW, GREEN, RED = range(4)


def why(script: Script, word: str, target: int | None = None) -> object:
    """Say why the clan in turn can't do something."""
    asked = script.ask("action")
    answer = Answer(script.match.number, asked.key, Option(word, seat=target), asked.seats[0])
    refused = hear(script.match, answer)
    assert isinstance(refused, Refusal), refused
    return refused.values.get("why")


def raided(*riders: str, strength: int, hand: tuple[str, ...] = (), **house: object) -> Script:
    """Sit in black's turn, with yellow's raid of so much before its camp, and with known cards."""
    script = with_state(table(4, **house), raids=(Raid(YELLOW, BLACK, riders, strength),))
    return with_clan(script, BLACK, known=hand, cards=5)


@on_both_sides_of("defend", "one-raid")
@pytest.mark.parametrize(("weapon", "repels"), [("weapon-2", False), ("weapon-3", True), ("weapon-4", True)])
def test_a_weapon_of_exactly_the_raids_strength_repels_it(weapon: str, repels: bool) -> None:
    script = raided("green-3", strength=3, hand=(weapon, "horse", "horse", "staff", "staff"))
    assert (script.options("defend") == [None]) == repels
    if repels:
        assert script.does("defend", None, weapon).state.raids == ()
    else:
        assert why(script, "defend") == "no-weapon"


@on_both_sides_of("defend")
@pytest.mark.parametrize(
    ("weapons", "strength", "repel"),
    [
        (("weapon-2", "weapon-3"), 5, True),
        (("weapon-2", "weapon-2"), 5, False),
        (("weapon-3", "weapon-3"), 6, True),
        (("weapon-2", "weapon-3"), 6, False),
    ],
)
def test_two_weapons_of_exactly_the_raids_strength_repel_it(
    weapons: tuple[str, str], strength: int, repel: bool
) -> None:
    riders = ("green-1", "green-4") if strength == 5 else ("green-2", "green-4")
    script = raided(*riders, strength=strength, hand=(*weapons, "horse", "horse", "staff"))
    assert (script.options("double-defend") == [None]) == repel
    if repel:
        assert script.does("double-defend", None, *weapons).state.raids == ()


@on_both_sides_of("one-raid")
@pytest.mark.parametrize(("riders", "strength", "chases"), [("red-3", 2, True), ("red-3", 3, False)])
def test_only_a_stronger_raid_chases_one_away(riders: str, strength: int, chases: bool) -> None:
    script = with_state(table(4), raids=(Raid(GREEN, YELLOW, ("blue-3",), strength),)).does("raid", YELLOW)
    assert (riders in script.layable) == chases
    if chases:
        assert script.lays(riders).ruling("chased")["target"] == YELLOW
    else:
        assert script.refusal((riders,)) == "card-barred"


@on_both_sides_of("raid")
@pytest.mark.parametrize(("feats", "out", "may_raid"), [(0, 4, False), (0, 3, True), (4, 0, True)])
def test_a_raid_needs_a_marker_that_isnt_out(feats: int, out: int, may_raid: bool) -> None:
    script = with_clan(table(6), BLACK, feats=feats)
    script = with_state(script, raids=tuple(Raid(BLACK, seat, ("blue-1",), 1) for seat in range(1, 1 + out)))
    assert (5 in script.options("raid")) == may_raid
    if not may_raid:
        assert why(script, "raid", 5) == "no-markers"


@on_both_sides_of("donate")
@pytest.mark.parametrize(
    ("own", "others", "reason"), [(2, 2, None), (2, 1, None), (2, 3, "larger-herd"), (1, 1, "too-few-horses")]
)
def test_two_horses_are_given_to_a_herd_no_larger(own: int, others: int, reason: str | None) -> None:
    script = with_clan(with_clan(table(4), BLACK, herd=own), YELLOW, herd=others)
    assert (YELLOW in script.options("donate")) == (reason is None)
    if reason is None:
        given = script.does("donate", YELLOW, "staff")
        assert (given.clan(BLACK).herd, given.clan(YELLOW).herd) == (own - 2, others + 2)
    else:
        assert why(script, "donate", YELLOW) == reason


@on_both_sides_of("gift")
@pytest.mark.parametrize(
    ("own", "others", "reason"),
    [
        (2, 1, None),
        (1, 1, "too-few-cards"),
        (2, 0, "empty-hand"),
    ],
)
def test_a_gift_needs_two_cards_here_and_one_there(own: int, others: int, reason: str | None) -> None:
    script = with_clan(with_clan(table(4), BLACK, cards=own), YELLOW, cards=others)
    assert (YELLOW in script.options("gift")) == (reason is None)
    if reason is not None:
        assert why(script, "gift", YELLOW) == reason


@on_both_sides_of("ally-gift")
@pytest.mark.parametrize(("own", "others", "reason"), [(1, 1, None), (1, 0, "empty-hand")])
def test_a_free_gift_needs_one_card_here_and_one_there(own: int, others: int, reason: str | None) -> None:
    script = with_clan(table(4), BLACK, bond="yellow-3", cards=own)
    script = with_clan(script, YELLOW, bond="black-3", cards=others)
    assert (YELLOW in script.options("ally-gift")) == (reason is None)
    if reason is not None:
        assert why(script, "ally-gift", YELLOW) == reason


@beyond("ally-gift")
def test_why_no_free_gift_is_exchanged() -> None:
    assert why(table(4), "ally-gift", YELLOW) == "no-ally"
    allies = with_clan(with_clan(table(4), BLACK, bond="yellow-3"), YELLOW, bond="black-3")
    assert why(allies, "ally-gift", GREEN) == "not-ally"
    given = allies.does("ally-gift", YELLOW).says_done()
    assert why(given, "ally-gift", YELLOW) == "gifted-already"


@on_both_sides_of("several-proposals")
def test_one_proposes_once_to_each_of_several_clans() -> None:
    script = table(4).does("propose", GREEN, "green-2")
    assert why(script, "propose", GREEN) == "proposed-already"
    assert script.does("propose", RED, "red-2").state.proposals == (
        Proposal(BLACK, GREEN, "green-2"),
        Proposal(BLACK, RED, "red-2"),
    )


@on_both_sides_of("propose-to-raider")
@pytest.mark.parametrize("target", [GREEN, RED])
def test_only_a_proposal_to_the_raider_ends_its_raid(target: int) -> None:
    script = with_state(table(4), raids=(Raid(GREEN, BLACK, ("blue-3",), 3),))
    proposed = script.does("propose", target, "green-2" if target == GREEN else "red-2")
    assert (proposed.state.raids == ()) == (target == GREEN)


@on_both_sides_of("winter", "raid-return/after")
@pytest.mark.parametrize(("rnd", "left", "double"), [(9, 2, [1, 2, 3]), (10, 1, [])])
def test_winter_begins_with_round_ten(rnd: int, left: int, double: list[int]) -> None:
    script = table(4, rnd=rnd)
    assert script.turn.left == left
    assert script.options("double-raid") == double
    assert (script.options("taunt") == []) == (rnd == 10)
    if rnd == 10:
        assert why(script, "double-raid", YELLOW) == "one-action-in-winter"


@on_both_sides_of("winter-weapons")
@pytest.mark.parametrize(("rnd", "may"), [(9, False), (10, True), (11, False)])
def test_with_one_action_two_weapons_repel_in_round_ten_only(rnd: int, may: bool) -> None:
    script = with_state(raided("green-3", strength=3), round=rnd).turn_of(BLACK, left=1)
    assert (script.options("double-defend") == [None]) == may
    if not may:
        assert why(script, "double-defend") == "takes-two-actions"


@on_both_sides_of("winter-hunt/closed", "winter-hunt/open")
@pytest.mark.parametrize(("rnd", "is_open"), [(10, True), (11, False), (12, False)])
def test_by_a_house_rule_nobody_hunts_once_no_cards_are_taken(rnd: int, is_open: bool) -> None:
    script = table(4, rnd=rnd, winter_hunt=False)
    assert (script.options("hunt") == [None]) == is_open
    if not is_open:
        assert why(script, "hunt") == "no-hunt-in-winter"
    assert table(4, rnd=rnd).options("hunt") == [None]


@on_both_sides_of("prove")
@pytest.mark.parametrize(
    ("card", "proves"),
    [
        ("weapon-4", True),
        ("weapon-3", False),
        ("red-4", True),
        ("red-3", False),
        ("staff", True),
        ("horse", False),
    ],
)
def test_four_prove_a_clans_worth_and_three_dont(card: str, proves: bool) -> None:
    script = table(4).does("taunt", YELLOW)
    assert (card in script.layable) == proves
    assert proves or script.refusal((card,)) == "card-barred"


@on_both_sides_of("unproven")
@pytest.mark.parametrize(("feats", "left", "key"), [(1, 0, "loses"), (0, 0, "nothing-to-lose")])
def test_who_has_renown_beside_the_herds_loses_one(feats: int, left: int, key: str) -> None:
    script = with_clan(table(4), YELLOW, feats=feats).does("taunt", YELLOW)
    lost = script.answers("worth", Option("accept-loss"))
    assert lost.clan(YELLOW).feats == left
    assert key in lost.keys


@on_both_sides_of("worth-seconds")
@pytest.mark.parametrize(("seconds", "may_be"), [(0, False), (1, True), (120, True), (121, False)])
def test_the_clock_of_a_taunt_runs_from_1_to_120_seconds(seconds: int, may_be: bool) -> None:
    begun = begin(Setup(PLENTY_COUPS, House(worth_seconds=seconds), tuple("ABCD")))
    assert isinstance(begun, Match) == may_be


@on_both_sides_of("taunted-once")
def test_a_clan_may_be_taunted_again_once_its_turn_has_come() -> None:
    taunted = with_clan(table(4), YELLOW, is_taunted=True)
    assert why(taunted, "taunt", YELLOW) == "taunted-already"
    assert YELLOW not in taunted.options("taunt")
    assert YELLOW in table(4).options("taunt")


@on_both_sides_of("herd")
@pytest.mark.parametrize(("horses", "renown"), [(4, 0), (5, 0), (6, 1), (7, 2)])
def test_each_horse_beyond_the_fifth_is_renown(horses: int, renown: int) -> None:
    script = with_clan(table(4), BLACK, herd=horses)
    assert next(rank.renown for rank in ranks(script.state) if rank.seat == BLACK) == renown


@on_both_sides_of("renown-limit/markers", "renown", "turned-later")
@pytest.mark.parametrize(("feats", "then", "key"), [(3, 4, "gains"), (4, 4, "renown-full")])
def test_renown_is_gained_up_to_four_markers(feats: int, then: int, key: str) -> None:
    script = with_clan(table(4), BLACK, feats=feats, herd=6).does("donate", YELLOW, "staff")
    assert script.clan(BLACK).feats == then
    assert key in script.keys


@on_both_sides_of("no-horses")
@pytest.mark.parametrize(("herd", "total"), [(0, 1), (1, 2)])
def test_only_a_clan_without_any_horse_loses_renown_in_the_end(herd: int, total: int) -> None:
    script = with_clan(with_clan(table(4), BLACK, herd=herd, feats=2), YELLOW, feats=1)
    assert next(rank.renown for rank in ranks(script.state) if rank.seat == BLACK) == total


@on_both_sides_of("change")
@pytest.mark.parametrize(
    ("present", "layable"), [("black-3", {"black-4"}), ("black-2", {"black-3", "black-4"})]
)
def test_a_rider_as_high_as_the_present_allys_changes_nothing(present: str, layable: set[str]) -> None:
    script = with_clan(with_clan(table(4), BLACK, bond="yellow-3"), YELLOW, bond=present)
    assert script.turn_of(GREEN).does("propose", BLACK).layable == layable


@on_both_sides_of("another-clan")
def test_why_nothing_is_done_to_ones_own_clan() -> None:
    for word in ("raid", "double-raid", "gift", "propose", "taunt", "donate"):
        assert why(table(4), word, BLACK) == "not-yourself"
        assert table(4).options(word) == [YELLOW, GREEN, RED]


def test_without_an_action_left_nothing_can_be_done_but_what_is_no_action() -> None:
    def fails(word: str, left: int) -> object:
        refused = PLENTY_COUPS.why_not(table(4).turn_of(BLACK, left).state, BLACK, Option(word, seat=YELLOW))
        return refused and refused.values["why"]

    for word in ("raid", "gift", "propose", "accept", "taunt", "donate"):
        assert fails(word, left=0) == "no-actions", word
        assert fails(word, left=1) != "no-actions", word
    assert fails("ally-gift", left=0) == fails("ally-gift", left=1) == "no-ally"


@on_both_sides_of("feat-defence")
@pytest.mark.parametrize(("strength", "weapon", "is_feat"), [(3, "weapon-4", True), (4, "weapon-4", False)])
def test_only_a_weapon_stronger_than_the_raid_scores_a_feat(strength: int, weapon: str, is_feat: bool) -> None:
    riders = ("green-3",) if strength == 3 else ("yellow-3",)
    script = raided(*riders, strength=strength).does("defend", None, weapon)
    assert (script.options("feat") == [None]) == is_feat
    if not is_feat:
        assert why(script, "feat") == "no-feat"


@within("what-is-too-late", "too-late")
def test_a_raid_of_the_last_round_is_lost() -> None:
    over = table(4, turn=YELLOW, rnd=12).does("raid", GREEN, "red-2")
    assert over.match.outcome is not None
    assert "too-late" in over.keys


@beyond("what-is-too-late", "too-late")
def test_a_raid_of_the_round_before_is_not() -> None:
    on = with_state(table(4, turn=YELLOW, rnd=11), display=("weapon-2", "horse", "weapon-3", "red-4"))
    on = on.does("raid", GREEN, "red-2")
    assert on.match.outcome is None
    assert "too-late" not in on.keys
    assert on.state.raids
    assert on.state.round == 12
