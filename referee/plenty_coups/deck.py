"""Plenty Coups: riders of six clans, weapons, horses and honour staffs."""

from referee.decks import Deck

CLANS = ("black", "yellow", "green", "red", "blue", "white")
RIDERS = tuple(f"{clan}-{value}" for clan in CLANS for value in (1, 2, 3, 4))
WEAPONS = ("weapon-2", "weapon-3", "weapon-4")
HORSE = "horse"
STAFF = "staff"

PLENTY_COUPS = Deck(
    "plenty-coups",
    {**dict.fromkeys(RIDERS, 1), **dict.fromkeys(WEAPONS, 4), HORSE: 10, STAFF: 8},
)
