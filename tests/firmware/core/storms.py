"""Storms on the buttons: pins of gpiozero's mock, the real senses, loop, table and referee, in a made-up time.

Nothing sleeps: waiting in the loop's queue lets time go on until an edge, an answer of the disk, or the
end of the wait. What is to come of it is known from the fingers, and from a second referee that is told the
answers in the order in which the fingers went down; nothing of `firmware/board/senses` is asked for it.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from queue import Empty
from random import Random
from typing import Any, Literal

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.hands import Hands
from firmware.board_events import (
    BoardAnswers,
    BoardEvent,
    ButtonFreed,
    ButtonStuck,
    Edge,
    PressUnderstood,
    VoidPress,
)
from firmware.cli.terminal import listener_of
from firmware.core.loop import Companion, Item, Parts, Stop
from firmware.core.table import Write
from firmware.core.writer import EntryKept, Forget
from hardware.board.board import Board, Key, keys, our_boards
from hardware.board.bounce import Flip
from referee.contract import Answer, Option, Value
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin, hear
from tests.firmware.board.senses.matches import after
from tests.firmware.board.senses.waves import KINDS, Kind, flips, wave
from tests.firmware.core.tables import Quiet, Seer


class World:
    """What happens when; nothing else makes time go on."""

    def __init__(self) -> None:
        """Begin at a time that is none of the clock's."""
        self.now = 1000.0
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []

    def at(self, at: float, do: Callable[[], None]) -> None:
        """Have something done."""
        heappush(self._events, (at, next(self._numbers), do))

    def next_at(self) -> float:
        """Tell when the next thing happens."""
        return self._events[0][0] if self._events else float("inf")

    def step(self) -> None:
        """Let the next thing happen."""
        at, _number, do = heappop(self._events)
        self.now = max(self.now, at)
        do()

    def spend(self, seconds: float) -> None:
        """Be busy while things happen."""
        until = self.now + seconds
        while self.next_at() <= until:
            self.step()
        self.now = max(self.now, until)

    def drive(self, pin: MockPin, moves: Iterator[Flip]) -> None:
        """Move a wire, edge by edge."""
        flip = next(moves, None)
        if flip is None:
            return

        def turn() -> None:
            (pin.drive_low if flip.is_down else pin.drive_high)()
            self.drive(pin, moves)

        self.at(flip.at, turn)


class Waits:
    """The loop's queue: who waits for it lets time go on; how late it wakes up is drawn by lot."""

    def __init__(self, world: World) -> None:
        """Begin with nothing in it."""
        self._world, self._items = world, deque[Item]()
        self.late: Callable[[], float] = lambda: 0.0
        self.most = 0

    def put(self, item: Item) -> None:
        """Leave something."""
        self._items.append(item)
        self.most = max(self.most, len(self._items))

    def empty(self) -> bool:
        """Tell whether all was taken."""
        return not self._items

    def get_nowait(self) -> Item:
        """Take what is there."""
        if not self._items:
            raise Empty
        return self._items.popleft()

    def get(self, timeout: float) -> Item:
        """Wait for something, for so long."""
        world, until = self._world, self._world.now + timeout
        if self._items:
            return self._items.popleft()
        while not self._items:
            if world.next_at() > until:
                world.now = until
                raise Empty
            world.step()
        world.spend(self.late())
        return self._items.popleft()


class Wire(MockPin):  # type: ignore[misc]
    """A pin whose edges have the world's stamps, and are heard when the world says so."""

    def _change_state(self, value: bool) -> bool:
        header: Header = self.factory
        if self._state == value:
            return False
        self._state, self._last_change = value, header.world.now
        return True

    def _call_when_changed(self) -> None:
        header: Header = self.factory
        stamp, level = self._last_change, self._state
        heard_at = self._heard_at = max(getattr(self, "_heard_at", 0.0), stamp + header.late())
        told = super(MockPin, self)._call_when_changed
        if heard_at <= header.world.now:
            told(stamp, level)
        else:
            header.world.at(heard_at, lambda: told(stamp, level))


class Header(MockFactory):  # type: ignore[misc]
    """The pins; callbacks of different wires come late, and in any order."""

    def __init__(self, world: World) -> None:
        """Begin with callbacks that come at once."""
        super().__init__(pin_class=Wire)
        self.world = world
        self.late: Callable[[], float] = lambda: 0.0


FULL = our_boards()["full"]
NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Finn", "Gil", "Hana")
SAME = 0.001
"""Seconds within which the stamp of a press, and with it the order of first presses, has to be right."""
TIED, TOLD_APART = 0.00005, 0.00011
"""Seconds between fingers that no stamp tells apart, and the least that it does."""
TOGETHER = 0.018
"""Seconds within which the fingers of a race go down: all of them mean the same moment."""
TREMBLES = (0.001, 0.024)
"""Seconds for which a finger that trembles lets go: it is still the same press."""
LETS_GO = 0.026
"""Seconds for which a finger lets go at least before its next press, which is another one."""
FASTEST = 0.06
"""Seconds from one press of a finger to its next one at least."""
MINDED = 0.08
"""Seconds after which a finger may move to the other button of its seat."""
QUIET = 1.6
"""Seconds after the last finger in which all that was pressed is settled."""


# the companion


class Witness(Hands):
    """The hands, and what they made of each press; a slow machine takes its time for each edge."""

    def __init__(self, board: Board, world: World) -> None:
        """Begin with nothing heard."""
        super().__init__(board)
        self._world, self.cost = world, 0.0
        self.heard: list[BoardEvent] = []

    def feed(self, heard: Edge, match: Match) -> list[BoardEvent]:
        """Hear an edge."""
        if self.cost:
            self._world.spend(self.cost)
        events = super().feed(heard, match)
        self.heard += events
        return events

    def look(self, now: float, match: Match) -> list[BoardEvent]:
        """Settle what time settles."""
        events = super().look(now, match)
        self.heard += events
        return events


class Mute(Quiet):
    """Voices that remember only what was said."""

    def _forget(self, *_values: Any, **_named: Any) -> None:
        """Remember nothing: a storm is long."""

    tell = tell_heard = tell_nothing = _forget


class _Unread:
    """A log that is never read."""

    def note(self, _what: str, **_values: object) -> None: ...

    def close(self) -> None: ...


class Disk:
    """A journal that keeps all, after a while."""

    def __init__(self, world: World, put: Callable[[Item], None]) -> None:
        """Begin with a fast one."""
        self._world, self._put, self.late = world, put, 0.004

    def give(self, _write: Write | Forget) -> None:
        """Keep an entry."""
        self._world.at(self._world.now + self.late, lambda: self._put(EntryKept(1)))

    def close(self, _seconds: float) -> bool:
        """Keep nothing more."""
        return True


# the fingers


class Touch(Struct, frozen=True):
    """A finger on a button: when it went down first, what that says, and all that the wire does."""

    key: Key
    at: float
    says: Literal["short", "double"]
    flips: tuple[Flip, ...]


def touch(rng: Random, key: Key, at: float, says: Literal["short", "double"] = "short") -> Touch:
    """Press a button, with any contact: once or twice."""
    moves = _press_flips(rng, at, _hold_seconds(rng))
    if says == "double":
        moves += _press_flips(rng, moves[-1].at + rng.uniform(0.03, 0.2), _hold_seconds(rng))
    if says == "short" and rng.random() < 0.1:
        # a finger that trembles: down again before the contact was at rest
        moves += _press_flips(rng, moves[-1].at + rng.uniform(*TREMBLES), 0.02, "clean")
    return Touch(key, at, says, tuple(moves))


def _press_flips(rng: Random, at: float, held: float, kind: Kind | None = None) -> list[Flip]:
    kind = kind or rng.choice(KINDS)
    # a finger that is gone bounces no more on its way down
    return flips(at, held, wave(rng, kind, 0.9 * held), wave(rng, kind, 0.2))


def _hold_seconds(rng: Random) -> float:
    """Hold a button: taps of a moment, or as people do."""
    return rng.choice((rng.uniform(0.0005, 0.005), rng.uniform(0.02, 0.15), rng.uniform(0.02, 0.3)))


# the moments in which they go down


class Race(Struct, frozen=True):
    """A moment in which several seats may speak at once: who, with what, and what that is to the referee."""

    match: Match
    seats: tuple[int, ...]
    says: Callable[[Random, bool], Literal["short", "double"]]
    """What a seat says with its finger; the last one has to end the moment."""
    answer: Callable[[Match, int, str], Answer]


def openers() -> Race:
    """Set up a race to open: any seat may, and the first one does."""
    match = begin(Setup(COYOTE, House(edition="oliphante", boxes=2), NAMES))
    assert isinstance(match, Match)
    return Race(
        match,
        tuple(range(8)),
        lambda _rng, _is_last: "short",
        lambda now, seat, _says: Answer(now.number, "opener", Option("opens", seat=seat), seat, "button"),
    )


def doubters() -> Race:
    """Set up a race to challenge: five may press once for it, or twice to pass, and at least one challenges."""
    match = begin(Setup(COUP, COUP.settings["rule text"], NAMES[:6]))
    assert isinstance(match, Match)
    match = after(match, ("opener", Option("opens", seat=0), None), ("action", Option("tax"), 0))

    def says(rng: Random, is_last: bool) -> Literal["short", "double"]:
        return "short" if is_last or rng.random() < 0.6 else "double"

    def answer_of(now: Match, seat: int, says: str) -> Answer:
        word = "challenge" if says == "short" else "pass"
        return Answer(now.number, "challenge", Option(word), seat, "button")

    return Race(match, tuple(range(1, 6)), says, answer_of)


RACES = (openers, doubters)


# what comes of it


class Figures(Struct):
    """What is counted."""

    presses: int = 0
    edges: int = 0
    lost: int = 0
    doubled: int = 0
    late_stamps: int = 0
    """Presses whose stamp isn't that of their finger, within a millisecond."""
    races: int = 0
    ties: int = 0
    answers: int = 0
    wrong_order: int = 0
    """Races in which the answers aren't those of the fingers, in their order, each once."""
    wrong_record: int = 0
    """Races after which the record isn't that of a referee who saw the fingers."""
    longest_queue: int = 0
    slowest: float = 0.0
    """The longest time in which the loop was busy, in seconds of the world."""
    stuck: int = 0
    freed: int = 0
    wrong: list[str] = []


Pace = Literal["at once", "late", "busy", "slow", "jumbled"]
PACES: tuple[Pace, ...] = ("at once", "late", "busy", "slow", "jumbled")
"""How the loop keeps up: at once; up to 45 ms late; up to two seconds late; 0.3 ms for each edge; and with
callbacks that come up to 15 ms late, in any order."""


class Storm:
    """A companion on a board of eight seats, with fingers on it."""

    def __init__(self, seed: int, figures: Figures) -> None:
        """Sit down."""
        self.rng, self.figures = Random(seed), figures
        self.world = World()
        self.header = Header(self.world)
        self.queue = Waits(self.world)
        self.hands = Witness(FULL, self.world)
        self.voices = Mute()
        self._buttons = Buttons(FULL, self.queue.put, self.header)
        self._pins = {key: self.header.pin(gpio) for key, gpio in keys(FULL).items()}
        self._races = [race() for race in RACES]
        fakes: tuple[Any, Any] = self.queue, _Unread()
        disk = Disk(self.world, self.queue.put)
        board = self.hands, self._buttons, self.voices
        parts = Parts(fakes[0], *board, disk, Seer(), fakes[1], listener_of, clock=lambda: self.world.now)
        self.companion = Companion(parts, self._races[0].match, 1)
        self.broken: set[int] = set()
        """Seats that aren't pressed at, because a button of theirs is broken."""

    def run(self, presses: int, seconds: float = 0.0) -> None:
        """Storm until so many presses were made, and for so long at least."""
        self._left, self._until = presses, self.world.now + seconds
        # what a broken button says to the first match is no race's
        self.world.at(self.world.now + 1, self._sit)
        self.companion.run()
        self.figures.longest_queue = max(self.figures.longest_queue, self.queue.most)
        self.figures.slowest = max(self.figures.slowest, self.companion.longest)

    def move(self, key: Key, moves: Iterable[Flip]) -> None:
        """Move a wire."""
        self.world.drive(self._pins[key], iter(moves))

    # a round: people sit down, fingers go down, all is quiet, what came of it is compared

    def _sit(self) -> None:
        if self._left <= 0 and self.world.now >= self._until:
            self.queue.put(Stop())
            return
        self._pace("at once")
        race = self.rng.choice(self._races)
        self.companion.door.sit(race.match)
        self.world.at(self.world.now + 0.2, lambda: self._storm(race))

    def _storm(self, race: Race) -> None:
        """Have fingers go down together; once that is settled, let all seats press on, whatever it means."""
        self._pace(self.rng.choice(PACES))
        # a button that was named between two races is counted with the next one
        self.hands.heard = [each for each in self.hands.heard if isinstance(each, ButtonStuck | ButtonFreed)]
        raced = self._make_touches(self._race_seats(race, self.world.now + 0.01))
        self._once_settled(raced, lambda: self._press_on(race, raced))

    def _press_on(self, race: Race, raced: list[Touch]) -> None:
        more = self._make_touches(self._more(self.world.now))
        self._once_settled([*raced, *more], lambda: self._compare_race(race, raced, more))

    def _make_touches(self, touches: Iterable[Touch]) -> list[Touch]:
        """Have fingers do what they are to do."""
        made = list(touches)
        for each in made:
            self.move(each.key, each.flips)
        return made

    def _once_settled(self, touches: list[Touch], then: Callable[[], None]) -> None:
        """Go on once fingers and loop are at rest."""
        end = max(made.flips[-1].at for made in touches) + QUIET

        def look() -> None:
            is_busy = not self.queue.empty() or self.companion.table.writing is not None
            if is_busy or self.hands.unsettled_since() is not None:
                # with a wire that swings, a loop that is always late would never have heard all
                self.queue.late = lambda: 0.0
                self.world.at(self.world.now + 0.2, look)
            else:
                then()

        self.world.at(end, look)

    def _race_seats(self, race: Race, at: float) -> list[Touch]:
        """Have several seats press at almost the same time."""
        seats = [seat for seat in race.seats if seat not in self.broken]
        seats = self.rng.sample(seats, self.rng.randint(2, len(seats)))
        widest = min(0.005, TOGETHER / len(seats))
        touches = list[Touch]()
        for place, seat in enumerate(seats):
            says = race.says(self.rng, place == len(seats) - 1)
            touches.append(touch(self.rng, Key("call", seat), at, says))
            is_tied = self.rng.random() < 0.03
            at += self.rng.uniform(0, TIED) if is_tied else self.rng.uniform(TOLD_APART, widest)
        return touches

    def _more(self, begin: float) -> Iterator[Touch]:
        """Let all seats press on, on both of their buttons, or none."""
        most = self.rng.choice((1, 1, 12))
        for seat in set(range(8)) - self.broken:
            key, at = Key("call", seat), begin + self.rng.uniform(0, 0.1)
            for _press in range(self.rng.randrange(most)):
                other = Key(self.rng.choice(("call", "call", "call", "second")), seat)
                at += MINDED if other != key else 0.0
                key = other
                made = touch(self.rng, key, at)
                yield made
                at = max(made.flips[-1].at + LETS_GO, at + FASTEST) + self.rng.expovariate(10)

    def _pace(self, pace: Pace) -> None:
        """Say how well the loop keeps up."""
        rng = self.rng
        self.queue.late = {
            "late": lambda: rng.uniform(0, 0.045),
            "busy": lambda: rng.choice((0.0, rng.uniform(0, 2))),
        }.get(pace, lambda: rng.uniform(0, 0.001))
        self.hands.cost = 0.0003 if pace == "slow" else 0.0
        self.header.late = (lambda: rng.uniform(0, 0.015)) if pace == "jumbled" else (lambda: 0.0)

    # what came of it

    def _compare_race(self, race: Race, raced: list[Touch], more: list[Touch]) -> None:
        """Compare, and sit down to the next round."""
        touches = [*raced, *more]
        self._left -= len(touches)
        self.figures.presses += len(touches)
        self.figures.edges += sum(len(made.flips) for made in touches)
        self._count_presses(touches)
        self._compare(race, sorted(raced, key=lambda made: made.at))
        self.hands.heard.clear()
        self._sit()

    def _count_presses(self, touches: list[Touch]) -> None:
        """See whether each press was taken once, at the time when its finger went down."""
        made, taken = dict[Key, list[float]](), dict[Key, list[float]]()
        for each in touches:
            made.setdefault(each.key, []).append(each.at)
        for event in self.hands.heard:
            if isinstance(event, PressUnderstood | VoidPress):
                taken.setdefault(event.key, []).append(event.at)
            elif isinstance(event, ButtonStuck | ButtonFreed):
                self.figures.stuck += isinstance(event, ButtonStuck)
                self.figures.freed += isinstance(event, ButtonFreed)
            elif not isinstance(event, BoardAnswers):
                self.figures.wrong.append(f"no finger did that: {event}")
        for key in made.keys() | {key for key in taken if key.seat not in self.broken}:
            fingers, stamps = sorted(made.get(key, ())), sorted(taken.get(key, ()))
            self.figures.lost += max(0, len(fingers) - len(stamps))
            self.figures.doubled += max(0, len(stamps) - len(fingers))
            if len(fingers) == len(stamps):
                pairs = zip(fingers, stamps, strict=True)
                self.figures.late_stamps += sum(abs(at - stamp) > SAME for at, stamp in pairs)

    def _compare(self, race: Race, raced: list[Touch]) -> None:
        """See whether each finger became one answer, in their order, and what a referee makes of them."""
        self.figures.races += 1
        said = [
            tuple(_bare(each) for each in event.answers)
            for event in self.hands.heard
            if isinstance(event, BoardAnswers)
        ]
        wanted = [
            tuple(_bare(race.answer(race.match, made.key.seat or 0, made.says)) for made in group)
            for group in _group_ties(raced)
        ]
        self.figures.answers += sum(len(group) for group in said)
        self.figures.ties += sum(len(group) > 1 for group in wanted)
        if [Counter(group) for group in said] != [Counter(group) for group in wanted]:
            self.figures.wrong_order += 1
            self.figures.wrong.append(f"{said} instead of {wanted}")
        if _record(self.companion.table.match, race.match) != _record(_referee_race(race, wanted), race.match):
            self.figures.wrong_record += 1


Bare = tuple[str, Value, int | None]


def _bare(answer: Answer) -> Bare:
    return answer.ask, answer.value, answer.seat


def _group_ties(raced: list[Touch]) -> list[list[Touch]]:
    """Put those together that no stamp tells apart from the first of them."""
    groups: list[list[Touch]] = []
    for made in raced:
        if groups and made.at <= groups[-1][0].at + 0.0001:
            groups[-1].append(made)
        else:
            groups.append([made])
    return groups


def _referee_race(race: Race, wanted: list[tuple[Bare, ...]]) -> Match:
    """Let a second referee hear the fingers, one after another; what it refuses doesn't count."""
    match = race.match
    for group in wanted:
        answers = tuple(Answer(race.match.number, ask, value, seat, "button") for ask, value, seat in group)
        if len(answers) > 1:
            answers = match.setup.game.in_order(match.state, answers)
        for answer in answers:
            heard = hear(match, answer)
            match = heard if isinstance(heard, Match) else match
    return match


def _record(match: Match, since: Match) -> list[object]:
    """List what was entered since a moment, without the time on the wall."""
    entries: list[object] = []
    while match.number > since.number and match.before is not None:
        entries.append(None if match.entry is None else replace(match.entry, at=""))
        match = match.before
    return entries


# broken buttons


def storm_beside_short(figures: Figures, presses: int, every: float = 0.0005, seconds: float = 60.0) -> Storm:
    """Storm while a wire swings so fast, and another button is held all the time."""
    storm = Storm(2, figures)
    swinging, held = Key("call", 7), Key("call", 6)
    storm.broken = {6, 7}
    start = storm.world.now + 0.05
    swings = (Flip(start + place * every, place % 2 == 0) for place in range(2 * round(seconds / every / 2)))
    storm.move(swinging, swings)
    storm.move(held, (Flip(start, is_down=True), Flip(start + seconds, is_down=False)))
    storm.run(presses, seconds + 2)
    return storm


def is_kept(figures: Figures) -> bool:
    """Tell whether all is as promised."""
    counts = (figures.lost, figures.doubled, figures.late_stamps, figures.wrong_order, figures.wrong_record)
    return not any(counts) and not figures.wrong and figures.answers > 0
