"""The pages as a browser without script has them: what is asked there, and the forms that it sends."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from html.parser import HTMLParser
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlencode

from msgspec import Struct

Fields = tuple[tuple[str, str], ...]
PATIENCE = 20.0
"""Seconds that a page may take."""


class Phone:
    """A browser: it keeps its cookies, and the token that its forms carry."""

    def __init__(self) -> None:
        """Begin with none."""
        self.cookies: dict[str, str] = {}
        self.form = ""

    def get(self, port: int, path: str) -> str:
        """Load a page."""
        return self._send_request(port, "GET", path, None)[1]

    def post(self, port: int, path: str, fields: Mapping[str, str]) -> int:
        """Send a form, and give the code of the answer."""
        return self._send_request(port, "POST", path, {**fields, "form": self.form})[0]

    def _send_request(
        self, port: int, how: str, path: str, fields: Mapping[str, str] | None
    ) -> tuple[int, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
            line.request(how, path, None if fields is None else urlencode(fields), headers)
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _is, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        found = re.search(r'name="form" value="(\w+)"', text)
        self.form = found[1] if found else self.form
        return answer.status, text


class Leaf(Struct):
    """A form: where it goes, what it sends in any case, what can be tapped, how many of each can be told."""

    action: str
    hidden: dict[str, str] = {}
    buttons: list[tuple[str, str]] = []
    piles: dict[str, tuple[int, int, int]] = {}
    count: int = 0
    question: str = ""

    @property
    def ask(self) -> str:
        """Name what is asked."""
        return self.hidden.get("ask", "")

    @property
    def place(self) -> tuple[str, int]:
        """Name the match and the moment that it was drawn for."""
        return self.hidden.get("match", ""), int(self.hidden.get("moment", "-1"))

    @property
    def wants_cards(self) -> bool:
        """Tell whether a camera could answer it, too."""
        return bool(self.piles) or any(name == "card" for name, _value in self.buttons)

    def fill_in(self, rng: Random) -> Fields:
        """Fill it in with anything that it offers."""
        said = (
            dict(self._draw_counts(rng))
            if self.piles
            else dict(rng.sample(self.buttons, min(1, len(self.buttons))))
        )
        return tuple({**self.hidden, **said}.items())

    def _draw_counts(self, rng: Random) -> Iterator[tuple[str, str]]:
        counts = {name: preset for name, (_least, _most, preset) in self.piles.items()}
        while sum(counts.values()) < self.count:
            name = rng.choice([name for name, count in counts.items() if count < self.piles[name][1]])
            counts[name] += 1
        return ((name, str(count)) for name, count in counts.items())

    def offer(self) -> tuple[object, ...]:
        """Give all that people are asked by it; not what stands there for the browser."""
        return self.ask, self.question, tuple(sorted(self.buttons)), tuple(sorted(self.piles.items()))


class Page(HTMLParser):
    """What a page asks: its forms, and whether the match is over."""

    def __init__(self, text: str) -> None:
        """Read it."""
        super().__init__()
        self.leaves: list[Leaf] = []
        self._heading, self._is_heading = "", False
        self.feed(text)

    @property
    def asks(self) -> list[Leaf]:
        """List what a seat is asked."""
        return [leaf for leaf in self.leaves if leaf.action == "/seat/answer"]

    @property
    def is_over(self) -> bool:
        """Tell whether the match is over, and another one may begin."""
        return any(leaf.action == "/seat/again" for leaf in self.leaves)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what may matter."""
        said = {name: value or "" for name, value in attrs}
        match tag:
            case "form":
                self.leaves.append(Leaf(said.get("action", ""), question=self._heading.strip()))
            case "h1" | "h2" if said.get("id", "").startswith("question"):
                self._heading, self._is_heading = "", True
            case "input" | "button" | "div" if self.leaves:
                _note(self.leaves[-1], tag, said)
            case _:
                pass

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a heading."""
        self._is_heading = self._is_heading and tag not in {"h1", "h2"}

    def handle_data(self, data: str) -> None:
        """Read a heading."""
        if self._is_heading:
            self._heading += data


def _note(leaf: Leaf, tag: str, said: dict[str, str]) -> None:
    name, value = said.get("name", ""), said.get("value", "")
    match tag, said.get("type"):
        case "input", "hidden":
            leaf.hidden[name] = value
        case "input", "number" if name != "other":
            leaf.piles[name] = (int(said["min"]), int(said["max"]), int(value))
        case "input", "radio" if name in {"card", "cell"}:
            leaf.buttons.append((name, value))
        case "button", _ if name:
            leaf.buttons.append((name, value))
        case "div", _ if "data-count" in said:
            leaf.count = int(said["data-count"])
        case _:
            pass
