"""The club's pages, put together and served."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from flask import Flask
from psycopg import Error
from psycopg_pool import PoolTimeout

from firmware.club.database import Pool
from firmware.club.keys import ensure_keys
from firmware.club.late_tables import Connections, LateConnections
from firmware.club.news import NewsRoom
from firmware.club.people import forget_again, remember_forgotten
from firmware.parts.looks import Looks
from firmware.start.club.tables_door import ClubMatches, ClubPeople, ClubTables
from firmware.start.club.tournament_door import Tournaments
from firmware.storage.people.links import draw_pin, draw_token
from referee.telling import Language
from webui.access.guess_limits import GuessLimit
from webui.access.late_table import show_late
from webui.club.app import create_club_app
from webui.club.doors import ClubKeys, ClubServices, InvitingDoor
from webui.club.spectators import sees_late

FORGOTTEN = "forgotten.json"
"""The file beside the database, in which marks of forgotten names stay when an older backup comes back."""


def club_app(
    pool: Pool,
    room: NewsRoom,
    folder: Path,
    languages: Mapping[str, Language],
    language: str,
    *,
    inviting: InvitingDoor,
    address: str = "",
) -> Flask:
    """Create the app of the club's pages; whoever has come back with an older backup is forgotten first."""

    def keys() -> ClubKeys:
        # as the database has them now: a new PIN counts at once, also at another hub
        with pool.connection() as db:
            kept = ensure_keys(db, draw_pin(), draw_token())
        return ClubKeys(kept.pin, kept.secret)

    secret, forgotten = keys().secret, folder / FORGOTTEN
    with pool.connection() as db:
        forget_again(db, forgotten, secret)
        remember_forgotten(db, forgotten)

    looks = Looks()

    def services_by(seen: Connections) -> ClubServices:
        return ClubServices(
            tables=ClubTables(seen),
            inviting=inviting,
            tournaments=Tournaments(pool, seen),
            people=ClubPeople(pool, seen, secret, forgotten),
            history=ClubMatches(seen),
            looks=looks,
            news=room,
            keys=keys,
            languages=languages,
            language=language,
            address=address,
        )

    services, troubles, guesses = services_by(pool), (Error, PoolTimeout), GuessLimit()
    directors = set[str]()
    app = create_club_app(services, troubles, guesses, directors)
    late = create_club_app(services_by(LateConnections(pool)), troubles, guesses, directors)
    show_late(app, late, partial(sees_late, services, troubles))
    return app
