"""The language of the command line: what the environment asks for."""

import os
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from firmware.language.catalogues import language, preferred_language
from referee.contract.words import phrase, plural
from referee.telling import tell_labelled

LANGUAGE = language(preferred_language(os.environ))

_ = LANGUAGE.gettext


def label_text(label: str, told: str) -> str:
    """Put a label before a text, with a colon as the language of the command line sets it."""
    return tell_labelled(LANGUAGE, label, told)


def later(text: str) -> str:
    """Mark a text for the catalogues, to be translated later in the listener's language."""
    return text


CLICKS_WORDS = (
    phrase("Usage:"),
    phrase("Options"),
    phrase("Commands"),
    phrase("Show this message and exit."),
    phrase("Show the version and exit."),
    phrase("%(prog)s, version %(version)s"),
    phrase("default: {default}"),
    phrase("Missing argument"),
    phrase("Missing option"),
    phrase("Missing parameter"),
    phrase("Missing command."),
    phrase("Choose from:\n\t{choices}"),
    phrase("Invalid value: {message}"),
    phrase("Invalid value for {param_hint}: {message}"),
    phrase("No such command {name!r}."),
    phrase("No such option {name!r}."),
    phrase("Option {name!r} does not take a value."),
    phrase("{value!r} is not a valid {number_type}."),
    phrase("{value} is not in the range {range}."),
    phrase("{name} {filename!r} does not exist."),
    phrase("{name} {filename!r} is a directory."),
    phrase("{name} {filename!r} is a file."),
    phrase("{name} {filename!r} is not readable."),
    phrase("file"),
    phrase("directory"),
    phrase("path"),
    plural("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", by=""),
    plural("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", by=""),
    plural("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", by=""),
    plural("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", by=""),
)
"""What click says by itself; here it is found by those who translate."""


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
    """Say why the system refused a file."""
    return _(error.strerror) if error.strerror else str(error)


PLACES = {
    text.one
    for text in (
        *(phrase("ADDRESS"), phrase("ARGS"), phrase("CARD"), phrase("COMMAND"), phrase("DAY"), phrase("DECK")),
        *(phrase("FILE"), phrase("FLOAT"), phrase("FOLDER"), phrase("GAME"), phrase("INTEGER")),
        *(phrase("KEY"), phrase("MATCH"), phrase("NAME"), phrase("NAMES"), phrase("PICTURE")),
        *(
            phrase("PROFILE"),
            phrase("RANGE"),
            phrase("TEXT"),
            phrase("TITLE"),
            phrase("VALUE"),
            phrase("WORDS"),
        ),
    )
}
"""What stands in a help for what is typed."""


def place_text(text: str) -> str:
    """Name what is typed at a place in our language, such as KEY=VALUE."""
    return re.sub(r"[A-Z]{3,}", lambda word: _(word[0]) if word[0] in PLACES else word[0], text)


def teach_click() -> None:
    """Let click speak our language: it would look for compiled catalogues where there are none."""
    for module in (click.core, click.decorators, click.exceptions, click.formatting, click.parser, click.types):
        for name, ours in (("_", LANGUAGE.gettext), ("ngettext", LANGUAGE.ngettext)):
            if hasattr(module, name):
                setattr(module, name, ours)
    for kind in (click.Parameter, click.Argument):
        _teach_places(kind, "make_metavar", place_text)
    for command in (click.Command, click.Group):
        _teach_places(command, "collect_usage_pieces", lambda pieces: [place_text(each) for each in pieces])


def _teach_places(kind: type, name: str, translate: Callable[[Any], Any]) -> None:
    """Translate what a method of click's gives: it has no words of its own for places."""
    method = getattr(kind, name)
    if not hasattr(method, "__wrapped__"):
        setattr(kind, name, wraps(method)(lambda *given, **named: translate(method(*given, **named))))
