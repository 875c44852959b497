"""Pages as a browser without JavaScript sees them: questions and forms."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from msgspec import Struct

from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import read_links
from tests.given import present
from webui.access.viewers import COMPUTER, cookie_name

Fields = tuple[tuple[str, str], ...]
PAGE_TIMEOUT = 60.0  # timeout of a page, in seconds
HOME = "127.0.0.1"
TOKEN = re.compile(r'name="form" value="([^"]*)"')
PARTS = re.compile(
    r'<h[12][^>]* id="question[^"]*"[^>]*>(.*?)</h[12]>|<form[^>]* action="([^"]*)"[^>]*>(.*?)</form>',
    re.DOTALL,
)
TAG, SAID = re.compile(r"<(input|button|div|select|option)\b([^>]*)>"), re.compile(r'([\w-]+)="([^"]*)"')


class Phone:
    """A browser at an address; stores its cookies and its form token."""

    patience = PAGE_TIMEOUT

    def __init__(self, home: str = HOME, **cookies: str) -> None:
        self.home, self.cookies, self.form = home, cookies, ""

    def has_cookie(self, kind: str) -> bool:
        return any(name.partition("-")[0] == kind for name in self.cookies)

    def get(self, port: int, path: str) -> str:
        return self.ask(port, path)[1]

    def post(self, port: int, path: str, fields: Mapping[str, str]) -> int:
        return self.ask(port, path, fields)[0]

    def lead(self, port: int, pin: str) -> int:
        """Become the host by the PIN."""
        self.get(port, "/host")
        return self.post(port, "/host/enter", {"pin": pin})

    def take_seat(self, port: int, code: str) -> int:
        self.get(port, "/seat")
        # without a name, the page may ask for one first
        return self.post(port, "/seat/take", {"code": code, "name": ""})

    def events(self, port: int, path: str) -> Iterator[dict[str, str]]:
        """Yield the events of a page's stream, each with its lines by their kind."""
        with closing(HTTPConnection(HOME, port, self.patience)) as line:
            line.request("GET", path)
            stream, event = line.getresponse(), dict[str, list[str]]()
            while raw := stream.readline():
                name, is_line, value = raw.decode().rstrip("\n").partition(": ")
                if is_line:
                    event.setdefault(name, []).append(value)
                else:
                    yield {name: "\n".join(values) for name, values in event.items()}
                    event = {}

    def ask(
        self, port: int, path: str, fields: Mapping[str, str] | None = None, **headers: str
    ) -> tuple[int, str]:
        """Load a page, or send a form. Returns the status, and the text unless it is a stream."""
        sent = {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**fields, "form": self.form})
        with closing(HTTPConnection(HOME, port, self.patience, (self.home, 0))) as line:
            line.request("GET" if body is None else "POST", path, body, sent)
            answer = line.getresponse()
            is_stream = "event-stream" in answer.getheader("Content-Type", "")
            text = "" if is_stream else answer.read().decode(errors="replace")
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _is, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        found = TOKEN.search(text)
        self.form = found[1] if found else self.form
        return answer.status, text


def own_browser(state: Path) -> Phone:
    """Return this computer's own browser, with the token from the table's state."""
    evening = present(read_links(state / "links.json"))
    return Phone(**{cookie_name(evening, COMPUTER): computer_token(evening.secret)})


class Leaf(Struct):
    """A form: its address, fixed fields, options, and how many of each may be chosen."""

    action: str
    hidden: dict[str, str] = {}
    preset: dict[str, str] = {}
    """Fields that a browser sends unchanged, hidden or not."""
    select: str = ""  # the list that the current options belong to
    buttons: list[tuple[str, str]] = []
    piles: dict[str, tuple[int, int, int]] = {}
    count: int = 0
    question: str = ""

    @property
    def ask(self) -> str:
        return self.hidden.get("ask", "")

    @property
    def place(self) -> tuple[str, int]:
        return self.hidden.get("match", ""), int(self.hidden.get("moment", "-1"))

    @property
    def wants_cards(self) -> bool:
        return bool(self.piles) or any(name == "card" for name, _value in self.buttons)

    def fill_in(self, rng: Random) -> Fields:
        counts = {name: preset for name, (_least, _most, preset) in self.piles.items()}
        while counts and sum(counts.values()) < self.count:
            counts[rng.choice([name for name, count in counts.items() if count < self.piles[name][1]])] += 1
        tapped = [] if counts else rng.sample(self.buttons, min(1, len(self.buttons)))
        told = {name: str(count) for name, count in counts.items()}
        return tuple({**self.hidden, **told, **dict(tapped)}.items())

    def offer(self) -> tuple[object, ...]:
        """Return everything the form asks people, without the browser's fields."""
        return self.ask, self.question, tuple(sorted(self.buttons)), tuple(sorted(self.piles.items()))


class Page:
    """A page's questions: its forms, and whether the match is over."""

    def __init__(self, text: str) -> None:
        self.leaves = list(_leaves(text))

    @property
    def asks(self) -> list[Leaf]:
        return [leaf for leaf in self.leaves if leaf.action == "/seat/answer"]

    def preset(self, action: str, **needed: str) -> dict[str, str]:
        """Return the fields of the first form with this address and some of these preset."""
        found = (leaf.preset for leaf in self.leaves if leaf.action == action)
        return next(fields for fields in found if needed.items() <= fields.items())

    @property
    def is_over(self) -> bool:
        return any(leaf.action == "/seat/again" for leaf in self.leaves)


def _leaves(text: str) -> Iterator[Leaf]:
    question = ""
    for heading, action, inside in PARTS.findall(text):
        question = re.sub(r"<[^>]*>", "", heading).strip() if not action else question
        leaf = Leaf(action, question=question)
        for tag, attributes in TAG.findall(inside):
            _note(leaf, tag, attributes)
        if action:
            yield leaf


def _note(leaf: Leaf, tag: str, attributes: str) -> None:
    said = {name: unescape(value) for name, value in SAID.findall(attributes)}
    name, value, kind = said.get("name", ""), said.get("value", ""), said.get("type")
    is_chosen = not {"checked", "selected"}.isdisjoint(attributes.split())
    if tag == "input" and (is_chosen or kind not in {"checkbox", "radio"}):
        leaf.preset[name] = said.get("value", "on")
    match tag, kind:
        case "input", "hidden":
            leaf.hidden[name] = value
        case "input", "number" if name != "other":
            leaf.piles[name] = (int(said["min"]), int(said["max"]), int(value))
        case "input", "radio" if name in {"card", "cell"}:
            leaf.buttons.append((name, value))
        case "button", _ if name:
            leaf.buttons.append((name, value))
        case "select", _:
            leaf.select = name
        case "option", _ if is_chosen:
            leaf.preset[leaf.select] = value
        case "div", _ if "data-count" in said:
            leaf.count = int(said["data-count"])
        case _:
            pass
