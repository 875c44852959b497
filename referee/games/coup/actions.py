"""The seven actions, in the order of the rule book: three open to all, four that claim a character."""

from msgspec import Struct

from referee.games.coup.deck import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE


class Action(Struct, frozen=True):
    """An action as the summary card has it."""

    word: str
    said: str = ""
    """The ruling that announces it; empty where it can't be stopped and costs nothing."""
    claim: str | None = None
    cost: int = 0
    gain: int = 0
    """Coins from the Treasury."""
    aimed: bool = False
    """Whether it needs a target; only the target may block it."""
    blocked_by: tuple[str, ...] = ()


INCOME = Action("income", gain=1)
FOREIGN_AID = Action("foreign-aid", "asks-aid", gain=2, blocked_by=(DUKE,))
COUP = Action("coup", "launches-coup", cost=7, aimed=True)
TAX = Action("tax", "claims-tax", DUKE, gain=3)
ASSASSINATE = Action("assassinate", "claims-assassin", ASSASSIN, cost=3, aimed=True, blocked_by=(CONTESSA,))
STEAL = Action("steal", "claims-captain", CAPTAIN, aimed=True, blocked_by=(AMBASSADOR, CAPTAIN))
EXCHANGE = Action("exchange", "claims-ambassador", AMBASSADOR)

ACTIONS = {action.word: action for action in (INCOME, FOREIGN_AID, COUP, TAX, ASSASSINATE, STEAL, EXCHANGE)}
STOLEN = 2
"""Coins that the Captain takes, if the target has them."""
DRAWN = 2
"""Cards that the Ambassador draws."""
FORCED = 10
"""From this many coins on, a turn can only be a coup."""
