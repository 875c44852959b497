"""Requests that our pages never send, to every route of a fully equipped table, and their effects."""

import re
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes

import numpy as np
from flask import Flask
from msgspec import Struct
from werkzeug.routing import Rule
from werkzeug.test import run_wsgi_app

from firmware.services.browser_camera import BrowserCamera
from firmware.services.settings import SettingsKeeper
from firmware.state_folder import DECKS
from firmware.storage.cards_choice import choose_deck
from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from firmware.storage.people.evening import Device, Evening, admit_host, put_out
from firmware.storage.people.links import form_token
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableSummary
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.firmware.services.finding_client import finder_of
from tests.given import present
from tests.table_in_memory import ClientInMemory
from tests.webui import fakes
from tests.webui.access.letting_in import Admitted, admit_all
from tests.webui.fakes import CallRecorder
from tests.webui.laptop import Cards
from tests.webui.matches import REVEAL, keep_picture, name_question, play_match, reveal_cards
from tests.webui.room import Browser, Room, match_of, room_with
from vision.process.messages import ViewTaken
from vision.table.camera_names import PHONE_FRAMES
from vision.teaching.taught_decks import bare_deck, save_deck
from webui.access.viewers import HOST, SEAT, VISITOR
from webui.pages.host.settings import fields_of_choice
from webui.server.drawn_pages import match_id

HERE, LIMIT = "127.0.0.1", 60.0
TEMPLATES = Path(__file__).parents[3] / "webui" / "templates"
PAGES = [page.read_text("utf-8") for page in TEMPLATES.rglob("*.html")]
DELIBERATE = frozenset({503})  # resources that are unavailable for now
FINE = frozenset({"501", "503", "505"})
"""Accepted server error codes on the wire: unknown method, unavailable page, unknown protocol."""
CONTINUE = "100"
SEATED = 1  # the seat of the seated sender
ASKING = frozenset({"/screen/ask", "/seat/ask"})  # paths where a stranger may ask the host
NAMED = sorted(
    {name for text in PAGES for name in re.findall(r'name="(\w+)"', text)}
    | {"card-20", "card-10", "owner-0", "seat", "number", "role", "how", "x", "y", "angle", "up"}
)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "BREW", "")
KINDS = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "y" * 300,
    "multipart/form-data; boundary=\x00",
    "multipart/mixed; boundary=x",
    "application/json",
    "text/plain; charset=nope",
    ";;=",
    "",
)
ODD = (
    b"", b"0", b"1", b"2", b"-1", b"-0", b"9" * 20, b"9" * 5000, b"1e309", b"-1e309", b"NaN", b"Infinity",
    b"0x10", b"1_000", b"1.5", b"1,5", b"\xd9\xa1\xd9\xa2", b"\xc2\xb2", b" 3 ", b"3\x00", b"\x00", b"\xff\xfe",
    b"\xed\xa0\x80", b"\xe2\x80\xae", b"%", b"%00", b"%zz", b"../../etc/passwd", b"..%2f", b"<b>", b"'\"--",
    b"=1+1", b"a" * 3000, "é".encode() * 1500, b"[" * 3000, b'{"word":' * 1500, b'{"word":1}', b"null",
    b'{"word":"coyote"}', b'{"word":"coyote","target":99}', b"25:61", b"23:59", b"\r\nSet-Cookie: a=b",
    b"20", b"10", b"coup", b"coyote", b"gigamic", b"fr", b"on", b"yes", b"=Ana", b"Bo", b"reveal", b"Ana\nBo",
)  # fmt: skip
STRANGE_HOSTS = (
    b"evil.example", b"[::1", b"table:99999", b"table, evil.example", b"a b", b"", b"table:\x00",
    b"192.0.2.7@evil.example", b"\xff.local", b"a_b.evil.example", b"a~b.evil.example", b"\xe9.evil.example",
    b"+", b"*", b",",
)  # fmt: skip
STRANGE_ORIGINS = (
    b"null", b"", b"http://", b"http://evil.example", b"http://table.evil.example", b"http://evil@table",
    b"table", b"http://[::1", b"http://table, http://evil.example", b"http://a_b.evil.example", b"\xff",
)  # fmt: skip
RANGES = (
    b"bytes=0-", b"bytes=-1", b"bytes=9-1", b"bytes=" + b"0-0," * 2000, b"bytes=" + b"9" * 4000 + b"-",
    b"items=1", b"bytes=--1", b"bytes=0-99999999999999999999", b"bytes=\xd9\xa1-", b"bytes=0-,",
)  # fmt: skip
SAID = (
    *("Accept-Language", "Last-Event-ID", "Host", "Range", "If-None-Match", "If-Modified-Since", "Origin"),
    *("Referer", "Expect", "X-Forwarded-For", "Accept-Encoding", "Authorization", "Cookie", "Sec-Fetch-Site"),
    *("Content-Encoding", "Transfer-Encoding", "Upgrade"),
)

PARTS = (
    b"--x\r\nContent-Disposition: form-data; name=\"form\"; filename*=utf-16''%ff%fe\r\n\r\nx\r\n",
    b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\nContent-Type: a/b\r\n\r\n--x--\r\n',
    b'--x\r\nContent-Disposition: form-data; name="form"\r\nContent-Type: a; charset=utf-7\r\n\r\n+AGE-\r\n',
    b'--x\r\nContent-Disposition: form-data; name="form"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n',
    b"--x\r\nContent-Disposition: form-data; name=" + b"a" * 9000 + b"\r\n\r\n\r\n",
    b"--x\r\n" + b"X-A: b\r\n" * 900 + b"\r\n\r\n",
    b"--x\r\nContent-Disposition:" + b" " * 9000 + b"form-data\r\n\r\n\r\n",
    b"--x",
    b"--x--\r\n--x\r\n",
    b"\r\n" * 3000,
)


class Table(Struct, frozen=True, eq=False):
    """A table with all services of the pages, and its current match."""

    app: Flask
    match: Match
    client: ClientInMemory
    links_file: LinksFile
    services: Mapping[str, CallRecorder]
    reader: fakes.FakeReader
    folder: Path
    evening: Evening  # the admitted devices
    expired: str  # the token of a removed device


def table_with_fakes(folder: Path, journal: Journal) -> Table:
    match = reveal_cards(match_of())
    keep_picture(folder)
    for _match in range(2):
        journal.begin(play_match(match.setup.game))

    reader, expired = fakes.FakeReader(), "token-that-was-put-out"
    finder = fakes.FakeFinder(sight=lambda: fakes.FOUND)
    names = ("settings", "backups", "copies", "power", "sound", "usb", "privacy", "wifi", "presence", "twin")
    services: dict[str, Any] = {name: getattr(fakes, f"Fake{name.title()}")() for name in names}
    room = room_with(
        match,
        folder,
        photographs=reader,
        history=History(folder / "journal.sqlite3"),
        finder=finder,
        films=fakes.LocalFilms(),
        **services,
    )
    client, links = room.client, room.links_file
    client.journal = services["journal"] = CallRecorder()
    links.change(lambda evening: put_out(admit_host(evening, Device(expired)), expired))
    admit_all(links)
    services, evening = {**services, "finder": finder}, links.evening()
    return Table(room.app, match, client, links, services, reader, folder, evening, expired)


class Attempt(Struct, frozen=True):
    """A WSGI request, its sender (a stranger, a seat or the host), and whether it has a form token."""

    surroundings: dict[str, Any]
    who: str
    has_token: bool

    @property
    def description(self) -> str:
        shown = {name: value for name, value in self.surroundings.items() if isinstance(value, str)}
        return f"{self.who} {self.has_token} {shown}"


class RequestOutcome(Struct, frozen=True):
    """The outcome of a request."""

    code: int
    fault: str = ""
    changed: frozenset[str] = frozenset()
    body: bytes = b""


def draw_attempt(table: Table, rng: Random, senders: Sequence[str] = ("stranger", "seat", "host")) -> Attempt:
    rules = sorted(table.app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ())))
    rule = rng.choice(rules)
    posts = "POST" in (rule.methods or ())
    method = rng.choice(METHODS) if rng.random() < 0.15 else ("POST" if posts else "GET")
    who, has_token = rng.choice(senders), rng.random() < 0.5
    links = admit_all(table.links_file)
    said = {name: _header(name, rng).decode("latin-1") for name in SAID if rng.random() < 0.06}
    if who != "stranger" or rng.random() < 0.7:
        forged = _forge_cookies(links, table.expired, rng) if rng.random() < 0.5 else ""
        said["Cookie"] = _cookies(links, who, forged)
    kind, body = _body(table, rng, _token(links, has_token))
    length = str(len(body)) if rng.random() < 0.95 else rng.choice(("", "-5", "x", "9" * 20, "1", "\xd9\xa3"))
    surroundings = {
        **_surroundings(method, _path(rule, rng).decode("latin-1"), kind, body),
        "QUERY_STRING": quote_from_bytes(_word(rng), safe="=&%") if rng.random() < 0.3 else "",
        "REMOTE_ADDR": rng.choice(("192.0.2.44", "", "::1%x")),
        "CONTENT_LENGTH": length,
        **({"wsgi.input_terminated": True} if rng.random() < 0.05 else {}),
        **{f"HTTP_{name.upper().replace('-', '_')}": text for name, text in said.items()},
    }
    return Attempt(surroundings, who, has_token)


def plain_attempt(table: Table, method: str, path: str, who: str, fields: Mapping[str, str] | None) -> Attempt:
    """Build a request like our pages; without fields it also lacks a form token."""
    links = admit_all(table.links_file)
    said = {"form": _token(links, fields is not None), "match": match_id(table.match), **(fields or {})}
    body = _form((name, text.encode()) for name, text in said.items())
    surroundings = _surroundings(method, path, KINDS[0], body)
    return Attempt({**surroundings, "HTTP_COOKIE": _cookies(links, who, "")}, who, fields is not None)


def _cookies(links: Admitted, who: str, forged: str) -> str:
    cookies = {
        "seat": f"{links.cookie(SEAT)}={links.seats[SEATED].token}",
        "host": f"{links.cookie(HOST)}={links.host}",
    }
    return "; ".join(filter(None, (f"{VISITOR}=v", cookies.get(who, forged))))


def _token(links: Admitted, is_right: bool) -> str:
    return form_token(links.secret, "v" if is_right else "w")


def _surroundings(method: str, path: str, kind: str, body: bytes) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "table",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SCRIPT_NAME": "",
        "REMOTE_ADDR": "192.0.2.44",
        "HTTP_HOST": "table",
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


def _header(name: str, rng: Random) -> bytes:
    """Draw a header's value; some headers have specific hostile values."""
    own = {
        "Host": (*STRANGE_HOSTS, b"127.0.0.1:8000", b"[::1]:8000", b"x" * 300),
        "Origin": (*STRANGE_ORIGINS, b"http://table", b"https://table", b"http://TABLE"),
        "Range": RANGES,
    }.get(name, ODD)
    return rng.choice(own) * (rng.choice((1, 20)) if rng.random() < 0.1 else 1)


def _forge_cookies(links: Admitted, expired: str, rng: Random) -> str:
    token, other = links.seats[SEATED].token, links.host
    seat, host = links.cookie(SEAT), links.cookie(HOST)
    values = (
        token[:-1], token + "x", token.swapcase(), f" {token}x", token + "\0", f"{token},{token}", expired,
        links.seats[SEATED].code, links.pin, links.secret, "", "é" * 900, "x" * 9000, f'"{token[:-1]}',
    )  # fmt: skip
    mixed = (f"{seat}={other}", f"{host}={token}", f"{host}={links.pin}", seat, "=" * 500, "; " * 2000)
    return rng.choice((*(f"{rng.choice((seat, host))}={value}" for value in values), *mixed))


def _path(rule: Rule, rng: Random) -> bytes:
    """Fill in a rule's placeholders, sometimes with invalid values, or corrupt the whole path."""
    path = re.sub(r"<(?:int:)?(\w+)>|<path:\w+>", lambda _place: _draw_filling(rng), rule.rule).encode(
        "latin-1"
    )
    if rng.random() < 0.05:
        at = rng.randrange(len(path))
        path = path[:at] + _word(rng) + path[at:]
    return path


def _draw_filling(rng: Random) -> str:
    usual = ("0", "1", "2", "3", "4", "reveal", "duke", "coyote-kidult", "style.css", "9" * 30)
    return rng.choice(usual) if rng.random() < 0.7 else _word(rng)[:200].decode("latin-1")


def _word(rng: Random) -> bytes:
    return rng.choice(ODD) if rng.random() < 0.8 else rng.randbytes(rng.randrange(40))


def _body(table: Table, rng: Random, token: str) -> tuple[str, bytes]:
    """Draw a body with form fields, multipart or not, possibly truncated or mixed up."""
    fields = _fields(table, rng, token)
    in_parts = rng.random() < 0.4
    body = _parts(fields, rng) if in_parts else _form(fields)
    kind = KINDS[2] if in_parts else KINDS[0]
    if rng.random() < 0.1:
        body = body[: rng.randrange(len(body) + 1)]
    if rng.random() < 0.05:
        body = rng.randbytes(rng.randrange(400))
    if rng.random() < 0.02:
        body += b"&x=" + b"y" * 70_000
    return (rng.choice(KINDS) if rng.random() < 0.1 else kind), body


def _fields(table: Table, rng: Random, token: str) -> list[tuple[str, bytes]]:
    usual = {"form": token, "match": match_id(table.match), "moment": str(table.match.number)}
    usual |= fields_of_choice(fakes.NOW) if rng.random() < 0.3 else {}
    usual |= {"what": "off", "card": "Device"} if rng.random() < 0.3 else {}
    fields = [(name, text.encode()) for name, text in usual.items() if rng.random() < 0.97]
    fields += [(rng.choice(NAMED), _word(rng)) for _field in range(rng.randrange(8))]
    fields += [(_word(rng)[:50].decode("latin-1"), _word(rng))] if rng.random() < 0.1 else []
    fields += [(f"card-{face}", b"1") for face in range(150)] if rng.random() < 0.02 else []
    return fields if rng.random() < 0.9 else rng.sample(fields, len(fields))


def _form(fields: Iterable[tuple[str, bytes]]) -> bytes:
    return "&".join(
        f"{quote_from_bytes(name.encode('latin-1'))}={quote_from_bytes(text)}" for name, text in fields
    ).encode()


def _parts(fields: Iterable[tuple[str, bytes]], rng: Random) -> bytes:
    parts = [_part(name.encode("latin-1"), text, b"") for name, text in fields]
    file = rng.choice((b"photo", b"backup", b"file", b"picture", b"match"))
    content = rng.choice((b"good", b"PK\x03\x04", b"\xff\xd8\xff", b"")) + rng.randbytes(rng.randrange(2000))
    name = rng.choice((b"a.zip", b"../../a", b"", b'"; x="', b"\x00", b"a" * 2000))
    if rng.random() < 0.8:
        parts.insert(len(parts) if rng.random() < 0.8 else 0, _part(file, content, b'; filename="%s"' % name))
    if rng.random() < 0.1:
        parts.append(b"--x\r\n" + _word(rng) + b": " + _word(rng) + b"\r\n\r\n\r\n")
    if rng.random() < 0.02:
        parts += [_part(b"a", b"", rng.choice((b"", b'; filename="a"')))] * 3000
    if rng.random() < 0.05:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(PARTS))
    return b"".join(parts) + (b"--x--\r\n" if rng.random() < 0.9 else b"")


def _part(name: bytes, text: bytes, more: bytes) -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (name, more, text)


def mangle_request(table: Table, rng: Random, senders: Sequence[str] = ("stranger", "seat", "host")) -> bytes:
    """Return a corrupted raw request; never one with an endless response."""
    surroundings = draw_attempt(table, rng, senders).surroundings
    path = quote_from_bytes(surroundings["PATH_INFO"].replace("events", "e").encode("latin-1"))
    said = {
        name.removeprefix("HTTP_").replace("_", "-"): text
        for name, text in surroundings.items()
        if name.startswith(("HTTP_", "CONTENT_"))
    }
    lines = [
        f"{surroundings['REQUEST_METHOD']} {path} HTTP/1.1",
        *(f"{name}: {said[name]}" for name in said),
        "",
        "",
    ]
    whole = bytearray("\r\n".join(lines).encode("latin-1") + surroundings["wsgi.input"].read())
    for _time in range(rng.choice((0, 1, 1, 2, 20))):
        at = rng.randrange(len(whole))
        whole[at : at + rng.choice((0, 1, 1, 9))] = rng.choice((b"", b"\x00", b"\r\n", b"\n", b" ", _word(rng)))
    return bytes(whole[: rng.randrange(len(whole)) if whole and rng.random() < 0.2 else None])


def smuggle_request(links: Admitted, rng: Random, match: str, moment: int) -> bytes:
    """Return a stranger's raw request that smuggles another one, which would be accepted on its own."""
    seat, host = f"{links.cookie(SEAT)}={links.seats[0].token}", f"{links.cookie(HOST)}={links.host}"
    path, cookie = rng.choice(
        (("/host/pause", host), ("/host/code/0", host), ("/seat/hand-over", seat), ("/host/again", host))
    )
    form = f"form={form_token(links.secret, 'v')}&match={match}&moment={moment}"
    hidden = (
        f"POST {path} HTTP/1.1\r\nHost: table\r\nCookie: {VISITOR}=v; {cookie}\r\n"
        f"Content-Type: {KINDS[0]}\r\nContent-Length: {len(form)}\r\n\r\n{form}"
    )
    first = rng.choice(("GET / HTTP/1.1", "POST /seat/take HTTP/1.1", "HEAD /join HTTP/1.1", "GET /"))
    lines = (first, "Host: table", *rng.choice(LENGTHS), "Connection: keep-alive", "")
    body = rng.choice(("", "0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n", "xxxxx"))
    return ("".join(f"{line}\r\n" for line in lines) + body + hidden).encode()


LENGTHS = (
    (),
    ("Content-Length: 0",),
    ("Content-Length: 5", "Transfer-Encoding: chunked"),
    ("Transfer-Encoding: chunked", "Content-Length: 5"),
    ("Content-Length: 5", "Content-Length: 0"),
    ("Content-Length: 0", "Content-Length: 5"),
    ("Content-Length: +5",),
    ("Content-Length: 5, 0",),
    ("Transfer-Encoding : chunked",),
    ("Transfer-Encoding: xchunked",),
    ("Transfer-Encoding: identity, chunked",),
    ("Transfer-Encoding:\tchunked", "Transfer-Encoding: identity"),
    ("X: y\r\n Transfer-Encoding: chunked",),
    ("X: y\nTransfer-Encoding: chunked",),
    ("Expect: 100-continue", "Content-Length: 5"),
    ("Upgrade: h2c", "Connection: Upgrade"),
)
"""Length headers that two parsers may interpret differently."""


@contextmanager
def answer_to(table: Table, sent: Attempt) -> Iterator[tuple[int, Iterable[bytes]]]:
    """Send a request; yield its status code and body chunks, and always close it."""
    pieces, status, _headers = run_wsgi_app(table.app.wsgi_app, sent.surroundings, buffered=False)
    try:
        yield int(status.split()[0]), pieces
    finally:
        close: Callable[[], None] = getattr(pieces, "close", lambda: None)
        close()


def outcome_of(table: Table, sent: Attempt) -> RequestOutcome:
    """Send a request, and return its outcome with any fault; a stream is read up to its first event."""
    before, is_stream = marks(table), "/events/" in f"{sent.surroundings['PATH_INFO']}/"
    with answer_to(table, sent) as (code, pieces):
        body = next(iter(pieces), b"") if is_stream else b"".join(pieces)
    faults = sent.surroundings["wsgi.errors"].getvalue()
    changed = frozenset(name for name, mark in marks(table).items() if mark != before[name])
    undue = changed - _may(table, sent)
    settle(table)
    if code >= 500 and code not in DELIBERATE:
        return RequestOutcome(code, f"{code}: {faults[-2000:]}")
    if b"Traceback" in body or "Traceback" in faults:
        return RequestOutcome(code, "a traceback")
    if code < 400 and _is_of_another_site(sent.surroundings):
        return RequestOutcome(code, "another site's request was heard")
    return RequestOutcome(code, f"changed {sorted(undue)}" if undue else "", changed, body)


def _is_of_another_site(surroundings: Mapping[str, Any]) -> bool:
    said = (surroundings.get(name, "table").encode("latin-1") for name in ("HTTP_HOST", "HTTP_ORIGIN"))
    host, origin = said
    is_change = surroundings["REQUEST_METHOD"].upper() not in {"GET", "HEAD", "OPTIONS"}
    return host in STRANGE_HOSTS or (is_change and "HTTP_ORIGIN" in surroundings and origin in STRANGE_ORIGINS)


def send_raw(port: int, words: bytes) -> str:
    with socket.create_connection((HERE, port), timeout=LIMIT) as line, suppress(OSError):
        line.sendall(words)
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(partial(line.recv, 65536), b""))
        codes = re.findall(r"HTTP/1\.[01] (\d\d\d) ", answer.decode("latin-1"))
        return " ".join(code for code in codes if code != CONTINUE) if answer.startswith(b"HTTP/1") else ""
    return ""


def marks(table: Table) -> Mapping[str, object]:
    client, backups, twin = table.client, table.services["backups"], table.services["twin"]
    return {
        "match": (id(client.match), len(client.entries)),
        "table": (client.summary, len(client.actions)),
        "links": id(table.links_file.evening()),
        "room": backups.rooms,
        **{name: len(each.asked) for name, each in table.services.items()},
        "bots": frozenset(twin.seats),
        "photographs": len(table.reader.sent),
        "files": tuple(sorted(path.name for path in table.folder.rglob("*") if "sqlite3" not in path.name)),
    }


def _may(table: Table, sent: Attempt) -> set[str]:
    """Return what a sender with this link and token may change."""
    if sent.surroundings["REQUEST_METHOD"] != "POST":
        return set()
    path = sent.surroundings["PATH_INFO"]
    if not sent.has_token:
        # a file is received before its form is checked, and then discarded
        return {"room"} if sent.who == "host" else set()
    if sent.who == "host":
        return set(marks(table))
    # strangers may ask the host, too
    asks = {"links"} if path in ASKING else set()
    if sent.who == "seat" and not path.startswith("/host"):
        own = all(getattr(entry, "seat", None) in (SEATED, None) for entry in table.client.entries)
        return {"table", "links", "twin", "bots", "photographs", *(("match",) if own else ())}
    return asks


def settle(table: Table) -> None:
    client = table.client
    client.match, client.summary = table.match, TableSummary(1)
    if table.links_file.evening() != table.evening:
        table.links_file.renew(lambda _evening: table.evening)
    table.services["backups"].rooms, table.services["twin"].seats = 0, {1, 2}
    noted: list[list[Any]] = [each.asked for each in table.services.values()]
    for each in (*noted, client.entries, client.actions, table.reader.sent):
        each.clear()


PLACES = {"heard_at": str(REVEAL), "ask": "reveal", "number": "1", "seat": "0", "name": str(REVEAL)}
SENSIBLE = """
moment=4 what=off card=Device level=play minutes=5 sound=on deck=coup face=duke count=1 day=2026-11-21 player=Bo
game=coup place=/media/A table=a1 name= seat=2 strike=1 hint=off seat-0=Ana seat-1=Bo number=7 x=3 y=4 up=1
angle=0 where=worn role=call how=short to=0 clicks=1 span=0-0-0-1
"""
FIELDS = {
    **fields_of_choice(fakes.NOW),
    **{f"{axis}{corner}": str(10 + corner) for axis in "xy" for corner in range(4)},
    **dict(field.split("=") for field in SENSIBLE.split()),
}
"""Valid values of form fields."""


def paths_of(app: Flask, method: str) -> list[str]:
    rules = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    assert rules
    return sorted({re.sub(r"<(?:\w+:)?(\w+)>", lambda at: PLACES.get(at[1], "x"), r.rule) for r in rules})


# the pages of real cards, while guide, camera and questions about a deck are open

REAL_CARDS = re.compile(r"/(camera|film|host/(people|table|teach)|seat/(card|photo)|view|welcome)")
REAL_NAMES = (
    *("match", "moment", "number", "face", "from", "moved", "seat", "by", "at", "across", "down", "empty"),
    *("camera", "here", "game", "cards", "names", "name", "device", "title", "to", "count", "suit", "level"),
)
REAL_PLACES = ("7", "8", "1", "coup", "coup", "duke", "x", "..", "9" * 20, "%00", "é")
REAL_VALUES = (
    *(b"7", b"1", b"duke", b"captain", b"coup", b"Our Coup", b"host", b"view", b"people", b"markers", b"cards"),
    *(b"640,400", b"99999,99999", b"99999,999", b"phone", b"usb:1", b"real", b"simulated", b"rtsp://cam/live"),
    *(b"http://[::1", b"http://cam:99999999/", b"http://a@b@c/", b"rtsp://u:p@[fe80::1%25eth0]/x"),
)


def real_cards_in(folder: Path) -> Room:
    faces = {face: (np.full((88, 63, 3), 90, np.uint8),) for face in ("duke", "captain", "summary")}
    deck = bare_deck("Our Coup", (63, 88), {"duke": 3, "captain": 3, "summary": 1}, faces)
    save_deck(deck, folder / DECKS / "coup")
    choose_deck(folder, "coup", "coup", "Our Coup")
    settings, (finder, _eyes) = SettingsKeeper(folder, folder / "coyote.toml"), finder_of(folder)
    finder.open()
    cards = Cards(folder, settings, kind="real", camera="pi", is_pi=False, is_fixed=False)
    camera = BrowserCamera(folder / PHONE_FRAMES)
    room = room_with(match_of(GAMES["coup"]), folder, finder=finder, camera=camera, cards=cards)
    match = room.client.match
    asked = name_question(match, 7), name_question(match, 8, seats=(1, 2), before=0, is_open=False)
    room.client.summary = TableSummary(1, questions=asked, unknown=tuple(each.unknown for each in asked))
    room.client.picture_size = (1280, 800)
    room.client.seen[ViewTaken] = lambda order: ViewTaken(b"jpeg", order.is_read)
    return room


def senders_in(room: Room) -> Sequence[Browser]:
    """Return a stranger, a seat, the host, a screen, and the browser of this computer, which is the camera."""
    here = room.browser().host()
    here.send("/camera", "/camera/ask")
    seat, host = room.browser("192.0.2.4").sit(0), room.browser("192.0.2.5").host()
    return room.browser("192.0.2.3"), seat, host, room.screen(), here


def real_card_routes(app: Flask) -> list[tuple[str, str]]:
    rules = (rule for rule in app.url_map.iter_rules() if REAL_CARDS.match(rule.rule))
    return sorted((method, rule.rule) for rule in rules for method in {"GET", "POST"} & (rule.methods or set()))


def send_hostile_form(browser: Browser, method: str, rule: str, rng: Random) -> tuple[int, str]:
    """Return the status code, and a description of what was sent."""

    def value() -> bytes:
        return rng.choice(REAL_VALUES if rng.random() < 0.6 else ODD)

    browser.get("/camera")
    token = form_token(browser.links.secret, present(browser.client.get_cookie(VISITOR)).value)
    fields = [(name, value()) for name in rng.sample(REAL_NAMES, rng.randrange(len(REAL_NAMES) // 2))]
    fields += [("form", token.encode())] if rng.random() < 0.9 else []
    path = re.sub(r"<(?:\w+:)?\w+>", lambda _place: rng.choice(REAL_PLACES), rule)
    method, body = rng.choice(METHODS[2:]) if rng.random() < 0.1 else method, _parts(fields, rng)
    kind = rng.choice((KINDS[2], KINDS[2], *KINDS, "image/jpeg"))
    query = {rng.choice(("game", "from", "screen", "page", "lang", "at")): value()}
    answer = browser.client.open(path, method=method, data=body, content_type=kind, query_string=query)
    return answer.status_code, f"{method} {path} {kind} {fields}"
