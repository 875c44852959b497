"""What bots at a lone table do: they press, turn the dial or take a phone, and wait for the table."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.hands import Hands
from firmware.board.senses.menus import push_dial
from firmware.board.senses.presses import LONG
from firmware.board_events import Edge
from firmware.table.door import TableDoor
from firmware.table.loop import Item, Logbook
from firmware.twin.simulated_board import BETWEEN, HELD, STEP
from firmware.twin.world import World
from hardware.board.board import Key
from referee.contract import Answer, Gesture, Show, Value
from referee.legal import ask_named
from referee.match import Match
from tests.firmware.table.tables import SIX
from tests.firmware.twin.deft_fingers import BACK, MOST_ACTS, PUSH, can_dial, dial_act, press_for
from tests.given import Clock

NEVER = float("inf")
SAYS_ANYWAY = 5.0  # seconds after which a player whose button does nothing takes a phone
CLICK = 0.12  # seconds from click to click of the dial: slow enough for single steps
SETTLES = 0.1  # seconds for which people look at the display before they turn or push again
Means = Literal["camera", "button", "dial", "phone"]
"""What an answer is meant to come by: a phone's are those that nothing else at the table can say."""


class Actor:
    """Something that happens at its time, and says when it goes on."""

    def __init__(self, act: Callable[[], float], due: float = 0.0) -> None:
        """Take what it does: that gives when it goes on."""
        self._act, self.due = act, due

    def act(self) -> None:
        self.due = self._act()


class Deed(Struct, frozen=True):
    """Something that people have said or laid, and since when they wait for the table to take it."""

    moment: int
    ask: str
    seat: int | None
    value: Value
    means: Means
    at: float
    reminders: int = 0  # how often people have lost patience and taken a phone


class Deeds:
    """What people have done and the table hasn't taken yet."""

    def __init__(self) -> None:
        self._open = list[Deed]()

    def note(self, deed: Deed) -> None:
        """Note a deed; what is laid or said anew at the same moment is waited for since the first time."""
        place = (deed.moment, deed.ask, deed.seat)
        same = next((each for each in self._open if (each.moment, each.ask, each.seat) == place), None)
        at = deed.at if same is None or deed.means == "dial" else same.at
        self._open = [*(each for each in self._open if each is not same), replace(deed, at=at)]

    def take(self, answer: Answer) -> Deed | None:
        """Give the deed that an answer comes from, and forget it with all others to the same ask."""
        mine = [each for each in self._open if each.ask == answer.ask and each.seat in (None, answer.seat)]
        self._open = [each for each in self._open if each not in mine]
        return mine[-1] if mine else None

    def overdue(self, match: Match, now: float, patience: float) -> tuple[Deed, ...]:
        """List the deeds that a moment should have taken by now; each again only after as long again."""
        asked = [each for each in self._open if _is_asked(match, each)]
        late = [each for each in asked if now > each.at + patience * (1 + each.reminders)]
        self._open = [replace(each, reminders=each.reminders + (each in late)) for each in asked]
        return tuple(late)


def _is_asked(match: Match, deed: Deed) -> bool:
    ask = ask_named(match.asks, deed.ask)
    is_now = match.number == deed.moment or getattr(ask, "window", None) is not None
    return ask is not None and is_now and (deed.seat is None or not ask.seats or deed.seat in ask.seats)


class Fingers:
    """How bots say what they have decided: by a button, else by the dial, else on a phone."""

    def __init__(
        self, door: TableDoor, world: World, hands: Hands, table: tuple[Clock, Callable[[Item], None], Logbook]
    ) -> None:
        self._door, self._world, self._hands, (self._time, self._put, self._log) = door, world, hands, table
        self._coming = list[tuple[float, Callable[[], None]]]()
        self._dialling = deque[tuple[Deed, Answer]]()
        """Who is at the dial, and who waits for it."""
        self.dead = frozenset[int]()
        """Seats whose button does nothing."""
        self.deeds, self.laid = Deeds(), 0
        self.actor = Actor(self._do, NEVER)

    def say(self, match: Match, answer: Answer) -> None:
        press = press_for(match, answer, SIX.seats)
        self._log.note("bot", seat=answer.seat, ask=answer.ask, value=answer.value, press=press)
        deed = Deed(match.number, answer.ask, answer.seat, answer.value, "phone", self._time.seconds)
        if press is not None:
            key, gesture = press
            self.deeds.note(replace(deed, means="button"))
            if key.seat in self.dead:
                self._later(SAYS_ANYWAY, lambda: self._submit(match, answer))
                return
            self._press(key, gesture)
        elif can_dial(match, answer):
            self.deeds.note(replace(deed, means="dial"))
            self._dialling.append((deed, answer))
            if len(self._dialling) == 1:
                self._dial()
        else:
            self.deeds.note(deed)
            self._submit(match, answer)

    def note_laid(self, match: Match, ask: Show) -> None:
        """Wait for the eyes from when all that is asked for lies there."""
        if self._world.has_laid(ask):
            self.laid += 1
            lying = self._world.sight(match, None).lying
            mine = (card for card in lying if card.origin not in (None, ask.zone))
            faces = (card.face for card in mine if card.pose.is_up and self._world.is_in(ask.zone, card.pose))
            self.deeds.note(Deed(match.number, ask.key, None, tuple(faces), "camera", self._time.seconds))

    def _submit(self, match: Match, answer: Answer) -> None:
        now = self._door.moment()
        windows = {ask.key for ask in now.asks if getattr(ask, "window", None) is not None}
        if now is match or answer.ask in windows:
            self._door.submit(replace(answer, moment=now.number), match.setup.begun)

    def _press(self, key: Key, gesture: Gesture) -> float:
        """Press a button, and give how many seconds that takes."""
        held, times = LONG + 0.1 if gesture == "long" else HELD["short"], 1 + (gesture == "double")
        for at in (number * (held + BETWEEN) for number in range(times)):
            self._later(at, partial(self._edge, key, is_down=True))
            self._later(at + held, partial(self._edge, key, is_down=False))
        return times * (held + BETWEEN)

    def _turn(self, clicks: int) -> float:
        """Turn the dial, and give how many seconds that takes."""
        wires = (Key("a"), Key("b")) if clicks > 0 else (Key("b"), Key("a"))
        edges = [(key, is_down) for is_down in (True, False) for key in wires]
        for click in range(abs(clicks)):
            for number, (key, is_down) in enumerate(edges):
                self._later(click * CLICK + number * STEP, partial(self._edge, key, is_down=is_down))
        return abs(clicks) * CLICK

    def _dial(self, acts: int = MOST_ACTS) -> None:
        (deed, answer), now = self._dialling[0], self._door.moment()
        dial, seconds = self._hands.dial(now), 0.0
        act = dial_act(now, dial, answer) if acts and _is_asked(now, deed) else None
        is_said = act == PUSH and isinstance(push_dial(now, dial), Answer)
        if isinstance(act, int):
            seconds = self._turn(act)
        elif act is not None:
            self.deeds.note(replace(deed, means="dial", at=self._time.seconds))
            seconds = self._press(Key("push"), "long" if act == BACK else "short")
        if act is not None and not is_said:
            self._later(seconds + SETTLES, lambda: self._dial(acts - 1))
            return
        self._dialling.popleft()
        if self._dialling:
            self._later(seconds + SETTLES, self._dial)

    def _edge(self, key: Key, *, is_down: bool) -> None:
        self._put(Edge(key, self._time.seconds, is_down=is_down))

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        self._coming = sorted([*self._coming, (self._time.seconds + seconds, do)], key=lambda each: each[0])
        self.actor.due = self._coming[0][0]

    def _do(self) -> float:
        (_at, do), *self._coming = self._coming
        do()
        return self._coming[0][0] if self._coming else NEVER
