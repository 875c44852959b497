"""What a start does for updates: copy the state before it takes a new form, note that this version came up."""

from contextlib import suppress
from pathlib import Path

import click

from firmware.language.speaking import _
from firmware.state_folder import FORM
from firmware.storage.errors import journal_errors
from firmware.updates.files import read_text, write_whole
from firmware.updates.layout import number_of
from firmware.updates.state_copies import keep_copy
from firmware.updates.trial import CAME_UP, WENT_BACK
from vision.files import make_folder

CODE = Path(__file__).resolve().parents[2]
"""Where this version lies."""


def keep_older_form(state: Path, form: int = FORM) -> None:
    """Keep a copy of the state before this version writes it in a newer form; without one, it doesn't start."""
    with journal_errors(state):
        make_folder(state)
        keep_copy(state, form)


def went_back_sentences(state: Path) -> tuple[str, ...]:
    """Tell that a newer version didn't come up, if so."""
    version = read_text(state / WENT_BACK)
    if number_of(version) is None:
        return ()
    told = _("The update to {version} didn't come up twice: the version before it plays on.")
    sentence = told.format(version=version)
    click.echo(sentence, err=True)
    return (sentence,)


def note_came_up(state: Path) -> None:
    """Note that this version is ready, so that no start goes back to the one before it."""
    with suppress(OSError):
        (state / WENT_BACK).unlink(missing_ok=True)
        if read_text(state / CAME_UP) != str(CODE):
            write_whole(state / CAME_UP, str(CODE).encode())
