"""Lines of play with results: raids, alliances, taunts; vectors PC-01 and 10 to 22 of the dossier."""

from random import Random
from typing import Any

import pytest

from hardware.twin.player import any_answer
from referee.contract import Deadline, Option
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.effects import ACTIONS, TURN_OVER
from referee.games.plenty_coups.state import Acting, House, Raid
from referee.match import Match, Setup, begin, hear
from tests.given import allowed, present
from tests.referee.games.lines import read_lines
from tests.referee.games.plenty_coups.script import sit_down, table, with_clan, with_state
from tests.tiers import tiered

AIMED = {word for word, action in ACTIONS.items() if action.is_aimed} | {"accept", "ally-gift"}


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    played, _, asked = line.partition("?")
    agreed = {rule: value for rule, value in house.items() if rule != "begins"}
    script = (sit_down if "begins" in house else table)(**agreed).plays(played)
    assert (script.tells_of(asked.strip()) if asked else script.stands) == stands


def test_taunt_has_a_clock() -> None:
    asked = table(4).plays("taunt:1").ask("worth")
    assert (asked.seats, asked.deadline) == ((1,), Deadline(30.0, Option("accept-loss")))


BLACK, YELLOW, GREEN, RED = range(4)


@pytest.mark.parametrize(("seconds", "may_be"), [(0, False), (1, True), (120, True), (121, False)])
def test_taunt_clock_range_is_1_to_120_seconds(seconds: int, may_be: bool) -> None:
    begun = begin(Setup(PLENTY_COUPS, House(worth_seconds=seconds), tuple("ABCD")))
    assert isinstance(begun, Match) == may_be


def test_turn_end_is_asked_last() -> None:
    script, shown = table(4), PLENTY_COUPS.shown
    asks = (present(PLENTY_COUPS.table.turns).asks(script.state), *script.match.asks)
    asked = present(shown.questions)(shown.view(script.state, None), asks)
    assert [question.asks for question in asked] == [("action",), ("whole-turn",)]


@pytest.mark.parametrize(
    ("rnd", "elder", "turn", "told"),
    [
        (11, BLACK, BLACK, []),
        (12, BLACK, BLACK, [("late-raid", None)]),
        # turns go from the elder to the right: a clan that had its last turn can't accept
        (12, BLACK, RED, [("late-raid", None), ("late-proposal", (BLACK,))]),
        (12, BLACK, YELLOW, [("late-raid", None), ("late-proposal", (BLACK, GREEN, RED))]),
        (12, GREEN, BLACK, [("late-raid", None), ("late-proposal", (YELLOW, GREEN))]),
    ],
)
def test_late_actions_are_reported_at_turn_start(
    rnd: int, elder: int, turn: int, told: list[tuple[str, tuple[int, ...] | None]]
) -> None:
    script = with_state(table(4, turn=turn, rnd=rnd), elder=elder)
    insight = PLENTY_COUPS.shown.insight(script.state)
    assert [(ruling.key, ruling.values.get("targets")) for ruling in insight] == told
    late = [target for _key, targets in told for target in targets or ()]
    for target in {BLACK, YELLOW, GREEN, RED} - {turn}:
        options = [Option(word, seat=target) for word in ("raid", "propose")]
        keys = [present(PLENTY_COUPS.book.effect(script.state, turn, option)).key for option in options]
        assert keys == ["raid-late" if told else "raid", "propose-late" if target in late else "propose"]


def test_needed_raid_defence_is_public() -> None:
    script = with_state(table(4), raids=(Raid(1, 0, ("yellow-3",), 4),))
    (said,) = PLENTY_COUPS.shown.insight(script.state)
    assert (said.key, said.values["needed"], said.values["count"]) == ("may-repel", 4, 4)
    (sure,) = PLENTY_COUPS.shown.insight(with_clan(script, 0, known=("weapon-4",)).state)
    assert sure.key == "can-repel"
    (short,) = PLENTY_COUPS.shown.insight(with_clan(script, 1, known=("weapon-4",)).state)
    assert short.values["count"] == 3
    assert PLENTY_COUPS.shown.insight(table(4).state) == ()


@pytest.mark.parametrize("number", range(tiered(6, 600)))
def test_only_unavailable_options_are_refused_with_a_reason(number: int) -> None:
    rng = Random(f"reasons {number}")
    house = PLENTY_COUPS.rules.settings[("rule text", "other rules")[number % 2]]
    match = allowed(begin(Setup(PLENTY_COUPS, house, tuple("ABCDEF")[: 2 + number % 5])))
    while match.asks:
        stage, state = match.state.stage, match.state
        if isinstance(stage, Acting):
            seat, seats = stage.turn.seat, range(len(state.clans))
            aimed = {Option(word, seat=other) for word in AIMED for other in seats if other != seat}
            looked_for = {*map(Option, set(ACTIONS) - AIMED), *aimed}
            offered = {option for ask in match.asks for option in ask.options} - {TURN_OVER}
            assert offered <= looked_for
            refused = {option for option in looked_for if PLENTY_COUPS.book.why_not(state, seat, option)}
            assert refused == looked_for - offered
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
