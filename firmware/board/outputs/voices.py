"""All outputs of the board, each in its own thread, so that no call blocks.

An output that hangs or fails is detected, dropped and reported.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import time
from functools import partial
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from firmware.board.outputs import patterns, speech
from firmware.board.outputs.dialled import dial_sentence, dial_signs, pointed_seat, word_signs
from firmware.board.outputs.drivers import BuzzerDriver, DigitsDriver, LampDriver, SpiDigitsDriver
from firmware.board.outputs.segments import Signs, digits, halves, with_result
from firmware.board.outputs.tunes import CLICK, LOW, Tune, tune
from firmware.board_events import DialState, TableSign
from firmware.language.wall_clock import time_of_day
from hardware.board.board import Board, BoardError
from hardware.board.lamps import Lamp
from referee.announcing import spoken_text
from referee.match import Match, is_going_on
from referee.sentences import Listener
from vision.troubles import Problem

QUEUE_LENGTH = 8  # items waiting for an output; beyond this, the oldest is dropped
DRIVER_TIMEOUT = 2.0  # seconds that a driver call may take before it counts as hanging

Thing = TypeVar("Thing")
Thing_contra = TypeVar("Thing_contra", contravariant=True)


class Driver(Protocol[Thing_contra]):
    """Drives a lamp, a display or a loudspeaker; called only from its output's thread."""

    def tell(self, thing: Thing_contra, elapsed: float) -> float | None:
        """Show an item as it is `elapsed` seconds after it was queued; 0 for a new one.

        Returns the seconds until the next call; None waits for a new item.
        """

    def close(self) -> None: ...


class Voice(Generic[Thing]):
    """A driver with its thread and a short queue."""

    def __init__(self, name: str, driver: Driver[Thing], clock: Callable[[], float] = monotonic) -> None:
        self.name = name
        self._driver, self._clock = driver, clock
        self._things: deque[Thing] = deque(maxlen=QUEUE_LENGTH)
        self._given = threading.Condition()
        self._is_closing = False
        self._busy_since: float | None = None
        self._failed = ""
        self._thread = threading.Thread(target=self._run, name=f"voice {name}", daemon=True)
        self._thread.start()

    def give(self, thing: Thing) -> None:
        """Queue an item; it replaces the current one as soon as the driver returns."""
        with self._given:
            self._things.append(thing)
            self._given.notify()

    def trouble(self) -> Problem | None:
        """Return the problem of a driver that hangs or has failed."""
        since = self._busy_since
        if self._failed:
            return Problem("voice failed", {"voice": self.name, "why": self._failed})
        if since is not None and self._clock() - since > DRIVER_TIMEOUT:
            return Problem("voice hangs", {"voice": self.name})
        return None

    def close(self, seconds: float = DRIVER_TIMEOUT) -> bool:
        """End the thread; returns False if it hangs and was abandoned."""
        with self._given:
            self._is_closing = True
            self._given.notify()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._tell_all()
        except Exception as error:  # noqa: BLE001 - a broken lamp is told, and the game goes on
            self._failed = str(error) or type(error).__name__
        with suppress(Exception):
            self._driver.close()

    def _tell_all(self) -> None:
        """Pass items to the driver, each until a new one comes."""
        told: list[Thing] = []
        since, wait = 0.0, None
        while True:
            with self._given:
                self._given.wait_for(lambda: self._things or self._is_closing, wait)
                new = [self._things.popleft()] if self._things else []
            if self._is_closing:
                return
            self._busy_since = now = self._clock()
            if new:
                told, since = new, now
            wait = self._driver.tell(told[0], now - since)
            self._busy_since = None


class Voices:
    """The outputs of a board; no call waits for any of them."""

    def __init__(
        self, board: Board, sound: speech.Sound, factory: Any = None, now: Callable[[], time] = time_of_day
    ) -> None:
        self._sound, self._now = sound, now
        self._shown = self._moment = patterns.Lights(())
        self._seats = board.seats
        self._asked: tuple[Lamp, float] | None = None
        self._is_going_down = False
        self._sign: TableSign | None = None
        self._number, self._is_going_on = "", False
        self._troubles: list[Problem] = []
        self._voices: dict[str, Voice[Any]] = {}
        self._open("lamps", partial(LampDriver, board, factory))
        if board.display is not None:
            self._open("digits", partial(DigitsDriver, board.display, factory))
        if board.max7219 is not None:
            self._open("digits", partial(SpiDigitsDriver, board.max7219, factory))
        if board.buzzer is not None:
            self._open("buzzer", partial(BuzzerDriver, board.buzzer, factory))
        silent = speech.espeak_trouble()
        if silent is None:
            self._open("speech", partial(speech.SpeechDriver, sound, now))
            # a loudspeaker plugged in later works all the same
            silent = speech.loudspeaker_trouble(sound.find()) if sound.volume else None
        self._troubles += [] if silent is None else [silent]

    def _open(self, name: str, opened: Callable[[], Driver[Any]]) -> None:
        try:
            self._voices[name] = Voice(name, opened())
        except BoardError as error:
            self._troubles.append(Problem(error.trouble.key, error.trouble.values))
        except Exception as error:  # noqa: BLE001 - each driver has errors of its own
            why = str(error) or type(error).__name__
            self._troubles.append(Problem("voice failed", {"voice": name, "why": why}))

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        self._asked = None
        self._moment = patterns.lights(match, is_in_trouble=is_in_trouble)
        self._number, self._is_going_on = digits(match), is_going_on(match)
        self._show(self._lights())
        self._give("digits", with_result(match, self._digits()))
        self._play(tune(match))
        self._give("speech", speech.saying(match, listener.language))

    def tell_trouble(self, match: Match, *, is_going_down: bool = False, is_in_trouble: bool) -> None:
        """Show or clear a fault; a lamp under test stays lit."""
        self._is_going_down = is_going_down
        self._moment = patterns.lights(match, is_in_trouble=is_in_trouble)
        self._show(self._lights())

    def _lights(self) -> patterns.Lights:
        """Return the lamp under test, or a sign unless a match needs its lamps, or the moment's lights."""
        if self._asked is not None and monotonic() < self._asked[1]:
            return patterns.only_lamp(self._moment, self._asked[0], self._seats)
        if self._sign is not None and not self._is_going_on:
            return patterns.sign_lights(self._sign.seat, self._seats)
        return self._moment

    def _digits(self) -> Signs:
        """Return the match's number, or a code that alternates with it during a match."""
        if self._sign is None or not self._sign.code:
            return self._number
        return (*halves(self._sign.code), *([self._number] if self._is_going_on and self._number else []))

    def try_lamp(self, seat: int | None) -> None:
        """Blink a lamp to identify it."""
        self._flash(seat, patterns.IDENTIFY, CLICK)

    def show_lamp(self, lamp: Lamp | None) -> None:
        """Light one lamp and no other, for a while or until the next moment; None ends this."""
        # testing the same lamp again restarts its pattern
        self._show(self._moment)
        self._asked = None if lamp is None else (lamp, monotonic() + patterns.length(patterns.LIT_NOT))
        self._show(self._lights())

    def say(self, sentence: str, *, is_passing: bool = False) -> None:
        """Speak a sentence that is not a ruling."""
        self._give("speech", speech.Saying((spoken_text(sentence),), is_passing=is_passing))

    def tell_sign(self, sign: TableSign | None, sentence: str) -> None:
        """Show and speak the sign that proves a phone is at the table; None ends this."""
        self._sign = sign
        self._show(self._lights())
        self._give("digits", self._digits())
        if sentence:
            self.say(sentence)

    def means(self) -> frozenset[str]:
        """Return the names of the working outputs; speech only if it is audible."""
        is_heard = self._may_sound() and self._sound.find() is not None
        return frozenset(name for name in tuple(self._voices) if name != "speech" or is_heard)

    def tell_dialled(self, listener: Listener, dial: DialState) -> None:
        """Show the dial's choice, and point out its seat."""
        self._give("digits", dial_signs(listener, dial))
        self._show(patterns.with_seat_pointed(self._moment, pointed_seat(dial)))

    def tell_rested(self, listener: Listener, dial: DialState) -> None:
        """Speak the dial's choice in full; numbers are only displayed."""
        if dial.at is not None and dial.at.step != "number":
            self.say(dial_sentence(listener, dial), is_passing=True)

    def tell_heard(self, seat: int | None) -> None:
        self._flash(seat, patterns.CONFIRMED, CLICK)

    def tell_nothing(self, seat: int | None) -> None:
        self._flash(seat, patterns.REJECTED, LOW)

    def tell_phone_needed(self, seat: int | None, sentence: str) -> None:
        """Reject a press whose answer needs a phone; the display alternates its word and the number."""
        self.tell_nothing(seat)
        self._give("digits", (word_signs(sentence), self._number))

    def _flash(self, seat: int | None, pattern: patterns.Pattern, played: Tune) -> None:
        self._show(patterns.with_flash(self._shown, seat, pattern))
        self._play(played)

    def troubles(self) -> list[Problem]:
        """Drop outputs that hang or have failed; returns each problem once."""
        for name, voice in list(self._voices.items()):
            trouble = voice.trouble()
            if trouble is not None:
                self._troubles.append(trouble)
                self._voices.pop(name).close(0)
        told, self._troubles = self._troubles, []
        return told

    def close(self) -> None:
        """Close all outputs: lamps off, silence."""
        for voice in self._voices.values():
            voice.close()
        self._voices.clear()

    def _show(self, shown: patterns.Lights) -> None:
        self._shown = shown
        self._give("lamps", patterns.going_down(shown) if self._is_going_down else shown)

    def _play(self, played: Tune) -> None:
        if played and self._may_sound():
            self._give("buzzer", played)

    def _may_sound(self) -> bool:
        return self._sound.volume > 0 and not speech.is_quiet(self._sound.quiet, self._now())

    def _give(self, name: str, thing: Any) -> None:
        if name in self._voices:
            self._voices[name].give(thing)
