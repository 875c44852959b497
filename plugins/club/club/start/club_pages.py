"""The club's pages, put together and served."""

from collections.abc import Callable
from functools import partial

from flask import Flask

from club.credentials import KeyRow, ensure_keys
from club.database import Pool
from club.history import ClubMatches
from club.late_tables import Connections, LateConnections
from club.members import Invitations
from club.news import NewsRoom
from club.people import ClubPeople, forget_again, remember_forgotten
from club.tables import ClubTables
from club.tournaments import Tournaments
from club.web.access import sees_late
from club.web.app import create_club_app
from club.web.services import ClubHealth, ClubServices
from firmware.language import catalogues
from firmware.parts.looks import Looks
from firmware.storage.people.links import draw_pin, draw_token
from webui.access.guess_limits import GuessLimit
from webui.access.late_table import show_late

FORGOTTEN = "forgotten.json"
"""The file beside the database, in which marks of forgotten names stay when an older backup comes back."""


def club_app(
    pool: Pool,
    room: NewsRoom,
    inviting: Invitations,
    language: str,
    *,
    address: str = "",
    health: Callable[[], ClubHealth] = ClubHealth,
) -> Flask:
    """Create the app of the club's pages; forget again first whom an older backup has brought back."""

    def keys() -> KeyRow:
        with pool.connection() as db:
            return ensure_keys(db, draw_pin(), draw_token())

    secret, forgotten = keys().secret, inviting.folder / FORGOTTEN
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
            languages={code: catalogues.language(code) for code in catalogues.languages()},
            language=language,
            address=address,
            health=health,
        )

    services, guesses, directors = services_by(pool), GuessLimit(), set[str]()
    app = create_club_app(services, guesses, directors)
    late = create_club_app(services_by(LateConnections(pool)), guesses, directors)
    show_late(app, late, partial(sees_late, services, directors))
    return app
