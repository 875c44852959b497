"""Texts of the club's pages, in addition to the shared ones."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

AWAY = phrase("The club's database can't be reached. Tables play on; their updates will follow.")
DOUBTS: Mapping[str, Phrase] = {
    "a different line is already there": phrase("a different line is already there"),
    "the line doesn't fit its hash": phrase("the line doesn't fit its hash"),
}
"""Why a line is rejected, by the hub's stored reason."""

MOVEMENTS: Mapping[str, Phrase] = {
    "swiss": phrase("Swiss: players with equal points meet"),
    "round robin": phrase("Everybody meets everybody"),
}
"""How people move from round to round."""

PROBLEMS: Mapping[str, Phrase] = {
    "name": phrase("That isn't a name of 1 to 30 letters: {about}. No name was added."),
    "plan": phrase(
        "This plan doesn't work. Check the tables, rounds, size and points; points must fall with each place."
    ),
    "full": phrase("{about} is already in the tournament, or it is full."),
    "unknown": phrase("No player has the number {about}."),
    "too few": phrase("Too few players: a table needs at least three."),
    "no round": phrase("There is no draft round to change. It may have been sent already."),
    "unsent": phrase("Send the round first."),
    "last round": phrase("That was the last round."),
    "over": phrase("The tournament is over."),
    "places": phrase(
        "These places aren't possible. If two players share second place, enter 2 and 2; the next one gets 4."
    ),
    "points": phrase("A penalty is 1 to 1000 points."),
    "table": phrase("This table isn't free, or nobody sits there: {about}"),
}
"""Why an action failed, by the problem's name."""
