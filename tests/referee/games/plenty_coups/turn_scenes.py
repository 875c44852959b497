"""What lies on the table as a turn begins and as it ends."""

from random import Random
from typing import Any

from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, follow_rulings
from referee.games.plenty_coups.scenes import OPEN, Scene
from referee.games.plenty_coups.state import Taking, Turn
from referee.match import Match
from tests.referee.games.plenty_coups.script import Script, table, with_clan, with_state


def begin_turn(**changes: Any) -> Script:
    """Sit at the beginning of black's turn, with four cards on the display."""
    script = with_state(table(4), **changes)
    display = ("weapon-2", "horse", "staff", "weapon-4")
    script = with_clan(with_state(script, display=display, discard=()), 0, cards=3)
    return with_state(script, stage=Taking(Turn(0), 2))


def scene_lying(table: DealtMatch) -> Scene:
    return {zone: cards for zone, cards in table.truth.items() if zone.name in OPEN and cards}


def finish_turn(table: DealtMatch, later: Match, rng: Random) -> DealtMatch:
    """Do with the cards what the last answer of a turn led to, and nothing of the next one."""
    keys = [ruling.key for ruling in later.rulings]
    until = replace(later, rulings=later.rulings[: keys.index("turn-over")])
    return DealtMatch(later, follow_rulings(table.truth, until, rng))
