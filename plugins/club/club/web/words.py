"""Texts of the club's pages, in addition to the shared ones."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

AWAY = phrase("The club's database is away. Tables play on, and what they say comes later.")
DOUBTS: Mapping[str, Phrase] = {
    "another line is there": phrase("another line is there"),
    "the line doesn't fit its hash": phrase("the line doesn't fit its hash"),
}
"""Why a line is rejected, by the hub's stored reason."""

MOVEMENTS: Mapping[str, Phrase] = {
    "swiss": phrase("Swiss: who stands equal meets"),
    "round robin": phrase("Everybody meets everybody"),
    "knock-out": phrase("Knock-out: the best of each table go on"),
}
"""How people move from round to round."""

PROBLEMS: Mapping[str, Phrase] = {
    "name": phrase("That isn't a name of 1 to 30 letters: {about}. No name was added."),
    "plan": phrase(
        "This can't be played. Check the tables, rounds, size and points; points fall from place to place."
    ),
    "full": phrase("{about} takes part already, or there are too many."),
    "unknown": phrase("Nobody has the number {about}."),
    "too few": phrase("Too few people are here for a table: it takes at least three."),
    "open round": phrase("The knock-out has begun; nobody can come in any more."),
    "no round": phrase("No round is drawn that could be changed. It may have been sent already."),
    "unsent": phrase("Send the round first."),
    "missing": phrase("Who goes on isn't known yet. No result: {about}. Wait, or write the result yourself."),
    "last round": phrase("That was the last round."),
    "over": phrase("The tournament is over."),
    "places": phrase(
        "These places can't be. Two who share the second place have 2 and 2, and the next one has 4."
    ),
    "points": phrase("A penalty is 1 to 1000 points."),
    "table": phrase("This table isn't free, or nobody sits there: {about}"),
}
"""Why an action failed, by the problem's name."""
