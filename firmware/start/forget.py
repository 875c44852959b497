"""`coyote forget`: a name goes from all that a table keeps: its matches, and the people of the evening."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from firmware.cli.options import journal_option
from firmware.cli.output import click_errors
from firmware.language.speaking import _
from firmware.storage.backups.parts import TablePlaces, places
from firmware.storage.forgetting import KeptEverywhere, link_files, names_in_copies
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.match_history import History
from referee.summaries import name_key
from webui.access.evening import names_of
from webui.access.links_file import forget_in_file, read_links


@click.command(
    help=_("""Put a neutral name in a player's place, in all matches that are kept, for good.

    No table may play meanwhile; at one that plays, the host deletes names on the page of the history.""")
)
@click.argument("name")
@journal_option
def forget(name: str, journal: Path) -> None:
    """Forget a name."""
    here = places(os.environ, journal)
    with click_errors():
        with open_readonly(journal) as kept:
            names = (*kept.names(), *names_in_copies(here), *_names_in_links(here))
        _require_known(name, names)
        with open_journal(journal) as opened:
            everywhere = KeptEverywhere(opened.journal, here, forget_in_file)
            forgotten = everywhere.forget(name, _("Player {number}"))
    History(journal).drop()
    told = _("Done: the name now is {name}. Matches: {count}.")
    click.echo(told.format(name=forgotten.name, count=forgotten.matches))


def _names_in_links(here: TablePlaces) -> Iterator[str]:
    """List the people of the evening, also of one that lies aside."""
    for file in link_files(here):
        evening = read_links(file)
        yield from () if evening is None else names_of(evening)


def _require_known(name: str, names: tuple[str, ...]) -> None:
    """Refuse a name that is nowhere, and say which there are."""
    known = {name_key(each): each for each in reversed(names)}
    if name_key(name) not in known:
        told = _("no player called {name} has played here; these have: {names}")
        listed = ", ".join(sorted(known.values(), key=name_key)) or "-"
        raise click.ClickException(told.format(name=name, names=listed))
