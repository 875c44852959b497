"""Passes each moment of the table to another program, in a separate thread."""

from contextlib import suppress
from threading import Event, Thread
from typing import Protocol

from firmware.language.speaking import LANGUAGE
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.match import Match
from referee.public_moment import encode_moment

POLL_INTERVAL = 1.0


class OutletError(Exception):
    """Delivery failed; it is attempted again with the next moment."""


class Outlet(Protocol):
    """A program that receives each moment."""

    @property
    def name(self) -> str:
        """The display name: an address without secrets."""

    def tell(self, told: bytes) -> None:
        """Send a moment; may block, and raises OutletError on failure."""

    def close(self) -> None: ...


class Follower:
    """Sends each moment to an outlet; if several are waiting, only the newest."""

    def __init__(self, client: TableClient, outlet: Outlet) -> None:
        self._client, self._outlet, self._over = client, outlet, Event()
        self._thread = Thread(target=self._run, name=f"follower of {outlet.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop following; an outlet that hangs is abandoned."""
        self._over.set()
        self._thread.join(2 * POLL_INTERVAL)

    def _run(self) -> None:
        listening = self._client.subscribe()
        try:
            while not self._over.is_set():
                news = listening.next(POLL_INTERVAL)
                if isinstance(news, Match):
                    self._tell(news)
        finally:
            listening.close()
            with suppress(Exception):
                self._outlet.close()

    def _tell(self, match: Match) -> None:
        why = None
        try:
            self._outlet.tell(encode_moment(match, LANGUAGE))
        except Exception as error:  # noqa: BLE001 - a library's fault ends no following: the next moment may go
            why = str(error) or type(error).__name__
        report_outlet(self._client, self._outlet.name, why)


def report_outlet(client: TableClient, name: str, why: str | None) -> None:
    wrong = None if why is None else Notice(NoticeKey.OUTLET_FAILED, {"place": name, "why": why})
    client.report(("outlet", name), wrong)
