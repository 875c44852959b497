"""`coyote club` put together: a table joins by the link that is given, plays, and is seen on the pages."""

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.club.errors import ClubError
from firmware.club.programs import free_port
from firmware.outside.club_joining import join
from firmware.start.club.running import RUNNING, ClubRun, ClubWish, broker_at, invite, pin_of
from firmware.start.club.trying import simulated_tables
from tests.firmware.club.clubs import await_delivered
from tests.firmware.club.test_link import WITHOUT
from tests.firmware.conftest import Coyote
from tests.firmware.outside.followed import await_true

pytestmark = WITHOUT["mosquitto"]


@pytest.fixture
def run(tmp_path: Path, database: str) -> Iterator[ClubRun]:
    ports = [free_port() for _each in range(3)]
    wish = ClubWish(tmp_path / "club", "Café", *ports, database=database, host="127.0.0.1")
    running = ClubRun(wish, lambda _why: None)
    yield running
    running.close()


def test_a_table_joins_by_the_link_that_another_program_gives(run: ClubRun, tmp_path: Path) -> None:
    link = invite(run.wish.folder, "Table 8")
    code = link.partition("#")[2]
    mine = join(f"127.0.0.1:{run.wish.joining_port}", code)
    assert (mine.club, mine.title, mine.port) == ("Café", "Table 8", run.wish.broker_port)
    assert pin_of(run.wish.folder) == run.pin()
    here = replace(mine, host="127.0.0.1")
    [table] = simulated_tables(1, lambda _title: here, tmp_path / "tables", "", 0.01)
    try:
        await_true(lambda: table.link.summary().state == "connected")
        assert run.broker is not None
        run.broker.program.kill()
        # the club starts a broker again that has died
        await_true(lambda: run.broker is not None and run.broker.program.is_running())
        table.stop_playing()
        await_delivered(run.pool, mine.table, table.path)
    finally:
        table.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{run.wish.port}/") as page:
        assert "Table 8" in page.read().decode()


def test_what_lets_others_in_is_its_owners_alone_and_goes_with_the_club(run: ClubRun) -> None:
    folder = run.wish.folder
    secrets = [folder / RUNNING, folder / "secret", folder / "tls" / "hub.key", folder / "broker" / "passwords"]
    assert [file.stat().st_mode & 0o077 for file in secrets] == [0, 0, 0, 0]
    run.close()
    assert not (folder / RUNNING).exists()
    with pytest.raises(ClubError, match="no club here"):
        invite(folder, "Table 9")


@pytest.mark.parametrize("said", ["", "host", "http://host", "mqtt://", "mqtt://host:x"])
def test_addresses_of_brokers_that_are_none_are_told(said: str, run: ClubRun) -> None:
    with pytest.raises(ClubError, match="bad broker"):
        broker_at(said, run.tls)
    place = broker_at("mqtt://me:secret@host:1884", run.tls)
    assert (place.host, place.port, place.user, place.password) == ("host", 1884, "me", "secret")


def test_what_is_missing_is_told_in_a_line(coyote: Coyote, tmp_path: Path) -> None:
    said = coyote(f'club --invite "Table 1" --folder {tmp_path / "none"}')
    assert said.code == 1
    assert said.err.startswith("coyote: no club runs with the folder")
    said = coyote(f"club --folder {tmp_path / 'none'} --database 'host=/nowhere'")
    assert said.code == 1
    assert said.err.startswith("coyote: the database can't be reached")
    assert said.err.count("\n") == 1
