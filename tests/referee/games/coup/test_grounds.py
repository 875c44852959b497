"""Rules behind rulings in Coup: earlier errors, and each rule's statement checked in play."""

from collections.abc import Callable
from random import Random

from hardware.twin.player import play_on
from referee.contract import Refusal, Ruling
from referee.games.coup import COUP
from referee.games.coup.state import INFLUENCE, Losing, Opening, Proving, State, Swapping, Window
from referee.grounds import grounds_of_ruling
from referee.kit.answers import seat_named
from referee.kit.claims import waiting
from referee.match import Setup, begin, moments, rematch
from tests.referee.games.coup.script import NAMES, Script, table
from tests.referee.rule_coverage import houses_around
from tests.tiers import tiered


def test_table_chooses_the_first_player_and_then_the_winner_begins() -> None:
    first = table("7:2", "2:1")
    over = first.does("coup", 1).shows("captain")
    again = Script.of(rematch(over.match))
    assert (again.turn, again.cited("begins")) == (0, ["opener"])
    opened = Script.of(begin(Setup(COUP, first.match.setup.house, NAMES[:2])))
    assert opened.opens(1).cited("begins") == ["first-opener"]


Truth = Callable[[State, Ruling, State], bool]


def takes(coins: int) -> Truth:
    """Check that exactly this amount is taken from, or requested of, the Treasury."""
    return lambda before, ruling, _after: ruling.values["coins"] == coins <= before.treasury


def pays(coins: int) -> Truth:
    """Check that exactly this amount is paid, with an active target."""
    return lambda before, ruling, after: (
        gain(before, ruling, after) == -coins and seat_named(ruling, "target") in before.alive
    )


def gain(before: State, ruling: Ruling, after: State) -> int:
    return after.coins[seat_named(ruling)] - before.coins[seat_named(ruling)]


def steals(before: State, ruling: Ruling, after: State) -> bool:
    is_in = seat_named(ruling, "target") in after.alive
    return is_in and (ruling.key == "claims-captain" or gain(before, ruling, after) in {1, 2})


def waits(before: State, _ruling: Ruling, after: State) -> bool:
    return isinstance(before.stage, Window) and isinstance(after.stage, Window) and bool(waiting(after.stage))


def from_stage(stage: type) -> Truth:
    return lambda before, _ruling, _after: isinstance(before.stage, stage)


def ends(_before: State, ruling: Ruling, after: State) -> bool:
    return after.alive == (seat_named(ruling),)


TRUE: dict[str, Truth] = {
    "purse": lambda _before, _ruling, after: not any(after.lost),
    "first-opener": from_stage(Opening),
    "first-coin": lambda _before, ruling, after: len(after.coins) == 2 and after.coins[seat_named(ruling)] == 1,
    "influence": from_stage(Losing),
    "wrong-card": from_stage(Proving),
    "out": lambda _before, ruling, after: len(after.lost[seat_named(ruling)]) == INFLUENCE,
    "coins-back": lambda _before, ruling, after: (
        seat_named(ruling) not in after.alive and after.coins[seat_named(ruling)] == 0
    ),
    "coins-after-action": lambda _before, ruling, after: seat_named(ruling, "target") not in after.alive,
    "last-one": ends,
    "at-once": ends,
    "income": takes(1),
    "foreign-aid": takes(2),
    "tax": takes(3),
    "treasury/limited": lambda before, _ruling, after: before.treasury < 3 and after.treasury == 0,
    "treasury/unlimited": lambda _before, _ruling, after: after.treasury < 0,
    "coup": pays(7),
    "assassinate": pays(3),
    "steal": steals,
    "steal-zero/allow": lambda before, ruling, after: gain(before, ruling, after) == 0,
    "exchange": lambda _before, ruling, _after: ruling.key in {"claims-ambassador", "draws", "returns"},
    "block": lambda _before, _ruling, after: (
        isinstance(after.stage, Window) and after.stage.deed.blocker is not None
    ),
    "block-holds": lambda before, ruling, after: (
        gain(before, ruling, after) in {0, -before.coins[seat_named(ruling)]}
    ),
    "challenges-first": waits,
    "priority/clockwise": waits,
    "challenge": lambda _before, _ruling, after: isinstance(after.stage, Proving),
    "proof": from_stage(Proving),
    "refuse/may": from_stage(Proving),
    "swap/always": from_stage(Proving),
    "swap/optional": from_stage(Swapping),
    "action-fails": lambda before, ruling, after: (
        seat_named(ruling) not in after.alive or gain(before, ruling, after) == ruling.values.get("coins", 0)
    ),
    "block-fails": from_stage(Proving),
    "window/all-pass": lambda _before, _ruling, after: (
        isinstance(after.stage, Window) and after.stage.asks[0].deadline is not None
    ),
}
"""Statement of each rule, checked on the states before and after a ruling."""


def test_cited_rules_hold_for_states() -> None:
    for seed, house in enumerate([house for house in houses_around(COUP) for _time in range(tiered(1, 20))]):
        begun = begin(Setup(COUP, house, NAMES[: 2 + seed % 5]))
        if isinstance(begun, Refusal):  # an invalid time limit
            continue
        for moment in moments(play_on(begun, Random(seed))):
            before = moment.before.state if moment.before else moment.state
            for ruling in moment.rulings:
                [ground] = grounds_of_ruling(COUP, house, ruling)
                assert TRUE[ground.rule.id](before, ruling, moment.state), (seed, moment.number, ruling)
