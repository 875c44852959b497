"""Storms of presses on gpiozero's mock pins, with real inputs, loop, table and referee, in simulated time.

Nothing sleeps: a wait on the loop's queue advances the clock to an edge, a disk's answer, or its timeout.
Expected results come from the finger plan, and from a second referee that receives the answers in the order of
the presses, independently of `firmware/board/inputs`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, Literal

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import replace

from firmware import board_events
from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.buttons import Buttons
from firmware.cli.terminal import listener_of
from firmware.table.client import Stop
from firmware.table.loop import Companion
from firmware.table.loop_parts import Parts
from firmware.table.writer import EntryKept
from hardware.board.board import Board, Key, keys
from referee.contract import Answer, Option
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin, hear, log
from tests.firmware.board.inputs.matches import after
from tests.firmware.board.inputs.waves import Flip, press
from tests.firmware.table.tables import FakeEyes, SilentOutputs
from tests.given import allowed
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.stepped import SteppedQueue, SteppedTime


class _Wire(MockPin):  # type: ignore[misc]
    """A pin whose edges have simulated timestamps, and are delivered by the header."""

    def _change_state(self, value: bool) -> bool:
        header: _Header = self.factory
        if self._state == value:
            return False
        self._state, self._last_change = value, header.time.seconds
        return True

    def _call_when_changed(self) -> None:
        header: _Header = self.factory
        stamp, level = self._last_change, self._state
        heard_at = self._heard_at = max(getattr(self, "_heard_at", 0.0), stamp + header.late())
        told = super(MockPin, self)._call_when_changed
        if heard_at <= header.time.seconds:
            told(stamp, level)
        else:
            header.time.at(heard_at, lambda: told(stamp, level))


class _Header(MockFactory):  # type: ignore[misc]
    """The pins; callbacks of different wires come late, and in any order."""

    def __init__(self, time: SteppedTime) -> None:
        super().__init__(pin_class=_Wire)
        self.time = time
        self.late: Callable[[], float] = lambda: 0.0


FULL = OWN_BOARDS["full"]
NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Finn", "Gil", "Hana")
TIMESTAMP_TOLERANCE = 0.001
"""Tolerance, in seconds, of a press's timestamp, and so of the order of first presses."""
TIE_SECONDS, DISTINCT_SECONDS = 0.00005, 0.00011
"""Seconds between presses with indistinguishable timestamps, and the minimum of distinguishable ones."""
RACE_SECONDS = 0.018
"""Seconds within which the presses of a race begin: all belong to the same moment."""
TREMBLE_SECONDS = (0.001, 0.024)
"""Seconds a trembling finger may lift: it is still the same press."""
MIN_LIFT = 0.026
"""Minimum seconds a finger lifts before its next, separate press."""
MIN_PRESS_INTERVAL = 0.06  # minimum seconds from one press of a finger to its next one
MOVE_SECONDS = 0.08  # seconds after which a finger may move to its seat's other button
SETTLE_SECONDS = 1.6  # seconds after the last press until all presses are settled


# the companion


class PressLog(ButtonInput):
    """ButtonInput with a log of its presses; a slow machine needs time for each edge."""

    def __init__(self, board: Board, time: SteppedTime) -> None:
        super().__init__(board)
        self._time, self.cost = time, 0.0
        self.heard: list[board_events.BoardEvent] = []

    def feed(self, heard: board_events.Edge, match: Match) -> list[board_events.BoardEvent]:
        if self.cost:
            self._time.spend(self.cost)
        events = super().feed(heard, match)
        self.heard += events
        return events

    def look(self, now: float, match: Match) -> list[board_events.BoardEvent]:
        events = super().look(now, match)
        self.heard += events
        return events


# the fingers


Says = Literal["short", "double"]


class Press(Struct, frozen=True):
    """A press: its first contact, its meaning, and all changes of its wire."""

    key: Key
    at: float
    says: Says
    flips: tuple[Flip, ...]


def touch(rng: Random, key: Key, at: float, says: Says = "short") -> Press:
    moves = press(rng, at, _hold_seconds(rng))
    if says == "double":
        moves += press(rng, moves[-1].at + rng.uniform(0.03, 0.2), _hold_seconds(rng))
    if says == "short" and rng.random() < 0.1:
        # a trembling finger: down again before the contact settled
        moves += press(rng, moves[-1].at + rng.uniform(*TREMBLE_SECONDS), 0.02, "clean")
    return Press(key, at, says, tuple(moves))


def _hold_seconds(rng: Random) -> float:
    return rng.choice((rng.uniform(0.0005, 0.005), rng.uniform(0.02, 0.15), rng.uniform(0.02, 0.3)))


# races


class Race(Struct, frozen=True):
    """A moment at which several seats may answer."""

    match: Match
    seats: tuple[int, ...]
    means: Callable[[int, Says], tuple[str, Option]]
    """The answer of each seat's press, and its ask."""
    passes: float = 0.0  # presses of a seat; the last one must end the moment


def openers() -> Race:
    """Set up a race to open: any seat may, and the first one does."""
    match = allowed(begin(Setup(COYOTE, House(edition="oliphante", boxes=2), NAMES)))
    return Race(match, tuple(range(8)), lambda seat, _says: ("opener", Option("opens", seat=seat)))


def doubters() -> Race:
    """Set up a race to challenge: up to five single presses or double presses to pass, at least one single."""
    match = allowed(begin(Setup(COUP, COUP.rules.settings["rule text"], NAMES[:6])))
    match = after(match, ("opener", Option("opens", seat=0), None), ("action", Option("tax"), 0))
    words = {"short": Option("challenge"), "double": Option("pass")}
    return Race(match, tuple(range(1, 6)), lambda _seat, says: ("challenge", words[says]), passes=0.4)


# results


class Figures(Struct):
    """Counts over all storms."""

    presses: int = 0
    edges: int = 0
    lost: int = 0
    doubled: int = 0
    late_stamps: int = 0  # presses whose timestamp differs from their finger's by more than a millisecond
    races: int = 0
    ties: int = 0
    answers: int = 0
    wrong_order: int = 0
    """Races whose answers aren't those of the fingers, in order and once each."""
    wrong_record: int = 0
    """Races whose record differs from that of a referee who saw the fingers."""
    longest_queue: int = 0
    stuck: int = 0
    freed: int = 0
    wrong: list[str] = []


Pace = Literal["at once", "late", "busy", "slow", "jumbled"]
PACES: tuple[Pace, ...] = ("at once", "late", "busy", "slow", "jumbled")
"""Lateness of the loop.

None; up to 45 ms; up to two seconds; 0.3 ms per edge; and callbacks up to 15 ms late, in any order.
"""


class Storm:
    """A companion with a board of eight seats, and fingers on it."""

    def __init__(self, seed: int, figures: Figures) -> None:
        self.rng, self.figures = Random(seed), figures
        self.time = SteppedTime()
        self.header = _Header(self.time)
        self.queue: Any = SteppedQueue(self.time)
        self.button_input, self.voices = PressLog(FULL, self.time), SilentOutputs()
        self._pins = {key: self.header.pin(gpio) for key, gpio in keys(FULL).items()}
        self._races = openers(), doubters()
        disk: Any = SimpleNamespace(give=self._keep, close=lambda _seconds: True)
        log: Any = SimpleNamespace(note=lambda *_what, **_values: None, close=lambda: None)
        board = self.button_input, Buttons(FULL, self.queue.put, self.header), self.voices
        parts = Parts(self.queue, *board, disk, FakeEyes(), log, listener_of, clock=self.time)
        self.companion = Companion(parts, self._races[0].match, 1)
        self.broken: set[int] = set()
        """Seats that aren't pressed because one of their buttons is broken."""

    def _keep(self, _write: object) -> None:
        self.time.later(0.004, lambda: self.queue.put(EntryKept(1)))

    def run(self, presses: int, seconds: float = 0.0) -> None:
        """Storm until enough presses were made, for at least this time."""
        self._left, self._until = presses, self.time.seconds + seconds
        # a broken button's effect on the first match belongs to no race
        self.time.later(1, self._sit)
        self.companion.run()
        self.figures.longest_queue = max(self.figures.longest_queue, self.queue.most)

    def move(self, key: Key, moves: Iterable[Flip]) -> None:
        self._drive(self._pins[key], iter(moves))

    def _drive(self, pin: MockPin, moves: Iterator[Flip]) -> None:
        flip = next(moves, None)
        if flip is None:
            return

        def turn() -> None:
            (pin.drive_low if flip.is_down else pin.drive_high)()
            self._drive(pin, moves)

        self.time.at(flip.at, turn)

    # a round: people sit down, press, wait until settled, and the results are compared

    def _sit(self) -> None:
        if self._left <= 0 and self.time.seconds >= self._until:
            self.queue.put(Stop())
            return
        self._pace("at once")
        race = self.rng.choice(self._races)
        self.companion.client.sit(race.match)
        self.time.later(0.2, lambda: self._storm(race))

    def _storm(self, race: Race) -> None:
        """Press together; once that is settled, press at all seats, whatever it means."""
        self._pace(self.rng.choice(PACES))
        # a button reported between two races is counted with the next one
        self.button_input.heard = [
            each
            for each in self.button_input.heard
            if isinstance(each, board_events.ButtonStuck | board_events.ButtonFreed)
        ]
        raced = list(self._race_seats(race, self.time.seconds + 0.01))

        def press_on() -> None:
            touches = [*raced, *self._more(self.time.seconds)]
            self._once_settled(touches, touches[len(raced) :], lambda: self._compare(race, raced, touches))

        self._once_settled(raced, raced, press_on)

    def _once_settled(self, touches: list[Press], new: list[Press], then: Callable[[], None]) -> None:
        """Move the fingers, and continue once they and the loop are idle."""
        for each in new:
            self.move(each.key, each.flips)

        def look() -> None:
            is_busy = not self.queue.empty() or self.companion.table.writing is not None
            if is_busy or self.button_input.oldest_pending() is not None:
                # with an oscillating wire, a loop that is always late would never catch up
                self.queue.late = lambda: 0.0
                self.time.later(0.2, look)
            else:
                then()

        self.time.at(max(made.flips[-1].at for made in touches) + SETTLE_SECONDS, look)

    def _race_seats(self, race: Race, at: float) -> Iterator[Press]:
        rng, seats = self.rng, [seat for seat in race.seats if seat not in self.broken]
        seats = rng.sample(seats, rng.randint(2, len(seats)))
        widest = min(0.005, RACE_SECONDS / len(seats))
        for seat in seats:
            passes = seat != seats[-1] and rng.random() < race.passes
            yield touch(rng, Key("call", seat), at, "double" if passes else "short")
            at += rng.uniform(0, TIE_SECONDS) if rng.random() < 0.03 else rng.uniform(DISTINCT_SECONDS, widest)

    def _more(self, begin: float) -> Iterator[Press]:
        most = self.rng.choice((1, 1, 12))
        for seat in set(range(8)) - self.broken:
            key, at = Key("call", seat), begin + self.rng.uniform(0, 0.1)
            for _press in range(self.rng.randrange(most)):
                other = Key(self.rng.choice(("call", "call", "call", "second")), seat)
                at += MOVE_SECONDS if other != key else 0.0
                key = other
                made = touch(self.rng, key, at)
                yield made
                at = max(made.flips[-1].at + MIN_LIFT, at + MIN_PRESS_INTERVAL) + self.rng.expovariate(10)

    def _pace(self, pace: Pace) -> None:
        """Set the loop's lateness."""
        rng = self.rng
        self.queue.late = {
            "late": lambda: rng.uniform(0, 0.045),
            "busy": lambda: rng.choice((0.0, rng.uniform(0, 2))),
        }.get(pace, lambda: rng.uniform(0, 0.001))
        self.button_input.cost = 0.0003 if pace == "slow" else 0.0
        self.header.late = (lambda: rng.uniform(0, 0.015)) if pace == "jumbled" else (lambda: 0.0)

    # results

    def _compare(self, race: Race, raced: list[Press], touches: list[Press]) -> None:
        self._left -= len(touches)
        self.figures.presses += len(touches)
        self.figures.edges += sum(len(made.flips) for made in touches)
        self._count_presses(touches)
        self._compare_race(race, sorted(raced, key=lambda made: made.at))
        self.button_input.heard.clear()
        self._sit()

    def _count_presses(self, touches: list[Press]) -> None:
        """Check that each press was counted once, at its first contact."""
        figures, made, taken = (
            self.figures,
            defaultdict[Key, list[float]](list),
            defaultdict[Key, list[float]](list),
        )
        for each in touches:
            made[each.key].append(each.at)
        for event in self.button_input.heard:
            if isinstance(event, board_events.PressUnderstood | board_events.VoidPress):
                taken[event.key].append(event.at)
            elif isinstance(event, board_events.ButtonStuck | board_events.ButtonFreed):
                figures.stuck += isinstance(event, board_events.ButtonStuck)
                figures.freed += isinstance(event, board_events.ButtonFreed)
            elif not isinstance(event, board_events.BoardAnswers):
                figures.wrong.append(f"no finger did that: {event}")
        for key in made.keys() | {key for key in taken if key.seat not in self.broken}:
            fingers, stamps = sorted(made[key]), sorted(taken[key])
            figures.lost += max(0, len(fingers) - len(stamps))
            figures.doubled += max(0, len(stamps) - len(fingers))
            if len(fingers) == len(stamps):
                pairs = zip(fingers, stamps, strict=True)
                figures.late_stamps += sum(abs(at - stamp) > TIMESTAMP_TOLERANCE for at, stamp in pairs)

    def _compare_race(self, race: Race, raced: list[Press]) -> None:
        """Check that each press became one answer, in order, with the rulings of the second referee."""
        groups: list[list[Press]] = []
        for made in raced:
            # presses tie whose timestamps are indistinguishable from the first one's
            if groups and made.at <= groups[-1][0].at + 0.0001:
                groups[-1].append(made)
            else:
                groups.append([made])
        wanted = [[_answer(race, made) for made in group] for group in groups]
        said = [
            event.answers for event in self.button_input.heard if isinstance(event, board_events.BoardAnswers)
        ]
        self.figures.races += 1
        self.figures.answers += sum(map(len, said))
        self.figures.ties += sum(len(group) > 1 for group in wanted)
        if [_bare(group) for group in said] != [_bare(group) for group in wanted]:
            self.figures.wrong_order += 1
            self.figures.wrong.append(f"{said} instead of {wanted}")
        heard = _record(self.companion.table.match)
        self.figures.wrong_record += heard != _record(_referee_race(race.match, wanted))


def _answer(race: Race, made: Press) -> Answer:
    seat = made.key.seat or 0
    ask, value = race.means(seat, made.says)
    return Answer(race.match.number, ask, value, seat, "button")


def _bare(answers: Iterable[Answer]) -> Counter[object]:
    return Counter((answer.ask, answer.value, answer.seat) for answer in answers)


def _referee_race(match: Match, groups: list[list[Answer]]) -> Match:
    """Send the presses to a second referee in order; its refusals don't count."""
    for group in groups:
        answers = tuple(group)
        for answer in match.setup.game.rules.in_order(match.state, answers) if len(answers) > 1 else answers:
            heard = hear(match, answer)
            match = heard if isinstance(heard, Match) else match
    return match


def _record(match: Match) -> list[object]:
    return [replace(entry, at="") for entry in log(match)]


# broken buttons


def storm_beside_short(figures: Figures, presses: int, every: float = 0.0005, seconds: float = 60.0) -> Storm:
    """Storm while one wire oscillates fast and another button is held all the time."""
    storm = Storm(2, figures)
    storm.broken = {6, 7}
    start = storm.time.seconds + 0.05
    swings = (Flip(start + place * every, place % 2 == 0) for place in range(2 * round(seconds / every / 2)))
    storm.move(Key("call", 7), swings)
    storm.move(Key("call", 6), (Flip(start, is_down=True), Flip(start + seconds, is_down=False)))
    storm.run(presses, seconds + 2)
    return storm


def is_kept(figures: Figures) -> bool:
    counts = (figures.lost, figures.doubled, figures.late_stamps, figures.wrong_order, figures.wrong_record)
    return not any(counts) and not figures.wrong and figures.answers > 0
