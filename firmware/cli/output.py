"""What commands share when they write, or can't use the journal: errors in one line, and problems as data."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from firmware.language.speaking import _, label_text, system_text
from firmware.language.troubles import error_text, problem_text
from firmware.storage.errors import JournalError
from vision.files import write_whole
from vision.troubles import Problem

STDOUT = Path("-")
"""The name that stands for the output of the command itself."""


def write_output(file: Path, content: bytes) -> None:
    """Write a file, or print it."""
    if file == STDOUT:
        sys.stdout.buffer.write(content)
        return
    if file.name == "":
        raise click.UsageError(_("say which file to write"))
    with click_errors(file):
        write_whole(file, content)


@contextmanager
def click_errors(file: Path | None = None) -> Iterator[None]:
    """Turn errors of the journal or of a file into a line for people.

    Without a file, only errors of the journal are turned.
    """
    try:
        yield
    except JournalError as error:
        raise click.ClickException(error_text(error)) from error
    except OSError as error:
        if file is None:
            raise
        # other errors carry the place in their own words
        told = label_text(str(_culprit(error, file)), system_text(error)) if error.strerror else str(error)
        raise click.ClickException(told) from error


def _culprit(error: OSError, file: Path) -> Path:
    """Name the file that an error is about: a draft beside the wanted file is that one."""
    named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else file
    return file if named.parent.resolve() == file.parent.resolve() else named


def as_plain(problem: Problem) -> dict[str, object]:
    """Show a problem to a program, with the words for people."""
    return {"problem": problem.key, **problem.values, "said": problem_text(problem)}
