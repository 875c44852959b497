"""The broadcaster: one thread serves all phones, and none delays the others."""

import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from queue import SimpleQueue
from random import Random
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.table.client import TableClient
from referee.match import Match, begin
from tests.referee.tables import after_any
from tests.webui.room import match_of
from webui.server.broadcast import Broadcaster, MatchChange, PhoneConnection

LIMIT = 20.0


class Numbers:
    """A stream that sends a moment's number, or the text of other events."""

    def __init__(self) -> None:
        self.is_over = False

    def hear(self, news: Any) -> list[bytes]:
        return [f"{news.number if isinstance(news, Match) else news}.".encode()]


class Broken(Numbers):
    """A stream that always fails."""

    def hear(self, news: Any) -> list[bytes]:
        raise ValueError(news)


class Phone:
    """A connected phone, and whether it was disconnected."""

    def __init__(self, broadcaster: Broadcaster, stream: Numbers) -> None:
        self._ours, theirs = socket.socketpair()
        self._ours.settimeout(LIMIT)
        self.gone, ends = Event(), ExitStack()
        ends.callback(self.gone.set)
        broadcaster.join(stream, theirs, ends)
        self._heard = self._pieces()

    def _pieces(self) -> Generator[str, None, None]:
        with self._ours.makefile("rb") as said:
            while (length := int(said.readline(), 16)) > 0:
                yield said.read(length + 2)[:-2].decode()

    def next(self) -> str:
        return next(self._heard, "")

    def close(self) -> None:
        self._heard.close()
        self._ours.close()


@pytest.fixture
def client() -> TableClient:
    return TableClient(SimpleQueue().put, match_of())


@pytest.fixture
def broadcaster(client: TableClient) -> Broadcaster:
    return Broadcaster(client)


@pytest.fixture
def join_phone(client: TableClient, broadcaster: Broadcaster) -> Iterator[Callable[..., Phone]]:
    phones: list[Phone] = []

    def join(stream: Numbers | None = None) -> Phone:
        phones.append(Phone(broadcaster, stream or Numbers()))
        return phones[-1]

    yield join
    for phone in phones:
        phone.close()
        client.tell("anybody?")
        assert phone.gone.wait(LIMIT)


def move_on(client: TableClient, rng: Random) -> Match:
    match = after_any(client.moment(), rng)
    client.tell(match)
    return match


def test_match_boundaries_are_tracked(
    client: TableClient, broadcaster: Broadcaster, join_phone: Callable[..., Phone]
) -> None:
    phone = join_phone()
    assert phone.next() == "0."
    end = move_on(client, Random(1))
    assert phone.next() == "1."
    assert broadcaster.turn is None
    begun = begin(replace(end.setup, begun="2026-01-02T22:00:00+01:00"))
    assert isinstance(begun, Match)
    client.tell(begun)
    assert phone.next() == "0."
    assert broadcaster.turn == MatchChange(end, begun)


def test_failing_listener_does_not_affect_others(client: TableClient, join_phone: Callable[..., Phone]) -> None:
    well = join_phone()
    assert well.next() == "0."
    broken = join_phone(Broken())
    assert broken.gone.wait(LIMIT)
    move_on(client, Random(1))
    assert well.next() == "1."


def test_unread_stream_is_closed_without_delaying_others(
    client: TableClient, join_phone: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.server.broadcast.WAITING", 3)
    slow, quick = join_phone(), join_phone()
    assert quick.next() == "0."
    long = "x" * 100_000
    while not slow.gone.is_set():
        client.tell(long)
        assert quick.next() == f"{long}."


def test_silent_wait_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.broadcast.SILENCE", -1)
    here, there = socket.socketpair()
    with here, there, pytest.raises(TimeoutError):
        PhoneConnection(here).say([b"x" * 10_000_000])
