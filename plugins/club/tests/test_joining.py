"""`coyote club`: tables join by a link or a one-time code, and strangers learn nothing."""

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from club import ClubError
from club.authority import ClubCertificate, club_certificate
from club.credentials import club_secret
from club.database import Pool
from club.joining import JoiningDoor
from club.members import CODE_MINUTES, LONGEST_TITLE, add_table, invite_table, join_table
from club.start.running import RUNNING, TRIES, ClubRun, ClubWish, broker_at, code_tries, invite, pin_of
from club.start.trying import simulated_tables
from firmware.integrations.club_joining import join, place_in
from firmware.integrations.club_link import club_encryption
from firmware.language.speaking import problem_text
from firmware.storage import certificates
from firmware.storage.club import MEMBERSHIP, Membership
from plugins.club.tests.clubs import WITHOUT, await_delivered
from plugins.club.tests.databases import values
from tests.firmware.start.whole_table import free_port
from tests.tiers import release
from tests.waiting import until
from vision.troubles import TroubleError
from webui.server.serving import MAX_PENDING


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ClubCertificate:
    return club_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def open_door(tls: ClubCertificate) -> Iterator[JoiningDoor]:
    """Open a door that lets any number of tries pass."""
    with closing(JoiningDoor(0, tls, lambda _code, _host: None, lambda _home: True, "127.0.0.1")) as opened:
        yield opened


@pytest.fixture
def door(tls: ClubCertificate, pool: Pool, tmp_path: Path) -> Iterator[JoiningDoor]:
    secret = club_secret(tmp_path)

    def let_in(code: str, host: str) -> Membership | None:
        with pool.connection() as db:
            joined = join_table(db, secret, code)
        if joined is None:
            return None
        table, key = joined
        return Membership(table.name, table.title, "Club", host, 8883, key, tls.authority_text)

    with closing(JoiningDoor(0, tls, let_in, code_tries(), "127.0.0.1")) as opened:
        yield opened


@pytest.fixture
def code(door: JoiningDoor, tls: ClubCertificate, pool: Pool, tmp_path: Path) -> str:  # noqa: ARG001 - it opens first
    with pool.connection() as db:
        table = add_table(db, " Tisch  Nr. 8 (Café) ")
        return tls.shown_code(invite_table(db, table.name))


def test_join_code_admits_one_table(door: JoiningDoor, code: str, tmp_path: Path) -> None:
    assert len(code) == 24
    with pytest.raises(TroubleError, match="club code"):
        join(f"127.0.0.1:{door.port}", code[:-1] + ("A" if code[-1] != "A" else "B"))
    # a mistyped code does not use up the right one
    mine = join(f"https://127.0.0.1:{door.port}/join#{code.lower()}", "")
    assert (mine.table, mine.title, mine.host) == ("tisch-nr-8-cafe", "Tisch Nr. 8 (Café)", "127.0.0.1")
    with pytest.raises(TroubleError, match="club code refused"):
        join(f"127.0.0.1:{door.port}", code)
    MEMBERSHIP.keep(tmp_path / "state", mine)
    assert (tmp_path / "state" / "club.json").stat().st_mode & 0o077 == 0
    assert MEMBERSHIP.read(tmp_path / "state") == mine
    MEMBERSHIP.drop(tmp_path / "state")
    assert MEMBERSHIP.read(tmp_path / "state") is None


def test_title_is_short_and_printable(pool: Pool) -> None:
    with pool.connection() as db:
        assert add_table(db, "x" * LONGEST_TITLE).title == "x" * LONGEST_TITLE
        for title in ("", "x" * (LONGEST_TITLE + 1), "a\x00b"):
            with pytest.raises(ClubError, match="bad title"):
                add_table(db, title)


def test_guessing_network_does_not_block_others(tls: ClubCertificate) -> None:
    tried, may_try = list[str](), code_tries()
    refusing = JoiningDoor(0, tls, lambda *_asked: GOOD, lambda home: bool(tried.append(home)), "127.0.0.1")
    with closing(refusing), pytest.raises(TroubleError, match="club code refused"):
        join(f"127.0.0.1:{refusing.port}", tls.shown_code("A" * 8))
    assert tried == ["127.0.0.1"]
    assert [may_try(f"2001:db8::{number}") for number in range(TRIES + 1)] == [True] * TRIES + [False]
    assert may_try("2001:db8:0:1::1")
    assert may_try("192.0.2.7")


GOOD = Membership("table-8", "Table 8", "Club", "10.0.0.2", 8883, "k" * 40)


@pytest.mark.parametrize(
    "granted",
    [
        {"authority": "none"},
        *({"host": host} for host in ("", "a\0b", "a b", "..", "x" * 64, "é", "http://a", "a\nb")),
        *({name: 7} for name in ("title", "key")),
        {"port": 0},
        {"table": "../up"},
        {"key": "k" * 300},
        {"club": "x" * 61},
    ],
    ids=str,
)
def test_hub_refuses_memberships_that_break_its_restart(
    open_door: JoiningDoor, tls: ClubCertificate, monkeypatch: pytest.MonkeyPatch, granted: dict[str, object]
) -> None:
    said = msgspec.json.encode({**msgspec.to_builtins(GOOD), **granted})
    monkeypatch.setattr(JoiningDoor, "answer", lambda *_asked: said)
    with pytest.raises(TroubleError, match="club not understood"):
        join(f"127.0.0.1:{open_door.port}", tls.shown_code("A" * 8))


def test_idle_connections_are_bounded_per_address(door: JoiningDoor, code: str) -> None:
    with ExitStack() as ends:
        silent = [
            ends.enter_context(socket.create_connection(("127.0.0.1", door.port), 30, (f"127.0.0.{home}", 0)))
            for home in (*[2] * (MAX_PENDING + 1), 3, 4, 5)
        ]
        # a rejected connection is closed at once
        assert silent[0].recv(1) == b""
        assert join(f"127.0.0.1:{door.port}", code).table == "tisch-nr-8-cafe"
        assert all(line.send(b"x") for line in silent[-3:])


def test_unencrypted_or_misplaced_code_is_refused_silently(door: JoiningDoor, code: str) -> None:
    said = msgspec.json.encode({"code": code.replace("-", "")[:8]})
    for place in ("join", "", "join/x"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{door.port}/{place}", said)
        with refused.value as answer:
            assert (answer.code, answer.read()) == (403, b"")
    assert join(f"127.0.0.1:{door.port}", code).table == "tisch-nr-8-cafe"


def test_phone_opening_the_link_sees_instructions(open_door: JoiningDoor, tls: ClubCertificate) -> None:
    ours = club_encryption(tls.authority_text)
    with urllib.request.urlopen(f"https://127.0.0.1:{open_door.port}/join", context=ours) as answer:
        assert b"More for the host" in answer.read()


def test_concurrent_use_of_a_code_admits_one_table(door: JoiningDoor, code: str) -> None:
    def ask(_number: int) -> bool:
        try:
            return bool(join(f"127.0.0.1:{door.port}", code))
        except TroubleError:
            return False

    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(ask, range(8))) == 1


@pytest.mark.parametrize("minutes", [-1, CODE_MINUTES + 1])
def test_code_expiry_survives_a_clock_set_back(door: JoiningDoor, code: str, pool: Pool, minutes: int) -> None:
    values(pool, "UPDATE joinings SET ends = now() + %s * interval '1 minute'", minutes)
    with pytest.raises(TroubleError, match="club code refused"):
        join(f"127.0.0.1:{door.port}", code)


@pytest.mark.parametrize(
    "dates",
    [
        (certificates.ALWAYS[0], datetime(1971, 1, 1, tzinfo=UTC)),
        (datetime(9000, 1, 1, tzinfo=UTC), certificates.ALWAYS[1]),
    ],
)
def test_table_with_wrong_clock_can_join(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dates: tuple[datetime, datetime]
) -> None:
    """By the table's clock, the certificate may be expired or not yet valid."""
    monkeypatch.setattr(certificates, "ALWAYS", dates)
    made = club_certificate(tmp_path / "club")
    with closing(JoiningDoor(0, made, lambda _code, _host: None, lambda _home: True, "127.0.0.1")) as opened:
        line = socket.create_connection(("127.0.0.1", opened.port))
        with line, club_encryption(made.authority_text).wrap_socket(line) as encrypted:
            assert encrypted.version()


def test_join_address_accepts_port_or_link() -> None:
    for typed in ("", "a b", "host:0", "host:65536", "host:x", "[::1"):
        with pytest.raises(TroubleError, match="club address"):
            place_in(typed)
    assert place_in(" club.local ") == ("club.local", 8884, "")
    assert place_in("host:65535") == ("host", 65535, "")
    assert place_in("[fd00::1]:9000") == ("fd00::1", 9000, "")
    assert place_in("https://10.0.0.2:9000/join#ABCD-EFGH") == ("10.0.0.2", 9000, "ABCD-EFGH")
    with pytest.raises(TroubleError, match="club not reached"):
        join("127.0.0.1:9", "A" * 20)


def test_broker_settings_have_address_user_and_ca(tls: ClubCertificate) -> None:
    for said in ("", "host", "http://host", "mqtt://", "mqtt://host:x"):
        with pytest.raises(ClubError, match="bad broker"):
            broker_at(said, tls)
    plain, sealed = (broker_at(f"{scheme}://me:secret@host:1884", tls) for scheme in ("mqtt", "mqtts"))
    assert (plain.host, plain.port, plain.user, plain.password) == ("host", 1884, "me", "secret")
    assert (plain.authority, sealed.authority) == ("", tls.authority_text)


# a running club


def test_busy_port_is_reported_before_start(tmp_path: Path) -> None:
    wish = ClubWish(tmp_path / "club", port=0, broker="mqtt://a", database="postgresql://a")
    with socket.create_server(("", 0)) as other:
        wish = replace(wish, joining_port=other.getsockname()[1])
        with pytest.raises(ClubError, match="port taken") as refused:
            ClubRun(wish, lambda _part, _why: None)
    assert "is a club running here already?" in problem_text(refused.value.problem)
    assert not (tmp_path / "club").exists()


@pytest.fixture
def run(tmp_path: Path, database: str) -> Iterator[ClubRun]:
    ports = [free_port() for _each in range(3)]
    wish = ClubWish(tmp_path / "club", "Café", *ports, database=database, host="127.0.0.1")
    with closing(ClubRun(wish, lambda _part, _why: None)) as running:
        yield running


@WITHOUT["mosquitto"]
@release("it starts a broker, and pages; the parts are tried one by one at each commit")
def test_table_joins_by_an_external_link(run: ClubRun, tmp_path: Path) -> None:
    folder = run.wish.folder
    secrets = [folder / RUNNING, folder / "secret", folder / "tls" / "hub.key", folder / "broker" / "passwords"]
    assert [file.stat().st_mode & 0o077 for file in secrets] == [0, 0, 0, 0]
    mine = join(f"127.0.0.1:{run.wish.joining_port}", invite(folder, "Table 8").partition("#")[2])
    assert (mine.club, mine.title, mine.port) == ("Café", "Table 8", run.wish.broker_port)
    assert pin_of(folder).isdecimal()
    here = replace(mine, host="127.0.0.1")
    [table] = simulated_tables(1, lambda _title: here, tmp_path / "tables", "", 0.01)
    try:
        until(lambda: table.link.state == "connected")
        run.broker.program.kill()
        # the club restarts a crashed broker
        until(lambda: run.broker is not None and run.broker.program.is_running())
        table.stop_playing()
        await_delivered(run.pool, mine.table, table.path)
    finally:
        table.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{run.wish.port}/") as page:
        assert "Table 8" in page.read().decode()
    run.close()
    assert not (folder / RUNNING).exists()
    with pytest.raises(ClubError, match="no club here"):
        invite(folder, "Table 9")
