"""A table's lines reach the hub's database despite kills; no client writes as another table."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from club.brokers import find_mosquitto
from club.credentials import READER_USER, key_of
from firmware.integrations import club_link
from firmware.integrations.club_link import club_encryption
from firmware.integrations.club_messages import HUB, PREFIX, ClubCall, ClubStatus, topic
from firmware.storage.club import Membership
from firmware.storage.journal import Journal, open_journal
from plugins.club.tests.clubs import WITHOUT, Club, await_delivered, club_bodies, linked
from plugins.club.tests.databases import values
from plugins.club.tests.said import any_lines, club_lines
from tests.firmware.playing import any_match, kept_lines, play_lines, play_matches
from tests.tiers import ALL, release, slow
from tests.waiting import until

KINDS = [pytest.param(kind, marks=mark) for kind, mark in WITHOUT.items() if ALL or kind == "mosquitto"]

of_a_broker = release(
    "it starts a broker; one path by broker and hub into the database is walked at each commit"
)


@pytest.fixture(params=KINDS)
def club(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Club]:
    with closing(Club(tmp_path / "club", database, request.param, encrypts=True)) as made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with open_journal(path) as opened:
        yield opened.journal


def await_values(club: Club, wanted: list[Any], query: str, *said: object) -> None:
    until(lambda: values(club.pool, query, *said) == wanted)


@slow("the one path of a hub with its broker and its database that each commit walks")
def test_link_delivers_lines_forgets_names_and_calls_the_director(
    club: Club, journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club_link, "STATUS_INTERVAL", 0.0)
    rng, playing = Random(1), ["Bo"]
    match = play_matches(journal, 3, rng)
    mine = club.join("Table 8")

    def forget(name: str) -> None:
        if name in playing:
            raise OSError("plays now")
        journal.forget(name)

    state = "SELECT state FROM tables WHERE name = %s"
    with linked(mine, path, forget) as link:
        await_delivered(club.pool, mine.table, path)
        for _line in range(5):
            match = play_lines(journal, 3, match, 1, rng)
            link.look()
        await_delivered(club.pool, mine.table, path)
        until(lambda: link.waiting == 0)
        # the newest line of a resumed match is sent again before the next answer
        journal.take_up(1)
        match = play_lines(journal, 3, match, 1, rng)
        link.look()
        await_delivered(club.pool, mine.table, path)
        until(lambda: link.waiting == 0)
        await_values(club, ["online"], state, mine.table)
        # a name is forgotten at the table and at the hub
        journal.forget("Ana")
        link.look()
        await_delivered(club.pool, mine.table, path)
        values(club.pool, "INSERT INTO forgettings (table_name, name) VALUES (%s, 'Bo')", mine.table)
        until(lambda: link.why == "plays now")
        playing.clear()
        await_values(club, [0], "SELECT count(*) FROM forgettings")
        await_delivered(club.pool, mine.table, path)
        both = (club_bodies(club.pool, mine.table), kept_lines(path))
        assert not any(name in str(each) for each in both for name in ("Ana", "Bo"))
        # the director is called and answers
        assert link.call(ClubCall("0" * 16, "Ana", "Who was first?", "2026", 4, "aGVsbG8="))
        until(lambda: link.calls)
        assert link.unheard() == 0
        values(club.pool, "UPDATE calls SET state = 'coming', answer = 'Two minutes'")
        until(lambda: link.calls[0].answer == "Two minutes")
        assert values(club.pool, "SELECT evidence FROM calls") == [b"hello"]
    await_values(club, ["offline"], state, mine.table)


@of_a_broker
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trial", ["kills --count 12", "hostile --tables 4 --minutes 0.05"])
def test_club_self_test_succeeds(kind: str, trial: str) -> None:
    """A short version of the kills, partitions and floods in `tests/trust/README.md`."""
    words = [*trial.split(), *(["--nats"] if kind == "nats" else [])]
    result = subprocess.run(
        [sys.executable, "-m", "tests.trust.club", *words], capture_output=True, check=False
    )
    assert result.returncode == 0, result.stdout.decode() + result.stderr.decode()


@of_a_broker
def test_lines_are_resent_after_refusal_or_loss(club: Club, journal: Journal, path: Path) -> None:
    rng = Random(3)
    play_matches(journal, 3, rng)
    mine = club.join("Table 4")
    values(club.pool, "ALTER TABLE lines RENAME TO elsewhere")
    with linked(mine, path):
        until(lambda: club.troubles and club.troubles[-1][0] == "database")
        values(club.pool, "ALTER TABLE elsewhere RENAME TO lines")
        await_delivered(club.pool, mine.table, path)
        until(lambda: club.troubles[-1] == ("database", ""))
    club.end_hub()
    # as after restoring a database backup older than the evening
    for lost in (
        "DELETE FROM lines WHERE match > 1 OR number > 10",
        "DELETE FROM matches WHERE match > 1",
        "UPDATE matches SET lines = 11, told = 11",
        "UPDATE epochs SET lines = 11",
    ):
        values(club.pool, lost)
    club.start_hub()
    with linked(mine, path) as link:
        play_lines(journal, journal.begin(any_match(rng)), any_match(rng), 0, rng)
        link.look()
        await_delivered(club.pool, mine.table, path)


# strangers


class OtherClient:
    """An MQTT client that records the messages it may receive."""

    def __init__(self, mine: Membership, name: str = "") -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.refused, self.inside = Event(), Event()
        self.client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=name or f"stranger-{mine.key[:8]}",
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
        self.client.disconnect()
        self.client.loop_stop()


@contextmanager
def inside(mine: Membership, name: str = "") -> Iterator[OtherClient]:
    """Connect a client in this context."""
    with closing(OtherClient(mine, name)) as stranger:
        until(stranger.inside.is_set)
        yield stranger


def can_connect(mine: Membership) -> bool:
    with closing(OtherClient(mine)) as stranger:
        until(lambda: stranger.refused.is_set() or stranger.inside.is_set())
        return stranger.inside.is_set()


@of_a_broker
def test_rejects_missing_key_and_removed_table(club: Club, path: Path) -> None:
    mine = club.join("Table 1")
    wrong = replace(mine, key="x" * 43)
    assert [can_connect(each) for each in (wrong, replace(mine, table="table-9"), replace(mine, key=""))] == [
        False
    ] * 3
    with open_journal(path), linked(wrong, path) as link:
        until(lambda: link.state == "refused")
    values(club.pool, "UPDATE tables SET removed = now() WHERE name = %s", mine.table)
    club.broker.renew(club.keys())
    # the broker reloads its users after a delay
    until(lambda: not can_connect(mine))


@of_a_broker
def test_table_uses_only_its_own_topics(club: Club) -> None:
    mine, other = club.join("Table 1"), club.join("Table 2")
    lines = msgspec.json.encode(club_lines(any_lines(Random(2))))
    with inside(mine) as hostile:
        hostile.client.subscribe([("#", 1), (topic(other.table, "ack"), 1), (topic(other.table, "lines"), 1)])
        for place in (topic(other.table, "lines"), topic(mine.table, "ack"), HUB, topic(other.table, "moment")):
            hostile.client.publish(place, lines, qos=0)

        def reported_tables() -> list[object]:
            # a broker may disconnect a client that writes to other topics
            hostile.client.publish(topic(mine.table, "lines"), lines, qos=0)
            return values(club.pool, "SELECT DISTINCT table_name FROM lines")

        # allowed messages arrive, so the earlier ones would have arrived, too
        until(reported_tables)
        assert reported_tables() == [mine.table]
        own = {topic(mine.table, name) for name in ("ack", "note", "calls", "forget")}
        assert {place for place, _payload in hostile.heard} <= {HUB, *own}


@of_a_broker
def test_new_hub_counts_tables_as_offline_until_they_report(club: Club) -> None:
    mine, state = club.join("Table 1"), "SELECT state FROM tables WHERE name = %s"
    online = msgspec.json.encode(ClubStatus(is_online=True))
    with inside(mine) as table:
        table.client.publish(topic(mine.table, "status"), online, qos=1, retain=True)
        await_values(club, ["online"], state, mine.table)
        club.end_hub()
        club.start_hub()
        await_values(club, ["offline"], state, mine.table)
        lines = msgspec.json.encode(club_lines(any_lines(Random(2))))

        def is_heard() -> bool:
            table.client.publish(topic(mine.table, "lines"), lines, qos=1)
            return bool(values(club.pool, "SELECT 1 FROM lines LIMIT 1"))

        # retained messages have arrived by then
        until(is_heard)
        assert values(club.pool, state, mine.table) == ["offline"]
        table.client.publish(topic(mine.table, "status"), online, qos=1, retain=True)
        await_values(club, ["online"], state, mine.table)


@of_a_broker
def test_table_cannot_displace_another_by_client_name(club: Club, path: Path, journal: Journal) -> None:
    play_matches(journal, 1, Random(4))
    mine, other = club.join("Table 1"), club.join("Table 2")
    known = replace(mine, table=READER_USER, key=key_of(club.secret, READER_USER))
    with inside(known) as reader, linked(other, path):
        reader.client.subscribe(f"{PREFIX}/+/status", 1)
        await_delivered(club.pool, other.table, path)
        with inside(mine, f"coyote-club-{other.table}") as hostile:
            # the replaced client is reported offline before the new one may publish
            hostile.client.publish(topic(mine.table, "status"), b"{}", qos=1)
            until(lambda: (topic(mine.table, "status"), b"{}") in reader.heard)
            said = [told for place, told in reader.heard if place == topic(other.table, "status")]
            assert not [told for told in said if not msgspec.json.decode(told)["is_online"]]


@of_a_broker
def test_reader_receives_only_public_topics(club: Club) -> None:
    mine = club.join("Table 1")
    known = replace(mine, table=READER_USER, key=key_of(club.secret, READER_USER))
    with inside(known) as reader, inside(mine) as writer:
        reader.client.subscribe([(f"{PREFIX}/+/{name}", 1) for name in ("moment", "lines", "call")])
        reader.client.subscribe("homeassistant/#", 1)
        lines = msgspec.json.encode(club_lines(any_lines(Random(3))))
        writer.client.publish(topic(mine.table, "lines"), lines, qos=1)
        discovered = f"homeassistant/sensor/coyote_{mine.table}/situation/config"
        # ignore the discovery messages that a nats-server retains
        wanted = {topic(mine.table, "moment"), *([discovered] if club.broker.name == "mosquitto" else [])}
        until(lambda: wanted <= {place for place, _payload in reader.heard})
        others = {place for place, _payload in reader.heard if not place.startswith("homeassistant/")}
        assert others == {topic(mine.table, "moment")}


def test_broker_is_found_in_sbin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "mosquitto"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr("club.brokers.SBIN", str(tmp_path))
    assert find_mosquitto() == str(program)
