"""What the companion says beside the game: cards in the way, a slow disk, a stuck button; data and words."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.language.speaking import Sentence, later, problem_text, trouble_text
from firmware.language.words import UNSAVED_WORDS
from hardware.board.board import Key, Trouble
from referee import sentences
from referee.contract import Answer, Refusal, Ruling
from referee.games.catalogue import GameFailure
from referee.grounds import Ground
from referee.rule_sentences import rule_text
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
    "face down": "A card lies face down: turn it over, please.",
    "unsure": "One card can't be read for sure: move that card, please.",
    "likely": "Is that {card}? It counts unless a player says no.",
    "is it": "Is that {card}? Move that card a little, or say on a phone what it is.",
    "is it one of two": "Is that {card} or {other}? Move that card a little, or say on a phone what it is.",
    "impossible": "I see {card}, and that can't be here: take another look, and move that card, please.",
    "more below": "More lies under {cards}, or beside it, than I can read: spread it, turn away what a lamp "
    "shines on, or say on a phone what it is.",
    "other deck": "These look like cards of {other}, not of {deck}: lay the cards of this game, or begin the "
    "game that they belong to.",
    "too many": "{shown} cards lie here, {wanted} should: take away what is too many, please.",
    "cards lack": "I see {shown} of {wanted} cards: lay the others beside them, each to be seen, or say on a "
    "phone what they are.",
    "old cards": "{cards}: I take that for what lay here before. Take it away; if it counts, lay it again.",
    "same card": "{cards}: that lay here before. If it is meant now, lift it and lay it again.",
    "at once": "{cards} came at once, and it is the turn of {seat}: leave that player's card only, please.",
    "swept": "{cards}: by the record that still lies here. Put it back, or let the host correct the record. "
    "It is the turn of {seat}.",
    # whole turns
    "no eyes": "No camera looks at the table: say the turn action by action.",
    "turn unclear": "I can't make a turn of what has changed: say it action by action.",
    "turn unclear cards": "I can't make a turn of what has changed: look at {cards}, or say it action by "
    "action.",
    "turn unchanged": "Nothing has changed on the table since the last answer: say what was done.",
    "turn parts": "What lies there can be several things: {answers}. Say which.",
    # what the host does
    "paused": "The table pauses: nothing counts until the host goes on.",
    "goes on": "The table goes on.",
    "nothing shown": "No cards have counted yet: there is nothing to put right.",
    "not all read": "I read {shown} of {wanted} cards for sure: move what I can't read, then say it again.",
    "looks again": "I look at the table once more: take hands and arms off it.",
    "not looked": "I couldn't look at the table: take hands and arms off it, see what is said of the camera, "
    "then say it again.",
    "table agrees": "Table and record agree.",
    "cards put aside": "What lies there now doesn't count.",
    "contested": "{name} contests the cards of answer {answer}: look again.",
    "nothing ruled": "Nothing has been ruled yet.",
    "joined": "{name}'s phone has joined.",
    "table sign": "Take your phone. The number is {first}, {second}.",
    "has host": "The table has a host.",
    "pin anew": "The host's PIN is another one now: it was made anew from here.",
    "put so": "These counted: {cards}. Put them back so; what lies there now doesn't count.",
    "audit": "Push these cards of {seat} into the middle, nothing else, then say compare: row {row}, columns "
    "{first} to {last}. Nothing that lies there counts meanwhile.",
    "audit over": "Cards are asked for again. Put those of the middle back first.",
    "no audit": "Nothing is being compared: choose a row or cards that belong together first.",
    "pressed": "{button} works.",
    # switching off
    "director called": "The director is called.",
    "director called already": "The director is called already.",
    "director comes": "The director comes.",
    "director rules": "The director has ruled: {answer}",
    "let go to switch off": "Let the dial go now, and the computer shuts down.",
    "not switched off": "The computer isn't shut down: {why}",
    "goes down": "The computer shuts down. Pull the plug once its own green light has stopped blinking.",
    "starts anew": "The computer starts anew; the match goes on in a minute or two.",
    # finding the table, teaching a deck
    "no frame": "No picture comes from the camera: look at its cable, then try again.",
    "not found": "Not all four markers can be seen: lay them in the corners, then look again.",
    "not so far apart": "The markers can't lie so far apart: measure from middle to middle, in millimetres.",
    "no corners": "Tap four corners: upper left, upper right, lower right, lower left.",
    "not written": "That couldn't be kept ({why}): make room on the disk, then try again.",
    "deck trouble": "The deck can't be taught now ({why}).",
    "suit not taught": "Not taught yet. {why}",
    "nothing taught": "No card is taught yet: there is nothing to save.",
    "not begun": "No deck is being taught now: choose one, and begin.",
    "cards cut again": "Cards on the table show that they were cut out up to {mm} mm beside their rims when "
    "they were taught: I cut them again, and read by that now. The page that shows them takes it back.",
    "no such deck": "No game has a deck of that name: choose one of these.",
    "no such face": "This deck has no such face, or a box can't hold so many of it.",
    # the house
    "not kept": "The last answer doesn't count, as it couldn't be kept ({why}): say it again.",
    "disk": "No answer can be kept now, so none counts ({why}).",
    "slow disk": "The disk takes long to keep the last answer: wait a moment.",
    "blind": "The eyes don't open: say the cards by hand; the table starts again.",
    "no eyes now": "The eyes don't open: say the cards by hand.",
    "board asleep": "{told}",
    "board unsaid": "{told}",
    "board faults": "{told}",
    "set aside": "When the table started: {told}",
    "game failed": "{game} failed: there is an error in its program. Do that again, or something else; if it "
    "fails once more, it is left out.",
    "game disabled": "{game} is left out until the table starts again: its program failed twice. Its matches "
    "are kept. Choose another game.",
    "stuck": "{button} is stuck: let it go, or look at its wires.",
    "freed": "{button} is free again.",
    "dialled": "On the display: [{shown}] {said}",
    "dead buttons": "The buttons have died: the table starts again.",
    "plays now": "{name} plays the open match: end it, or begin another one without {name}, then delete.",
    LOST_ANSWER: "An answer is lost in matches: {matches}. The host can say in the history what it was.",
    "not said": "What was said isn't kept, as the journal couldn't be changed ({why}): try again.",
    "not forgotten": "Nothing is deleted, as the journal couldn't be changed ({why}): try again.",
    "no pages": "There are no pages for phones: {why}",
    "no photograph kept": "The photo that an answer rests on couldn't be kept: {why}",
    "not encrypted": "The pages aren't encrypted: {why}",
    "weak supply": "{told}: {remedy}.",
    "too hot": "{told}: {remedy}.",
    "second copy": "No second copy is made ({place}): {why}",
    "outlet": "{place} can't be told of the match, which goes on without it ({why}).",
    "over": "The match is over: a button or the host's page begins another one.",
}


def sentence_for(notice: Notice | Trouble | Problem, listener: sentences.Listener) -> str:
    """Put a notice, or trouble of the board or the eyes, into words."""
    match notice:
        case Trouble():
            return trouble_text(notice, listener.language)
        case Problem():
            return problem_text(_without_folder(notice, listener.language), listener.language)
        case Notice(refusal=Refusal() as refusal):
            return sentences.refusal_text(listener, refusal)
        case Notice(rulings=(_first, *_others) as rulings):
            return " ".join(sentences.ruling_text(listener, ruling) for ruling in rulings)
        case Notice(grounds=(_first, *_others) as grounds):
            return " ".join(rule_text(listener, ground.rule, ground.house) for ground in grounds)
    return sentences.phrase_text(listener.language, WORDS[notice.key], _told_values(notice, listener))


def _told_values(notice: Notice, listener: sentences.Listener) -> dict[str, float | str]:
    told = notice.values.items()
    values = {name: each.told(listener.language) if isinstance(each, Sentence) else each for name, each in told}
    for name in values.keys() & {"card", "cards", "other"}:
        values[name] = ", ".join(sentences.face_name(listener, face) for face in str(values[name]).split())
    if "game" in values:
        values["game"] = listener.language.gettext(str(values["game"]))
    if "seat" in values:
        values["seat"] = sentences.player_name(listener, int(values["seat"]))
    if notice.answers:
        values["answers"] = ", ".join(sentences.value_text(listener, answer.value) for answer in notice.answers)
    return values


def _without_folder(problem: Problem, language: sentences.Language) -> Problem:
    """Name no folder of the machine to the room: a camera that is a file is the camera."""
    is_file = "/" in str(problem.values.get("camera", "")).partition(":")[2]
    called = {"camera": language.gettext(later("the camera"))} if is_file else {}
    return Problem(problem.key, {**problem.values, **called})


def failed_notice(failure: GameFailure) -> Notice:
    return Notice("game failed", {"game": failure.title})


def disabled_notice(failure: GameFailure) -> Notice:
    return Notice("game disabled", {"game": failure.title})


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
DISK, UNSAVED = "disk", "unsaved"
ACCEPTED = frozenset({"board faults", "game disabled"})
"""What people play on with: it is listed without an alarm."""
GOING = frozenset({"goes down", "starts anew"})  # what is told once the computer goes down
PLAYERS = GOING | {"hand stays"}
"""What guests see on their phones, beside whether their play is saved; all else needs the host."""
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


def is_unsaved(wrong: LastingTrouble) -> bool:
    return wrong.key in UNSAVED_WORDS


def concerns_players(wrong: LastingTrouble) -> bool:
    """Return whether guests see it on their phones; the host's phone shows all that is wrong."""
    return concern_of(wrong) == CONCERNS[DISK] or wrong.key in PLAYERS


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
