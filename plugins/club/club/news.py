"""What other hubs and we have committed, heard by one connection and given to all who listen."""

from collections.abc import Sequence
from threading import Condition, Lock, Thread
from time import monotonic, sleep

from psycopg import Connection, Error, sql

from club.database import NEWS

AGAIN = 1.0  # seconds until a database that was away is tried again
MOST = 2000
"""News that a listener may be behind; one that is further behind is told that everything may have changed."""
EVERYTHING = "everything"


class Listener:
    """What one listener hasn't heard yet; the same news is kept once."""

    def __init__(self) -> None:
        self._condition, self._waiting = Condition(), dict[str, None]()

    def tell(self, news: str) -> None:
        with self._condition:
            if len(self._waiting) >= MOST:
                self._waiting.clear()
                news = EVERYTHING
            self._waiting[news] = None
            self._condition.notify()

    def next(self, seconds: float) -> Sequence[str]:
        """Wait for news, and give all that there is; none if the time is up."""
        with self._condition:
            self._condition.wait_for(lambda: bool(self._waiting), seconds)
            heard = tuple(self._waiting)
            self._waiting.clear()
        return heard


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
            # what happened while we weren't listening can't be known
            self.tell(EVERYTHING)
            while not self._is_over:
                for each in db.notifies(timeout=1.0):
                    self.tell(each.payload)
