"""Sentences that are worded where they are shown, by who reads them: also French at an English table."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from firmware.language.speaking import LANGUAGE
from referee.telling import Language


class Sentence(Struct, frozen=True):
    """A sentence in English, with its values: some may be sentences themselves, one or several."""

    text: str
    values: Mapping[str, object] = {}
    is_inside: bool = False  # whether it stands within another one, and so begins small

    def told(self, language: Language) -> str:
        values = {name: _told_value(value, language) for name, value in self.values.items()}
        words = language.gettext(self.text).format(**values)
        return words[:1].lower() + words[1:] if self.is_inside else words

    def __str__(self) -> str:
        """Word it for commands and logs, which speak the language of the environment."""
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


class HinderedError(OSError):
    """Something can't be done, for a reason that people are told."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


def reason_of(error: Exception) -> Sentence:
    """Say why something can't be done; what the system says of it stays as it is."""
    return error.why if isinstance(error, HinderedError) else Sentence("{why}", {"why": str(error)})


def why_not_kept(keep: Callable[[], object]) -> Sentence | None:
    """Keep a choice; say why it can't be."""
    try:
        keep()
    except OSError as error:
        return not_kept(error)
    return None


def not_kept(error: OSError) -> Sentence:
    return say("The choice can't be kept ({why}): try again.", why=error.strerror or str(error))
