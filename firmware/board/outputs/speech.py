"""Speech by espeak-ng if it is installed: one process per sentence, which can be killed."""

import subprocess
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import time
from shutil import which
from time import monotonic

from msgspec import Struct

from firmware.board.outputs.loudspeakers import UsedLoudspeaker
from referee.announcing import say_aloud
from referee.match import Match
from referee.sentences import Language
from vision.troubles import Problem


class Saying(Struct, frozen=True):
    """Sentences to speak; urgent ones interrupt others, passing ones are dropped for any other."""

    sentences: tuple[str, ...]
    is_urgent: bool = False
    is_passing: bool = False


def saying(match: Match, language: Language) -> Saying:
    announcement = say_aloud(match, language)
    return Saying(tuple(each.text for each in announcement.spoken), announcement.is_urgent)


Quiet = tuple[time, time]
"""Start and end of the hours without sound; may span midnight."""


def is_quiet(hours: Quiet | None, now: time) -> bool:
    if hours is None:
        return False
    start, end = hours
    return start <= now < end if start <= end else now >= start or now < end


PROGRAM = "espeak-ng"
VOICES: Mapping[str, str] = {"en": "en-gb", "fr": "fr"}
QUEUE = 12  # waiting sentences; beyond this, the oldest is dropped
POLL_INTERVAL = 0.05  # seconds between checks whether a sentence has ended
SENTENCE_TIMEOUT = 30.0  # seconds before a sentence is killed, because a sound card may hang
MAX_FAILURES = 3  # consecutive failures after which speech is given up


class Sound(Struct, frozen=True):
    """Sound settings: language, volume (0 to 100), speed (words per minute), quiet hours."""

    language: str = "en"
    volume: int = 80
    speed: int = 165
    quiet: Quiet | None = None
    find: Callable[[], UsedLoudspeaker | None] = lambda: None
    """Finds the loudspeaker before each sentence, because one may be plugged in at any time."""


def espeak_trouble(find: Callable[[str], str | None] = which) -> Problem | None:
    return None if find(PROGRAM) else Problem("no espeak")


def loudspeaker_trouble(used: UsedLoudspeaker | None) -> Problem | None:
    """Report a missing loudspeaker: without one, espeak-ng reports success and nobody hears it."""
    return None if used else Problem("no loudspeaker")


class SpeechDriver:
    """Speaks one sentence after another."""

    def __init__(self, sound: Sound, now: Callable[[], time]) -> None:
        self._sound, self._now = sound, now
        self._waiting: deque[tuple[str, bool]] = deque(maxlen=QUEUE)
        self._is_passing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._until = 0.0
        self._failures = 0

    def tell(self, thing: Saying, elapsed: float) -> float | None:
        """Queue a new saying, and start the next sentence when the current one has ended."""
        if elapsed == 0:
            self._take(thing)
        if self._process is not None and self._process.poll() is None and monotonic() < self._until:
            return POLL_INTERVAL
        code = self._process.poll() if self._process is not None else None
        self._failures = self._failures + 1 if code else 0
        if self._failures == MAX_FAILURES:
            raise RuntimeError(f"{PROGRAM}: {code}")
        self._stop()
        if not self._waiting:
            return None
        sentence, self._is_passing = self._waiting.popleft()
        self._say(sentence)
        return POLL_INTERVAL

    def _take(self, thing: Saying) -> None:
        """Queue sentences; passing ones are cut off, and an urgent saying cuts off all others."""
        rest = [] if thing.is_urgent else [waits for waits in self._waiting if not waits[1]]
        self._waiting.clear()
        self._waiting.extend(rest)
        if thing.is_urgent or self._is_passing:
            self._stop()
        if self._sound.volume and not is_quiet(self._sound.quiet, self._now()):
            self._waiting.extend((sentence, thing.is_passing) for sentence in thing.sentences)

    def _say(self, sentence: str) -> None:
        """Start speaking a sentence; it is piped, so that no text can be parsed as an option."""
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
        self._until = monotonic() + SENTENCE_TIMEOUT
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
