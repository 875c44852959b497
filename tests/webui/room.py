"""A room with a table: a client without a companion, and browsers that visit its pages."""

import re
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
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
from firmware.table.notices import Notice
from hardware.decks.look import PLAIN
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.firmware.start.browsing import Page
from tests.given import allowed, present
from tests.referee.tables import after_any
from tests.table_in_memory import ClientInMemory, table_in_memory
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


class PlainLooks(Looks):
    """Looks of a table without artwork: games are plain, and cards are text."""

    def __init__(self) -> None:
        super().__init__()
        self.style, self.symbols = lambda _game: PLAIN, lambda _game: {}  # type: ignore[assignment]
        self.edition = lambda _deck: ""  # type: ignore[assignment]

    def card(self, _deck: str, _face: str, *, is_small: bool) -> str | None:  # noqa: ARG002 - as the looks'
        return None


class Room(Struct, frozen=True, eq=False):
    """A table's app, client and services for a test."""

    client: ClientInMemory
    links_file: LinksFile
    app: Flask

    @property
    def restarts(self) -> int:
        return self.client.count("restart")

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
        self.client.summary = TableSummary(1, questions=questions, unknown=unknown)


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
    client: ClientInMemory | None = None,
    **more: Any,
) -> Room:
    """Return a room with a table that stores its data in a folder."""
    client, films = client or ClientInMemory(match), more.pop("films", None)
    table = room_table(folder, client, **more)
    return Room(client, table.links, create_app(table, limit, films))


def orders(room: Room) -> list[Any]:
    return [action[1] for action in room.client.actions if action[0] == "do"]


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
