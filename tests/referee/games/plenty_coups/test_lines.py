"""Lines of play, and how all stands then: raids, alliances, taunts; the dossier's vectors PC-01, 10 to 22."""

from typing import Any

import pytest

from referee.contract import Deadline, Option
from referee.games.plenty_coups.state import Acting, Raid, Turn
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.lines import read_lines
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state


@on_both_sides_of("own-riders", "feat-defence", "compared/printed", "one-raid", "change-accepted", "accept")
@on_both_sides_of(
    "neutral-change", "turn-over", "taunt", "taunt-ally", "several-proposals", "propose-to-raider"
)
@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_what_a_line_of_play_leads_to(house: dict[str, Any], line: str, stands: str) -> None:
    played, _, asked = line.partition("?")
    script = table(**house).plays(played)
    assert (script.tells_of(asked.strip()) if asked else script.stands) == stands


def test_cards_that_are_too_low_are_refused() -> None:
    allies = "clan:0:bond=yellow-3 clan:1:bond=black-3 turn:2 propose:0"
    for line, cards in (
        (allies, ("black-1", "black-2")),
        (f"{allies} black-4 turn:0 accept:2", ("green-1", "green-2")),
        ("turn:1 raid:0 yellow-3 turn:0 defend", ("weapon-3",)),
        ("turn:1 raid:0 yellow-3 turn:2 raid:0", ("blue-4",)),
    ):
        for card in cards:
            assert table(4).plays(line).refused((card,)) == "card-barred"


def test_a_taunt_waits_for_its_answer_with_a_clock() -> None:
    asked = table(4).plays("taunt:1").ask("worth")
    assert (asked.seats, asked.deadline) == ((1,), Deadline(30.0, Option("accept-loss")))


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
    assert "no-horse" in script.ruling_keys
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
