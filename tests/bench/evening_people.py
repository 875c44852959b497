"""People at the simulated table, for the bench of whole evenings: they press, turn the dial and lay cards.

What a button can say is pressed, what the dial can say is dialled; a phone is taken for the rest only.
"""

from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep

from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.menus import push_dial
from firmware.board.senses.presses import LONG
from firmware.twin.simulated_board import BETWEEN, HELD
from hardware.board.board import Key
from referee.contract import Answer, Show, Value
from referee.legal import ask_named
from referee.match import Match
from tests.bench.evening_figures import Means
from tests.firmware.table.tables import SIX, Twin
from tests.firmware.twin.deft_fingers import BACK, MOST_ACTS, can_dial, dial_act, press_for

SETTLES = 0.1
"""Seconds for which people look at the display before they turn or push again."""
MADE = {"short": 0.0, "double": HELD["short"] + BETWEEN, "long": LONG}
"""Seconds from the beginning of a gesture until it can't be another one."""


class Deed(Struct, frozen=True):
    """Something that people have said or laid, and since when they wait for the table to take it."""

    moment: int
    ask: str
    seat: int | None
    value: Value
    means: Means
    at: float
    reminders: int = 0
    """How often people have lost patience and taken a phone."""


class Deeds:
    """What people have done and the table hasn't taken yet; from several threads."""

    def __init__(self) -> None:
        self._lock, self._open = Lock(), list[Deed]()

    def note(self, deed: Deed) -> None:
        """Note a deed; what is laid or said anew at the same moment is waited for since the first time."""
        with self._lock:
            place = (deed.moment, deed.ask, deed.seat)
            same = next((each for each in self._open if (each.moment, each.ask, each.seat) == place), None)
            self._open = [each for each in self._open if each is not same]
            at = deed.at if same is None or deed.means == "dial" else same.at
            self._open.append(replace(deed, at=at))

    def take(self, answer: Answer) -> Deed | None:
        """Give the deed that an answer comes from, and forget it with all others to the same ask."""
        with self._lock:
            mine = [each for each in self._open if each.ask == answer.ask and each.seat in (None, answer.seat)]
            self._open = [each for each in self._open if each not in mine]
            return mine[-1] if mine else None

    def overdue(self, match: Match, now: float, patience: float) -> tuple[Deed, ...]:
        """List the deeds that a moment should have taken by now; each again only after as long again."""
        with self._lock:
            self._open = [each for each in self._open if _is_asked(match, each)]
            late = [each for each in self._open if now > each.at + patience * (1 + each.reminders)]
            self._open = [
                replace(each, reminders=each.reminders + 1) if each in late else each for each in self._open
            ]
            return tuple(late)


def _is_asked(match: Match, deed: Deed) -> bool:
    ask = ask_named(match.asks, deed.ask)
    is_now = match.number == deed.moment or getattr(ask, "window", None) is not None
    return ask is not None and is_now and (deed.seat is None or not ask.seats or deed.seat in ask.seats)


class People:
    """Fingers on the buttons and the dial, and phones for what these can't say."""

    def __init__(self, table: Twin, deeds: Deeds, after_laying: Callable[[Match, Show], None]) -> None:
        """Sit down; `after_laying` is called whenever all that is asked for lies there."""
        self._table, self._deeds, self._after_laying = table, deeds, after_laying
        self._door, self._fingers = table.companion.door, table.fingers

    def say(self, match: Match, answer: Answer) -> None:
        """Say an answer by a button, else by the dial, else on a phone."""
        now = self._door.moment()
        deed = Deed(match.number, answer.ask, answer.seat, answer.value, "phone", monotonic())
        if not _is_asked(now, deed):
            return
        pressed = press_for(now, answer, SIX.seats)
        if pressed is not None:
            key, gesture = pressed
            self._deeds.note(replace(deed, means="button", at=monotonic() + MADE[gesture]))
            self._fingers.press(key, gesture)
        elif can_dial(now, answer):
            self._deeds.note(replace(deed, means="dial"))
            self._dial(deed, answer)
        else:
            self._deeds.note(deed)
            self._door.submit(replace(answer, moment=now.number, sense="phone"), match.setup.begun)

    def note_laid(self, match: Match, ask: Show) -> None:
        """Wait for the eyes from when all that is asked for lies there."""
        if self._table.world.has_laid(ask):
            laid = self.faces_laid(match, ask)
            self._deeds.note(Deed(match.number, ask.key, None, laid, "camera", monotonic()))
            self._after_laying(match, ask)

    def faces_laid(self, match: Match, ask: Show) -> tuple[str, ...]:
        """List the cards that people have laid for an ask, without those that lay there before."""
        world = self._table.world
        lying = (card for card in world.sight(match, None).lying if card.origin not in (None, ask.zone))
        return tuple(card.face for card in lying if card.pose.is_up and world.is_in(ask.zone, card.pose))

    def _dial(self, deed: Deed, answer: Answer) -> None:
        """Give an answer at the dial, one turn or push after another."""
        for _act in range(MOST_ACTS):
            now = self._door.moment()
            dial = self._table.hands.dial(now)
            act = dial_act(now, dial, answer) if _is_asked(now, deed) else None
            if act is None:
                return
            if isinstance(act, int):
                self._fingers.turn(act)
            elif act == BACK:
                self._fingers.press(Key("push"), "long")
            else:
                self._deeds.note(replace(deed, means="dial", at=monotonic()))
                self._fingers.press(Key("push"))
                if isinstance(push_dial(now, dial), Answer):
                    return
            sleep(SETTLES)
