"""People at a whole table, all at once: phones, fingers on buttons and dial, hands that lay cards, a screen.

What the table says to them is written down as it comes, to be held against what is there after a kill.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Event, Lock, Thread
from time import monotonic

import msgspec
from msgspec import Struct

from referee.contract import Answer, Choice, Option
from referee.match import Entry, Match, TakeBack
from tests.firmware.start.browsing import PAGE_TIMEOUT, Fields, Page, Phone
from tests.firmware.start.whole_table import WholeTable
from webui.views.controls import CARD, asks_of

PHONES = 4  # more than play; a table that starts with defaults has so many seats
BESIDE = frozenset({"which-way", "whole-turn"})
"""What the table asks beside the game: no answer to it is kept."""
UNREAD = 5.0  # seconds after which a card that wasn't read is laid anew
DONE = 303
ROLES = ("call", "call", "call", "second", "push", "turn")

Place = tuple[str, int]  # a match, by the name that the pages have for it, and a moment of it


class Said(Struct, frozen=True):
    """What a seat has sent from its phone; an empty ask takes the last answer back."""

    seat: int
    place: Place
    ask: str
    fields: Fields

    @property
    def path(self) -> str:
        return "/seat/answer" if self.ask else "/seat/back"


class Outside:
    """What is known outside of the table, over all of its lives."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.told: dict[Place, str] = {}
        """The score at each moment that was told."""
        self.asked: dict[tuple[Place, int], tuple[object, ...]] = {}
        self.counted: list[Said] = []
        """What phones were told to count."""
        self.unheard: list[Said] = []
        """What phones have sent, and heard nothing of."""
        self.begun: list[str] = []
        """Matches that were told to be on, while people were there."""
        self.changed: list[str] = []
        """What was told otherwise before."""
        self.presses: Counter[int | str] = Counter()
        """How often each seat's button was pressed in this life, and the dial."""
        self.lays = 0
        """How often cards were laid in this life."""
        self.wanted: Place | None = None
        """The moment in which cards are asked for."""
        self.newest: Place | None = None
        self.thinking: frozenset[int] = frozenset()
        """The seats that are asked something else than cards, as far as anybody has seen."""
        self.seats = 0
        """How many play."""

    def begin(self) -> None:
        with self._lock:
            self.presses, self.lays, self.wanted, self.newest = Counter(), 0, None, None
            self.thinking = frozenset()

    def hear(self, place: Place, text: str) -> None:
        with self._lock:
            is_again = place == self.newest
            if self.newest is not None and self.newest[0] != place[0]:
                self.begun.append(place[0])
            self.newest = place
            # a seat whose whole turns are read is asked anew at the same moment
            self.seats = min(PHONES, text.count('<li class="plate'))
            before = self.told.setdefault(place, text)
            if not is_again and _plain(before) != _plain(text):
                self.changed.append(f"{place} was told otherwise: {before}\n{text}")

    def see(self, seat: int, page: Page) -> None:
        asks = [leaf for leaf in page.asks if leaf.ask not in BESIDE]
        is_thinking = any(not leaf.wants_cards for leaf in asks)
        with self._lock:
            self.thinking = self.thinking - {seat} | ({seat} if is_thinking else frozenset())
            for leaf in asks[:1]:
                seen = tuple(sorted(str(leaf.offer()) for leaf in asks))
                if self.asked.setdefault((leaf.place, seat), seen) != seen:
                    self.changed.append(f"seat {seat} was asked something else at {leaf.place}")
                if any(leaf.wants_cards for leaf in asks):
                    self.wanted = leaf.place

    def send(self, phone: Phone, port: int, said: Said) -> int:
        with self._lock:
            self.unheard.append(said)
        code = phone.post(port, said.path, dict(said.fields))
        with self._lock:
            self.unheard.remove(said)
            if code == DONE and said.ask not in BESIDE:
                self.counted.append(said)
        return code

    def press(self, who: int | str, times: int) -> None:
        with self._lock:
            self.presses[who] += times

    def lay(self) -> None:
        with self._lock:
            self.lays += 1


def _plain(text: str) -> str:
    """Leave out what is wrong with the table, and how long a clock still runs: that isn't the moment's."""
    wrong, clock = r'\n*<section class="alarm".*?</section>', r'<span class="tag clock".*?</span>'
    return re.sub(f"{wrong}|{clock}", "", text, flags=re.DOTALL)


class People:
    """All who play at one life of a table, each in a thread of its own."""

    def __init__(self, table: WholeTable, outside: Outside, phones: list[Phone], rng: Random) -> None:
        self._table, self._outside, self._phones = table, outside, phones
        self._over, self._heard = Event(), Event()
        self._random = Random(rng.getrandbits(32))
        self._threads = [self._thread(self._listen)]
        self.is_patient = False
        """They let the camera read their cards."""

    def _thread(self, act: Callable[[Random], None]) -> Thread:
        rng = Random(self._random.getrandbits(32))

        def act_safely() -> None:
            # the table may die at any moment
            with suppress(OSError, HTTPException):
                act(rng)

        thread = Thread(target=act_safely, daemon=True)
        thread.start()
        return thread

    def wait(self) -> bool:
        return self._heard.wait(PAGE_TIMEOUT)

    def play(self, *, is_patient: bool) -> None:
        self.is_patient = is_patient
        taps = [partial(self._tap, seat) for seat in range(self._outside.seats)]
        self._threads += [self._thread(act) for act in (*taps, self._press, self._lay)]

    def end(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(PAGE_TIMEOUT)

    # the screen that shows the score

    def _listen(self, _rng: Random) -> None:
        with closing(HTTPConnection("127.0.0.1", self._table.port, timeout=PAGE_TIMEOUT)) as line:
            line.request("GET", "/events/score")
            stream, event = line.getresponse(), list[str]()
            while not self._over.is_set() and (raw := stream.readline()):
                text = raw.decode().rstrip("\n")
                if text:
                    event.append(text)
                else:
                    self._hear(event)
                    event = []

    def _hear(self, event: list[str]) -> None:
        said = [text.partition(": ") for text in event]
        name = next((value for key, _is, value in said if key == "id"), "")
        if name:
            match, _hash, number = name.partition("#")
            text = "\n".join(value for key, _is, value in said if key == "data")
            self._outside.hear((match, int(number)), text)
            self._heard.set()

    # phones

    def _tap(self, seat: int, rng: Random) -> None:
        phone, port = self._phones[seat], self._table.port
        while not self._over.wait(rng.uniform(0.01, 0.5)):
            page = Page(phone.get(port, "/seat"))
            self._outside.see(seat, page)
            # cards are mostly left to the camera, an answer is seldom taken back
            cards = 0.01 if self.is_patient else 0.25
            leaves = [leaf for leaf in page.asks if not leaf.wants_cards or rng.random() < cards]
            leaves += [leaf for leaf in page.leaves if leaf.action == "/seat/back" and rng.random() < 0.05]
            if leaves:
                leaf = rng.choice(leaves)
                self._outside.send(phone, port, Said(seat, leaf.place, leaf.ask, leaf.fill_in(rng)))
            elif page.is_over and rng.random() < 0.3:
                phone.post(port, "/twin/again", {})

    # fingers

    def _press(self, rng: Random) -> None:
        while not self._over.wait(rng.uniform(0.02, 0.25)):
            asked = self._outside.thinking or range(self._outside.seats)
            seat = rng.choice(list(asked))
            role, how = rng.choice(ROLES), rng.choice(("short", "short", "long", "double"))
            self._outside.press("dial" if role in {"push", "turn"} else seat, 2 if how == "double" else 1)
            said = {"role": role, "how": how, "clicks": str(rng.randrange(-3, 4)), "quiet": "1"}
            if self._phones[seat].form:
                self._phones[seat].post(self._table.port, "/twin/press", said)

    # hands with cards

    def _lay(self, rng: Random) -> None:
        """Lay what is asked for; what isn't read in time is taken away, and laid anew."""
        laid, since = None, 0.0
        while not self._over.wait(rng.uniform(0.05, 0.2)):
            wanted = self._outside.wanted
            if wanted is not None and wanted == laid and monotonic() > since + UNREAD:
                self._table.type("sweep")
                laid = None
                self._over.wait(1.0)
            elif wanted is not None and wanted != laid:
                self._outside.lay()
                self._table.type("lay")
                laid, since = wanted, monotonic()


# answers as a page sends them, and asks as it shows them, beside those of a match


def is_entry_of(said: Said, entry: Entry) -> bool:
    if not said.ask:
        return isinstance(entry, TakeBack) and (entry.moment, entry.seat) == (said.place[1], said.seat)
    return (
        isinstance(entry, Answer)
        and (entry.moment, entry.ask, entry.sense) == (said.place[1], said.ask, "phone")
        and entry.seat in {None, said.seat}
        and is_value(entry.value, dict(said.fields))
    )


def is_value(value: object, fields: dict[str, str]) -> bool:
    match value:
        case Option():
            return msgspec.json.decode(fields.get("option") or fields["cell"], type=Option) == value
        case int():
            return int(fields["number"]) == value
        case tuple():
            counted = {name.removeprefix(CARD): int(fields[name]) for name in fields if name.startswith(CARD)}
            return Counter(value) == Counter([fields["card"]] if "card" in fields else counted)
        case _:
            return True


def asks_of_seat(match: Match, seat: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Say what a seat is asked by the rules: which ask, and what may be chosen."""
    for ask in asks_of(match.asks, seat):
        options = ask.options if isinstance(ask, Choice) else ()
        yield ask.key, tuple(sorted(msgspec.json.encode(option).decode() for option in options))


def asks_on_page(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Say the same of a seat's page; an ask may have several forms there."""
    chosen: dict[str, list[str]] = {}
    for leaf in page.asks:
        if leaf.ask not in BESIDE:
            offered = (value for name, value in leaf.buttons if name in {"option", "cell"})
            chosen.setdefault(leaf.ask, []).extend(offered)
    for ask, options in chosen.items():
        yield ask, tuple(sorted(options))
