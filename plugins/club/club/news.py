"""Notifications of committed changes, received by one connection and passed on to all listeners."""

from collections.abc import Sequence
from threading import Condition, Lock, Thread
from time import monotonic, sleep

from psycopg import Connection, Error, sql

from club.database import NEWS

AGAIN = 1.0  # seconds before an unavailable database is tried again
MAX_WAITING = 2000
"""Most notifications waiting for one listener; beyond that, it is notified that everything may have changed."""
EVERYTHING = "everything"


class Listener:
    """A listener's waiting notifications, without duplicates."""

    def __init__(self) -> None:
        self._condition, self._waiting = Condition(), dict[str, None]()

    def tell(self, news: str) -> None:
        with self._condition:
            if len(self._waiting) >= MAX_WAITING:
                self._waiting.clear()
                news = EVERYTHING
            self._waiting[news] = None
            self._condition.notify()

    def next(self, seconds: float) -> Sequence[str]:
        """Wait for notifications and return all of them; empty after a timeout."""
        with self._condition:
            self._condition.wait_for(lambda: bool(self._waiting), seconds)
            waiting = tuple(self._waiting)
            self._waiting.clear()
        return waiting


class NewsRoom:
    """Listens to the database in a thread, as long as the program runs."""

    def __init__(self, database: str) -> None:
        self._database, self._lock, self._listeners = database, Lock(), set[Listener]()
        self._is_over = False
        Thread(target=self._run, name="club news", daemon=True).start()

    def subscribe(self) -> Listener:
        listener = Listener()
        with self._lock:
            self._listeners.add(listener)
        return listener

    def unsubscribe(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def close(self) -> None:
        self._is_over = True

    def tell(self, news: str) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener.tell(news)

    def _run(self) -> None:
        while not self._is_over:
            began = monotonic()
            try:
                self._listen()
            except Error:
                sleep(max(0.0, AGAIN - (monotonic() - began)))

    def _listen(self) -> None:
        with Connection.connect(self._database, autocommit=True, connect_timeout=5) as db:
            db.execute(sql.SQL("LISTEN {}").format(sql.Identifier(NEWS)))
            # changes made while we weren't listening are unknown
            self.tell(EVERYTHING)
            while not self._is_over:
                for each in db.notifies(timeout=1.0):
                    self.tell(each.payload)
