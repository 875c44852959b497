"""Notices beside the game, such as an unread card, a slow disk or a stuck button, and their sentences."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.language.speaking import Sentence, later, problem_text, trouble_text
from firmware.language.words import UNSAVED_WORDS
from firmware.table.notice_keys import NoticeKey
from hardware.board.board import Key, Trouble
from referee import sentences
from referee.contract import Answer, Refusal, Ruling
from referee.games.catalogue import GameFailure
from referee.grounds import Ground
from referee.rule_sentences import rule_text
from vision.troubles import Problem


class Notice(Struct, frozen=True):
    """A message for people: its kind, and the values of its sentence."""

    key: NoticeKey
    values: Mapping[str, float | str | Sentence] = {}
    refusal: Refusal | None = None
    rulings: tuple[Ruling, ...] = ()
    """Rulings that the referee words; the key then has no sentence."""
    answers: tuple[Answer, ...] = ()
    grounds: tuple[Ground, ...] = ()
    """Rules that the referee words; the key then has no sentence."""


WORDS: Mapping[NoticeKey, str] = {
    **{NoticeKey(key): text for key, text in UNSAVED_WORDS.items()},
    # cards
    NoticeKey.FACE_DOWN: "A card lies face down: turn it over, please.",
    NoticeKey.UNSURE: "One card can't be read for sure: move that card, please.",
    NoticeKey.LIKELY: "Is that {card}? It counts unless a player says no.",
    NoticeKey.LIKELY_ONE: "Is that {card}? Move that card a little, or say on a phone what it is.",
    NoticeKey.LIKELY_TWO: "Is that {card} or {other}? Move that card a little, or say on a phone what it is.",
    NoticeKey.IMPOSSIBLE: "I see {card}, and that can't be here: take another look, and move that card, "
    "please.",
    NoticeKey.CARDS_OVERLAP: "More lies under {cards}, or beside it, than I can read: spread it, turn away "
    "what a lamp shines on, or say on a phone what it is.",
    NoticeKey.OTHER_DECK: "These look like cards of {other}, not of {deck}: lay the cards of this game, or "
    "begin the game that they belong to.",
    NoticeKey.TOO_MANY_CARDS: "{shown} cards lie here, {wanted} should: take away what is too many, please.",
    NoticeKey.CARDS_MISSING: "I see {shown} of {wanted} cards: lay the others beside them, each to be seen, "
    "or say on a phone what they are.",
    NoticeKey.OLD_CARDS: "{cards}: I take that for what lay here before. Take it away; if it counts, lay it "
    "again.",
    NoticeKey.SAME_CARD: "{cards}: that lay here before. If it is meant now, lift it and lay it again.",
    NoticeKey.CARDS_AT_ONCE: "{cards} came at once, and it is the turn of {seat}: leave that player's card "
    "only, please.",
    NoticeKey.CARDS_REMOVED: "{cards}: by the record that still lies here. Put it back, or let the host "
    "correct the record. It is the turn of {seat}.",
    # turns read as a whole
    NoticeKey.NO_EYES: "No camera looks at the table: say the turn action by action.",
    NoticeKey.TURN_UNCLEAR: "I can't make a turn of what has changed: say it action by action.",
    NoticeKey.TURN_UNCLEAR_CARDS: "I can't make a turn of what has changed: look at {cards}, or say it action "
    "by action.",
    NoticeKey.TURN_UNCHANGED: "Nothing has changed on the table since the last answer: say what was done.",
    NoticeKey.TURN_AMBIGUOUS: "What lies there can be several things: {answers}. Say which.",
    # host actions
    NoticeKey.PAUSED: "The table pauses: nothing counts until the host goes on.",
    NoticeKey.RESUMED: "The table goes on.",
    NoticeKey.NOTHING_SHOWN: "No cards have counted yet: there is nothing to put right.",
    NoticeKey.NOT_ALL_READ: "I read {shown} of {wanted} cards for sure: move what I can't read, then say it "
    "again.",
    NoticeKey.READING_AGAIN: "I look at the table once more: take hands and arms off it.",
    NoticeKey.READING_FAILED: "I couldn't look at the table: take hands and arms off it, see what is said of "
    "the camera, then say it again.",
    NoticeKey.TABLE_AGREES: "Table and record agree.",
    NoticeKey.CARDS_IGNORED: "What lies there now doesn't count.",
    NoticeKey.CONTESTED: "{name} contests the cards of answer {answer}: look again.",
    NoticeKey.NOTHING_RULED: "Nothing has been ruled yet.",
    NoticeKey.PHONE_JOINED: "{name}'s phone has joined.",
    NoticeKey.TABLE_CODE: "Take your phone. The number is {first}, {second}.",
    NoticeKey.HAS_HOST: "The table has a host.",
    NoticeKey.PIN_RENEWED: "The host's PIN is another one now: it was made anew from here.",
    NoticeKey.RECORD_TRUSTED: "These counted: {cards}. Put them back so; what lies there now doesn't count.",
    NoticeKey.AUDIT: "Push these cards of {seat} into the middle, nothing else, then say compare: row {row}, "
    "columns {first} to {last}. Nothing that lies there counts meanwhile.",
    NoticeKey.AUDIT_OVER: "Cards are asked for again. Put those of the middle back first.",
    NoticeKey.NO_AUDIT: "Nothing is being compared: choose a row or cards that belong together first.",
    NoticeKey.BUTTON_PRESSED: "{button} works.",
    # the director, shutdown
    NoticeKey.DIRECTOR_CALLED: "The director is called.",
    NoticeKey.DIRECTOR_CALLED_ALREADY: "The director is called already.",
    NoticeKey.DIRECTOR_COMES: "The director is coming.",
    NoticeKey.DIRECTOR_RULES: "The director has ruled: {answer}",
    NoticeKey.RELEASE_TO_SHUT_DOWN: "Let the dial go now, and the computer shuts down.",
    NoticeKey.SHUTDOWN_FAILED: "The computer isn't shut down: {why}",
    NoticeKey.SHUTTING_DOWN: "The computer shuts down. Pull the plug once its own green light has stopped "
    "blinking.",
    NoticeKey.REBOOTING: "The computer starts anew; the match goes on in a minute or two.",
    # locating the table, teaching a deck
    NoticeKey.NO_FRAME: "No picture comes from the camera: look at its cable, then try again.",
    NoticeKey.NOT_FOUND: "Not all four markers can be seen: lay them in the corners, then look again.",
    NoticeKey.MARKERS_TOO_FAR: "The markers can't lie so far apart: measure from middle to middle, in "
    "millimetres.",
    NoticeKey.NO_CORNERS: "Tap four corners: upper left, upper right, lower right, lower left.",
    NoticeKey.NOT_WRITTEN: "That couldn't be kept ({why}): make room on the disk, then try again.",
    NoticeKey.DECK_TROUBLE: "The deck can't be taught now ({why}).",
    NoticeKey.SUIT_NOT_TAUGHT: "Not taught yet. {why}",
    NoticeKey.NOTHING_TAUGHT: "No card is taught yet: there is nothing to save.",
    NoticeKey.LESSON_MISSING: "No deck is being taught now: choose one, and begin.",
    NoticeKey.CARDS_RECUT: "Cards on the table show that they were cut out up to {mm} mm beside their rims "
    "when they were taught: I cut them again, and read by that now. The page that shows them takes it back.",
    NoticeKey.NO_SUCH_DECK: "No game has a deck of that name: choose one of these.",
    NoticeKey.NO_SUCH_FACE: "This deck has no such face, or a box can't hold so many of it.",
    # the table's hardware, software and storage
    NoticeKey.ANSWER_NOT_STORED: "The last answer doesn't count, as it couldn't be kept ({why}): say it again.",
    NoticeKey.DISK_FAILED: "No answer can be kept now, so none counts ({why}).",
    NoticeKey.SLOW_DISK: "The disk takes long to keep the last answer: wait a moment.",
    NoticeKey.EYES_RESTART: "The eyes don't open: say the cards by hand; the table starts again.",
    NoticeKey.EYES_FAILED: "The eyes don't open: say the cards by hand.",
    NoticeKey.BOARD_ASLEEP: "{told}",
    NoticeKey.BOARD_ASSUMED: "{told}",
    NoticeKey.BOARD_FAULTS: "{told}",
    NoticeKey.SET_ASIDE: "When the table started: {told}",
    NoticeKey.GAME_FAILED: "{game} failed: there is an error in its program. Do that again, or something "
    "else; if it fails once more, it is left out.",
    NoticeKey.GAME_DISABLED: "{game} is left out until the table starts again: its program failed twice. Its "
    "matches are kept. Choose another game.",
    NoticeKey.BUTTON_STUCK: "{button} is stuck: let it go, or look at its wires.",
    NoticeKey.BUTTON_FREED: "{button} is free again.",
    NoticeKey.DIAL_CHOICE: "On the display: [{shown}] {said}",
    NoticeKey.BUTTONS_DIED: "The buttons have died: the table starts again.",
    NoticeKey.PLAYER_IN_MATCH: "{name} plays the open match: end it, or begin another one without {name}, "
    "then delete.",
    NoticeKey.ANSWER_LOST: "An answer is lost in matches: {matches}. The host can say in the history what it "
    "was.",
    NoticeKey.CHANGE_FAILED: "What was said isn't kept, as the journal couldn't be changed ({why}): try again.",
    NoticeKey.DELETION_FAILED: "Nothing is deleted, as the journal couldn't be changed ({why}): try again.",
    NoticeKey.NO_PAGES: "There are no pages for phones: {why}",
    NoticeKey.PHOTOGRAPH_NOT_STORED: "The photo that an answer rests on couldn't be kept: {why}",
    NoticeKey.NOT_ENCRYPTED: "The pages aren't encrypted: {why}",
    NoticeKey.WEAK_SUPPLY: "{told}: {remedy}.",
    NoticeKey.TOO_HOT: "{told}: {remedy}.",
    NoticeKey.SECOND_COPY_FAILED: "No second copy is made ({place}): {why}",
    NoticeKey.OUTLET_FAILED: "{place} can't be told of the match, which goes on without it ({why}).",
    NoticeKey.MATCH_OVER: "The match is over: a button or the host's page begins another one.",
}


def sentence_for(notice: Notice | Trouble | Problem, listener: sentences.Listener) -> str:
    """Return the text of a notice, a board fault or a camera problem."""
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
    """Replace a camera's file path with “the camera”, so that players never see a path."""
    is_file = "/" in str(problem.values.get("camera", "")).partition(":")[2]
    called = {"camera": language.gettext(later("the camera"))} if is_file else {}
    return Problem(problem.key, {**problem.values, **called})


def failed_notice(failure: GameFailure) -> Notice:
    return Notice(NoticeKey.GAME_FAILED, {"game": failure.title})


def disabled_notice(failure: GameFailure) -> Notice:
    return Notice(NoticeKey.GAME_DISABLED, {"game": failure.title})


def button_notice(kind: NoticeKey, key: Key) -> Notice:
    return Notice(kind, {"button": button_name(key)})


def button_name(key: Key) -> Sentence:
    if key.role == "push":
        return Sentence(later("The dial"))
    is_second = key.role == "second"
    if key.seat is None:
        return Sentence(later("The table's second button") if is_second else later("The table's button"))
    told = later("The second button of seat {seat}") if is_second else later("The button of seat {seat}")
    return Sentence(told, {"seat": key.seat + 1})


# lasting faults of a camera, a button or the disk, each under a name until it is fixed


LastingTrouble = Problem | Trouble | Notice
"""A camera problem, a board fault, or a notice about anything else."""
DISK, UNSAVED = "disk", "unsaved"
ACCEPTED = frozenset({NoticeKey.BOARD_FAULTS, NoticeKey.GAME_DISABLED})
"""Faults that don't stop play; they are listed without an alarm."""
GOING = frozenset({NoticeKey.SHUTTING_DOWN, NoticeKey.REBOOTING})  # the computer is going down
PLAYERS = GOING | {"hand stays"}
"""Faults shown on guests' phones, besides those of unsaved play; all others need the host."""
BLIND = frozenset({NoticeKey.EYES_RESTART, NoticeKey.NO_EYES, NoticeKey.EYES_FAILED})
PartName = Literal["camera", "record", "buttons", "other"]


class Concern(Struct, frozen=True):
    """The affected part of the table, and whether the fault stops it from working."""

    part: PartName
    is_grave: bool = False


CONCERNS: Mapping[str, Concern] = {
    **dict.fromkeys((DISK, *UNSAVED_WORDS), Concern("record", is_grave=True)),
    NoticeKey.SECOND_COPY_FAILED: Concern("record"),
    NoticeKey.BOARD_ASLEEP: Concern("buttons", is_grave=True),
    NoticeKey.BUTTON_STUCK: Concern("buttons"),
}


def is_unsaved(wrong: LastingTrouble) -> bool:
    return wrong.key in UNSAVED_WORDS


def concerns_players(wrong: LastingTrouble) -> bool:
    """Return whether guests see a fault on their phones; the host sees all faults."""
    return concern_of(wrong) == CONCERNS[DISK] or wrong.key in PLAYERS


def concern_of(wrong: LastingTrouble) -> Concern:
    """Return the affected part of the table; a picture that is hard to read isn't grave."""
    if wrong.key in CONCERNS:
        return CONCERNS[wrong.key]
    if isinstance(wrong, Problem):
        return Concern("camera", is_grave="camera" in wrong.values)
    return Concern("camera", is_grave=True) if wrong.key in BLIND else Concern("other")


class LastingTroubles:
    """All current faults."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._wrong: dict[object, LastingTrouble] = {}

    def all(self) -> tuple[LastingTrouble, ...]:
        """Return the faults, oldest first."""
        return tuple(self._wrong.values())

    def are_any(self) -> bool:
        """Return whether there is a fault other than the accepted ones."""
        return any(wrong.key not in ACCEPTED for wrong in self._wrong.values())

    def is_going_down(self) -> bool:
        return any(wrong.key in GOING for wrong in self._wrong.values())

    def begin(self, name: object, wrong: LastingTrouble) -> None:
        self._wrong[name] = wrong
        self._tell()

    def end(self, name: object) -> LastingTrouble | None:
        """Remove a fixed fault and return it; None if there was none."""
        wrong = self._wrong.pop(name, None)
        if wrong is not None:
            self._tell()
        return wrong

    def note_disk(self, why: Sentence | str | None) -> None:
        """Record why the disk can't be written; None if it can."""
        if why is None:
            self.end(DISK)
        elif self._wrong.get(DISK) != (disk := Notice(NoticeKey.DISK_FAILED, {"why": why})):
            self._wrong.pop(DISK, None)
            self.begin(DISK, disk)

    def explain_eyes(self) -> bool:
        """Return whether a fault already explains why there are no pictures."""
        return any(isinstance(wrong, Problem) for wrong in self._wrong.values())

    def forget_seen(self) -> None:
        """Drop the problems of ended eyes, except the camera's; new eyes detect the others again."""
        self._wrong = {
            name: wrong
            for name, wrong in self._wrong.items()
            if isinstance(wrong, Trouble | Notice) or "camera" in wrong.values
        }
        self._tell()


def problem_name(problem: Problem) -> object:
    """Return the name of a camera problem; each marker and each file has its own."""
    values = problem.values
    return problem.key, values.get("marker"), values.get("file")
