"""Monitor the club's database, and restart the hub's own one."""

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic
from typing import Any

from psycopg import Connection, Error

from club import ClubError
from club.database import SESSION
from club.postgres import Postgres

POLL_INTERVAL = 0.5  # seconds between two checks
LATE = 1.5  # seconds without an answer after which the database counts as unavailable


class DatabaseWatch:
    """Polls the database in a thread; after a failure, only a successful write counts as recovery."""

    def __init__(
        self, database: str, server: Postgres | None, tell: Callable[[str], None] = lambda _why: None
    ) -> None:
        """Start watching. Calls `tell` with the reason of a failure, and with "" on recovery."""
        self._database, self._server, self._tell = database, server, tell
        self._db: Connection[Any] | None = None
        self._is_over, self._why = Event(), ""
        self._asked_at: float | None = None
        self._answered_at, self._took = monotonic(), 0.0
        self._thread = Thread(target=self._run, name="club database", daemon=True)
        self._thread.start()

    def is_away(self) -> bool:
        asked_at = self._asked_at
        return bool(self._why) or (asked_at is not None and monotonic() - asked_at > LATE)

    def health(self) -> tuple[float, float]:
        """Return the seconds since the database fell silent, and the duration of its last answer."""
        return (monotonic() - self._answered_at if self.is_away() else 0.0), self._took

    def close(self) -> None:
        self._is_over.set()
        self._thread.join(LATE)

    def _run(self) -> None:
        while not self._is_over.wait(POLL_INTERVAL):
            self._asked_at = monotonic()
            try:
                self._ask()
            except (Error, ClubError, OSError) as error:
                self._leave()
                self._note(" ".join(str(error).split()) or type(error).__name__)
            else:
                self._answered_at = monotonic()
                self._took = self._answered_at - self._asked_at
                self._note("")
            self._asked_at = None
        self._leave()

    def _leave(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _ask(self) -> None:
        if self._server is not None and not self._server.program.is_running():
            self._note(self._server.program.last_words())
            self._server.start()
        if self._db is None:
            self._db = Connection.connect(self._database, **SESSION)
        # a readable database may still refuse writes, as on a full disk
        self._db.execute("UPDATE schema_version SET version = version" if self._why else "SELECT 1")

    def _note(self, why: str) -> None:
        has_changed, self._why = bool(why) != bool(self._why), why
        if has_changed:
            self._tell(why)
