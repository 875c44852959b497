"""What the companion says beside the game: cards in the way, a slow disk, a stuck button; data and words."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.language.board_troubles import trouble_text as board_said
from firmware.language.sentences import Sentence
from firmware.language.speaking import later
from firmware.language.storage_troubles import UNSAVED_WORDS
from firmware.language.troubles import problem_text as sight_said
from hardware.board.board import Key, Trouble
from referee import telling
from referee.contract import Answer, Refusal, Ruling
from referee.grounds import Ground
from referee.telling_rules import tell_rule
from vision.troubles import Problem


class Notice(Struct, frozen=True):
    """Something that people have to know: a kind, and what belongs to it."""

    key: str
    values: Mapping[str, float | str | Sentence] = {}
    refusal: Refusal | None = None
    rulings: tuple[Ruling, ...] = ()
    """What the referee tells beside the match: then the key isn't worded."""
    answers: tuple[Answer, ...] = ()
    grounds: tuple[Ground, ...] = ()  # rules that are told: then the key isn't worded


LOST_ANSWER = "answer lost"  # what is told as long as only the host can say how a match goes on
WORDS: Mapping[str, str] = {
    **UNSAVED_WORDS,
    # cards
    "face down": later("A card lies face down: turn it over, please."),
    "unsure": later("One card can't be read for sure: move that card, please."),
    "likely": later("Is that {card}? It counts unless a player says no."),
    "is it": later("Is that {card}? Move that card a little, or say on a phone what it is."),
    "is it one of two": later(
        "Is that {card} or {other}? Move that card a little, or say on a phone what it is."
    ),
    "impossible": later("I see {card}, and that can't be here: take another look, and move that card, please."),
    "more below": later(
        "More lies under {cards}, or beside it, than I can read: spread it, turn away what a lamp shines on, "
        "or say on a phone what it is."
    ),
    "other deck": later(
        "These look like cards of {other}, not of {deck}: lay the cards of this game, or begin the game that "
        "they belong to."
    ),
    "too many": later("{shown} cards lie here, {wanted} should: take away what is too many, please."),
    "cards lack": later(
        "I see {shown} of {wanted} cards: lay the others beside them, each to be seen, or say on a phone what"
        " they are."
    ),
    "old cards": later(
        "{cards}: I take that for what lay here before. Take it away; if it counts, lay it again."
    ),
    "same card": later("{cards}: that lay here before. If it is meant now, lift it and lay it again."),
    "at once": later(
        "{cards} came at once, and it is the turn of {seat}: leave that player's card only, please."
    ),
    "swept": later(
        "{cards}: by the record that still lies here. Put it back, or let the host correct the record. It is "
        "the turn of {seat}."
    ),
    # pieces
    "pieces missing": later(
        "I see {seen} before {seat}; the record says {due}. Spread out what lies on each other, or add what is"
        " missing. If the record is wrong, the host can put it right."
    ),
    "pieces too many": later(
        "I see {seen} before {seat}; the record says {due}. Take away what is too many. If the record is wrong,"
        " the host can put it right."
    ),
    "pieces of the stock": later(
        "I see {seen} in the middle; the record says {due} at most. Look who has too few. If the record is"
        " wrong, the host can put it right."
    ),
    "put pieces so": later("The record counts: {due} before {seat}. Put them so."),
    "put stock so": later("The record counts: {due} in the middle at most. Put them so."),
    "pieces unexplained": later(
        "No other answer explains what lies there: correct the record answer by answer, or put the pieces as it"
        " has them."
    ),
    "pieces explained twice": later(
        "More than one other answer would explain what lies there: correct the one that was wrong."
    ),
    # whole turns
    "no eyes": later("No camera looks at the table: say the turn action by action."),
    "turn unclear": later("I can't make a turn of what has changed: say it action by action."),
    "turn unclear cards": later(
        "I can't make a turn of what has changed: look at {cards}, or say it action by action."
    ),
    "turn unchanged": later("Nothing has changed on the table since the last answer: say what was done."),
    "turn parts": later("What lies there can be several things: {answers}. Say which."),
    # what the host does
    "paused": later("The table pauses: nothing counts until the host goes on."),
    "goes on": later("The table goes on."),
    "nothing shown": later("No cards have counted yet: there is nothing to put right."),
    "not all read": later(
        "I read {shown} of {wanted} cards for sure: move what I can't read, then say it again."
    ),
    "looks again": later("I look at the table once more: take hands and arms off it."),
    "not looked": later(
        "I couldn't look at the table: take hands and arms off it, see what is said of the camera, then say it"
        " again."
    ),
    "table agrees": later("Table and record agree."),
    "cards put aside": later("What lies there now doesn't count."),
    "contested": later("{name} contests the cards of answer {answer}: look again."),
    "nothing ruled": later("Nothing has been ruled yet."),
    "joined": later("{name}'s phone has joined."),
    "table sign": later("Take your phone. The number is {first}, {second}."),
    "has host": later("The table has a host."),
    "pin anew": later("The host's PIN is another one now: it was made anew from here."),
    "put so": later("These counted: {cards}. Put them back so; what lies there now doesn't count."),
    "audit": later(
        "Push these cards of {seat} into the middle, nothing else, then say compare: row {row}, columns {first}"
        " to {last}. Nothing that lies there counts meanwhile."
    ),
    "audit over": later("Cards are asked for again. Put those of the middle back first."),
    "no audit": later("Nothing is being compared: choose a row or cards that belong together first."),
    "pressed": later("{button} works."),
    # switching off
    "director called": later("The director is called."),
    "director called already": later("The director is called already."),
    "let go to switch off": later("Let the dial go now, and the computer shuts down."),
    "not switched off": later("The computer isn't shut down: {why}"),
    "goes down": later("The computer shuts down. Pull the plug once its own green light has stopped blinking."),
    "starts anew": later("The computer starts anew; the match goes on in a minute or two."),
    # finding the table, teaching a deck
    "no frame": later("No picture comes from the camera: look at its cable, then try again."),
    "not found": later("Not all four markers can be seen: lay them in the corners, then look again."),
    "no corners": later("Tap four corners: upper left, upper right, lower right, lower left."),
    "not written": later("That couldn't be kept ({why}): make room on the disk, then try again."),
    "deck trouble": later("The deck can't be taught now ({why})."),
    "suit not taught": later("Not taught yet. {why}"),
    "nothing taught": later("No card is taught yet: there is nothing to save."),
    "not begun": later("No deck is being taught now: choose one, and begin."),
    "cards cut again": later(
        "Cards on the table show that they were cut out up to {mm} mm beside their rims when they were taught:"
        " I cut them again, and read by that now. The page that shows them takes it back."
    ),
    "no such deck": later("No game has a deck of that name: choose one of these."),
    "no such face": later("This deck has no such face, or a box can't hold so many of it."),
    # the house
    "not kept": later("The last answer doesn't count, as it couldn't be kept ({why}): say it again."),
    "disk": later("No answer can be kept now, so none counts ({why})."),
    "slow disk": later("The disk takes long to keep the last answer: wait a moment."),
    "blind": later("The eyes don't open: say the cards by hand; the table starts again."),
    "no eyes now": later("The eyes don't open: say the cards by hand."),
    "board asleep": later("{told}"),
    "board unsaid": later("{told}"),
    "board faults": later("{told}"),
    "set aside": later("When the table started: {told}"),
    "stuck": later("{button} is stuck: let it go, or look at its wires."),
    "freed": later("{button} is free again."),
    "dialled": later("On the display: [{shown}] {said}"),
    "dead buttons": later("The buttons have died: the table starts again."),
    "plays now": later(
        "{name} plays the open match: end it, or begin another one without {name}, then delete."
    ),
    LOST_ANSWER: later("An answer is lost in matches: {matches}. The host can say in the history what it was."),
    "not said": later("What was said isn't kept, as the journal couldn't be changed ({why}): try again."),
    "not forgotten": later("Nothing is deleted, as the journal couldn't be changed ({why}): try again."),
    "no pages": later("There are no pages for phones: {why}"),
    "no photograph kept": later("The photo that an answer rests on couldn't be kept: {why}"),
    "not encrypted": later("The pages aren't encrypted: {why}"),
    "weak supply": later("{told}: {remedy}."),
    "too hot": later("{told}: {remedy}."),
    "second copy": later("No second copy is made ({place}): {why}"),
    "outlet": later("{place} can't be told of the match, which goes on without it ({why})."),
    "over": later("The match is over: a button or the host's page begins another one."),
}


def sentence_for(notice: Notice | Trouble | Problem, listener: telling.Listener) -> str:
    """Put a notice, or trouble of the board or the eyes, into words."""
    match notice:
        case Trouble():
            return board_said(notice, listener.language)
        case Problem():
            return sight_said(_without_folder(notice, listener.language), listener.language)
        case Notice(refusal=Refusal() as refusal):
            return telling.tell_refusal(listener, refusal)
        case Notice(rulings=(_first, *_others) as rulings):
            return " ".join(telling.tell(listener, ruling) for ruling in rulings)
        case Notice(grounds=(_first, *_others) as grounds):
            return " ".join(tell_rule(listener, ground.rule, ground.house) for ground in grounds)
    return telling.tell_text(listener.language, WORDS[notice.key], _told_values(notice, listener))


def _told_values(notice: Notice, listener: telling.Listener) -> dict[str, float | str]:
    told = notice.values.items()
    values = {name: each.told(listener.language) if isinstance(each, Sentence) else each for name, each in told}
    for name in values.keys() & {"card", "cards", "other"}:
        values[name] = ", ".join(telling.tell_face(listener, face) for face in str(values[name]).split())
    if "piece" in values:
        for name in ("seen", "due"):
            values[name] = telling.tell_count(listener, str(values["piece"]), int(values[name]))
    if "seat" in values:
        values["seat"] = telling.tell_player(listener, int(values["seat"]))
    if notice.answers:
        values["answers"] = ", ".join(telling.tell_value(listener, answer.value) for answer in notice.answers)
    return values


def _without_folder(problem: Problem, language: telling.Language) -> Problem:
    """Name no folder of the machine to the room: a camera that is a file is the camera."""
    is_file = "/" in str(problem.values.get("camera", "")).partition(":")[2]
    called = {"camera": language.gettext(later("the camera"))} if is_file else {}
    return Problem(problem.key, {**problem.values, **called})


def button_notice(kind: str, key: Key) -> Notice:
    return Notice(kind, {"button": button_name(key)})


def button_name(key: Key) -> Sentence:
    if key.role == "push":
        return Sentence(later("The dial"))
    is_second = key.role == "second"
    if key.seat is None:
        return Sentence(later("The table's second button") if is_second else later("The table's button"))
    told = later("The second button of seat {seat}") if is_second else later("The button of seat {seat}")
    return Sentence(told, {"seat": key.seat + 1})


# what is wrong for a while: a camera, a button, the disk; each by its name, until it is well again


LastingTrouble = Problem | Trouble | Notice
"""A notice is about the disk or a button."""
DISK = "disk"
ACCEPTED = frozenset({"board faults", "pieces missing", "pieces too many", "pieces of the stock"})
"""What people play on with: it is listed without an alarm."""
GOING = frozenset({"goes down", "starts anew"})  # what is told once the computer goes down
BLIND = frozenset({"blind", "no eyes", "no eyes now"})
PartName = Literal["camera", "record", "buttons", "other"]


class Concern(Struct, frozen=True):
    """The part of the table that a trouble is about, and whether that part can't do its work."""

    part: PartName
    is_grave: bool = False


CONCERNS: Mapping[str, Concern] = {
    **dict.fromkeys((DISK, *UNSAVED_WORDS), Concern("record", is_grave=True)),
    "second copy": Concern("record"),
    "board asleep": Concern("buttons", is_grave=True),
    "stuck": Concern("buttons"),
}


def concern_of(wrong: LastingTrouble) -> Concern:
    """Return which part of the table a trouble is about; pictures that are hard to read are no blindness."""
    if wrong.key in CONCERNS:
        return CONCERNS[wrong.key]
    if isinstance(wrong, Problem):
        return Concern("camera", is_grave="camera" in wrong.values)
    return Concern("camera", is_grave=True) if wrong.key in BLIND else Concern("other")


class LastingTroubles:
    """All that is wrong now."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._wrong: dict[object, LastingTrouble] = {}

    def all(self) -> tuple[LastingTrouble, ...]:
        """List them, in the order in which they began."""
        return tuple(self._wrong.values())

    def are_any(self) -> bool:
        """Return whether anything is wrong that people haven't accepted."""
        return any(wrong.key not in ACCEPTED for wrong in self._wrong.values())

    def is_going_down(self) -> bool:
        return any(wrong.key in GOING for wrong in self._wrong.values())

    def begin(self, name: object, wrong: LastingTrouble) -> None:
        self._wrong[name] = wrong
        self._tell()

    def end(self, name: object) -> LastingTrouble | None:
        """Note that it is well again; give what was wrong, if anything was."""
        wrong = self._wrong.pop(name, None)
        if wrong is not None:
            self._tell()
        return wrong

    def note_disk(self, why: Sentence | str | None) -> None:
        """Note why nothing can be kept, or that it can."""
        if why is None:
            self.end(DISK)
        elif self._wrong.get(DISK) != (disk := Notice("disk", {"why": why})):
            self._wrong.pop(DISK, None)
            self.begin(DISK, disk)

    def explain_eyes(self) -> bool:
        """Return whether people know why there are no pictures."""
        return any(isinstance(wrong, Problem) for wrong in self._wrong.values())

    def forget_seen(self) -> None:
        """Drop what eyes that are gone said was wrong; new ones know of the camera, and see the rest anew."""
        self._wrong = {
            name: wrong
            for name, wrong in self._wrong.items()
            if isinstance(wrong, Trouble | Notice) or "camera" in wrong.values
        }
        self._tell()


def problem_name(problem: Problem) -> object:
    """Name a problem of the eyes: a marker or a file may be hidden while another one is."""
    values = problem.values
    return problem.key, values.get("marker"), values.get("file")
