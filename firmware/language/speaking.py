"""The language of the command line: what the environment asks for."""

from firmware.language.catalogues import language, preferred_language
from referee.contract.words import phrase
from referee.telling import tell_labelled

LANGUAGE = language(preferred_language())

_ = LANGUAGE.gettext


def label_text(label: str, told: str) -> str:
    """Put a label before a text, with a colon as the language of the command line sets it."""
    return tell_labelled(LANGUAGE, label, told)


def later(text: str) -> str:
    return text


SYSTEMS_WORDS = (
    phrase("No such file or directory"),
    phrase("Permission denied"),
    phrase("Operation not permitted"),
    phrase("File exists"),
    phrase("Is a directory"),
    phrase("Not a directory"),
    phrase("No space left on device"),
    phrase("Read-only file system"),
    phrase("Input/output error"),
    phrase("File name too long"),
)
"""What the system says of a file, in English whatever the language; here it is found by those who translate."""


def system_text(error: OSError) -> str:
    return _(error.strerror) if error.strerror else str(error)
