"""The Court: five characters, three cards of each; the summary cards don't count."""

from referee.contract.cards import Deck

DUKE = "duke"
ASSASSIN = "assassin"
CAPTAIN = "captain"
AMBASSADOR = "ambassador"
CONTESSA = "contessa"

CHARACTERS = (DUKE, ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA)
OF_EACH = 3
SUMMARY = "summary"

_ALIASES = {"duc": DUKE, "capitaine": CAPTAIN, "ambassadeur": AMBASSADOR, "comtesse": CONTESSA}

COUP = Deck("coup", dict.fromkeys(CHARACTERS, OF_EACH), _ALIASES)
