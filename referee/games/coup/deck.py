"""Coup's court: five characters, three of each; the summary for every player is no card of the game."""

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
