"""Open the storage: prepare the state folder, and open the journal, the links and the second copies."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

import click
from msgspec import Struct

from firmware.cli.output import complain
from firmware.language.speaking import _, problem_sentence, problem_text
from firmware.services.backups import SecondCopies
from firmware.start.forget import forget_at_start
from firmware.start.plan import Plan
from firmware.start.safe_start import StartError, Suspect
from firmware.state_folder import LINKS, named_folder, state_directory
from firmware.storage import state_place
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore
from firmware.storage.errors import JournalError
from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.files import is_private, make_private, scratch
from firmware.storage.forgetting import KeptEverywhere
from firmware.storage.journal import Journal, OpenedJournal, open_journal
from firmware.storage.match_marks import part_pictures
from firmware.storage.people.links_file import LinksFile
from firmware.storage.state_copies import keep_copy
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.writer import NO_FALLBACK, Fallback
from referee.record import begun_in
from vision.troubles import Problem

DISK_CHECK_INTERVAL = 30.0  # seconds between checks of a disk that refused the state


class Store(Struct, frozen=True, eq=False):
    """The journal of this table, and the one in memory for a disk that refuses lines."""

    journal: KeptEverywhere
    fallback: Fallback


@contextmanager
def working_folder() -> Iterator[Path]:
    """Return a folder for temporary files: the supervisor's, mostly in memory, or a new one."""
    given = named_folder("RUNTIME_DIRECTORY")
    with scratch() if given is None else nullcontext(given) as folder:
        yield folder


def prepare_state(here: TablePlaces, place: state_place.StatePlace) -> tuple[str, ...]:
    """Move, migrate and restore the stored state. Returns sentences for people, already printed.

    Raises StartError if a backup can't be restored.
    """
    sentences = _restore_from_memory(here, place)
    keep_copy(here.state)
    try:
        complain(map(problem_text, finish_restore(here)))
    except JournalError as error:
        raise StartError(problem_text(error.problem), Suspect("backup")) from error
    forget_at_start(here)
    return sentences


def _restore_from_memory(here: TablePlaces, place: state_place.StatePlace) -> tuple[str, ...]:
    """Store on disk the state of an earlier start in memory; if this one is in memory, print the cures."""
    if place.unsaved is not None:
        complain(map(problem_text, (place.unsaved, *state_place.cures(place))))
        return ()
    if not all(map(is_private, (here.state, here.journal))):
        # a folder that a person created or copied may be readable by others
        make_private(here.state.resolve())
    return complain(map(problem_text, state_place.take_back_memory(place.state, place.journal)))


def open_repaired_journal(ends: ExitStack, here: TablePlaces) -> OpenedJournal:
    """Open the journal, print its repairs, and move aside pictures of other matches with the same number."""
    opened = ends.enter_context(open_journal(here.journal))
    complain(map(problem_text, opened.repairs()))
    with suppress(OSError):
        # after a restored backup, a number may belong to another match than before
        heads = ((match.id, begun_in(match.head)) for match in opened.journal.matches())
        part_pictures(here.state, heads)
    return opened


def open_store(journal: Journal, here: TablePlaces, plan: Plan) -> Store:
    """Return where answers are written: to memory while the disk refuses them, unless all state is there."""
    if plan.place.unsaved is not None:
        return Store(KeptEverywhere(journal, here, plan.kind), NO_FALLBACK)
    fallback = FallbackJournal(journal, here.journal)
    return Store(KeptEverywhere(fallback, here, plan.kind), fallback)


def restart_when_writable(ends: ExitStack, place: state_place.StatePlace, restart: Callable[[], None]) -> None:
    """Restart a table in memory once its disk accepts the state again; the start then saves everything."""
    folders, over = {place.disk, place.disk_journal.parent}, Event()

    def refuses() -> bool:
        return any(state_place.folder_problem(folder) is not None for folder in folders)

    def watch() -> None:
        while not over.wait(DISK_CHECK_INTERVAL):
            if not refuses():
                restart()
                return

    # if only the journal can't be opened, the next start would fail like this one
    if place.unsaved is not None and refuses():
        Thread(target=watch, name="disk check", daemon=True).start()
        ends.callback(over.set)


def open_links(client: TableClient) -> LinksFile:
    """Open the file of people and their devices; a damaged one is set aside with a warning."""
    links = LinksFile(state_directory() / LINKS, client.moment)
    if links.aside is not None:
        warning = _(
            "The file with the people at the table can't be read: all of them must join again. It is "
            "now {path}."
        )
        click.echo(warning.format(path=links.aside), err=True)
    return links


def open_second_copies(ends: ExitStack, plan: Plan, here: TablePlaces, client: TableClient) -> SecondCopies:
    """Copy the state to the second folder, if one is configured; a failure is reported until it ends."""
    named = plan.settings.copy.folder
    folder = None if named is None else Path(named)
    copies = SecondCopies(here, folder, partial(_report_copy, client, folder))
    copies.begin()
    ends.callback(copies.close)
    return copies


def _report_copy(client: TableClient, folder: Path | None, trouble: Problem | None) -> None:
    notice = None
    if folder is not None and trouble is not None:
        notice = Notice(
            NoticeKey.SECOND_COPY_FAILED, {"place": folder.name or "?", "why": problem_sentence(trouble)}
        )
    client.report("second copy", notice)
