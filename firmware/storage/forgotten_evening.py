"""Forgetting an evening: its matches, their pictures, what the log has of it, and people who came only then.

It is ordered first, in a file, and carried out by the next start before anything is opened. Each step may be
done again, and the order goes last: wherever the power fails, the next start goes on.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import EVIDENCE, FORGETTING, SUMS
from firmware.storage.backups.parts import TablePlaces
from firmware.storage.backups.sticks import count_forgetting
from firmware.storage.errors import journal_errors
from firmware.storage.files import beside, read_raw
from firmware.storage.forgetting import drop_damaged, link_files, remove_from_copies
from firmware.storage.forgotten_marks import remember_forgotten
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.line_copies import COPY
from firmware.storage.people.links_file import forget_in_file
from firmware.storage.picture_owners import pictures_aside
from referee.evenings import day_of
from referee.record import begun_in, names_in
from referee.summaries import name_key
from vision.files import make_folder, read_json, sync, write_whole

PICTURES = (EVIDENCE,)
"""The folders of pictures, each named after its match: `MATCH.…`."""
LARGEST = 10_000_000
"""Most bytes of an order."""


class KeptEvening(Struct, frozen=True):
    """An evening in the journal: each match by its number (0 once pictures are gone) and its beginning."""

    day: str
    matches: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()
    """Who played, and is in no match of another evening."""


class LogLine(Struct, frozen=True):
    """When a line of the log was written."""

    at: float


class Traces(NamedTuple):
    """What is looked for in a journal's files: nothing of it may be left."""

    begun: tuple[bytes, ...]

    def are_in(self, journal: Path) -> bool:
        """Tell whether a file of this journal has any of it, be it in what SQLite doesn't read any more."""
        files = (read_raw(beside(journal, ending)) for ending in ("", "-wal", COPY))
        return any(each in content for content in files for each in self.begun)


def evenings_in(journal: Path) -> tuple[KeptEvening, ...]:
    """List the evenings that a journal has, the newest first."""
    if not journal.exists():
        return ()
    with open_readonly(journal) as opened:
        heads = [(kept.id, begun_in(kept.head), names_in(kept.head)) for kept in opened.matches()]
    days = sorted({day_of(begun) for _id, begun, _names in heads} - {""}, reverse=True)
    return tuple(_evening(day, heads) for day in days)


def _evening(day: str, heads: list[tuple[int, str, tuple[str, ...]]]) -> KeptEvening:
    others = {name_key(name) for _id, begun, names in heads if day_of(begun) != day for name in names}
    matches = tuple((number, begun) for number, begun, _names in heads if day_of(begun) == day)
    there = {name_key(name): name for _id, begun, names in heads if day_of(begun) == day for name in names}
    return KeptEvening(day, matches, tuple(name for key, name in there.items() if key not in others))


# the order


def order_forgetting(state: Path, evening: KeptEvening) -> None:
    """Let the next start forget an evening; from here on it can't be taken back."""
    make_folder(state)
    write_whole(state / FORGETTING, msgspec.json.encode(evening))


def ordered_forgetting(state: Path) -> KeptEvening | None:
    """Give the evening that the next start forgets."""
    try:
        return read_json(state / FORGETTING, KeptEvening, LARGEST)
    except OSError:
        return None


def finish_forgetting(here: TablePlaces, log: Path) -> bool:
    """Forget the evening that was ordered, if any; tell whether all of it is done. No table may play here."""
    evening = ordered_forgetting(here.state)
    if evening is None:
        return True
    with journal_errors(here.state):
        for _step in forgetting_steps(here, evening, log):
            pass
    return ordered_forgetting(here.state) is None


def forgetting_steps(here: TablePlaces, evening: KeptEvening, log: Path) -> Iterator[str]:
    """Do one step after the other, and name each once it is done."""
    begun = frozenset(begun for _number, begun in evening.matches)
    remember_forgotten(here.state, begun)
    count_forgetting(here.state)
    yield "marks"
    _remove_pictures(here.state, evening)
    # a number may be given again before another try
    order_forgetting(here.state, replace(evening, matches=tuple((0, each) for each in sorted(begun))))
    yield "pictures"
    remove_from_copies(here, begun.__contains__)
    yield "copies"
    if here.journal.exists():
        with open_journal(here.journal) as opened:
            opened.journal.remove(begun.__contains__)
    # a journal that was damaged was laid aside as it was
    drop_damaged(here)
    beside(here.journal, SUMS).unlink(missing_ok=True)
    yield "journal"
    for name in evening.names:
        for links in link_files(here):
            forget_in_file(links, name)
    yield "links"
    _remove_from_log(log, evening.day)
    yield "log"
    if Traces(tuple(each.encode() for each in begun if each)).are_in(here.journal):
        # another program reads in the journal just now: the next start tries again
        return
    (here.state / FORGETTING).unlink(missing_ok=True)
    sync(here.state)
    yield "order"


def _remove_pictures(state: Path, evening: KeptEvening) -> None:
    for file in pictures_aside(state, (begun for _number, begun in evening.matches)):
        file.unlink(missing_ok=True)
    for folder in (state / name for name in PICTURES):
        for number, _begun in evening.matches:
            for file in folder.glob(f"{number}.*") if number else ():
                file.unlink(missing_ok=True)
        if folder.is_dir():
            sync(folder)


# the log


def _remove_from_log(log: Path, day: str) -> None:
    """Remove what was written that evening from the log and its older files."""
    for file in sorted(log.parent.glob(f"{log.name}*")):
        if not file.is_file():
            continue
        lines = file.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if not _is_of_day(line, day)]
        if len(kept) < len(lines):
            write_whole(file, b"".join(kept))


def _is_of_day(line: bytes, day: str) -> bool:
    try:
        at = msgspec.json.decode(line, type=LogLine).at
        return day_of(datetime.fromtimestamp(at).astimezone().isoformat()) == day
    except (msgspec.DecodeError, UnicodeError, ValueError, OverflowError, OSError, RecursionError):
        return False
