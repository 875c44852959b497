"""`coyote table backup` and `coyote table restore`: all of a table's data in one file."""

from pathlib import Path

import click

from firmware.cli.output import FILE, FILE_HERE, click_errors, journal_option, say_all
from firmware.language import wall_clock as wall
from firmware.language.speaking import _, problem_text
from firmware.services.backups import left_out_of, stage_apart
from firmware.storage.backups.archive import backup as made
from firmware.storage.backups.archive import places, verify_backup
from firmware.storage.backups.restoring import MARK, finish_restore
from vision.files import write_whole


@click.command(
    help=_("""Back up a table to one file: matches, settings, taught decks and the table's position.

    The table may be running. The phones' links and the pictures behind rulings aren't included.""")
)
@click.argument("file", type=FILE)
@journal_option
def backup(file: Path, journal: Path) -> None:
    with click_errors(file):
        write_whole(file, made(places(journal), wall.timestamp()))
        manifest, size = verify_backup(file), file.stat().st_size / 1_000_000
        message = _("{file}: {size:.1f} MB, with {lines} of {told} lines of matches")
        click.echo(message.format(file=file, size=size, lines=manifest.lines, told=manifest.told))


@click.command(
    help=_("""Restore a backup. It replaces all stored data, which is moved aside.

    While a table is running, the backup waits until that table restarts.""")
)
@click.argument("file", type=FILE_HERE)
@journal_option
def restore(file: Path, journal: Path) -> None:
    here = places(journal)
    with click_errors():
        staged = stage_apart(file, here)
    say_all(map(str, left_out_of(staged)))
    if staged.unread:
        message = _("Matches that this version can't read: {number}; they are stored unchanged.")
        click.echo(message.format(number=staged.unread))
    try:
        with click_errors():
            lines = tuple(map(problem_text, finish_restore(here)))
    except click.ClickException:
        if MARK.read(here.state) is None:
            raise
        lines = (_("The backup is checked and is restored when the table restarts."),)
    click.echo("\n".join(lines))
