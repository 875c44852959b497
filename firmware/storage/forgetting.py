"""Forgetting a name or an evening wherever a table has it: in its journal, its links, and all copies of them.

Copies are of what was there before a backup or an update, of a backup that waits, or of what a start has set
aside. What is damaged can't be changed for certain; as all that could be read was taken over, it is removed.

An evening is ordered first, in a file, and carried out by the next start before anything is opened. Each step
may be done again, and the order goes last: wherever the power fails, the next start goes on.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from glob import escape
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import ASIDE, BEFORE, EVIDENCE, FORGETTING, JOURNAL, LINKS, RESTORING, SUMS
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.copies import count_forgetting
from firmware.storage.configuration import SettingsError, settings_in
from firmware.storage.errors import JournalError, journal_errors
from firmware.storage.files import Kept, beside, read_raw, write_private
from firmware.storage.journal import NEUTRAL, Journal, is_kept, open_journal, open_readonly
from firmware.storage.line_copies import COPY
from firmware.storage.match_marks import note_beginning, pictures_aside, remember_forgotten
from firmware.storage.people.links_file import forget_in_file
from firmware.updates.state_copies import COPY as IN_OLDER_FORM
from firmware.updates.state_copies import NEWER
from referee.match import Entry, Match
from referee.record import begun_in, names_in
from referee.summaries import ForgottenPlayer, day_of, name_key
from vision.files import sync

_COPY = re.compile(re.escape(JOURNAL) + r"(-[0-9]+)?")
"""How a journal is called that lies aside; it has a number where there was one of that name already."""
_REST = re.compile(re.escape(JOURNAL) + r"(-wal|-shm|-journal|\.copy)-[0-9]+")
"""What lay beside such a journal, and isn't found under that name any more."""
UNDATED = "undated"  # the evening of all matches that don't say when they were begun
Head = tuple[int, str, tuple[str, ...]]  # the number of a match, when it was begun, and who played


class WritableJournal(Protocol):
    """Whatever takes the lines of matches."""

    def begin(self, match: Match) -> int: ...
    def append(self, match_id: int, number: int, entry: Entry) -> None: ...
    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None: ...
    def take_up(self, match_id: int) -> None: ...
    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer: ...


class KeptEverywhere:
    """A journal, and all copies of it: entries are kept in one, names are forgotten in all."""

    def __init__(self, journal: WritableJournal, here: TablePlaces) -> None:
        self._journal, self._here = journal, here

    def begin(self, match: Match) -> int:
        number = self._journal.begin(match)
        with suppress(OSError):
            # the next start sees to what can't be noted now
            note_beginning(self._here.state, number, match.setup.begun)
        return number

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        self._journal.append(match_id, number, entry)

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        self._journal.name_seats(match_id, names)

    def take_up(self, match_id: int) -> None:
        self._journal.take_up(match_id)

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Put a neutral name in a player's place; what can't be changed is told, and may be tried again."""
        _change_copies(self._here, lambda journal: journal.forget(name, neutral))
        with journal_errors(self._here.state):
            for links in link_files(self._here):
                forget_in_file(links, name)
            # second copies, which may lie in a drawer, forget when they are brought up to date
            count_forgetting(self._here.state)
            # hands can be seen in them
            drop_clips(self._here.state)
        forgotten = self._journal.forget(name, neutral)
        with journal_errors(self._here.journal):
            _drop_sums(self._here.journal)
        return forgotten


def _drop_sums(journal: Path) -> None:
    """Remove what the history keeps of the matches: names are in it."""
    beside(journal, SUMS).unlink(missing_ok=True)


def drop_clips(state: Path) -> int:
    """Delete the clips of rulings that earlier versions kept; count them."""
    clips = [*(state / EVIDENCE).glob("*.clip")]
    for clip in clips:
        clip.unlink(missing_ok=True)
    return len(clips)


def _change_copies(here: TablePlaces, change: Callable[[Journal], object]) -> None:
    with journal_errors(here.journal):
        drop_damaged(here)
        for copy in _copies(here):
            with open_journal(copy) as opened:
                change(opened.journal)
            beside(copy, ".lock").unlink(missing_ok=True)
            for damaged in copy.parent.glob(f"{escape(copy.name)}.damaged-*"):
                damaged.unlink(missing_ok=True)


def drop_damaged(here: TablePlaces) -> None:
    """Remove what is damaged, or was torn from its journal: it can't be changed for certain."""
    damaged = [path for path in _aside(here) if ".damaged-" in path.name or _REST.fullmatch(path.name)]
    for path in (*here.journal.parent.glob(f"{escape(here.journal.name)}.damaged-*"), *damaged):
        path.unlink(missing_ok=True)


def names_in_copies(here: TablePlaces) -> list[str]:
    names = dict[str, str]()
    for copy in _copies(here):
        # one that can't be read is mended when a name is forgotten
        with suppress(JournalError), open_readonly(copy) as journal:
            names |= {name_key(name): name for name in journal.names()}
    return list(names.values())


def link_files(here: TablePlaces) -> Iterator[Path]:
    """Find what says who is let in, now and in what lies aside."""
    stem = Path(LINKS).stem
    yield from sorted(path for path in here.state.glob(f"{stem}*.json") if path.is_file())
    for folder in folders_aside(here.state):
        yield from (path for path in sorted(folder.rglob(f"{stem}*.json")) if path.is_file())


def _copies(here: TablePlaces) -> Iterator[Path]:
    for path in _aside(here):
        if _COPY.fullmatch(path.name) and path.stat().st_size:
            yield path


def _aside(here: TablePlaces) -> Iterator[Path]:
    for folder in folders_aside(here.state):
        yield from (path for path in sorted(folder.rglob(f"{JOURNAL}*")) if path.is_file())


def folders_aside(state: Path) -> Iterator[Path]:
    """List the folders of what was here before, of what waits, and of what was set aside."""
    for pattern in (f"{BEFORE}*", f"{ASIDE}*", RESTORING, f"{IN_OLDER_FORM}*", f"{NEWER}*"):
        yield from sorted(path for path in state.glob(pattern) if path.is_dir())


class KeptEvening(Struct, frozen=True):
    """An evening in the journal: each match by its number (0 once pictures are gone) and its beginning."""

    day: str
    matches: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()  # who played, and is in no match of another evening


ORDERED = Kept[KeptEvening | None](FORGETTING, KeptEvening, None, largest=10_000_000)
"""The evening that the next start forgets; once it is kept, that can't be taken back."""


def still_seated(configuration: Path, names: Iterable[str]) -> str:
    """List the names that a configuration seats: it is the owner's own file, and nothing is written to it."""
    keys = set(map(name_key, names))
    with suppress(SettingsError):
        return ", ".join(seat for seat in settings_in(configuration).play.seats if name_key(seat) in keys)
    return ""


def evenings_in(journal: Path) -> tuple[KeptEvening, ...]:
    """List the evenings that a journal has, the newest first, what has no date last."""
    if not is_kept(journal):
        return ()
    days = defaultdict[str, list[Head]](list)
    with open_readonly(journal) as opened:
        for kept in opened.matches():
            begun = begun_in(kept.head)
            days[day_of(begun) or UNDATED].append((kept.id, begun, names_in(kept.head)))
    ordered = sorted(days, key=lambda day: (day != UNDATED, day), reverse=True)
    return tuple(_evening(day, days) for day in ordered)


def _evening(day: str, days: Mapping[str, Sequence[Head]]) -> KeptEvening:
    others = chain.from_iterable(heads for other, heads in days.items() if other != day)
    elsewhere = {name_key(name) for _id, _begun, names in others for name in names}
    matches = tuple((number, begun) for number, begun, _names in days[day])
    played = {name_key(name): name for _id, _begun, names in days[day] for name in names}
    return KeptEvening(day, matches, tuple(name for key, name in played.items() if key not in elsewhere))


def finish_forgetting(here: TablePlaces, log: Path) -> bool:
    """Forget the evening that was ordered, if any; tell whether all of it is done. No table may play here."""
    evening = ORDERED.read(here.state)
    if evening is None:
        return True
    with journal_errors(here.state):
        return _forget_evening(here, evening, log)


def _forget_evening(here: TablePlaces, evening: KeptEvening, log: Path) -> bool:
    begun = frozenset(begun for _number, begun in evening.matches)
    remember_forgotten(here.state, begun)
    count_forgetting(here.state)
    pictures = here.state / EVIDENCE
    numbered = chain.from_iterable(pictures.glob(f"{number}.*") for number, _begun in evening.matches if number)
    for file in (*pictures_aside(here.state, begun), *numbered):
        file.unlink(missing_ok=True)
    if pictures.is_dir():
        sync(pictures)
    # a number may be given again before another try
    ORDERED.keep(here.state, replace(evening, matches=tuple((0, each) for each in sorted(begun))))
    _change_copies(here, lambda journal: journal.remove(begun.__contains__))
    if is_kept(here.journal):
        with open_journal(here.journal) as opened:
            opened.journal.remove(begun.__contains__)
    # a journal that was damaged was laid aside as it was
    drop_damaged(here)
    _drop_sums(here.journal)
    for name in evening.names:
        for links in link_files(here):
            forget_in_file(links, name)
    _remove_from_log(log, evening.day)
    files = (read_raw(beside(here.journal, ending)) for ending in ("", "-wal", COPY))
    if any(each.encode() in content for content in files for each in begun if each):
        # another program reads in the journal just now: the next start tries again
        return False
    ORDERED.drop(here.state)
    sync(here.state)
    return True


def _remove_from_log(log: Path, day: str) -> None:
    for file in filter(Path.is_file, log.parent.glob(f"{log.name}*")):
        lines = file.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if not _is_of_day(line, day)]
        if len(kept) < len(lines):
            write_private(file, b"".join(kept))


def _is_of_day(line: bytes, day: str) -> bool:
    try:
        at = msgspec.json.decode(line, type=dict[str, Any])["at"]
        return day_of(datetime.fromtimestamp(at).astimezone().isoformat()) == day
    except (msgspec.DecodeError, ValueError, TypeError, KeyError, OverflowError, OSError, RecursionError):
        return False
