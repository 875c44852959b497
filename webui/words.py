"""What the pages say by themselves; everything about the game is worded by the referee."""

from collections.abc import Mapping

from referee.telling import Language
from referee.words import Phrase, phrase

WORDS: Mapping[str, Phrase] = {
    # everywhere
    "table": phrase("Coyote Table"),
    "score": phrase("Score"),
    "my seat": phrase("My seat"),
    "host": phrase("Host"),
    "join": phrase("Join"),
    "pages": phrase("Pages"),
    "lost": phrase("The table is out of reach. Trying again…"),
    "quiet": phrase("This page moves on by itself with JavaScript only; without it, load it again."),
    "load again": phrase("Load again"),
    "to the score": phrase("To the score"),
    # score
    "now": phrase("Now"),
    "players": phrase("Players"),
    "what happened": phrase("What happened"),
    "cards": phrase("Open cards"),
    "nothing yet": phrase("Nothing yet."),
    "turn": phrase("has the turn"),
    "asked": phrase("is asked"),
    "out": phrase("out"),
    "winner": phrase("winner"),
    "you": phrase("you"),
    "over": phrase("The match is over."),
    "wins": phrase("Won by {names}."),
    "nobody wins": phrase("Nobody wins."),
    "wrong": phrase("Something is wrong"),
    # join
    "scan": phrase("Scan this to look on, or open"),
    "have code": phrase("You sit at the table? Scan the code of your seat, or type its four letters."),
    "code": phrase("Code of the seat"),
    "take seat": phrase("Take the seat"),
    "no seat": phrase("No seat has this code: look again."),
    "too often": phrase("Too many tries: wait a minute."),
    # seat
    "you are": phrase("You are {name}."),
    "not asked": phrase("Nothing is asked of you now."),
    "least most": phrase("{least} to {most}"),
    "number": phrase("Number"),
    "say it": phrase("Say it"),
    "done": phrase("Done"),
    "say cards": phrase("Say the cards by hand, if the camera doesn't"),
    "how many": phrase("How many of each? {count} in all."),
    "these cards": phrase("These are the cards"),
    "hand over": phrase("Hand the seat over"),
    "hand over why": phrase("Somebody else takes this seat: this phone lets go of it, and shows its new code."),
    "handed over": phrase("The seat has a new code. Let the next one scan it, or type {code}."),
    "gone": phrase("This phone holds no seat any more."),
    # host
    "pin": phrase("PIN"),
    "pin why": phrase("The terminal of the table shows the PIN."),
    "enter": phrase("Enter"),
    "wrong pin": phrase("That isn't the PIN."),
    "take last back": phrase("Take the last answer back"),
    "again": phrase("Another match"),
    "again why": phrase("With the same people and house rules, once this match is over."),
    "answers": phrase("The answers so far"),
    "correct": phrase("Correct"),
    "correct this": phrase("Answer {number}: {answer}"),
    "right value": phrase("What is right?"),
    "strike": phrase("Strike it, and all after it"),
    "seats": phrase("The seats' codes"),
    "new code": phrase("New code"),
    "back": phrase("Back"),
    # what goes wrong
    "slow": phrase("The table hasn't answered yet: look whether it counts before you say it again."),
    "ended": phrase("The table is just ending; that doesn't count."),
    "form": phrase("This page was too old for that. Here is a fresh one."),
    "not found": phrase("There is no such page."),
    "refused": phrase("The table can't make anything of that."),
    "too big": phrase("That is too much at once."),
    "full": phrase("Too many look on already."),
    "fault": phrase("Something went wrong here; the table goes on."),
}

FACTS: Mapping[str, Phrase] = {
    "round": phrase("Round {number}"),
    "tour": phrase("Tour {number}"),
    "trick": phrase("Trick {number}"),
}
"""Numbers of a view that tell how far a match is."""

OPEN: Mapping[str, Phrase] = {
    "opened": phrase("Open, and counts:"),
    "cards": phrase("On the table:"),
    "discard": phrase("Discards:"),
}
"""Cards of a view that lie open."""

OPEN_BEFORE: Mapping[str, Phrase] = {"lost": phrase("Open:")}
"""Cards of a view that lie open before each seat."""


def said(language: Language, key: str, **values: object) -> str:
    """Say something in a language."""
    return language.gettext(WORDS[key].one).format(**values)
