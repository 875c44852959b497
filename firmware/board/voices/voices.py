"""All voices of the board; one that hangs or breaks is dropped and reported."""

from collections.abc import Callable
from datetime import time
from functools import partial
from time import monotonic
from typing import Any

from firmware.board.voices.dialled import dial_sentence, dial_signs, pointed_seat
from firmware.board.voices.digits import digits, halves
from firmware.board.voices.drivers import BuzzerDriver, DigitsDriver, LampDriver
from firmware.board.voices.lights import (
    Lights,
    going_down,
    lights,
    only_lamp,
    sign_lights,
    with_flash,
    with_seat_pointed,
)
from firmware.board.voices.patterns import HEARD, LIT_NOT, NOTHING, TRIED, length
from firmware.board.voices.sentences import Saying, is_quiet, saying
from firmware.board.voices.speech import Sound, SpeechDriver, espeak_trouble, loudspeaker_trouble
from firmware.board.voices.spi_drivers import SpiDigitsDriver
from firmware.board.voices.tunes import CLICK, LOW, Tune, tune
from firmware.board.voices.voice import Driver, Voice
from firmware.board_events import DialMoved, TableSign
from firmware.language.wall_clock import time_of_day
from hardware.board.board import Board, BoardError, Trouble
from hardware.board.lamps import Lamp
from referee.match import Match, is_going_on
from referee.showing import spoken_text
from referee.telling import Listener


class Voices:
    """The voices that a board has; no call waits for any of them."""

    def __init__(
        self, board: Board, sound: Sound, factory: Any = None, now: Callable[[], time] = time_of_day
    ) -> None:
        """Open the voices of the board; speech only where it is installed."""
        self._sound, self._now = sound, now
        self._shown = self._moment = Lights(())
        self._seats = board.seats
        self._asked: tuple[Lamp, float] | None = None
        self._is_going_down = False
        self._sign: TableSign | None = None
        self._number, self._is_going_on = "", False
        self._troubles: list[Trouble] = []
        self._voices: dict[str, Voice[Any]] = {}
        display, buzzer = board.display, board.buzzer
        self._open("lamps", lambda: LampDriver(board, factory))
        if display is not None:
            self._open("digits", lambda: DigitsDriver(display, factory))
        if board.max7219 is not None:
            self._open("digits", partial(SpiDigitsDriver, board.max7219, factory))
        if buzzer is not None:
            self._open("buzzer", lambda: BuzzerDriver(buzzer, factory))
        silent = espeak_trouble()
        if silent is None:
            self._open("speech", lambda: SpeechDriver(sound, now))
            # one that is plugged in later is heard all the same
            silent = loudspeaker_trouble(sound.find()) if sound.volume else None
        self._troubles += [] if silent is None else [silent]

    def _open(self, name: str, opened: Callable[[], Driver[Any]]) -> None:
        """Open a voice; one that can't be opened is named, and the others tell."""
        try:
            self._voices[name] = Voice(name, opened())
        except BoardError as error:
            self._troubles.append(error.trouble)
        except Exception as error:  # noqa: BLE001 - each driver has errors of its own
            why = str(error) or type(error).__name__
            self._troubles.append(Trouble("voice failed", {"voice": name, "why": why}))

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        """Tell a new moment."""
        self._asked = None
        self._moment = lights(match, is_in_trouble=is_in_trouble)
        self._number, self._is_going_on = digits(match), is_going_on(match)
        self._show(self._moment)
        self._give("digits", self._number)
        self._show_sign()
        self._play(tune(match))
        self._give("speech", saying(listener, match))

    def tell_trouble(self, match: Match, *, is_in_trouble: bool) -> None:
        """Show that something is wrong, or well again; a lamp that is asked about stays lit."""
        self._moment = lights(match, is_in_trouble=is_in_trouble)
        self._show(self._moment)
        self._show_asked()
        self._show_sign()

    def try_lamp(self, seat: int | None) -> None:
        """Let a lamp blink, so that people see which it is."""
        self._show(with_flash(self._shown, seat, TRIED))
        self._play(CLICK)

    def show_lamp(self, lamp: Lamp | None) -> None:
        """Light one lamp and no other, for a while or until the next moment; None ends that."""
        # a lamp that is asked about again begins anew
        self._show(self._moment)
        self._asked = None if lamp is None else (lamp, monotonic() + length(LIT_NOT))
        self._show_asked()

    def _show_asked(self) -> None:
        """Show the lamp that people are asked about, for as long as they are."""
        if self._asked is not None and monotonic() < self._asked[1]:
            self._show(only_lamp(self._moment, self._asked[0], self._seats))

    def tell_going_down(self, *, is_so: bool) -> None:
        """Show until the end that the computer goes down, or that it doesn't after all."""
        self._is_going_down = is_so
        self._show(self._moment)

    def say(self, sentence: str) -> None:
        """Say a sentence that is no ruling."""
        self._give("speech", Saying((spoken_text(sentence),)))

    def tell_sign(self, sign: TableSign | None, sentence: str) -> None:
        """Show and say that by which a phone proves that it is at the table; None ends that."""
        was, self._sign = self._sign, sign
        if sign is None and was is not None:
            self._show(self._moment)
            self._give("digits", self._number)
        self._show_sign()
        if sentence:
            self._give("speech", Saying((spoken_text(sentence),)))

    def _show_sign(self) -> None:
        """Show a code on the digits; lamps that a match needs stay as they are."""
        if self._sign is not None and self._sign.code:
            self._give("digits", halves(self._sign.code))
        if self._sign is not None and not self._is_going_on:
            self._show(sign_lights(self._sign.seat, self._seats))

    def means(self) -> frozenset[str]:
        """List what can tell something now; speech only where it is to be heard."""
        is_heard = self._sound.volume and not is_quiet(self._sound.quiet, self._now())
        is_silent = not is_heard or self._sound.find() is None
        return frozenset(name for name in tuple(self._voices) if name != "speech" or not is_silent)

    def tell_dialled(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Show what is on the dial, and point out the seat that is meant."""
        self._give("digits", dial_signs(match, listener, dialled))
        self._show(with_seat_pointed(self._moment, pointed_seat(dialled)))

    def tell_rested(self, match: Match, listener: Listener, dialled: DialMoved) -> None:
        """Say in full what the dial came to rest on; a number is plain to see."""
        if dialled.dial.at is not None and dialled.dial.at.step != "number":
            self._give(
                "speech", Saying((spoken_text(dial_sentence(match, listener, dialled)),), is_passing=True)
            )

    def tell_heard(self, seat: int | None) -> None:
        """Answer a press that means something."""
        self._show(with_flash(self._shown, seat, HEARD))
        self._play(CLICK)

    def tell_nothing(self, seat: int | None) -> None:
        """Answer a press that means nothing now."""
        self._show(with_flash(self._shown, seat, NOTHING))
        self._play(LOW)

    def troubles(self) -> list[Trouble]:
        """Drop the voices that hang or have failed; give what is wrong, each once."""
        for name, voice in list(self._voices.items()):
            trouble = voice.trouble()
            if trouble is not None:
                self._troubles.append(trouble)
                self._voices.pop(name).close(0)
        told, self._troubles = self._troubles, []
        return told

    def close(self) -> None:
        """End all of them: lamps out, silence."""
        for voice in self._voices.values():
            voice.close()
        self._voices.clear()

    def _show(self, shown: Lights) -> None:
        self._shown = shown
        self._give("lamps", going_down(shown) if self._is_going_down else shown)

    def _play(self, played: Tune) -> None:
        if played and self._sound.volume and not is_quiet(self._sound.quiet, self._now()):
            self._give("buzzer", played)

    def _give(self, name: str, thing: Any) -> None:
        if name in self._voices:
            self._voices[name].give(thing)
