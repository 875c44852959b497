"""Speech by espeak-ng, where it is installed: one process for each sentence, which can be cut off."""

import subprocess
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import time
from shutil import which
from time import monotonic

from msgspec import Struct

from firmware.board.outputs.loudspeakers import UsedLoudspeaker
from hardware.board.board import Trouble
from referee.announcing import say_aloud
from referee.match import Match
from referee.sentences import Language


class Saying(Struct, frozen=True):
    """Sentences to speak; those that are urgent interrupt what is being said, passing ones give way to any."""

    sentences: tuple[str, ...]
    is_urgent: bool = False
    is_passing: bool = False


def saying(match: Match, language: Language) -> Saying:
    told = say_aloud(match, language)
    return Saying(tuple(each.text for each in told.spoken), told.is_urgent)


Quiet = tuple[time, time]
"""Hours from when to when nothing sounds; they may go past midnight."""


def is_quiet(hours: Quiet | None, now: time) -> bool:
    if hours is None:
        return False
    start, end = hours
    return start <= now < end if start <= end else now >= start or now < end


PROGRAM = "espeak-ng"
VOICES: Mapping[str, str] = {"en": "en-gb", "fr": "fr"}
QUEUE = 12  # sentences that wait to be said; with more, the oldest is left out
POLL_INTERVAL = 0.05  # seconds between looks at whether a sentence has been said
LONGEST = 30.0  # seconds after which a sentence is cut off, because a sound card may hang
GIVEN_UP = 3  # sentences in a row that could not be said


class Sound(Struct, frozen=True):
    """How the table sounds: its language, how loud (0 to 100), how fast (words a minute), when not."""

    language: str = "en"
    volume: int = 80
    speed: int = 165
    quiet: Quiet | None = None
    find: Callable[[], UsedLoudspeaker | None] = lambda: None
    """Finds the loudspeaker before each sentence: one may be plugged in meanwhile."""


def espeak_trouble(find: Callable[[str], str | None] = which) -> Trouble | None:
    return None if find(PROGRAM) else Trouble("no espeak")


def loudspeaker_trouble(used: UsedLoudspeaker | None) -> Trouble | None:
    """Report a missing loudspeaker: espeak-ng would speak to none and report success."""
    return None if used else Trouble("no loudspeaker")


class SpeechDriver:
    """Says one sentence after another."""

    def __init__(self, sound: Sound, now: Callable[[], time]) -> None:
        self._sound, self._now = sound, now
        self._waiting: deque[tuple[str, bool]] = deque(maxlen=QUEUE)
        self._is_passing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._until = 0.0
        self._failures = 0

    def tell(self, thing: Saying, elapsed: float) -> float | None:
        """Take up a new saying, and go on to the next sentence when one has been said."""
        if elapsed == 0:
            self._take(thing)
        if self._process is not None and self._process.poll() is None and monotonic() < self._until:
            return POLL_INTERVAL
        code = self._process.poll() if self._process is not None else None
        self._failures = self._failures + 1 if code else 0
        if self._failures == GIVEN_UP:
            raise RuntimeError(f"{PROGRAM}: {code}")
        self._stop()
        if not self._waiting:
            return None
        sentence, self._is_passing = self._waiting.popleft()
        self._say(sentence)
        return POLL_INTERVAL

    def _take(self, thing: Saying) -> None:
        """Add sentences; those that pass are cut off, and urgent ones cut off all others."""
        rest = [] if thing.is_urgent else [waits for waits in self._waiting if not waits[1]]
        self._waiting.clear()
        self._waiting.extend(rest)
        if thing.is_urgent or self._is_passing:
            self._stop()
        if self._sound.volume and not is_quiet(self._sound.quiet, self._now()):
            self._waiting.extend((sentence, thing.is_passing) for sentence in thing.sentences)

    def _say(self, sentence: str) -> None:
        """Start to say a sentence; it goes through a pipe, for no text may be taken for an option."""
        sound = self._sound
        voice = VOICES.get(sound.language, sound.language)
        used = sound.find()
        device = ("-d", used.device) if used is not None and used.device else ()
        self._process = subprocess.Popen(  # noqa: S603 - a fixed program; the sentence is no argument
            (PROGRAM, "-v", voice, "-a", f"{2 * sound.volume}", "-s", f"{sound.speed}", *device, "--stdin"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._until = monotonic() + LONGEST
        pipe = self._process.stdin
        if pipe is not None:
            with suppress(BrokenPipeError), pipe:
                pipe.write(sentence.encode())

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self._waiting.clear()
        self._stop()
