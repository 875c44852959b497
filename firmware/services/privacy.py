"""Personal data that the table stores, for the pages: one function per kind, with its limits."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from firmware.services.own_club import OwnClub
from firmware.services.photographs import KeptPicture
from firmware.state_folder import DECKS, EVIDENCE, LINKS, log_path, state_directory
from firmware.storage.aside import folders_aside
from firmware.storage.backups.archive import TablePlaces, journal_size
from firmware.storage.backups.copies import EARLIER
from firmware.storage.configuration import TableSettings
from firmware.storage.errors import JournalError
from firmware.storage.files import size_of
from firmware.storage.forgetting import ORDERED, KeptEvening, evenings_in, still_seated
from firmware.storage.journal import KeptMatch, is_kept, open_readonly
from firmware.storage.people.evening import CROWD
from firmware.storage.people.links_file import read_links
from firmware.table import logbook
from referee.record import begun_in
from referee.summaries import day_of
from vision.process.evidence import MOST
from vision.troubles import TroubleError

KindView = Literal["copies", "club", "webhooks", "broker"]
KeptKind = Literal["matches", "pictures", "photographs", "people", "decks", "aside", "log", KindView]
"""Kinds of data stored here or sent elsewhere."""


class Kept(Struct, frozen=True):
    """One kind of stored or sent data, with its amount and limits."""

    kind: KeptKind
    is_on: bool = True  # whether any is stored or sent
    count: int = 0
    size: int = 0  # bytes
    since: str = ""  # day of the oldest item; empty if unknown
    most: int = 0  # maximum bytes or items
    where: tuple[str, ...] = ()  # names of places, without secrets


class Privacy:
    """The table's personal data, and the deletion of an evening."""

    def __init__(self, here: TablePlaces, settings: TableSettings, club: OwnClub) -> None:
        self._here, self._settings, self._club = here, settings, club

    def kept(self) -> Sequence[Kept]:
        state, settings = self._here.state, self._settings
        people, log = read_links(state_directory() / LINKS), log_path()
        copied = () if settings.copy.folder is None else (settings.copy.folder,)
        # the host name suffices; an address may contain a password
        hosts = (urlsplit(each).hostname or "?" for each in settings.outside.webhooks)
        return (
            _matches(self._here.journal),
            *_pictures(state / EVIDENCE),
            Kept("people", count=0 if people is None else len(people.people), most=CROWD),
            _files("decks", (state / DECKS,)),
            _files("aside", folders_aside(state)),
            _some("log", log.parent.glob(f"{log.name}*"), logbook.MAX_LOG_BYTES * (logbook.OLDER_FILES + 1)),
            Kept("copies", bool(copied), most=EARLIER, where=copied),
            _sent("club", self._club.status().club),
            _sent("webhooks", *hosts),
            _sent("broker", settings.broker.host),
        )

    def evenings(self) -> Sequence[KeptEvening]:
        with suppress(JournalError):
            return evenings_in(self._here.journal)
        return ()

    def seated(self, names: Iterable[str]) -> Mapping[str, object]:
        """Return the seated name among these in the owner's configuration, and that file; empty if none."""
        seated = still_seated(self._here.configuration, names)
        return {"file": self._here.configuration, "name": seated} if seated else {}

    def is_unfinished(self) -> bool:
        return ORDERED.read(self._here.state) is not None

    def forget(self, day: str) -> None:
        """Delete an evening at the next start; raises OSError or TroubleError if that fails."""
        chosen = next((each for each in evenings_in(self._here.journal) if each.day == day), None)
        if self.is_unfinished():
            raise TroubleError("deletion unfinished")
        if chosen is not None:
            ORDERED.keep(self._here.state, chosen)


def _matches(journal: Path) -> Kept:
    matches: Sequence[KeptMatch] = ()
    if is_kept(journal):
        with suppress(JournalError), open_readonly(journal) as opened:
            matches = opened.matches()
    # matches without a start time belong to no evening
    days = filter(None, (day_of(begun_in(each.head)) for each in matches))
    return Kept("matches", True, len(matches), journal_size(journal), min(days, default=""))


def _pictures(folder: Path) -> Iterator[Kept]:
    is_by_phone = {file: KeptPicture(file).is_by_phone() for file in folder.glob("*.jpg")}
    yield _some("pictures", (file for file, is_phones in is_by_phone.items() if not is_phones), MOST)
    yield _some("photographs", (file for file, is_phones in is_by_phone.items() if is_phones), MOST)


def _some(kind: KeptKind, files: Iterable[Path], most: int) -> Kept:
    stats = list[os.stat_result]()
    for file in files:
        # the eyes may be deleting it now
        with suppress(OSError):
            stats.append(file.stat())
    since = min((each.st_mtime for each in stats), default=None)
    day = "" if since is None else datetime.fromtimestamp(since).astimezone().date().isoformat()
    return Kept(kind, True, len(stats), sum(each.st_size for each in stats), day, most)


def _files(kind: KeptKind, folders: Iterable[Path]) -> Kept:
    with suppress(OSError):
        return Kept(kind, True, size=sum(map(size_of, folders)))
    return Kept(kind)


def _sent(kind: KindView, *names: str) -> Kept:
    where = tuple(filter(None, names))
    return Kept(kind, bool(where), where=where)
