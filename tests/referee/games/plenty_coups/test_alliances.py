"""Alliances: the rule text's example (PC-01) and what the text says before and after it."""

import pytest

from referee.games.plenty_coups.state import Proposal, Raid
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state

BLACK, YELLOW, GREEN, RED = range(4)


def script_with_alliance() -> Script:
    """Ally black and yellow by riders of value 3; it is green's turn."""
    script = with_clan(with_clan(table(4), BLACK, bond="yellow-3"), YELLOW, bond="black-3")
    return script.turn_of(GREEN)


def test_pc_01_only_a_higher_rider_proposes_a_change() -> None:
    script = script_with_alliance().does("propose", BLACK)
    assert script.layable == {"black-4"}
    assert script.refusal(("black-2",)) == "card-barred"
    assert script.refusal(("black-1",)) == "card-barred"


@within("change-accepted")
@pytest.mark.parametrize("card", ["green-3", "green-4"])
def test_pc_01_accepting_the_change(card: str) -> None:
    script = script_with_alliance().does("propose", BLACK, "black-4").turn_of(BLACK)
    script = script.does("accept", GREEN, card)
    assert [clan.bond for clan in script.state.clans] == [card, "", "black-4", ""]
    assert {"black-3", "yellow-3"} <= set(script.state.discard)
    assert [clan.feats for clan in script.state.clans] == [0, 0, 1, 0]
    assert script.state.proposals == ()


@beyond("change-accepted", "accept")
@pytest.mark.parametrize("card", ["green-1", "green-2"])
def test_pc_01_a_lower_rider_doesn_t_accept_and_the_proposal_stays(card: str) -> None:
    script = script_with_alliance().does("propose", BLACK, "black-4").turn_of(BLACK).does("accept", GREEN)
    assert script.refusal((card,)) == "card-barred"
    assert script.state.proposals == (Proposal(GREEN, BLACK, "black-4"),)


def test_a_proposal_lies_until_the_next_turn_of_its_maker() -> None:
    script = with_state(table(4, turn=1), proposals=(Proposal(BLACK, GREEN, "green-2"),))
    script = with_state(script, display=("weapon-2", "horse", "weapon-3", "red-2"))
    script = script.hunts("blue-1", "blue-2", "blue-3")
    assert script.state.proposals
    script = script.hunts("white-1", "white-2", "white-3")
    assert script.ruling("lapses") == {"seat": BLACK, "target": GREEN, "card": "green-2"}
    assert script.state.proposals == ()
    assert script.state.discard[-1] == "green-2"


@within("accept")
def test_any_rider_of_the_clan_accepts_a_first_alliance() -> None:
    script = table(4).does("propose", GREEN, "green-1").turn_of(GREEN).does("accept", BLACK)
    assert script.layable == {"black-1", "black-2", "black-3", "black-4"}
    script = script.lays("black-1")
    assert (script.clan(BLACK).bond, script.clan(GREEN).bond) == ("green-1", "black-1")
    assert (script.clan(BLACK).feats, script.clan(GREEN).feats) == (1, 0)


def test_only_a_higher_rider_outbids() -> None:
    script = table(4).does("propose", GREEN, "green-2").turn_of(YELLOW).does("propose", GREEN)
    assert script.layable == {"green-3", "green-4"}
    script = script.lays("green-3")
    assert script.ruling("outbid") == {"seat": BLACK, "target": GREEN, "card": "green-2"}
    assert script.state.proposals == (Proposal(YELLOW, GREEN, "green-3"),)


def test_allies_propose_to_no_other_clan() -> None:
    assert script_with_alliance().turn_of(BLACK).options("propose") == []
    assert script_with_alliance().options("propose") == [BLACK, YELLOW, RED]


def test_no_clan_proposes_to_a_camp_that_it_raids_or_raids_one_that_it_has_proposed_to() -> None:
    assert table(4).does("raid", GREEN, "red-2").options("propose") == [YELLOW, RED]
    assert table(4).does("propose", GREEN, "green-2").options("raid") == [YELLOW, RED]
    assert table(4).does("propose", GREEN, "green-2").turn_of(GREEN).options("raid") == [YELLOW, RED]


def test_a_proposal_to_a_raider_ends_the_raid_which_takes_a_horse() -> None:
    script = with_state(table(4), raids=(Raid(GREEN, BLACK, ("red-3",), 3),)).does("propose", GREEN, "green-2")
    assert script.state.raids == ()
    assert (script.clan(BLACK).herd, script.clan(GREEN).herd) == (4, 6)
    assert script.clan(GREEN).feats == 0
    assert "red-3" in script.state.discard


def test_what_allies_have_proposed_to_others_is_void() -> None:
    script = table(4).does("propose", GREEN, "green-2").does("propose", RED, "red-2")
    script = script.turn_of(GREEN).does("accept", BLACK, "black-2")
    assert script.ruling("withdrawn") == {"seat": BLACK, "target": RED, "card": "red-2"}
    assert script.state.proposals == ()


def test_a_proposal_that_no_longer_beats_the_alliance_can_not_be_accepted() -> None:
    """Black is proposed to, and meanwhile allied by its own proposal, with a higher rider of its own."""
    script = with_state(
        table(4), proposals=(Proposal(RED, BLACK, "black-1"), Proposal(BLACK, GREEN, "green-1"))
    )
    script = script.turn_of(GREEN).does("accept", BLACK, "black-3").turn_of(BLACK)
    assert script.options("accept") == []


def test_neutral_alliances_give_no_renown() -> None:
    script = table(4).does("ally")
    assert script.layable == {f"{clan}-{value}" for clan in ("blue", "white") for value in range(1, 5)}
    script = script.lays("blue-2")
    assert (script.clan(BLACK).bond, script.clan(BLACK).feats) == ("blue-2", 0)


@on_both_sides_of("neutral-change")
def test_another_neutral_clan_needs_as_high_a_rider() -> None:
    script = with_clan(table(4), BLACK, bond="blue-2").does("ally")
    assert script.layable == {"white-2", "white-3", "white-4"}
    script = script.lays("white-2")
    assert script.clan(BLACK).bond == "white-2"
    assert "blue-2" in script.state.discard


def test_a_higher_rider_breaks_a_neutral_alliance_of_another_player() -> None:
    script = with_clan(table(4), GREEN, bond="blue-2").does("ally")
    assert {face for face in script.layable if face.startswith("blue")} == {"blue-3", "blue-4"}
    script = script.lays("blue-3")
    assert (script.clan(BLACK).bond, script.clan(GREEN).bond) == ("blue-3", "")
    assert script.ruling("neutral-ends") == {"seat": GREEN, "card": "blue-2"}


@on_both_sides_of("neutral-change")
def test_a_neutral_alliance_ends_with_a_proposal_accepted_as_high() -> None:
    script = with_clan(table(4), GREEN, bond="blue-3").does("propose", GREEN, "green-1").turn_of(GREEN)
    script = script.does("accept", BLACK)
    assert script.layable == {"black-3", "black-4"}
    script = script.lays("black-3")
    assert script.clan(GREEN).bond == "black-3"
    assert "blue-3" in script.state.discard


def test_who_has_an_ally_in_play_takes_no_neutral_one() -> None:
    assert script_with_alliance().turn_of(BLACK).options("ally") == []


def test_six_players_have_no_neutral_clan() -> None:
    assert table(6).options("ally") == []


def test_allies_exchange_gifts_for_nothing_once_a_turn() -> None:
    script = script_with_alliance().turn_of(BLACK)
    assert script.options("ally-gift") == [YELLOW]
    script = script.does("ally-gift", YELLOW)
    assert script.ask("gift-back").seats == (YELLOW,)
    script = script.says_done()
    assert script.options("ally-gift") == []
    assert script.turn.left == 2
    assert script.clan(BLACK).cards == 5


@within("turn-over")
def test_the_free_gift_may_come_after_the_last_action() -> None:
    script = script_with_alliance().turn_of(BLACK).does("breed").hunts("red-1", "red-2", "red-3")
    assert script.ask_keys == ["after-actions"]
    assert script.does("turn-over").ruling("turn-over")["cards"] == 3
    assert script.does("ally-gift", YELLOW).says_done().ruling("turn-over")["cards"] == 3
