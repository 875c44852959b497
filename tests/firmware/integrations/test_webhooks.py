"""Moments posted to a real server, also one that fails, redirects or hangs."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from random import Random
from threading import Event, Thread

import pytest

from firmware.integrations.webhooks import Webhook
from tests.firmware.recording_client import RecordingClient, follow
from tests.referee.tables import after_any
from tests.snapshots.listening import Address
from tests.waiting import until

HOOK = "/hook/mine?key=yours"


@pytest.fixture
def listening() -> Iterator[Address]:
    with ExitStack() as ends:
        yield Address(ends, HOOK)


def move_on(client: RecordingClient, rng: Random) -> int:
    client.tell(after_any(client.moment(), rng))
    return client.moment().number


def test_each_moment_is_posted_in_order(listening: Address) -> None:
    rng = Random(1)
    # two addresses of one host are distinguished
    assert [Webhook("http://house/a", number).name for number in (1, 2)] == ["house", "house (2)"]
    with follow(Webhook(listening.address)) as client:
        last = [move_on(client, rng) for _answer in range(5)][-1]
        until(lambda: listening.posts and listening.posts[-1][1]["moment"] == last)
    numbers = [told["moment"] for _path, told in listening.posts]
    assert numbers == list(range(last + 1))
    assert {path for path, _told in listening.posts} == {HOOK}
    assert listening.posts[0][1]["schema"] == "coyote-table/1"


def test_failing_address_is_reported_without_secrets_until_it_works(listening: Address) -> None:
    rng, name = Random(2), ("outlet", "127.0.0.1")
    listening.code = 500
    with follow(Webhook(listening.address)) as client:
        until(lambda: name in client.wrong)
        assert client.wrong[name].values == {"place": "127.0.0.1", "why": "HTTP 500"}
        listening.code = 302
        move_on(client, rng)
        until(lambda: client.wrong[name].values["why"] == "HTTP 302")
        # it isn't redirected
        assert {path for path, _told in listening.posts} == {HOOK}
        listening.code = 204
        move_on(client, rng)
        until(lambda: not client.wrong)


def test_hanging_address_blocks_nobody(listening: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.integrations.webhooks.RESPONSE_TIMEOUT", 0.2)
    rng = Random(3)
    listening.let_go.clear()
    with follow(Webhook(listening.address)) as client:
        until(lambda: listening.posts)
        # the table continues meanwhile: posting never waits
        last = [move_on(client, rng) for _answer in range(20)][-1]
        until(lambda: client.wrong)
        listening.let_go.set()
        until(lambda: listening.posts[-1][1]["moment"] == last)
        until(lambda: not client.wrong)


def reported_fault(address: str) -> str:
    with follow(Webhook(address)) as client:
        until(lambda: client.wrong)
    return repr(client.wrong)


@pytest.mark.parametrize(
    "address", ["http://user:pa55@127.0.0.1/h", "http://127.0.0.1/a pa55\x01", "http://x:pa55/", "http://[::1"]
)
def test_unreachable_address_is_reported_without_secrets(address: str) -> None:
    assert "pa55" not in reported_fault(address)


class SlowServer:
    """A server that sends its answer one byte at a time, or not in HTTP."""

    def __init__(self, letters: bytes, nap: float) -> None:
        self.over, self._letters, self._nap = Event(), letters, nap
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}/"
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with self._server, suppress(OSError):
            line, _who = self._server.accept()
            with line:
                for letter in self._letters:
                    line.sendall(bytes([letter]))
                    if self.over.wait(self._nap):
                        return


def test_slow_answer_has_same_timeout_as_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.integrations.webhooks.RESPONSE_TIMEOUT", 0.3)
    dripping, rng = SlowServer(b"HTTP/1.1 200 OK" * 100, 0.1), Random(6)
    with follow(Webhook(dripping.address)) as client:
        until(lambda: client.wrong)
        # later moments don't queue behind it, and no thread is added for them
        for _answer in range(3):
            move_on(client, rng)
        until(lambda: "still" in str(client.wrong["outlet", "127.0.0.1"].values["why"]))
    dripping.over.set()


def test_malformed_answer_is_not_passed_on() -> None:
    assert "EVIL" not in reported_fault(SlowServer(b"\x1b[31m<b>EVIL</b>" * 30 + b"\r\n\r\n", 0.0).address)


class FaultyOutlet:
    """An outlet whose library fails at the start and at the end."""

    name = "faulty"

    def __init__(self) -> None:
        self.told: list[bytes] = []

    def tell(self, told: bytes) -> None:
        self.told.append(told)
        if len(self.told) == 1:
            self.close()

    def close(self) -> None:
        raise ZeroDivisionError


def test_faulty_outlet_stops_nothing() -> None:
    outlet = FaultyOutlet()
    with follow(outlet) as client:
        until(lambda: client.wrong)
        assert client.wrong["outlet", "faulty"].values["why"] == "ZeroDivisionError"
        move_on(client, Random(4))
        until(lambda: not client.wrong)
    assert len(outlet.told) == 2
