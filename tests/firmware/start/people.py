"""People at a whole table: phones, buttons and dial, cards, and a screen, all in parallel.

All messages of the table are recorded as they arrive, and compared with its state after a kill.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPException
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

PHONES = 4  # more than the players; a table that starts with defaults has this many seats
UNSTORED_ASKS = frozenset({"which-way", "whole-turn"})
"""The table's own question beside the game; its answer isn't stored."""
RELAY_AFTER = 5.0  # seconds after which an unread card is laid again
SEE_OTHER = 303
ROLES = ("call", "call", "call", "second", "push", "turn")

Place = tuple[str, int]  # a match, by its name on the pages, and one of its moments


class SentAnswer(Struct, frozen=True):
    """An answer that a seat sent by phone; an empty ask takes the last answer back."""

    seat: int
    place: Place
    ask: str
    fields: Fields

    @property
    def path(self) -> str:
        return "/seat/answer" if self.ask else "/seat/back"


class OutsideRecord:
    """The outside record of a table, over all of its lives."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.told: dict[Place, str] = {}
        """The published score at each moment."""
        self.asked: dict[tuple[Place, int], tuple[object, ...]] = {}
        self.counted: list[SentAnswer] = []
        self.unheard: list[SentAnswer] = []
        """Answers from phones without a reply."""
        self.begun: list[str] = []
        """Matches shown as open while people were there."""
        self.changed: list[str] = []
        """Contradictions of earlier messages."""
        self.presses: Counter[int | str] = Counter()
        """Presses of each seat's button in this life, and of the dial."""
        self.lays = 0
        self.wanted: Place | None = None
        """The moment at which cards are asked for."""
        self.newest: Place | None = None
        self.thinking: frozenset[int] = frozenset()
        """Seats last seen with a question that isn't answered by cards."""
        self.seats = 0

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
            # a seat whose whole turns are read is asked again at the same moment
            self.seats = min(PHONES, text.count('<li class="plate'))
            before = self.told.setdefault(place, text)
            if not is_again and _plain(before) != _plain(text):
                self.changed.append(f"{place} was told otherwise: {before}\n{text}")

    def see(self, seat: int, page: Page) -> None:
        asks = [leaf for leaf in page.asks if leaf.ask not in UNSTORED_ASKS]
        is_thinking = any(not leaf.wants_cards for leaf in asks)
        with self._lock:
            self.thinking = self.thinking - {seat} | ({seat} if is_thinking else frozenset())
            for leaf in asks[:1]:
                seen = tuple(sorted(str(leaf.offer()) for leaf in asks))
                if self.asked.setdefault((leaf.place, seat), seen) != seen:
                    self.changed.append(f"seat {seat} was asked something else at {leaf.place}")
                if any(leaf.wants_cards for leaf in asks):
                    self.wanted = leaf.place

    def send(self, phone: Phone, port: int, said: SentAnswer) -> int:
        with self._lock:
            self.unheard.append(said)
        code = phone.post(port, said.path, dict(said.fields))
        with self._lock:
            self.unheard.remove(said)
            if code == SEE_OTHER and said.ask not in UNSTORED_ASKS:
                self.counted.append(said)
        return code

    def press(self, who: int | str, times: int) -> None:
        with self._lock:
            self.presses[who] += times

    def lay(self) -> None:
        with self._lock:
            self.lays += 1


def _plain(text: str) -> str:
    """Drop faults and remaining time, which don't belong to the moment."""
    wrong, clock = r'\n*<section class="alarm".*?</section>', r'<span class="tag clock".*?</span>'
    return re.sub(f"{wrong}|{clock}", "", text, flags=re.DOTALL)


class People:
    """All players in one life of a table, each in a thread."""

    def __init__(self, table: WholeTable, outside: OutsideRecord, phones: list[Phone], rng: Random) -> None:
        self._table, self._outside, self._phones = table, outside, phones
        self._over, self._heard = Event(), Event()
        self._random = Random(rng.getrandbits(32))
        self._threads = [self._thread(self._listen)]
        self.is_patient = False
        """Whether they let the camera read their cards."""

    def _thread(self, act: Callable[[Random], None]) -> Thread:
        rng = Random(self._random.getrandbits(32))

        def act_safely() -> None:
            # the table may die at any time
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

    # the score screen

    def _listen(self, _rng: Random) -> None:
        for event in Phone().events(self._table.port, "/events/score"):
            if "id" in event:
                match, _hash, number = event["id"].partition("#")
                self._outside.hear((match, int(number)), event["data"])
                self._heard.set()
            if self._over.is_set():
                return

    # phones

    def _tap(self, seat: int, rng: Random) -> None:
        phone, port = self._phones[seat], self._table.port
        while not self._over.wait(rng.uniform(0.01, 0.5)):
            page = Page(phone.get(port, "/seat"))
            self._outside.see(seat, page)
            # the camera reads most cards, and few answers are taken back
            cards = 0.01 if self.is_patient else 0.25
            leaves = [leaf for leaf in page.asks if not leaf.wants_cards or rng.random() < cards]
            leaves += [leaf for leaf in page.leaves if leaf.action == "/seat/back" and rng.random() < 0.05]
            if leaves:
                leaf = rng.choice(leaves)
                self._outside.send(phone, port, SentAnswer(seat, leaf.place, leaf.ask, leaf.fill_in(rng)))
            elif page.is_over and rng.random() < 0.3:
                phone.post(port, "/twin/again", {})

    # button presses

    def _press(self, rng: Random) -> None:
        while not self._over.wait(rng.uniform(0.02, 0.25)):
            asked = self._outside.thinking or range(self._outside.seats)
            seat = rng.choice(list(asked))
            role, how = rng.choice(ROLES), rng.choice(("short", "short", "long", "double"))
            self._outside.press("dial" if role in {"push", "turn"} else seat, 2 if how == "double" else 1)
            said = {"role": role, "how": how, "clicks": str(rng.randrange(-3, 4)), "quiet": "1"}
            if self._phones[seat].form:
                self._phones[seat].post(self._table.port, "/twin/press", said)

    # cards

    def _lay(self, rng: Random) -> None:
        """Lay the requested cards; remove unread ones in time, and lay them again."""
        laid, since = None, 0.0
        while not self._over.wait(rng.uniform(0.05, 0.2)):
            wanted = self._outside.wanted
            if wanted is not None and wanted == laid and monotonic() > since + RELAY_AFTER:
                self._table.type("sweep")
                laid = None
                self._over.wait(1.0)
            elif wanted is not None and wanted != laid:
                self._outside.lay()
                self._table.type("lay")
                laid, since = wanted, monotonic()


# answers as sent by a page and its displayed asks, compared with a match's


def is_entry_of(said: SentAnswer, entry: Entry) -> bool:
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
    """Return a seat's asks by the rules: which ask, and its options."""
    for ask in asks_of(match.asks, seat):
        options = ask.options if isinstance(ask, Choice) else ()
        yield ask.key, tuple(sorted(msgspec.json.encode(option).decode() for option in options))


def asks_on_page(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the same from a seat's page; an ask may have several forms there."""
    chosen: dict[str, list[str]] = {}
    for leaf in page.asks:
        if leaf.ask not in UNSTORED_ASKS:
            offered = (value for name, value in leaf.buttons if name in {"option", "cell"})
            chosen.setdefault(leaf.ask, []).extend(offered)
    for ask, options in chosen.items():
        yield ask, tuple(sorted(options))
