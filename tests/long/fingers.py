"""Input of bots at a simulated table: they press buttons, turn the dial or use a phone."""

from collections import deque
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.meaning import answers
from firmware.board.inputs.menus import menu, push_dial, turn_dial
from firmware.board.inputs.presses import LONG_PRESS
from firmware.board_events import DialState, Edge, Pick
from firmware.table.client import TableClient
from firmware.table.logbook import Logbook
from firmware.table.loop_parts import Item
from firmware.twin.simulated_board import DIAL_EDGE_INTERVAL, DOUBLE_PRESS_GAP, PRESS_SECONDS
from hardware.board.board import Key
from referee.contract import Answer, Gesture
from referee.legal import ask_named
from referee.match import Match
from tests.firmware.table.tables import SIX
from tests.stepped import SteppedTime

MAX_CLICKS, MAX_ACTS = 80, 24
"""Most clicks in one direction, and most turns and pushes, that people accept at the dial."""
PUSH, BACK = "push", "back"
DialAct = int | str  # a number of clicks, a push, or a long push that goes a step back


def press_for(match: Match, answer: Answer, buttons: int) -> tuple[Key, Gesture] | None:
    """Return the button and gesture for an answer; for one of the whole table, any seat's button."""
    seats = range(buttons) if answer.seat is None else (answer.seat,)
    for key in (Key("call", seat) for seat in seats if seat < buttons):
        for gesture, found in answers(match, key).items():
            if (found.ask, found.value) == (answer.ask, answer.value):
                return key, gesture
    return None


def dial_act(match: Match, dial: DialState, answer: Answer) -> DialAct | None:
    """Choose the next turn or push of the dial; None if no choice on it leads to the answer."""
    wanted = _pick_towards(match, dial, answer)
    if wanted is None:
        return None if dial.seat is None else BACK
    return PUSH if dial.at == wanted else _clicks_to(match, dial, wanted)


def _pick_towards(match: Match, dial: DialState, answer: Answer) -> Pick | None:
    """Return the choice that leads to an answer: the answer itself, or else its seat."""
    found, value = menu(match, dial.seat), answer.value
    if found.number is not None and found.number.key == answer.ask and isinstance(value, int):
        return Pick("number", answer.seat, answer.ask, value)
    done, who = Pick("done", answer.seat, answer.ask), Pick("who", answer.seat)
    return next((pick for pick in (done, who) if pick in found.picks), None)


def _clicks_to(match: Match, dial: DialState, wanted: Pick) -> int | None:
    for way in (1, -1):
        turned = dial
        for click in range(1, MAX_CLICKS + 1):
            turned = turn_dial(match, turned, way)
            if turned.at == wanted:
                return click * way
    return None


SAYS_ANYWAY = 5.0  # seconds before a player with a dead button uses a phone
CLICK = 0.12  # seconds between clicks of the dial; slow enough for single steps
SETTLES = 0.1  # seconds that people look at the display before the next turn or push


def _is_asked(match: Match, moment: int, answer: Answer) -> bool:
    ask = ask_named(match.asks, answer.ask)
    is_now = match.number == moment or getattr(ask, "window", None) is not None
    return ask is not None and is_now and (answer.seat is None or not ask.seats or answer.seat in ask.seats)


class Fingers:
    """Enters the bots' decisions: by a button, else by the dial, else on a phone."""

    def __init__(
        self,
        client: TableClient,
        button_input: ButtonInput,
        table: tuple[SteppedTime, Callable[[Item], None], Logbook],
    ) -> None:
        self._client, self._button_input, (self._time, self._put, self._log) = client, button_input, table
        self._dialling = deque[tuple[int, Answer]]()
        """Answers at the dial and in its queue, each with its moment."""
        self.dead = frozenset[int]()
        """Seats with a dead button."""

    def say(self, match: Match, answer: Answer) -> None:
        press = press_for(match, answer, SIX.seats)
        self._log.note("bot", seat=answer.seat, ask=answer.ask, value=answer.value, press=press)
        if press is not None and press[0].seat in self.dead:
            self._time.later(SAYS_ANYWAY, lambda: self._submit(match, answer))
        elif press is not None:
            self._press(*press)
        elif dial_act(match, DialState(), answer) is not None:
            self._dialling.append((match.number, answer))
            if len(self._dialling) == 1:
                self._dial()
        else:
            self._submit(match, answer)

    def _submit(self, match: Match, answer: Answer) -> None:
        now = self._client.moment()
        windows = {ask.key for ask in now.asks if getattr(ask, "window", None) is not None}
        if now is match or answer.ask in windows:
            self._client.submit(replace(answer, moment=now.number), match.setup.begun)

    def _press(self, key: Key, gesture: Gesture) -> float:
        """Press a button; return the seconds it takes."""
        held, times = (
            LONG_PRESS + 0.1 if gesture == "long" else PRESS_SECONDS["short"],
            1 + (gesture == "double"),
        )
        for at in (number * (held + DOUBLE_PRESS_GAP) for number in range(times)):
            self._time.later(at, partial(self._edge, key, is_down=True))
            self._time.later(at + held, partial(self._edge, key, is_down=False))
        return times * (held + DOUBLE_PRESS_GAP)

    def _turn(self, clicks: int) -> float:
        """Turn the dial; return the seconds it takes."""
        wires = (Key("a"), Key("b")) if clicks > 0 else (Key("b"), Key("a"))
        edges = [(key, is_down) for is_down in (True, False) for key in wires]
        for click in range(abs(clicks)):
            for number, (key, is_down) in enumerate(edges):
                self._time.later(
                    click * CLICK + number * DIAL_EDGE_INTERVAL, partial(self._edge, key, is_down=is_down)
                )
        return abs(clicks) * CLICK

    def _dial(self, acts: int = MAX_ACTS) -> None:
        (moment, answer), now = self._dialling[0], self._client.moment()
        dial, seconds = self._button_input.dial(now), 0.0
        act = dial_act(now, dial, answer) if acts and _is_asked(now, moment, answer) else None
        is_said = act == PUSH and isinstance(push_dial(now, dial), Answer)
        if isinstance(act, int):
            seconds = self._turn(act)
        elif act is not None:
            seconds = self._press(Key("push"), "long" if act == BACK else "short")
        if act is not None and not is_said:
            self._time.later(seconds + SETTLES, lambda: self._dial(acts - 1))
            return
        self._dialling.popleft()
        if self._dialling:
            self._time.later(seconds + SETTLES, self._dial)

    def _edge(self, key: Key, *, is_down: bool) -> None:
        self._put(Edge(key, self._time.seconds, is_down=is_down))
