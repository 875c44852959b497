"""A room with a table: a client without a companion, and browsers that visit its pages."""

import re
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Event, Lock
from types import CodeType
from typing import Any, ClassVar

from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from msgspec import Struct
from werkzeug.routing import BaseConverter, Rule
from werkzeug.routing.rules import RulePart
from werkzeug.test import TestResponse

from firmware.services.addresses import TableAddress
from firmware.services.looks import Looks
from firmware.services.table import Table
from firmware.storage.people.evening import Evening
from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableSummary
from firmware.table.naming import NameQuestion
from firmware.table.notices import LastingTrouble, Notice
from hardware.decks.look import PLAIN
from referee.contract import Game, Span
from referee.games.catalogue import GAMES
from referee.match import Entry, Match, Setup, begin, hear, seat_person, with_name
from tests.firmware.start.browsing import Page
from tests.given import allowed, present
from tests.referee.tables import after_any
from tests.table_in_memory import table_in_memory
from vision.process.messages import DeckGrew, SnapshotTaken
from webui.access.guess_limits import GuessLimit
from webui.access.viewers import COMPUTER, SEAT, cookie_name
from webui.server import templates
from webui.server.app import create_app
from webui.server.serving import Server

HERE = "127.0.0.1"


class Compiled(BytecodeCache):
    """A cache of compiled templates, because compiling them for each app would dominate the run time."""

    code: ClassVar[dict[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.code.get(bucket.key + bucket.checksum)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key + bucket.checksum] = present(bucket.code)


templates.Environment = partial(Environment, bytecode_cache=Compiled())  # type: ignore[misc,assignment]


def _compile_once(compile_builder: Callable[[Rule, bool], object]) -> Callable[[Rule, bool], object]:
    """Cache the compiled URL builders, because compiling them for each app would dominate its start."""
    built = dict[tuple[str, str, bool], object]()

    def compile_it(rule: Rule, append_unknown: bool = True) -> object:
        key = (rule.rule, repr(rule.defaults), append_unknown)
        if key not in built:
            built[key] = compile_builder(rule, append_unknown)
        return built[key]

    return compile_it


def _parse_once(parse: Callable[[Rule, str], Iterable[RulePart]]) -> Callable[[Rule, str], Iterable[RulePart]]:
    """Cache the parsed URLs, too."""
    parsed = dict[str, tuple[tuple[RulePart, ...], list[tuple[bool, str]], dict[str, BaseConverter]]]()

    def parse_it(rule: Rule, text: str) -> Iterable[RulePart]:
        if text not in parsed:
            known = len(rule._trace)
            parsed[text] = tuple(parse(rule, text)), rule._trace[known:], rule._converters
            return parsed[text][0]
        parts, trace, converters = parsed[text]
        rule._trace += trace
        rule._converters |= converters
        rule.arguments |= converters.keys()
        return parts

    return parse_it


Rule._parse_rule = _parse_once(Rule._parse_rule)  # type: ignore[method-assign]
Rule._compile_builder = _compile_once(Rule._compile_builder)  # type: ignore[method-assign,assignment,arg-type]

NAMES = ("Ana", "Bo", "Chloé <b>", "Dan", "Eve", "Fay", "Gil", "Hal", "Ivo", "Jo", "Kim", "Lou")
ADDRESS = "http://192.0.2.7:8000/"
ACTIONS: Mapping[str, Notice | None] = {
    **dict.fromkeys(("explain_aloud", "trust_record", "deny_likely", "do", "say", "restart")),
    **dict.fromkeys(("trust_table", "compare_audit"), Notice("table agrees")),
}
"""Actions that don't change the match, and their replies."""


class FakeFeed:
    """The event feed for one listener of a fake client; it never waits."""

    waits = False

    def __init__(self) -> None:
        self.news: SimpleQueue[Any] = SimpleQueue()
        self.closed = Event()

    @property
    def is_open(self) -> bool:
        return not self.closed.is_set()

    def next(self, seconds: float | None = None) -> Any:
        try:
            return self.news.get(self.waits, seconds)
        except Empty:
            return None

    def close(self) -> None:
        self.closed.set()


class WaitingFeed(FakeFeed):
    """The event feed for a browser, with heartbeats no faster than a real table's."""

    waits = True

    def close(self) -> None:
        super().close()
        self.news.put(None)


STATUSES = {"pause": TableSummary(1, is_paused=True), "go_on": TableSummary(1), "finish_audit": TableSummary(1)}


def reply(result: object) -> "Future[Any]":
    future: Future[Any] = Future()
    future.set_result(result)
    return future


class PlainLooks(Looks):
    """Looks of a table without artwork: games are plain, and cards are text."""

    def __init__(self) -> None:
        super().__init__()
        self.style, self.symbols = lambda _game: PLAIN, lambda _game: {}  # type: ignore[assignment]
        self.edition = lambda _deck: ""  # type: ignore[assignment]

    def card(self, _deck: str, _face: str, *, is_small: bool) -> str | None:  # noqa: ARG002 - as the looks'
        return None


class FakeClient:
    """A client that handles entries at once and stores nothing."""

    def __init__(self, match: Match) -> None:
        self.joined: list[str] = []
        self.match, self.wrong = match, tuple[LastingTrouble, ...]()
        # a listener that arrives while a moment is published receives it, too
        self._lock = Lock()
        self.listeners: list[FakeFeed] = []
        self.entries: list[Entry] = []
        self.agains = 0
        self.kept, self.actions, self.sees = TableSummary(1), list[object](), True
        self.saves = True
        self.feed: type[FakeFeed] = FakeFeed
        self.deck: DeckGrew | None = None
        self.picture_size = (0, 0)
        self.is_looking = False

    def moment(self) -> Match:
        return self.match

    def troubles(self) -> tuple[LastingTrouble, ...]:
        return self.wrong

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Any]":
        assert begun in {None, self.match.setup.begun}
        self.entries.append(entry)
        return self._go_on(hear(self.match, entry))

    def _go_on(self, after: object) -> "Future[Any]":
        if isinstance(after, Match):
            self.tell(after)
        return reply(after)

    forget: Any = None
    say_missing: Any = None
    show: Any = None
    """A function of a whole table; tests that need it provide their own."""

    def report(self, name: object, wrong: object) -> None:
        """Ignore faults."""

    def ask_rematch(self) -> None:
        self.agains += 1

    def state(self) -> TableSummary:
        return self.kept

    def sit(self, match: Match, _number: int | None = None) -> "Future[Any]":
        return self._go_on(match)

    def name_seat(self, seat: int, name: str) -> "Future[Any]":
        return self._go_on(with_name(self.match, seat, name))

    def play_on(self, seat: int, name: str) -> "Future[Any]":
        return self._go_on((seat_person if self.match.number else with_name)(self.match, seat, name))

    def announce_joined(self, name: str) -> "Future[Any]":
        self.joined.append(name)
        return reply(self.match)

    def host(self, do: Any) -> "Future[Any]":
        done = partial(do)
        act: Callable[..., Future[Any]] = getattr(self, done.func.__name__)
        return act(*done.args)

    def __getattr__(self, name: str) -> Any:
        if name not in ACTIONS and name not in STATUSES:
            raise AttributeError(name)

        def act(*values: Any) -> "Future[Any]":
            if name in STATUSES:
                self.kept = STATUSES[name]
            else:
                self.actions.append((name, *values))
            return reply(ACTIONS.get(name) or self.match)

        return act

    def start_audit(self, span: Span) -> "Future[Any]":
        self.kept = TableSummary(1, auditing=span)
        return reply(Notice("looks again"))

    def save_again(self) -> "Future[bool]":
        self.actions.append(("save_again",))
        return reply(self.saves)

    def picture(self) -> "Future[Any]":
        return reply(SnapshotTaken(b"jpeg")) if self.sees else Future()

    def subscribe(self) -> FakeFeed:
        listener = self.feed()
        with self._lock:
            listener.news.put(self.match)
            self.listeners.append(listener)
        return listener

    subscribe_pages = subscribe

    def redraw(self) -> None:
        """Let pages draw the moment again."""
        self.tell(self.match)

    def tell(self, match: Match) -> None:
        with self._lock:
            self.match = match
            for listener in self.listeners:
                listener.news.put(match)


class Room(Struct, frozen=True, eq=False):
    """A table's app, client and services for a test."""

    client: FakeClient
    links_file: LinksFile
    app: Flask

    @property
    def restarts(self) -> int:
        return self.client.actions.count(("restart",))

    def browser(self, address: str = "") -> "Browser":
        """Open a browser without cookies, at an IP address."""
        client = self.app.test_client()
        if address:
            client.environ_base["REMOTE_ADDR"] = address
        return Browser(client, self)

    def computer(self) -> "Browser":
        browser, evening = self.browser(), self.links_file.evening()
        browser.client.set_cookie(cookie_name(evening, COMPUTER), computer_token(evening.secret))
        return browser

    def screen(self) -> "Browser":
        """Open a screen that a host has confirmed."""
        screen, host = self.browser(), self.browser().host()
        assert screen.send("/screen", "/screen/ask").status_code == 303
        assert host.send("/host", "/host/screen").status_code == 303
        return screen

    def ask_names(self, *questions: NameQuestion) -> None:
        """Ask the phones for the names of these cards."""
        unknown = tuple(each.unknown for each in questions)
        self.client.kept = TableSummary(1, questions=questions, unknown=unknown)


class Browser(Struct, frozen=True, eq=False):
    """A phone: it stores cookies, and submits the forms of its last page."""

    client: FlaskClient
    room: Room

    def get(self, address: str, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.client.get(address, headers=headers)

    def post(self, address: str, **fields: object) -> TestResponse:
        return self.client.post(address, data=fields)

    def send(self, page: str, address: str, **fields: object) -> TestResponse:
        hidden = hidden_fields(self.get(page).text, address)
        return self.post(address, **{**hidden, **fields})

    def form(self, page: str) -> str:
        return self.get(page).text.split('name="form" value="')[1].split('"', maxsplit=1)[0]

    def sit(self, seat: int) -> "Browser":
        code = self.links.codes[seat]
        assert self.send("/seat", "/seat/take", code=code).status_code == 303
        return self

    def host(self) -> "Browser":
        assert self.send("/host", "/host/enter", pin=self.links.pin).status_code == 303
        return self

    @property
    def links(self) -> Evening:
        return self.room.links_file.evening()

    @property
    def token(self) -> str:
        return self.cookie(SEAT)

    def cookie(self, kind: str) -> str:
        cookie = present(self.client.get_cookie(cookie_name(self.links, kind)))
        return cookie.value


def hidden_fields(page: str, address: str) -> dict[str, str]:
    form = re.search(rf'action="{re.escape(address)}".*?</form>', page, re.DOTALL)
    assert form, address
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))


class Tap(Struct, frozen=True):
    """A form's fields and target."""

    path: str
    fields: Mapping[str, str]


def taps(page: str, rng: Random, path: str = "/seat/answer") -> list[Tap]:
    return [Tap(path, dict(leaf.fill_in(rng))) for leaf in Page(page).leaves if leaf.action == path]


def match_of(game: Game = GAMES["coyote"], seats: int = 3, house: Any = None) -> Match:
    setup = Setup(
        game, game.rules.house() if house is None else house, NAMES[:seats], begun="2026-01-02T20:00:00+01:00"
    )
    return allowed(begin(setup))


def said(text: str) -> Notice:
    return Notice("board faults", {"told": text})


def unlimited_attempts(**_most: int) -> GuessLimit:
    return GuessLimit(free=10**9)


class FixedAddress(TableAddress):
    """A fixed address, with an optional name."""

    def __init__(self, name: str = "", fingerprint: str = "") -> None:
        super().__init__(8000)
        self._called, self.fingerprint = name, fingerprint
        self.scheme = "https" if fingerprint else "http"

    def own(self) -> str:
        return ADDRESS

    def named(self) -> str:
        return self._called


def room_table(folder: Path, client: Any, **more: Any) -> Table:
    plain = {"looks": PlainLooks(), "address": FixedAddress(), **more}
    return table_in_memory(folder, client, **plain)


def room_with(
    match: Match,
    folder: Path,
    limit: Callable[..., GuessLimit] = unlimited_attempts,
    client: FakeClient | None = None,
    **more: Any,
) -> Room:
    """Return a room with a table that stores its data in a folder."""
    client, films = client or FakeClient(match), more.pop("films", None)
    table = room_table(folder, client, **more)
    return Room(client, table.links, create_app(table, limit, films))


def orders(room: Room) -> list[Any]:
    return [each[1] for each in room.client.actions if isinstance(each, tuple) and each[0] == "do"]


def events_of(stream: Iterator[bytes]) -> Iterator[dict[str, str]]:
    """Yield the events sent to a phone, each with its kind, name and text."""
    for chunk in stream:
        fields: dict[str, list[str]] = {}
        for line in chunk.decode().splitlines():
            name, _colon, text = line.partition(": ")
            fields.setdefault(name.rstrip(":"), []).append(text)
        if fields.get("event", ["clock"]) != ["clock"]:
            yield {name: "\n".join(texts) for name, texts in fields.items()}


def listen(
    room: Room, page: str = "score", last: str = "", seat: int | None = None
) -> Iterator[dict[str, str]]:
    phone = room.browser() if seat is None else room.browser().sit(seat)
    response = phone.get(f"/events/{page}", {"Last-Event-ID": last} if last else None)
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    return events_of(response.iter_encoded())


def move_on(room: Room, rng: Random) -> Match:
    match = after_any(room.client.match, rng)
    room.client.tell(match)
    return match


# real sockets


@contextmanager
def serving(app: Flask, where: str = HERE, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(app, where, 0, context)
    try:
        yield server
    finally:
        server.close()


def read_all(phone: socket.socket) -> bytes:
    """Read until the server closes; a connection that is refused unread may be reset."""
    heard = b""
    with phone, suppress(ssl.SSLEOFError, ConnectionError):
        while more := phone.recv(65536):
            heard += more
    return heard
