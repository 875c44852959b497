"""`coyote record list`, `coyote record save` and `coyote record add`: what the journal keeps."""

from pathlib import Path

import click

from firmware.cli.output import FILE, STDOUT, click_errors, journal_option, kept_journal, write_output
from firmware.cli.replay import fault_text, kept_lines, record_in, tell_gaps
from firmware.language.speaking import LANGUAGE, _
from firmware.storage.journal import open_journal
from referee.record import ParsedRecord, read_record


@click.command(help=_("List the matches that are kept, the newest last."))
@journal_option
def matches(journal: Path) -> None:
    with kept_journal(journal) as kept:
        rows = [_row(match.id, read_record(kept.lines(match.id))) for match in kept.matches()]
    click.echo("\n".join(rows) or _("No match has been played yet."))


def _row(number: int, reading: ParsedRecord) -> str:
    match = reading.match
    if match is None or reading.fault is not None:
        fault = "" if reading.fault is None else fault_text(match, reading.fault)
        return f"{number:4}  {fault}"
    setup, outcome = match.setup, match.outcome
    winners = ", ".join(setup.names[seat] for seat in outcome.winners) if outcome else ""
    end = _("won by {names}").format(names=winners) if outcome else _("open")
    title, names = LANGUAGE.gettext(setup.game.words.title), ", ".join(setup.names)
    return f"{number:4}  {setup.begun[:16].replace('T', ' '):16}  {title}: {names} ({end})"


@click.command(help=_("Save a match as a file that a person can read and coyote record replay can play again."))
@click.argument("match", type=click.IntRange(1, 2**31), required=False, metavar="[MATCH]")
@click.option("-o", "--output", type=FILE, help=_("The file; otherwise it is printed."))
@journal_option
def save(match: int | None, output: Path | None, journal: Path) -> None:
    if output is not None and output.resolve().name.startswith(journal.resolve().name):
        raise click.UsageError(_("that is the journal itself: choose another file"))
    lines = kept_lines(journal, match)
    write_output(output or STDOUT, "".join(f"{line}\n" for line in lines).encode())
    if output is not None:
        click.echo(_("{file} is written").format(file=output), err=True)


@click.command(help=_("Add a match that was taken along as a file to those that are kept."))
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path), metavar="FILE")
@journal_option
def add(file: Path, journal: Path) -> None:
    """Add a match, or what it has more than the one that is kept."""
    lines = record_in(file)
    reading = read_record(lines)
    if reading.fault is not None:
        raise click.ClickException(f"{file}: {fault_text(reading.match, reading.fault)}")
    tell_gaps(file, reading.gaps)
    with click_errors(), open_journal(journal) as opened:
        taken = opened.journal.take_in([lines])
    if not taken.lines:
        raise click.ClickException(_("this match is kept already"))
    click.echo(_("Added; lines: {lines}.").format(lines=taken.lines))
