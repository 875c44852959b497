"""The club on the host's page: a table joins by code while playing, calls the director, and leaves."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from club.joining import JoiningDoor
from club.members import add_table, invite_table, join_table
from club.start.running import code_tries
from firmware.board_events import DirectorHeld
from firmware.services.own_club import OwnClub
from firmware.storage.club import MEMBERSHIP, Membership
from firmware.storage.journal import open_journal
from firmware.table.notices import Notice
from plugins.club.tests.clubs import WITHOUT, Club, await_delivered
from plugins.club.tests.conftest import database, postgres
from tests.firmware.recording_client import RecordingClient
from tests.waiting import until
from tests.webui.room import room_with

__all__ = ["database", "postgres"]
HOME = "/host/club"
pytestmark = WITHOUT["mosquitto"]


@pytest.fixture
def club(tmp_path: Path, database: str) -> Iterator[Club]:
    made = Club(tmp_path / "club", database, "mosquitto", encrypts=True)
    yield made
    made.close()


@pytest.fixture
def joining(club: Club) -> Iterator[JoiningDoor]:
    assert club.tls is not None
    authority = club.tls.authority_text

    def let_in(code: str, host: str) -> Membership | None:
        with club.pool.connection() as db:
            joined = join_table(db, club.secret, code)
        if joined is None:
            return None
        club.broker.renew(club.keys())
        table, key = joined
        return Membership(table.name, table.title, "Café", host, club.broker.port, key, authority)

    opened = JoiningDoor(0, club.tls, let_in, code_tries(), "127.0.0.1")
    yield opened
    opened.close()


class Desk:
    """A table with its journal and the host's club page."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.state, self.path = folder / "state", folder / "journal.sqlite3"
        self.state.mkdir()
        journal = ends.enter_context(open_journal(self.path)).journal
        self.followed, self.picture = RecordingClient(), None
        journal.begin(self.followed.moment())
        self.client = self.open()
        ends.callback(self.client.close)
        self.room = room_with(self.followed.moment(), self.state, club=self.client)
        self.host = self.room.browser().host()

    picture: bytes | None

    def open(self) -> OwnClub:
        return OwnClub(self.state, self.path, self.followed, lambda: self.picture)

    def send(self, what: str, **fields: str) -> str:
        return self.host.send(HOME, f"{HOME}/{what}", **fields).text

    def page(self) -> str:
        return self.host.get(HOME).text


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as ends:
        yield Desk(tmp_path, ends)


def test_table_joins_delivers_calls_director_and_leaves(desk: Desk, club: Club, joining: JoiningDoor) -> None:
    with club.pool.connection() as db:
        table = add_table(db, "Table 8")
        assert club.tls is not None
        code = club.tls.shown_code(invite_table(db, table.name))
    assert "Join a club" in desk.page()
    desk.send("join", hub=f"127.0.0.1:{joining.port}", code=code)
    until(lambda: desk.client.status().is_connected)
    assert "Café · Table 8" in desk.page()
    await_delivered(club.pool, table.name, desk.path)
    desk.picture = cv2.imencode(".jpg", np.full((900, 1600, 3), 90, np.uint8))[1].tobytes()
    desk.send("director", why="Who was first?")
    until(lambda: [call.state for call in desk.client.status().calls] == ["open"])
    with club.pool.connection() as db:
        db.execute("UPDATE calls SET state = 'coming'")
    until(lambda: desk.followed.done == [Notice("director comes", {"answer": ""})])
    with club.pool.connection() as db:
        db.execute("UPDATE calls SET state = 'done', answer = 'One minute'")
        [evidence] = db.execute("SELECT evidence FROM calls").fetchone() or [None]
    assert cv2.imdecode(np.frombuffer(evidence, np.uint8), cv2.IMREAD_COLOR).shape[1] <= 640
    until(lambda: "One minute" in desk.page())
    until(lambda: desk.followed.done[1:] == [Notice("director rules", {"answer": "One minute"})])
    desk.send("leave")
    assert not desk.client.status().club
    assert MEMBERSHIP.read(desk.state) is None
    assert "Join a club" in desk.page()


def test_wrong_code_is_shown_and_only_host_may_join(desk: Desk) -> None:
    page = desk.send("join", hub="127.0.0.1:9", code="AAAA-AAAA-AAAA-AAAA-AAAA")
    assert "no hub answers at 127.0.0.1, port 9" in page
    assert "not the address" in desk.send("join", hub="a b", code="AAAA")
    assert MEMBERSHIP.read(desk.state) is None
    guest = desk.room.browser()
    assert guest.get(HOME).location == "/host"
    for what in ("join", "leave", "director"):
        assert guest.post(f"{HOME}/{what}", hub="127.0.0.1").status_code >= 400
        assert desk.host.get(f"{HOME}/{what}").status_code == 405


def test_restarted_table_is_still_in_its_club(desk: Desk, club: Club) -> None:
    mine = club.join("Table 1")
    MEMBERSHIP.keep(desk.state, mine)
    with closing(desk.open()) as client:
        until(lambda: client.status().is_connected)
        await_delivered(club.pool, mine.table, desk.path)
        # and a seat's button calls the club's director
        client.hold(DirectorHeld(1, 0.0))
        until(lambda: [call.state for call in client.status().calls] == ["open"])
        with club.pool.connection() as db:
            assert db.execute("SELECT who FROM calls").fetchone() == (desk.followed.moment().setup.names[1],)
