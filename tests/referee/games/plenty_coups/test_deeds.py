"""Breeding, gifts, taunts, donations, hunts."""

from referee.contract import Deadline, Option
from referee.games.plenty_coups.deck import CLANS
from referee.games.plenty_coups.state import Acting, Raid, Turn
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.plenty_coups.script import table, with_clan, with_state


def test_breeding_takes_a_horse_of_the_plain() -> None:
    script = table(4)
    plain = script.state.plain
    script = script.does("breed")
    assert (script.clan(0).herd, script.state.plain, script.clan(0).cards) == (6, plain - 1, 4)
    assert with_state(table(4), plain=0).options("breed") == []


def test_gifts_cost_a_card_and_are_exchanged_unseen() -> None:
    script = with_clan(with_clan(table(4), 0, known=("horse", "staff")), 1, known=("red-2",)).does(
        "gift", 1, "weapon-3"
    )
    assert script.state.discard[-1] == "weapon-3"
    assert script.ask("gift-back").seats == (1,)
    script = script.says_done()
    assert [clan.cards for clan in script.state.clans] == [4, 3, 3, 3]
    assert script.clan(0).known == script.clan(1).known == ()


def test_raiders_and_raided_exchange_no_gifts() -> None:
    script = with_state(table(4), raids=(Raid(0, 1, ("red-2",), 2), Raid(2, 0, ("red-3",), 3)))
    assert script.options("gift") == [3]


@on_both_sides_of("taunt")
def test_a_taunt_costs_renown_unless_worth_is_proved() -> None:
    script = with_clan(table(4), 1, feats=2).does("taunt", 1)
    assert script.ask_keys == ["worth", "proof"]
    assert script.ask("worth").seats == (1,)
    assert script.ask("worth").deadline == Deadline(30.0, Option("accept-loss"))
    assert script.layable == {
        "staff",
        "weapon-4",
        *(f"{clan}-4" for clan in CLANS),
    }
    assert script.answers("worth", Option("accept-loss")).clan(1).feats == 1
    proved = script.lays("red-4")
    assert (proved.clan(1).feats, proved.clan(1).cards, proved.clan(1).has_proved) == (2, 2, True)


def test_pc_19_who_has_no_renown_beside_the_herd_s_loses_none() -> None:
    script = with_clan(table(4), 1, herd=9).does("taunt", 1).answers("worth", Option("accept-loss"))
    assert script.clan(1).feats == 0
    assert "nothing-to-lose" in script.keys


def test_pc_19_no_clan_is_taunted_twice_before_its_turn() -> None:
    script = table(4).does("taunt", 1).answers("worth", Option("accept-loss"))
    assert script.options("taunt") == [2, 3]
    script = script.does("taunt", 2).answers("worth", Option("accept-loss"))
    assert script.clan(1).is_taunted
    assert script.clan(2).is_taunted


@on_both_sides_of("hand-filled")
def test_the_staff_goes_and_the_hand_is_filled_when_the_turn_comes() -> None:
    script = with_clan(table(4, turn=0), 3, is_taunted=True, has_proved=True, cards=2)
    script = with_state(script, display=("weapon-2", "horse", "weapon-3", "red-2"), stage=Acting(Turn(0, 1)))
    script = script.hunts("blue-1", "blue-2", "blue-3")
    assert script.ruling("draws") == {"seat": 3, "count": 1}
    assert script.clan(3).cards == 3
    assert not script.clan(3).is_taunted
    assert "staff" in script.state.discard
    assert script.ask("take").seats == (3,)


@on_both_sides_of("taunt-ally")
def test_to_taunt_an_ally_ends_the_alliance_and_costs_both() -> None:
    script = with_clan(with_clan(table(4), 0, bond="yellow-3", feats=2), 1, bond="black-3", feats=2).does(
        "taunt", 1
    )
    assert [clan.bond for clan in script.state.clans] == ["", "", "", ""]
    assert script.clan(0).feats == 1
    assert {"yellow-3", "black-3"} <= set(script.state.discard)
    assert script.lays("staff").clan(1).feats == 2
    assert script.answers("worth", Option("accept-loss")).clan(1).feats == 1


def test_horses_are_given_to_herds_no_larger() -> None:
    script = with_clan(with_clan(with_clan(table(4), 0, herd=6), 1, herd=6), 2, herd=7)
    assert script.options("donate") == [1, 3]
    script = script.does("donate", 1, "staff")
    assert [clan.herd for clan in script.state.clans] == [4, 8, 7, 5]
    assert script.clan(0).feats == 1
    assert with_clan(table(4), 0, herd=1).options("donate") == []


def test_nothing_is_given_by_or_to_a_raided_camp() -> None:
    assert with_state(table(4), raids=(Raid(1, 2, ("red-2",), 2),)).options("donate") == [1, 3]
    assert with_state(table(4), raids=(Raid(1, 0, ("red-2",), 2),)).options("donate") == []


def test_nothing_is_given_to_an_ally_or_by_a_house_rule_to_who_has_one() -> None:
    for house, options in (("each_other", [2, 3]), ("anyone", [])):
        script = table(4, gift_of_horses=house)
        script = with_clan(with_clan(script, 0, bond="yellow-3"), 1, bond="black-3")
        assert script.options("donate") == options
        assert script.turn_of(2).options("donate") == ([0, 1, 3] if house == "each_other" else [3])


def test_hunting_discards_draws_and_discards() -> None:
    script = table(4)
    pile = script.state.pile
    script = script.does("hunt", None, "red-1")
    assert (script.clan(0).cards, script.state.pile) == (6, pile - 2)
    script = script.shows("red-2", "red-3")
    assert script.clan(0).cards == 4
    assert script.state.discard[-3:] == ("red-1", "red-2", "red-3")


def test_a_hand_without_cards_has_nothing_to_do() -> None:
    script = with_clan(table(4), 0, cards=1)
    script = with_state(script, stage=Acting(Turn(0, 2))).does("breed")
    assert script.ruling("turn-over")["cards"] == 0
