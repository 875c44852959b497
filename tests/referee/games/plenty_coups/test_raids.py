"""Raids, defences and feats: the dossier's vectors PC-03, 10 to 16, and their fine points."""

import pytest

from referee.games.plenty_coups.raids import is_feat as brings_feat
from referee.games.plenty_coups.state import Raid
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state


def script_with_raid(*riders: str, by: int = 1, **house: object) -> Script:
    """Sit in the elder's turn while another clan raids black's camp."""
    script = table(4, turn=by, **house)
    word = "raid" if len(riders) == 1 else "double-raid"
    return script.does(word, 0, *riders).turn_of(0)


@on_both_sides_of("own-riders")
@pytest.mark.parametrize(
    ("riders", "value"),
    [
        (("yellow-3",), 4),
        (("green-3",), 3),
        (("yellow-1",), 2),
        (("yellow-1", "yellow-3"), 5),
        (("red-1", "red-4"), 5),
    ],
)
def test_the_attack_value_has_one_more_for_own_riders(riders: tuple[str, ...], value: int) -> None:
    script = script_with_raid(*riders)
    assert script.state.raids == (Raid(1, 0, riders, value),)


def test_allied_riders_are_as_one_s_own() -> None:
    neutral = with_clan(table(4), 0, bond="white-2").does("raid", 1, "white-3")
    assert neutral.ruling("raids")["value"] == 4
    allies = with_clan(with_clan(table(4), 0, bond="green-3"), 2, bond="black-2").does("raid", 1, "green-2")
    assert allies.ruling("raids")["value"] == 3


@on_both_sides_of("feat-defence")
@pytest.mark.parametrize(
    ("riders", "weapons", "is_feat"),
    [
        pytest.param(("yellow-3",), ("weapon-4",), False, id="PC-10 and PC-12: 4 repels 3 + 1, no feat"),
        pytest.param(("yellow-3",), ("weapon-2", "weapon-2"), False, id="PC-10: two weapons, no feat"),
        pytest.param(("green-3",), ("weapon-4",), True, id="PC-11: 4 against 3"),
        pytest.param(("green-3",), ("weapon-3",), False, id="PC-11: 3 against 3"),
        pytest.param(("yellow-1",), ("weapon-4",), False, id="PC-13: a young rider"),
        pytest.param(("green-1", "green-2"), ("weapon-4",), True, id="two riders, one of them young"),
    ],
)
def test_pc_10_to_13_repelling(riders: tuple[str, ...], weapons: tuple[str, ...], *, is_feat: bool) -> None:
    script = script_with_raid(*riders)
    assert script.options("feat") == []
    script = script.does("defend" if len(weapons) == 1 else "double-defend", None, *weapons)
    assert script.state.raids == ()
    assert {*riders, *weapons} <= set(script.state.discard)
    assert (script.ask_keys == ["action"] and script.options("feat") == [None]) == is_feat
    if is_feat:
        script = script.does("feat")
        assert script.clan(0).feats == 1
        assert script.ruling("turn-over")["cards"] == 3


def test_no_feat_is_done_with_two_weapons_though_one_would_be_enough_or_without_a_raid() -> None:
    script = script_with_raid("green-3")
    assert brings_feat(script.state, 0, ("weapon-4",))
    assert not brings_feat(script.state, 0, ("weapon-4", "weapon-2"))
    assert not brings_feat(script.state, 2, ("weapon-4",))


def test_pc_10_a_weaker_weapon_doesn_t_repel() -> None:
    script = script_with_raid("yellow-3").does("defend")
    assert script.layable == {"weapon-4"}
    assert script.refusal(("weapon-3",)) == "card-barred"


def test_a_feat_in_defence_comes_right_after_it_or_not_at_all() -> None:
    script = script_with_raid("green-3").does("defend", None, "weapon-4")
    assert script.turn.may_score
    script = script.hunts("red-1", "red-2", "red-3")
    assert script.clan(0).feats == 0


def test_a_feat_in_defence_needs_a_second_action() -> None:
    script = script_with_raid("green-3").does("defend", None, "weapon-4")
    alone = (
        with_state(script_with_raid("green-3"), round=10).turn_of(0, left=1).does("defend", None, "weapon-4")
    )
    assert script.options("feat") == [None]
    assert "turn-over" in alone.keys


@on_both_sides_of("compared/printed")
def test_printed_values_are_compared_by_a_house_rule() -> None:
    script = script_with_raid("yellow-3", compare="printed").does("defend")
    assert script.layable == {"weapon-3", "weapon-4"}
    script = script_with_raid("yellow-3", compare="printed").does("defend", None, "weapon-4")
    assert script.options("feat") == [None]


@on_both_sides_of("one-raid")
def test_pc_14_a_stronger_raid_chases_the_one_that_is_there() -> None:
    script = script_with_raid("yellow-3").turn_of(2)
    script = script.does("raid", 0)
    assert "red-4" not in script.layable
    assert script.refusal(("blue-4",)) == "card-barred"
    assert "green-4" in script.layable
    script = script.lays("green-4")
    assert script.ruling("chased") == {"seat": 1, "target": 0, "cards": ("yellow-3",)}
    assert script.state.raids == (Raid(2, 0, ("green-4",), 5),)
    assert "yellow-3" in script.state.discard


def test_no_clan_raids_itself_an_ally_or_the_same_camp_twice() -> None:
    allies = with_clan(with_clan(table(4), 0, bond="green-3"), 2, bond="black-2")
    assert allies.options("raid") == [1, 3]
    assert allies.does("raid", 1, "red-2").options("raid") == [3]


def home(feats: int = 0, herd: int = 5, *, is_feat: bool = False, **house: object) -> Script:
    """Take two cards at the beginning of a turn, with a raid on yellow under way."""
    script = with_clan(with_clan(table(4, turn=1, **house), 0, feats=feats), 1, herd=herd)
    script = with_state(
        script, raids=(Raid(0, 1, ("red-2",), 2, is_feat),), display=("staff", "horse", "weapon-2", "weapon-3")
    )
    script = script.hunts("green-1", "green-2", "green-3").hunts("white-2", "white-3", "white-4")
    return script.takes("staff", "horse") if script.ask_keys == ["take"] else script


def test_a_raid_that_comes_home_takes_a_horse_and_may_score() -> None:
    script = home().does("score", 1)
    assert (script.clan(0).herd, script.clan(1).herd, script.clan(0).feats) == (6, 4, 1)
    assert script.state.raids == ()
    assert script.turn.left == 1
    quiet = home().does("home", 1)
    assert (quiet.clan(0).herd, quiet.clan(0).feats, quiet.turn.left) == (6, 0, 2)


def test_pc_16_a_herd_without_horses_gives_none_and_a_feat_is_still_scored() -> None:
    script = home(herd=0).does("score", 1)
    assert "no-horse" in script.keys
    assert (script.clan(0).herd, script.clan(1).herd, script.clan(0).feats) == (5, 0, 1)


def test_pc_16_a_marker_that_shows_renown_scores_no_more() -> None:
    script = home(feats=4, is_feat=True)
    assert script.ask_keys == ["action"]
    assert (script.clan(0).herd, script.clan(0).feats) == (6, 4)


@on_both_sides_of("raid-return/before", "raid-return/after")
def test_raids_may_come_home_before_the_cards_are_taken() -> None:
    script = home(raid_return="before_draw")
    assert script.ask_keys == ["return"]
    script = script.does("home", 1)
    assert script.ask_keys == ["take"]
    assert home(raid_return="after_draw").ask_keys == ["return"]


def test_a_raid_side_marker_is_taken_first() -> None:
    script = with_clan(table(4), 0, feats=3).does("raid", 1, "red-2").does("raid", 2, "blue-2")
    assert [raid.is_feat for raid in script.state.raids] == [False, True]


@on_both_sides_of("renown-limit/markers")
def test_renown_beside_the_herd_is_capped_by_the_markers() -> None:
    script = with_clan(table(4), 0, herd=8, feats=4).does("donate", 1, "red-1")
    assert script.keys.count("renown-full") == 1
    assert script.clan(0).feats == 4
    more = with_clan(table(4, renown_cap="none"), 0, herd=8, feats=4).does("donate", 1, "red-1")
    assert more.clan(0).feats == 5


def test_double_raids_are_of_one_clan_and_end_the_turn() -> None:
    script = table(4).does("double-raid", 1, "red-2")
    assert script.layable == {"red-1", "red-3", "red-4"}
    script = script.lays("red-3")
    assert script.ruling("turn-over")["cards"] == 3
    assert script.state.raids[0].value == 5
    assert table(4).does("breed").options("double-raid") == []


def test_what_all_have_seen_binds_a_hand() -> None:
    """A hand of five known cards can lay nothing else."""
    script = with_clan(table(4), 0, known=("horse", "red-1", "staff", "weapon-2", "weapon-3"))
    assert script.does("raid", 1).layable == {"red-1"}
    assert script.options("double-raid") == []
    rider = with_clan(table(4), 0, known=("horse", "red-1", "staff", "weapon-2"))
    assert rider.does("double-raid", 1).layable == {"red-1", "red-2", "red-3", "red-4"}
    assert rider.does("double-raid", 1, "red-2").layable == {"red-1"}


def test_a_card_that_another_hand_was_seen_to_take_is_in_no_other() -> None:
    script = with_clan(table(4), 2, known=("red-1",))
    assert "red-1" not in script.does("raid", 1).layable
