"""The club's pages, put together and served."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flask import Flask
from psycopg import Error
from psycopg_pool import PoolTimeout

from club.database import Pool
from club.keys import ensure_keys
from club.late_tables import Connections, LateConnections
from club.news import EVERYTHING, Listener, NewsRoom
from club.people import forget_again, remember_forgotten
from club.start.history_door import ClubMatches
from club.start.people_door import ClubPeople
from club.start.tables_door import ClubTables
from club.start.tournament_door import Tournaments
from club.web.app import create_club_app
from club.web.doors import ClubKeys, ClubNews, ClubServices, InvitingDoor, NewsFeed
from club.web.spectators import sees_late
from firmware.language import catalogues
from firmware.parts.looks import Looks
from firmware.storage.people.links import draw_pin, draw_token
from webui.access.guess_limits import GuessLimit
from webui.access.late_table import show_late

FORGOTTEN = "forgotten.json"
"""The file beside the database, in which marks of forgotten names stay when an older backup comes back."""


class Feed:
    """What has changed, for one browser."""

    def __init__(self, listener: Listener) -> None:
        """Take what listens."""
        self._listener = listener

    def next(self, seconds: float) -> Sequence[ClubNews]:
        """Wait for news."""
        return [_news(each) for each in self._listener.next(seconds)]

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()


def _news(said: str) -> ClubNews:
    kind, _space, name = said.partition(" ")
    return ClubNews("everything" if kind == EVERYTHING else kind, name)


class News:
    """Gives browsers their feeds."""

    def __init__(self, room: NewsRoom) -> None:
        """Take what listens to the database."""
        self._room = room

    def subscribe(self) -> NewsFeed:
        """Listen."""
        return Feed(self._room.subscribe())


class Keys:
    """The hub's secrets, as the database has them now: a new PIN counts at once, also at another hub."""

    def __init__(self, pool: Pool) -> None:
        """Take the connections."""
        self._pool = pool

    def keys(self) -> ClubKeys:
        """Give them; make them, where there are none."""
        with self._pool.connection() as db:
            kept = ensure_keys(db, draw_pin(), draw_token())
        return ClubKeys(kept.pin, kept.secret)


def club_app(
    pool: Pool,
    room: NewsRoom,
    folder: Path,
    language: str,
    *,
    inviting: InvitingDoor,
    address: str = "",
    is_away: Callable[[], bool] = lambda: False,
) -> Flask:
    """Create the app of the club's pages; whoever has come back with an older backup is forgotten first."""
    keys = Keys(pool)
    secret, forgotten = keys.keys().secret, folder / FORGOTTEN
    with pool.connection() as db:
        forget_again(db, forgotten, secret)
        remember_forgotten(db, forgotten)

    looks, news = Looks(), News(room)

    def services_by(seen: Connections) -> ClubServices:
        return ClubServices(
            tables=ClubTables(seen),
            inviting=inviting,
            tournaments=Tournaments(pool, seen),
            people=ClubPeople(pool, seen, secret, forgotten),
            history=ClubMatches(seen),
            looks=looks,
            news=news,
            keys=keys,
            languages={code: catalogues.language(code) for code in catalogues.languages()},
            language=language,
            address=address,
            is_away=is_away,
        )

    services, troubles, guesses = services_by(pool), (Error, PoolTimeout), GuessLimit()
    directors = set[str]()
    app = create_club_app(services, troubles, guesses, directors)
    late = create_club_app(services_by(LateConnections(pool)), troubles, guesses, directors)
    show_late(app, late, partial(sees_late, services, troubles))
    return app
