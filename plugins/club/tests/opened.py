"""The club's pages over a real database, and browsers with cookies and forms."""

import re
from io import BytesIO
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from club import tournaments
from club.credentials import change_pin
from club.database import Pool
from club.members import Invitations
from club.news import NewsRoom
from club.start.running import club_app
from club.tournament.results import seat_names
from club.web.services import ClubHealth
from plugins.club.tests.said import add_table, keep_match
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from tests.webui.matches import play_match

PIN = "24681357"
ADDRESS = "http://club.local:8080/"
HOST = {"Host": "club.local"}
NEW = {
    "title": "Club evening",
    "movement": "swiss",
    "rounds": "3",
    "size": "4",
    "minutes": "40",
    "points": "6, 4, 2",
    "bye": "3",
    "game-table-1": "coyote",
    "game-table-2": "coyote",
}


class Browser:
    """A browser that stores cookies and sends the form token."""

    def __init__(self, client: FlaskClient) -> None:
        self._client, self.token = client, ""

    def get(self, address: str, code: int = 200) -> str:
        answer = self._client.get(address, headers=HOST)
        assert answer.status_code == code, answer.text
        found = re.search('name="form" value="([0-9a-f]+)"', answer.text)
        self.token = found[1] if found else self.token
        return answer.text

    def send(
        self, address: str, code: int = 303, **form: str | list[str] | tuple[BytesIO, str]
    ) -> TestResponse:
        answer = self._client.post(address, data={"form": self.token, **form}, headers=HOST)
        assert answer.status_code == code, answer.text
        return answer


class Club(Browser):
    """The club's pages with their database."""

    def __init__(self, pool: Pool, database: str, folder: Path) -> None:
        GAMES.setdefault("coyote", COYOTE)
        self.pool, self.room = pool, NewsRoom(database)
        self.is_away, inviting = False, Invitations(pool, folder, 8884)

        def health() -> ClubHealth:
            return ClubHealth(silent=40.0 if self.is_away else 0.0)

        self.app = club_app(pool, self.room, inviting, "en", address=ADDRESS, health=health)
        with pool.connection() as db:
            change_pin(db, PIN)
            for number in (1, 2):
                add_table(db, f"table-{number}", f"Table {number}")
        super().__init__(self.app.test_client())

    def phone(self) -> Browser:
        return Browser(self.app.test_client())

    def enter(self) -> None:
        self.get("/director")
        self.send("/director/enter", pin=PIN)

    def begin(self, *names: str) -> None:
        self.enter()
        self.get("/director/new")
        self.send("/director/new", **NEW)
        for name in names:
            self.send("/director/people/add", names=name)

    def send_round(self) -> None:
        self.send("/director/round/draw")
        self.send("/director/round/send", sure="1")

    def play(self, table: str, match: int) -> None:
        with self.pool.connection() as db:
            kept = tournaments.current(db)
            names = seat_names(kept.tournament)
            (seating,) = [each for each in kept.tournament.rounds[-1].seatings if each.table == table]
            keep_match(
                db, table, match, play_match(COYOTE, tuple(names[each] for each in seating.entrants), match)
            )
