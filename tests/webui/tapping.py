"""Taps on a real page: the forms of a seat, filled in as the page allows."""

import re
from collections.abc import Mapping
from html import unescape
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlencode

from msgspec import Struct

HERE, LIMIT = "127.0.0.1", 60.0
FORM = re.compile(r'<form method="post" action="([^"]+)".*?</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
BUTTON = re.compile(r'<button[^>]* name="([^"]+)" value="([^"]*)"')
RADIO = re.compile(r'<input[^>]* type="radio" name="([^"]+)" value="([^"]*)"')
PILE = re.compile(r'name="(card-[^"]+)" type="number"[^>]* min="(\d+)" max="(\d+)"')
OTHER = re.compile(r'name="other"[^>]* min="(-?\d+)" max="(-?\d+)"')
COUNT = re.compile(r'data-count="(\d+)"')


class Tap(Struct, frozen=True):
    """What a form sends, and where."""

    path: str
    fields: Mapping[str, str]


def taps(page: str, rng: Random, path: str = "/seat/answer") -> list[Tap]:
    """Fill in each form of a page that goes to a path."""
    return [Tap(path, fill_in(form[0], rng)) for form in FORM.finditer(page) if form[1] == path]


def fill_in(form: str, rng: Random) -> dict[str, str]:
    """Fill in a form as its page allows."""
    hidden = {name: unescape(value) for name, value in HIDDEN.findall(form)}
    return {**hidden, **_choose_answer(form, rng)}


def _choose_answer(form: str, rng: Random) -> dict[str, str]:
    """Choose a button, a card, a number, or so many cards of each as there have to be."""
    count, other = COUNT.search(form), OTHER.search(form)
    buttons = BUTTON.findall(form) or RADIO.findall(form)
    if count is not None:
        return _piles(form, int(count[1]), rng)
    if buttons:
        name, value = rng.choice(buttons)
        return {name: unescape(value)}
    return {} if other is None else {"other": str(rng.randint(int(other[1]), int(other[2])))}


def _piles(form: str, count: int, rng: Random) -> dict[str, str]:
    piles = {unescape(name): [int(least), int(most)] for name, least, most in PILE.findall(form)}
    more = [name for name, (least, most) in piles.items() for _card in range(most - least)]
    missing = count - sum(least for least, _most in piles.values())
    for name in rng.sample(more, max(0, min(missing, len(more)))):
        piles[name][0] += 1
    return {name: str(number) for name, (number, _most) in piles.items()}


class Phone(Struct, frozen=True):
    """A phone with cookies, at some address."""

    port: int
    cookie: str
    home: str = HERE

    def get(self, path: str) -> str:
        """Look at a page."""
        return self._request("GET", path)[1]

    def send(self, tap: Tap) -> int:
        """Send a form; give the code of the answer."""
        return self._request("POST", tap.path, urlencode(tap.fields))[0]

    def _request(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        line = HTTPConnection(HERE, self.port, LIMIT, source_address=(self.home, 0))
        try:
            line.request(method, path, body, {"Cookie": self.cookie, "Content-Type": FORM_TYPE})
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()


FORM_TYPE = "application/x-www-form-urlencoded"
