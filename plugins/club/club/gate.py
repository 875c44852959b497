"""Lets tables in at a broker that the hub runs itself, and starts that broker again if it has died."""

from threading import Event, Lock, Thread
from time import sleep

from psycopg import Error

from club.brokers import OwnBroker
from club.credentials import users
from club.database import Pool
from club.errors import ClubError
from club.members import CHANGED
from club.news import EVERYTHING, NewsRoom

LOOK = 1.0
"""Seconds between two looks whether the broker is alive."""


class Gate:
    """Tells a broker who may come in."""

    def __init__(self, broker: OwnBroker, pool: Pool, secret: bytes, room: NewsRoom) -> None:
        """Start the broker, and let tables in or out as others say, until it is closed."""
        self._broker, self._pool, self._secret = broker, pool, secret
        self._renewing, self._is_over = Lock(), Event()
        self.renew()
        self._thread = Thread(target=self._watch, args=(room,), name="club gate", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._is_over.set()
        self._thread.join(2 * LOOK)

    def renew(self) -> None:
        """Send the broker its list of tables; start the broker again if it has died."""
        # a table that joins and the news of it come at once: the later list must be the newer one
        with self._renewing, self._pool.connection() as db:
            self._broker.renew(users(db, self._secret))

    def _watch(self, room: NewsRoom) -> None:
        listening = room.subscribe()
        while not self._is_over.is_set():
            news = listening.next(LOOK)
            try:
                if {CHANGED, EVERYTHING} & set(news) or not self._broker.program.is_running():
                    self.renew()
            except (Error, ClubError, OSError):
                # the next look tries again
                sleep(LOOK)
        listening.close()
