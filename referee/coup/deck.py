"""Coup's court: five characters, three of each; the summary for every player is no card of the game."""

from referee.decks import Deck

CHARACTERS = ("duke", "assassin", "captain", "ambassador", "contessa")
SUMMARY = "summary"

COUP = Deck("coup", dict.fromkeys(CHARACTERS, 3))
