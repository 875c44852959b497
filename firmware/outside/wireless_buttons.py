"""Buttons that come by the broker: what they say becomes edges, as those of a wire.

A radio takes its time, and not always the same: of two who press together, the shorter way was first.
"""

from collections.abc import Callable, Sequence
from threading import Timer
from time import monotonic

from firmware.board_events import Edge
from hardware.board.board import Key

HELD, HELD_LONG, BETWEEN = 0.08, 0.75, 0.08
"""Seconds for which a press that comes as a word is held: short and long; and between two of a double one."""
GESTURES: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("press", "short", "single", "click"), (0.0, HELD)),
    **dict.fromkeys(("long", "hold"), (0.0, HELD_LONG)),
    "double": (0.0, HELD, HELD + BETWEEN, 2 * HELD + BETWEEN),
}
"""When the button goes down and up by turns, for words that Zigbee and quiz buttons say."""
STATES = {"on": True, "down": True, "pressed": True, "off": False, "up": False, "released": False}
"""What those say that tell each change, such as ESPHome's."""
LONGEST = 16
"""Letters of a word."""
REST = 0.02
"""Seconds between two changes of a button that are heard: no finger is faster, a storm of messages is."""


def wireless_keys(seats: int) -> tuple[Key, ...]:
    """List the buttons of so many seats."""
    return tuple(Key("call", seat) for seat in range(seats))


class WirelessButtons:
    """Makes edges of messages."""

    def __init__(
        self,
        seats: int,
        put: Callable[[Edge], None],
        clock: Callable[[], float] = monotonic,
        later: Callable[[float, Callable[[], None]], None] | None = None,
    ) -> None:
        """Take how many seats have such a button, and who hears the edges."""
        self._keys = wireless_keys(seats)
        self._put, self._clock, self._later = put, clock, later or _call_later
        self._busy = dict.fromkeys(self._keys, float("-inf"))
        """Until when a button is held by a word, or rests after a change."""

    def hear(self, seat: int, told: bytes) -> None:
        """Hear what a seat's button says; what isn't understood is no press."""
        word = told[: LONGEST + 1].decode("ascii", "replace").strip().lower()
        if not 0 <= seat < len(self._keys):
            return
        key, now = self._keys[seat], self._clock()
        if now < self._busy[key]:
            return
        if word in STATES:
            self._busy[key] = now + REST
            self._put(Edge(key, now, STATES[word]))
        elif word in GESTURES:
            self._busy[key] = now + GESTURES[word][-1] + REST
            self._play(key, GESTURES[word])

    def _play(self, key: Key, times: Sequence[float]) -> None:
        for place, wait in enumerate(times):
            is_down = place % 2 == 0

            def change(is_down: bool = is_down) -> None:
                self._put(Edge(key, self._clock(), is_down))

            if wait:
                self._later(wait, change)
            else:
                change()


def _call_later(seconds: float, what: Callable[[], None]) -> None:
    timer = Timer(seconds, what)
    timer.daemon = True
    timer.start()
