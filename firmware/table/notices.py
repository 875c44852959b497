"""Notices beside the game, such as an unread card, a slow disk or a stuck button, and their sentences."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from firmware.language.speaking import Sentence, later, problem_text
from firmware.language.words import BOARD_WORDS, UNSAVED_WORDS
from firmware.table.notice_keys import NoticeKey
from hardware.board.board import Key
from referee import sentences
from referee.contract import Answer, Refusal, Ruling
from referee.games.catalogue import GameFailure
from referee.grounds import Ground
from referee.rule_sentences import rule_text
from vision.table.camera_names import PHONE
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
    # cards
    NoticeKey.FACE_DOWN: "A card is face down: turn it over, please.",
    NoticeKey.UNSURE: "I'm not sure of one card: move it, please.",
    NoticeKey.LIKELY: "Is that {card}? It counts unless a player says no.",
    NoticeKey.LIKELY_ONE: "Is that {card}? Move the card a little, or name it on a phone.",
    NoticeKey.LIKELY_TWO: "Is that {card} or {other}? Move the card a little, or name it on a phone.",
    NoticeKey.IMPOSSIBLE: "I see {card}, which can't be here: check the card, and move it, please.",
    NoticeKey.CARDS_OVERLAP: "Under or beside {cards} are more cards that I can't read: spread them, "
    "avoid reflections, or name them on a phone.",
    NoticeKey.OTHER_DECK: "These look like cards of {other}, not of {deck}: use the cards of this "
    "game, or begin the other game.",
    NoticeKey.TOO_MANY_CARDS: "There are {shown} cards instead of {wanted}: take the extra ones away, please.",
    NoticeKey.CARDS_MISSING: "I see {shown} of {wanted} cards: lay the others beside them without "
    "overlap, or name them on a phone.",
    NoticeKey.OLD_CARDS: "{cards}: I think this was here before. Take it away; if it counts, lay it again.",
    NoticeKey.SAME_CARD: "{cards}: this was here before. If it counts now, lift it and lay it again.",
    NoticeKey.CARDS_AT_ONCE: "{cards} were laid at once, and it is {seat}'s turn: leave only that "
    "player's card, please.",
    NoticeKey.CARDS_REMOVED: "{cards}: these should still be here. Put them back, or let the host "
    "correct the record. It is {seat}'s turn.",
    # turns read as a whole
    NoticeKey.NO_EYES: "There is no camera: enter the turn action by action.",
    NoticeKey.TURN_UNCLEAR: "I can't explain the changes on the table: enter the turn action by action.",
    NoticeKey.TURN_UNCLEAR_CARDS: "I can't explain the changes on the table: check {cards}, or enter "
    "the turn action by action.",
    NoticeKey.TURN_UNCHANGED: "Nothing has changed on the table since the last answer: enter what was done.",
    NoticeKey.TURN_AMBIGUOUS: "The cards allow several answers: {answers}. Choose one.",
    # host actions
    NoticeKey.PAUSED: "The table is paused: nothing counts until the host resumes.",
    NoticeKey.RESUMED: "The table goes on.",
    NoticeKey.NOTHING_SHOWN: "No cards have counted yet: there is nothing to correct.",
    NoticeKey.NOT_ALL_READ: "I'm sure of {shown} of {wanted} cards: move the others, then try again.",
    NoticeKey.READING_AGAIN: "I'm reading the table again: keep hands and arms away.",
    NoticeKey.READING_FAILED: "I couldn't read the table: keep hands and arms away, check the camera's "
    "messages, then try again.",
    NoticeKey.TABLE_AGREES: "Table and record agree.",
    NoticeKey.CARDS_IGNORED: "The cards on the table don't count.",
    NoticeKey.CONTESTED: "{name} contests the cards of answer {answer}: check them.",
    NoticeKey.NOTHING_RULED: "Nothing has been ruled yet.",
    NoticeKey.PHONE_JOINED: "{name}'s phone has joined.",
    NoticeKey.TABLE_CODE: "Take your phone. The number is {first}, {second}.",
    NoticeKey.HAS_HOST: "The table has a host.",
    NoticeKey.PIN_RENEWED: "The host's PIN was replaced from here.",
    NoticeKey.RECORD_TRUSTED: "These cards counted: {cards}. Put them back; the cards on the table "
    "don't count now.",
    NoticeKey.AUDIT: "Push these cards of {seat} into the middle and nothing else, then press Compare: "
    "row {row}, columns {first} to {last}. No cards count meanwhile.",
    NoticeKey.AUDIT_OVER: "Cards count again. First put those in the middle back.",
    NoticeKey.NO_AUDIT: "Nothing is being compared: first choose a row or cards that belong together.",
    NoticeKey.BUTTON_PRESSED: "{button} works.",
    # the director, shutdown
    NoticeKey.DIRECTOR_CALLED: "The director has been called.",
    NoticeKey.DIRECTOR_CALLED_ALREADY: "The director has been called already.",
    NoticeKey.DIRECTOR_COMES: "The director is coming.",
    NoticeKey.DIRECTOR_RULES: "The director has ruled: {answer}",
    NoticeKey.RELEASE_TO_SHUT_DOWN: "Release the dial now, and the computer shuts down.",
    NoticeKey.SHUTDOWN_FAILED: "The computer can't shut down: {why}",
    NoticeKey.SHUTTING_DOWN: "The computer is shutting down. Pull the plug once its own green light "
    "has stopped blinking.",
    NoticeKey.REBOOTING: "The computer is restarting; the match goes on in a minute or two.",
    # locating the table, teaching a deck
    NoticeKey.NO_FRAME: "The camera sends no picture: check its power, its cable or the network, "
    "then try again.",
    NoticeKey.NOT_FOUND: "Not all four markers are visible: lay them in the corners, then try again.",
    NoticeKey.MARKERS_TOO_FAR: "The markers can't be that far apart: measure from centre to centre, in "
    "millimetres.",
    NoticeKey.FEW_CARDS: "Fewer than four cards are found: lay them apart, with their edges visible.",
    NoticeKey.NO_PLACE: "Tap in the picture where seat 1 sits.",
    NoticeKey.NOT_WRITTEN: "This couldn't be stored ({why}): free some disk space, then try again.",
    NoticeKey.DECK_TROUBLE: "The deck can't be taught now ({why}).",
    NoticeKey.SUIT_NOT_TAUGHT: "Not taught yet. {why}",
    NoticeKey.NAMES_TAKEN_BACK: "{cards}: these names are in doubt, and are asked for again. Check the "
    "rulings that rest on them; the host can correct them.",
    NoticeKey.NO_SUCH_DECK: "No game has a deck of this name: choose one of these.",
    NoticeKey.NO_SUCH_FACE: "This deck has no such face, or a box can't hold so many of it.",
    # the table's hardware, software and storage
    NoticeKey.ANSWER_NOT_STORED: "The last answer doesn't count, because it couldn't be stored "
    "({why}): give it again.",
    NoticeKey.DISK_FAILED: "No answer counts now, because none can be stored ({why}).",
    NoticeKey.SLOW_DISK: "The disk is slow to store the last answer: wait a moment.",
    NoticeKey.EYES_RESTART: "The camera doesn't start: enter cards by hand; the table restarts.",
    NoticeKey.EYES_FAILED: "The camera doesn't start: enter cards by hand.",
    NoticeKey.BOARD_ASLEEP: "{told}",
    NoticeKey.BOARD_ASSUMED: "{told}",
    NoticeKey.BOARD_FAULTS: "{told}",
    NoticeKey.SET_ASIDE: "When the table started: {told}",
    NoticeKey.GAME_FAILED: "{game} failed because of an error in its program. Try again, or do "
    "something else; after a second failure the game is disabled.",
    NoticeKey.GAME_DISABLED: "{game} is disabled until the table restarts, because it failed twice, "
    "last in {where} ({why}{place}). Its matches stay stored. Choose another game.",
    NoticeKey.GAME_LEFT_OUT: "{game} stopped the table: it hung, or took too much memory. It is left out until "
    "it is updated. Its matches stay stored. Choose another game.",
    NoticeKey.BUTTON_STUCK: "{button} is stuck: release it, or check its wires.",
    NoticeKey.BUTTON_FREED: "{button} works again.",
    NoticeKey.DIAL_CHOICE: "On the display: [{shown}] {said}",
    NoticeKey.CHOOSE_ON_PHONE: "{button} can't tell these answers apart: choose on a phone.",
    NoticeKey.BUTTONS_DIED: "The buttons stopped working: the table restarts.",
    NoticeKey.PLAYER_IN_MATCH: "{name} is playing in the open match: end it, or begin another one "
    "without {name}, then delete.",
    NoticeKey.ANSWER_LOST: "An answer is lost in matches: {matches}. The host can enter it in the history.",
    NoticeKey.CHANGE_FAILED: "The answer isn't stored, because the journal couldn't be changed "
    "({why}): try again.",
    NoticeKey.DELETION_FAILED: "Nothing is deleted, because the journal couldn't be changed ({why}): "
    "try again.",
    NoticeKey.NO_PAGES: "There are no pages for phones: {why}",
    NoticeKey.PHOTOGRAPH_NOT_STORED: "The photo behind an answer couldn't be stored: {why}",
    NoticeKey.NOT_ENCRYPTED: "The pages aren't encrypted: {why}",
    NoticeKey.WEAK_SUPPLY: "{told}: {remedy}.",
    NoticeKey.TOO_HOT: "{told}: {remedy}.",
    NoticeKey.SECOND_COPY_FAILED: "No second copy is made ({place}): {why}",
    NoticeKey.OUTLET_FAILED: "{place} can't be informed about the match, which goes on without it ({why}).",
    NoticeKey.MATCH_OVER: "The match is over: start another one with a button or on the host's page.",
}


def sentence_for(notice: Notice | Problem, listener: sentences.Listener) -> str:
    """Return the text of a notice or a problem."""
    match notice:
        case Problem():
            return problem_text(_without_place(notice), listener.language).lstrip(": \u00a0\u202f")
        case Notice(refusal=Refusal() as refusal):
            return sentences.refusal_text(listener, refusal)
        case Notice(rulings=(_first, *_others) as rulings):
            return " ".join(sentences.ruling_text(listener, ruling) for ruling in rulings)
        case Notice(grounds=(_first, *_others) as grounds):
            return " ".join(rule_text(listener, ground.rule, ground.house) for ground in grounds)
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
    return sentences.phrase_text(listener.language, WORDS[notice.key], values)


def _without_place(problem: Problem) -> Problem:
    """Leave out a camera's path, which players needn't see, and the name “phone”: it may be this computer."""
    name = str(problem.values.get("camera", ""))
    is_named = name != PHONE and "/" not in name.partition(":")[2]
    return problem if is_named else Problem(problem.key, {**problem.values, "camera": ""})


def failed_notice(failure: GameFailure) -> Notice:
    return Notice(NoticeKey.GAME_FAILED, {"game": failure.title})


def disabled_notice(failure: GameFailure) -> Notice:
    if not failure.where:
        return Notice(NoticeKey.GAME_LEFT_OUT, {"game": failure.title})
    return Notice(NoticeKey.GAME_DISABLED, {"game": failure.title, **failure.details})


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


LastingTrouble = Problem | Notice
"""A problem of camera, board or storage, or a notice about anything else."""
DISK, UNSAVED = "disk", "unsaved"
ACCEPTED = frozenset({NoticeKey.BOARD_FAULTS, NoticeKey.GAME_DISABLED, NoticeKey.GAME_LEFT_OUT})
"""Faults that don't stop play; they are listed without an alarm."""
GOING = frozenset({NoticeKey.SHUTTING_DOWN, NoticeKey.REBOOTING})  # the computer is going down
PLAYERS = GOING | {DISK, *UNSAVED_WORDS, "hand stays", "phone lost"}
"""Faults shown on guests' phones; all others need the host.

A phone that is the camera may lie beside anybody.
"""
PartName = Literal["camera", "record", "buttons", "other"]
PARTS: Mapping[str, PartName] = {
    **dict.fromkeys((DISK, *UNSAVED_WORDS, NoticeKey.SECOND_COPY_FAILED), "record"),
    **dict.fromkeys((NoticeKey.BOARD_ASLEEP, NoticeKey.BUTTON_STUCK), "buttons"),
    **dict.fromkeys((NoticeKey.EYES_RESTART, NoticeKey.NO_EYES, NoticeKey.EYES_FAILED), "camera"),
}
"""The part of the table that a fault affects; see `part_of` for all others."""
MILD = frozenset({NoticeKey.SECOND_COPY_FAILED, NoticeKey.BUTTON_STUCK})  # their part goes on working


def is_unsaved(wrong: LastingTrouble) -> bool:
    return wrong.key in UNSAVED_WORDS


def is_of_camera(wrong: LastingTrouble) -> bool:
    return isinstance(wrong, Problem) and wrong.key not in BOARD_WORDS and not is_unsaved(wrong)


def part_of(wrong: LastingTrouble) -> PartName:
    return PARTS.get(wrong.key, "camera" if is_of_camera(wrong) else "other")


def is_grave(wrong: LastingTrouble) -> bool:
    """Return whether a fault stops its part from working; a picture that is hard to read doesn't."""
    return wrong.key in PARTS.keys() - MILD or "camera" in wrong.values


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
        return any(map(is_of_camera, self._wrong.values()))

    def forget_seen(self) -> None:
        """Drop the problems of ended eyes, except the camera's; new eyes detect the others again."""
        self._wrong = {
            name: wrong
            for name, wrong in self._wrong.items()
            if not is_of_camera(wrong) or "camera" in wrong.values
        }
        self._tell()


def problem_name(problem: Problem) -> object:
    """Return the name of a camera problem; each marker and each file has its own."""
    values = problem.values
    return problem.key, values.get("marker"), values.get("file")
