"""The language of the command line, and sentences that are translated for each reader."""

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from firmware.language.catalogues import language, preferred_language
from firmware.language.words import WORDS
from referee.games.catalogue import GameError
from referee.gaps import Gap
from referee.sentences import Language, labelled_text
from vision.troubles import Problem, TroubleError

if TYPE_CHECKING:
    # messages need no board
    from hardware.board.board import Trouble

LANGUAGE = language(preferred_language())
PROGRAM = os.environ.get("COYOTE_PROGRAM") or "coyote"
"""The program as it was typed; a clone's script `run` sets it, because a clone has no command `coyote`."""
OF_COMMANDS = re.compile(
    r"\bcoyote (?=(?:run|play|rules|count|doctor|table|print|cards|record|develop|club)\b)"
)


def as_typed(text: str) -> str:
    """Name commands in a text as this program was called: `coyote record list` or `./run record list`."""
    return OF_COMMANDS.sub(f"{PROGRAM} ", text) if PROGRAM != "coyote" else text


def _(text: str) -> str:
    return as_typed(LANGUAGE.gettext(text))


def label_text(label: str, told: str) -> str:
    """Put a label before a text, with the colon style of the command line's language."""
    return labelled_text(LANGUAGE, label, told)


def later(text: str) -> str:
    return text


def system_text(error: OSError) -> str:
    """Translate a system error; the catalogues contain those about files."""
    return _(error.strerror) if error.strerror else str(error)


# sentences that are translated where they are shown, such as French ones at an English table


class Sentence(Struct, frozen=True):
    """An English sentence and its values, which may be sentences themselves."""

    text: str
    values: Mapping[str, object] = {}
    is_inside: bool = False  # part of another sentence, so starts in lower case

    def told(self, language: Language) -> str:
        values = {name: _told_value(value, language) for name, value in self.values.items()}
        words = as_typed(language.gettext(self.text)).format(**values)
        return words[:1].lower() + words[1:] if self.is_inside else words

    def __str__(self) -> str:
        """Translate for commands and logs, into the environment's language."""
        return self.told(LANGUAGE)


def _told_value(value: object, language: Language) -> object:
    match value:
        case Sentence():
            return value.told(language)
        case tuple():
            return ", ".join(str(_told_value(each, language)) for each in value)
        case _:
            return value


def say(text: str, **values: object) -> Sentence:
    return Sentence(text, values)


def reason_of(error: Exception) -> Sentence:
    """Return the reason of an error; system messages are not translated."""
    if isinstance(error, TroubleError):
        return problem_sentence(error.problem)
    return Sentence("{why}", {"why": str(error)})


def why_not_kept(keep: Callable[[], object]) -> Sentence | None:
    """Store a choice; returns the reason if that failed."""
    try:
        keep()
    except OSError as error:
        return not_kept(error)
    return None


def not_kept(error: OSError) -> Sentence:
    return say("The choice can't be saved ({why}): try again.", why=error.strerror or str(error))


# problems, worded by the tables of words


def problem_sentence(problem: "Problem | Trouble") -> Sentence:
    return Sentence(WORDS.get(problem.key, problem.key), _told_plainly(problem.values))


def problem_text(problem: "Problem | Trouble", language: Language = LANGUAGE) -> str:
    try:
        return problem_sentence(problem).told(language)
    except KeyError:
        return problem.key


def _told_plainly(values: Mapping[str, float | str]) -> dict[str, str]:
    return {name: f"{told:g}" if isinstance(told, float) else str(told) for name, told in values.items()}


def gap_text(gap: Gap, language: Language = LANGUAGE) -> str:
    message = language.ngettext(
        "Line {line} is missing; only one answer fits there.",
        "Line {line} is missing; {count} answers fit there, and from line {certain} on nothing depends on it.",
        gap.fits,
    )
    if gap.is_from_host:
        message = language.gettext(later("Line {line} was lost; the host has supplied its answer."))
    return message.format(line=gap.line, count=gap.fits, certain=gap.certain_from)


def game_error_text(error: GameError) -> str:
    """Describe a game's error in full, for the one person at the terminal."""
    failure, cause = error.failure, error.__cause__
    why = failure.why if cause is None else " ".join(f"{failure.why}: {cause}".split())
    message = _("the game {game} failed in {where} ({why}{place}): update it, or play another game")
    return message.format(game=failure.game, where=failure.where, why=why, place=failure.place)
