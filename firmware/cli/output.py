"""Shared parts of commands: options, one-line errors, problems as data."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from firmware.language.speaking import PROGRAM, _, label_text, problem_text, system_text
from firmware.state_folder import JOURNAL, state_directory
from firmware.storage.configuration import SettingsError
from firmware.storage.journal import Journal, is_kept, open_readonly
from firmware.storage.match_history import History
from referee.summaries import JournalMatch
from vision.files import write_whole
from vision.teaching.progress import ReportProgress
from vision.troubles import Problem, TroubleError

ANY_PATH = click.Path(path_type=Path)
FILE, FOLDER = click.Path(dir_okay=False, path_type=Path), click.Path(file_okay=False, path_type=Path)
FILE_HERE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER_HERE = click.Path(exists=True, file_okay=False, path_type=Path)
STDOUT = Path("-")  # the name for the command's own output
LISTED = 6  # names listed before an ellipsis


def write_output(file: Path, content: bytes) -> None:
    if file == STDOUT:
        sys.stdout.buffer.write(content)
        return
    if file.name == "":
        raise click.UsageError(_("name the file to write"))
    with click_errors(file):
        write_whole(file, content)


def say_all(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def complain(lines: Iterable[str]) -> tuple[str, ...]:
    """Print lines to stderr, and return them."""
    printed = tuple(lines)
    for line in printed:
        click.echo(line, err=True)
    return printed


def counter(text: str) -> ReportProgress:
    """Return a progress function for terminals; its line is erased at the end."""

    def report(done: int, count: int) -> None:
        if sys.stderr.isatty():
            line = text.format(done=done, count=count) if done < count else ""
            # as bytes, in which control characters aren't escaped
            click.echo(f"\r\x1b[K{line}".encode(), nl=False, err=True)

    return report


@contextmanager
def click_errors(file: Path | None = None) -> Iterator[None]:
    """Convert errors of journal, settings and cameras to ClickException; with `file`, also OSError."""
    try:
        yield
    except TroubleError as error:
        raise click.ClickException(problem_text(error.problem)) from error
    except SettingsError as error:
        raise click.ClickException("\n".join(map(problem_text, error.mistakes))) from error
    except OSError as error:
        if file is None:
            raise
        # an error of the temporary file beside `file` is reported for `file`
        named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else file
        culprit = file if named.parent.resolve() == file.parent.resolve() else named
        message = label_text(str(culprit), system_text(error)) if error.strerror else str(error)
        raise click.ClickException(message) from error


@contextmanager
def kept_journal(journal: Path) -> Iterator[Journal]:
    """Open the journal for reading, and report its losses on stderr."""
    with click_errors(), open_readonly(journal) as kept:
        complain(f"{PROGRAM}: {problem_text(problem)}" for problem in kept.losses())
        yield kept


def kept_matches(journal: Path) -> tuple[JournalMatch, ...]:
    """Read all matches, newest first; empty without a journal."""
    if not is_kept(journal):
        return ()
    with kept_journal(journal) as kept:
        return History(journal).all_in(kept)


def as_plain(problem: Problem) -> dict[str, object]:
    return {"problem": problem.key, **problem.values, "said": problem_text(problem)}


def some_of(names: Sequence[str]) -> str:
    return ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")


journal_option = click.option(
    "--journal",
    type=ANY_PATH,
    envvar="COYOTE_JOURNAL",
    default=lambda: state_directory() / JOURNAL,
    metavar="FILE",
    help=_("The journal file, instead of the default one."),
)


def parse_size(value: str, least: float, most: float) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in value.lower().split("x"))
    except ValueError as error:
        raise click.UsageError(_("{value} isn't a size: write it as 63x88").format(value=value)) from error
    if not (least < width < most and least < height < most):
        raise click.UsageError(_("{value} isn't possible: give millimetres").format(value=value))
    return width, height
