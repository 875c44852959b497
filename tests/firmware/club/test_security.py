"""Nobody writes as another table, nobody comes in without a key, and a stranger at the door learns nothing."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from firmware.club.authority import ClubCertificate, club_certificate
from firmware.club.credentials import READER_USER, club_secret, key_of
from firmware.club.database import Pool, plain_rows
from firmware.club.joining import MOST_TRIES, JoiningDoor
from firmware.club.members import add_table, invite_table, join_table, remove_table
from firmware.outside.club_joining import JoiningError, join, place_in
from firmware.outside.club_link import club_encryption
from firmware.outside.club_messages import HUB, PREFIX, topic
from firmware.storage.club_membership import Membership, end_membership, keep_membership, read_membership
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from tests.firmware.club.clubs import Club, await_delivered, linked
from tests.firmware.club.said import any_lines, club_lines
from tests.firmware.club.test_link import WITHOUT
from tests.firmware.outside.followed import await_true
from tests.firmware.playing import play_matches


@pytest.fixture(params=[pytest.param(kind, marks=mark) for kind, mark in WITHOUT.items()])
def club(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Club]:
    made = Club(tmp_path / "club", database, request.param, encrypts=True)
    yield made
    made.close()


class Stranger:
    """A program that speaks MQTT, and hears what it is let hear."""

    def __init__(self, mine: Membership) -> None:
        """Connect."""
        self.heard: list[tuple[str, bytes]] = []
        self.refused, self.inside = Event(), Event()
        self.client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"stranger-{mine.key[:8]}",
            protocol=MQTTProtocolVersion.MQTTv311,
        )
        if mine.key:
            self.client.username_pw_set(mine.table, mine.key)
        self.client.tls_set_context(club_encryption(mine.authority))
        self.client.on_connect = self._note
        self.client.on_message = lambda _c, _d, message: self.heard.append((message.topic, message.payload))
        self.client.connect(mine.host, mine.port)
        self.client.loop_start()

    def _note(self, _client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        (self.refused if reason.is_failure else self.inside).set()

    def close(self) -> None:
        """Leave."""
        self.client.disconnect()
        self.client.loop_stop()


def test_by_tls_a_table_delivers_and_without_a_key_nobody_comes_in(club: Club, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    mine = club.join("Table 1")
    with open_journal(path, connected_for_a_thread) as opened:
        play_matches(opened.journal, 2, Random(1))
        with linked(mine, path):
            await_delivered(club.pool, mine.table, path)
        for other in (replace(mine, key="x" * 43), replace(mine, table="table-9"), replace(mine, key="")):
            stranger = Stranger(other)
            await_true(stranger.refused.is_set)
            stranger.close()
        with linked(replace(mine, key="x" * 43), path) as link:
            await_true(lambda: link.summary().state == "refused")


def test_a_table_writes_and_hears_below_its_own_name_alone(club: Club) -> None:
    mine, other = club.join("Table 1"), club.join("Table 2")
    lines = msgspec.json.encode(club_lines(any_lines(Random(2))))
    hostile = Stranger(mine)
    try:
        await_true(hostile.inside.is_set)
        hostile.client.subscribe([("#", 1), (topic(other.table, "ack"), 1), (topic(other.table, "lines"), 1)])
        for place in (topic(other.table, "lines"), topic(mine.table, "ack"), HUB, topic(other.table, "moment")):
            hostile.client.publish(place, lines, qos=0)

        def is_heard() -> list[object]:
            # a broker may cut off who writes elsewhere
            hostile.client.publish(topic(mine.table, "lines"), lines, qos=0)
            return _tables_with_lines(club)

        # what is allowed comes through, and so what was written before it would have
        await_true(is_heard)
        assert _tables_with_lines(club) == [mine.table]
        assert {place for place, _payload in hostile.heard} <= {topic(mine.table, "ack"), HUB} | {
            topic(mine.table, "note"),
            topic(mine.table, "calls"),
            topic(mine.table, "forget"),
        }
    finally:
        hostile.close()


def _tables_with_lines(club: Club) -> list[object]:
    with club.pool.connection() as db:
        return [row["table_name"] for row in plain_rows(db, "SELECT DISTINCT table_name FROM lines")]


def test_a_reader_hears_what_anybody_may_know_and_nothing_else(club: Club) -> None:
    mine = club.join("Table 1")
    reader = Stranger(replace(mine, table=READER_USER, key=key_of(club.secret, READER_USER)))
    writer = Stranger(mine)
    try:
        await_true(reader.inside.is_set)
        await_true(writer.inside.is_set)
        reader.client.subscribe([(f"{PREFIX}/+/moment", 1), (f"{PREFIX}/+/lines", 1), (f"{PREFIX}/+/call", 1)])
        reader.client.subscribe("homeassistant/#", 1)
        lines = msgspec.json.encode(club_lines(any_lines(Random(3))))
        writer.client.publish(topic(mine.table, "lines"), lines, qos=1)
        discovered = f"homeassistant/sensor/coyote_{mine.table}/situation/config"
        # what a nats-server keeps of discovery isn't looked at
        wanted = {topic(mine.table, "moment"), *([discovered] if club.broker.name == "mosquitto" else [])}
        await_true(lambda: wanted <= {place for place, _payload in reader.heard})
        others = {place for place, _payload in reader.heard if not place.startswith("homeassistant/")}
        assert others == {topic(mine.table, "moment")}
    finally:
        reader.close()
        writer.close()


def test_a_table_that_was_removed_comes_in_no_more(club: Club) -> None:
    mine = club.join("Table 1")
    with club.pool.connection() as db:
        remove_table(db, mine.table)
    club.broker.renew(club.keys())

    def is_refused() -> bool:
        stranger = Stranger(mine)
        await_true(lambda: stranger.refused.is_set() or stranger.inside.is_set())
        stranger.close()
        return stranger.refused.is_set()

    # the broker reads its users again in its own time
    await_true(is_refused)


# joining


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ClubCertificate:
    return club_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def door(tls: ClubCertificate, pool: Pool, tmp_path: Path) -> Iterator[JoiningDoor]:
    secret = club_secret(tmp_path)

    def let_in(code: str, host: str) -> Membership | None:
        with pool.connection() as db:
            joined = join_table(db, secret, code)
        if joined is None:
            return None
        return Membership(
            joined.table.name, joined.table.title, "Club", host, 8883, joined.key, tls.authority_text
        )

    opened = JoiningDoor(0, tls, let_in, "127.0.0.1")
    yield opened
    opened.close()


def test_a_table_joins_once_with_a_code(
    door: JoiningDoor, tls: ClubCertificate, pool: Pool, tmp_path: Path
) -> None:
    with pool.connection() as db:
        table = add_table(db, club_secret(tmp_path), " Tisch  Nr. 8 (Café) ")
        code = tls.shown_code(invite_table(db, table.name))
    assert (table.name, len(code)) == ("tisch-nr-8-cafe", 24)
    mine = join(f"https://127.0.0.1:{door.port}/join#{code}", "")
    assert (mine.table, mine.title, mine.host) == (table.name, "Tisch Nr. 8 (Café)", "127.0.0.1")
    keep_membership(tmp_path / "state", mine)
    assert (tmp_path / "state" / "club.json").stat().st_mode & 0o077 == 0
    assert read_membership(tmp_path / "state") == mine
    end_membership(tmp_path / "state")
    assert read_membership(tmp_path / "state") is None
    with pytest.raises(JoiningError, match="club code refused"):
        join(f"127.0.0.1:{door.port}", code)


def test_a_code_is_said_to_nobody_but_the_hub_that_has_shown_it(
    door: JoiningDoor, tls: ClubCertificate, pool: Pool, tmp_path: Path
) -> None:
    with pool.connection() as db:
        table = add_table(db, club_secret(tmp_path), "Table 1")
        code = tls.shown_code(invite_table(db, table.name))
    with pytest.raises(JoiningError, match="club code"):
        join(f"127.0.0.1:{door.port}", code[:-1] + ("A" if code[-1] != "A" else "B"))
    # the code wasn't said, and so still holds
    assert join(f"127.0.0.1:{door.port}", code.lower().replace("-", " ")).table == table.name


def test_codes_cannot_be_tried_out(door: JoiningDoor, tls: ClubCertificate, pool: Pool, tmp_path: Path) -> None:
    with pool.connection() as db:
        table = add_table(db, club_secret(tmp_path), "Table 1")
        code = tls.shown_code(invite_table(db, table.name))
    for _each in range(MOST_TRIES):
        with pytest.raises(JoiningError, match="club code refused"):
            join(f"127.0.0.1:{door.port}", "22222222" + code.replace("-", "")[8:])
    with pytest.raises(JoiningError, match="club code refused"):
        join(f"127.0.0.1:{door.port}", code)


@pytest.mark.parametrize("typed", ["", "a b", "host:0", "host:70000", "host:x", "[::1"])
def test_addresses_that_are_none_are_told(typed: str) -> None:
    with pytest.raises(JoiningError, match="club address"):
        place_in(typed)


def test_an_address_may_have_a_port_or_be_a_link_with_the_code() -> None:
    assert place_in(" club.local ") == ("club.local", 8884, "")
    assert place_in("[fd00::1]:9000") == ("fd00::1", 9000, "")
    assert place_in("https://10.0.0.2:9000/join#ABCD-EFGH") == ("10.0.0.2", 9000, "ABCD-EFGH")


def test_a_hub_that_is_not_there_is_told_in_a_line() -> None:
    with pytest.raises(JoiningError, match="club not reached"):
        join("127.0.0.1:9", "A" * 20)
