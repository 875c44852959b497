"""`coyote table forget`: delete a name or an evening from all stored data; a start completes a deletion."""

from collections.abc import Iterable
from functools import partial
from itertools import chain
from pathlib import Path

import click

from firmware.cli.output import click_errors, complain, journal_option
from firmware.language.speaking import _, problem_text
from firmware.state_folder import log_path
from firmware.storage import forgetting
from firmware.storage.aside import names_aside
from firmware.storage.backups.archive import TablePlaces, places
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.people.evening import names_of
from firmware.storage.people.links_file import links_files, read_links
from firmware.table.logbook import forget_day
from referee.match import name_key


@click.command(
    help=_("""Replace a player's name by a neutral one in all stored matches, permanently.

    With --evening DAY, delete that evening: its matches, their pictures, and the names of people who played
    only then.

    Stop the table first. While it is running, the host deletes names on the history page, and evenings under
    “Stored data”.""")
)
@click.argument("name", required=False)
@click.option("--evening", metavar="DAY", help=_("Delete an evening, such as 2026-11-21, or undated."))
@click.option("--yes", is_flag=True, help=_("Don't ask for confirmation."))
@journal_option
def forget(name: str | None, evening: str | None, *, yes: bool, journal: Path) -> None:
    if (name is None) == (evening is None):
        raise click.UsageError(_("give a name, or --evening DAY"))
    here = places(journal)
    with click_errors():
        if name is not None:
            forget_name(here, name, is_sure=yes)
        elif evening is not None:
            evenings = {each.day: each for each in forgetting.evenings_in(here.journal)}
            if evening not in evenings:
                told = _("no evening of {day} is stored; stored evenings: {days}")
                raise click.ClickException(told.format(day=evening, days=", ".join(evenings) or "-"))
            count = len(evenings[evening].matches)
            if not yes:
                question = _("Delete {day} permanently? Matches: {count}.")
                click.confirm(question.format(day=evening, count=count), abort=True)
            # fails with an error if a table is running, before the deletion is ordered
            open_journal(here.journal).journal.close()
            forgetting.ORDERED.keep(here.state, evenings[evening])
            _finish(here)
            click.echo(_("Deleted: {day}. Matches: {count}.").format(count=count, day=evening))
            _tell_seated(here, evenings[evening].names)


def forget_name(here: TablePlaces, name: str, *, is_sure: bool) -> None:
    evenings = filter(None, map(read_links, links_files(here.state)))
    with open_readonly(here.journal) as kept:
        names = [*kept.names(), *names_aside(here.state), *chain.from_iterable(map(names_of, evenings))]
    known = {name_key(each): each for each in reversed(names)}
    if name_key(name) not in known:
        told = _("no player named {name} has played here; players: {names}")
        listed = ", ".join(sorted(known.values(), key=name_key)) or "-"
        raise click.ClickException(told.format(name=name, names=listed))
    if not is_sure:
        question = _("Replace the name {name} everywhere, permanently?")
        click.confirm(question.format(name=known[name_key(name)]), abort=True)
    with open_journal(here.journal) as opened:
        forgotten = forgetting.KeptEverywhere(opened.journal, here).forget(name, _("Player {number}"))
    told = _("Done: the name is now {name}. Matches: {count}.")
    click.echo(told.format(name=forgotten.name, count=forgotten.matches))
    _tell_seated(here, (name,))


def _tell_seated(here: TablePlaces, names: Iterable[str]) -> None:
    if seated := forgetting.still_seated(here.configuration, names):
        told = _("{file} still seats {name}: change it there.")
        click.echo(told.format(file=here.configuration, name=seated))


def forget_at_start(here: TablePlaces) -> None:
    """Complete an ordered deletion; a failure is printed, and the next start tries again."""
    try:
        _finish(here)
    except JournalError as error:
        click.echo(problem_text(error.problem), err=True)


def _finish(here: TablePlaces) -> None:
    told = _(
        "An evening isn't completely deleted, because another program is reading the journal. The next "
        "start tries again."
    )
    complain([] if forgetting.finish_forgetting(here, partial(forget_day, log_path())) else [told])
