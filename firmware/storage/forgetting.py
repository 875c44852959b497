"""Delete a name or an evening: each store deletes its own part, the journal last.

An evening is first stored as an order in a file. The next start executes it before anything is opened. Each
step can be repeated, and the order is deleted last. After a power cut, the next start therefore continues.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import FORGETTING
from firmware.storage import aside, forgotten_names, match_marks
from firmware.storage.aside import Gone
from firmware.storage.backups import copies
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import Kind
from firmware.storage.configuration import SettingsError, settings_in
from firmware.storage.errors import journal_errors
from firmware.storage.fallback_journal import FallbackJournal
from firmware.storage.files import Kept, beside, read_raw
from firmware.storage.journal import NEUTRAL, Journal, is_kept, open_journal, open_readonly
from firmware.storage.match_files import read_files
from firmware.storage.match_history import SHELF
from firmware.storage.people import links_file
from referee.match import Entry, Match, name_key
from referee.record import begun_in, names_in
from referee.summaries import ForgottenPlayer, day_of
from vision.files import sync

STORES: tuple[Callable[[TablePlaces, Gone], None], ...] = (
    match_marks.forget,
    forgotten_names.forget,
    copies.forget,
    links_file.forget,
    aside.forget,
)
UNDATED = "undated"  # the evening of all matches without a start time


class KeptEverywhere:
    """A journal and all other stores: entries go to the journal, names are forgotten in all stores."""

    def __init__(self, journal: Journal | FallbackJournal, here: TablePlaces, kind: Kind | None = None) -> None:
        """Use the kind of the table that plays; None for a command."""
        self._journal, self._here, self._kind = journal, here, kind

    def begin(self, match: Match) -> int:
        number = self._journal.begin(match)
        with suppress(OSError):
            # the next start corrects a failure here
            match_marks.note_beginning(self._here.state, number, match.setup.begun)
        self._note_kind(number)
        return number

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        self._journal.append(match_id, number, entry)

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        self._journal.name_seats(match_id, names)

    def take_up(self, match_id: int) -> None:
        self._journal.take_up(match_id)
        self._note_kind(match_id)

    def _note_kind(self, match_id: int) -> None:
        """Record that this table plays a match; without that, the next start begins another one."""
        mark = match_marks.OWNERS.read(self._here.state).get(str(match_id), "")
        if self._kind is not None:
            with suppress(OSError):
                match_marks.note_kind(self._here.state, mark, self._kind)

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Replace a player's name by a neutral one; if a store can't be changed, this can be repeated."""
        _forget_in_stores(self._here, Gone((name,), lambda journal: journal.forget(name, neutral)))
        forgotten = self._journal.forget(name, neutral)
        with journal_errors(self._here.journal):
            SHELF.drop(self._here.journal)
        return forgotten


def _forget_in_stores(here: TablePlaces, gone: Gone) -> None:
    """Forget in each store except the journal, which is last: until then, people can try again."""
    for forget in STORES:
        with journal_errors(here.state):
            forget(here, gone)


class KeptEvening(Struct, frozen=True):
    """An evening in the journal: each match's number (0 once pictures are deleted) and start time."""

    day: str
    matches: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()  # players who are in no match of another evening


ORDERED = Kept[KeptEvening | None](FORGETTING, KeptEvening, None, largest=10_000_000)
"""The evening that the next start forgets; once stored, this can't be cancelled."""


def still_seated(configuration: Path, names: Iterable[str]) -> str:
    """List the names seated by the configuration, which is the owner's own file and is never changed."""
    keys = set(map(name_key, names))
    with suppress(SettingsError):
        return ", ".join(seat for seat in settings_in(configuration).play.seats if name_key(seat) in keys)
    return ""


def evenings_in(journal: Path) -> tuple[KeptEvening, ...]:
    """Return the evenings in a journal, the newest first, undated matches last."""
    if not is_kept(journal):
        return ()
    matches, played = defaultdict[str, list[tuple[int, str]]](list), defaultdict[str, dict[str, str]](dict)
    with open_readonly(journal) as opened:
        for kept in opened.matches():
            begun = begun_in(kept.head)
            day = day_of(begun) or UNDATED
            matches[day].append((kept.id, begun))
            played[day] |= {name_key(name): name for name in names_in(kept.head)}
    evenings = Counter(chain.from_iterable(played.values()))
    return tuple(
        KeptEvening(
            day, tuple(matches[day]), tuple(name for key, name in played[day].items() if evenings[key] == 1)
        )
        for day in sorted(matches, key=lambda day: (day != UNDATED, day), reverse=True)
    )


def finish_forgetting(here: TablePlaces, forget_in_log: Callable[[str], None]) -> bool:
    """Forget the ordered evening, if any. Return whether everything is done. No table may play here."""
    evening = ORDERED.read(here.state)
    if evening is None:
        return True
    with journal_errors(here.state):
        begun = frozenset(begun for _number, begun in evening.matches)
        numbers = tuple(number for number, _begun in evening.matches if number)
        gone = Gone(evening.names, lambda journal: journal.remove(begun.__contains__), begun, numbers)
        _forget_in_stores(here, gone)
        forget_in_log(evening.day)
        # a number may be assigned again before a retry
        ORDERED.keep(here.state, replace(evening, matches=tuple((0, each) for each in sorted(begun))))
        if is_kept(here.journal):
            with open_journal(here.journal) as opened:
                gone.change(opened.journal)
        SHELF.drop(here.journal)
        files = [read_raw(beside(here.journal, ending)) for ending in ("", "-wal")]
        files += read_files(here.journal).values()
        if any(each.encode() in content for content in files for each in begun if each):
            # another program is reading the journal: the next start tries again
            return False
        ORDERED.drop(here.state)
        sync(here.state)
        return True
