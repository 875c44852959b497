"""A club whose pages are opened by phones: a real database, and tables with given reports."""

from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page

from club.database import migrate, open_pool, tell_news
from club.web.access import DIRECTOR
from firmware.start.games import hand_in_games
from plugins.club.tests.opened import Club
from plugins.club.tests.said import add_table, keep_match
from referee.games.catalogue import GAMES
from tests.given import present
from tests.webui.matches import play_match
from webui.access.viewers import VISITOR
from webui.server.serving import Server

OPEN = (
    "/", "/me", "/standings", "/history", "/statistics", "/print/seats", "/print/standings",
    "/director",
)  # fmt: skip
"""Public pages; without the PIN, the director's page asks for it."""
DIRECTORS = tuple(
    f"/director{page}"
    for page in ("", "/calls", "/round", "/round/results", "/more", "/people", "/new", "/tables")
)
LONG = "Anne-Élisabeth de La Tour"
PEOPLE = ("Ana", "Bo", "Chloé", "Dédé", "Eve", "Fay", "Gus", LONG)
WHY = "What lay before Ana, the 8 or the 9?"


class ClubHouse(Club):
    """The pages of a club, served to browsers."""

    def __init__(self, database: str, folder: Path) -> None:
        hand_in_games()
        self.pool = open_pool(database)
        with self.pool.connection() as db:
            migrate(db)
        super().__init__(self.pool, database, folder)
        self._server = Server(self.app, "127.0.0.1", 0)

    def address(self, page: str) -> str:
        return f"http://127.0.0.1:{self._server.port}{page}"

    def close(self) -> None:
        self._server.close()
        self.room.close()
        self.pool.close()

    def call(self, table: str, mark: str = "0", why: str = WHY) -> None:
        with self.pool.connection() as db:
            db.execute(
                "INSERT INTO calls (table_name, id, who, why, evidence) VALUES (%s, %s, 'Bo', %s, %s)",
                (table, mark * 16, why, _picture()),
            )
            tell_news(db, f"call {table}")

    def hold_evening(self) -> None:
        """Play an evening up to its second round: one table is done, and one person agreed to be stored."""
        self.begin(*PEOPLE[:-1])
        phone = self.phone()
        phone.get("/me")
        phone.send("/me/enter", name=LONG, agrees="1")
        self.send_round()
        for table in ("table-1", "table-2"):
            self.play(table, 1)
        self.send_round()
        self.play("table-1", 2)

    def hold_busy_evening(self) -> None:
        """Play an evening with tables of all games, an unreachable one, calls, and a disputed line."""
        with self.pool.connection() as db:
            for number, game in enumerate(GAMES, 3):
                add_table(db, f"table-{number}", f"Table {number}")
                keep_match(db, f"table-{number}", 1, play_match(GAMES[game], moments=9))
            add_table(db, "table-20", "Table 20", "offline")
            add_table(db, "table-21", "Beside the window, under the old clock")
        self.hold_evening()
        self.call("table-2")
        self.call("table-4", "1", "Does this card count?")
        with self.pool.connection() as db:
            db.execute(
                "INSERT INTO quarantine (table_name, epoch, match, number, hash, body, why)"
                " VALUES ('table-1', %s, 3, 14, %s, '{}', 'a different line is already there')",
                ("0" * 32, b"0" * 32),
            )


def _picture() -> bytes:
    seen = np.full((240, 320, 3), (70, 110, 60), np.uint8)
    cv2.rectangle(seen, (100, 30), (220, 210), (240, 250, 255), -1)
    cv2.putText(seen, "8", (130, 160), cv2.FONT_HERSHEY_DUPLEX, 4, (90, 40, 30), 6)
    return cv2.imencode(".jpg", seen)[1].tobytes()


def become_director(page: Page, club: ClubHouse) -> None:
    """Open the director's page without asking for the PIN."""
    club.enter()
    for name in (VISITOR, DIRECTOR):
        cookie = present(club._client.get_cookie(name, "club.local"))
        page.context.add_cookies([{"name": name, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}])
    page.goto("/director")
    page.wait_for_selector("[data-part=club]")
