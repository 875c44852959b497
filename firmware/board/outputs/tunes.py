"""Buzzer tunes as frequencies and durations, and the tune of each moment."""

import wave
from array import array
from collections.abc import Iterator, Mapping
from io import BytesIO
from math import pi, sin

from referee.contract import Mood
from referee.match import Match
from referee.showing import moods_of

Tune = tuple[tuple[int, float], ...]
"""Notes: a frequency in hertz (0 is silence) and its seconds."""


def _glide(start: int, end: int, seconds: float) -> Tune:
    """Slide from one frequency to another, evenly to the ear."""
    step = 0.03
    count = max(2, round(seconds / step))
    ratio = (end / start) ** (1 / (count - 1))
    return tuple((round(start * ratio**place), step) for place in range(count))


def _waver(hertz: int, seconds: float) -> Tune:
    return tuple(
        (round(hertz * (1.03 if place % 4 < 2 else 0.98)), 0.04) for place in range(round(seconds / 0.04))
    )


def _notes(text: str) -> Tune:
    """Parse notes written as hertz:hundredths."""
    pairs = (note.split(":") for note in text.split())
    return tuple((int(hertz), int(hundredths) / 100) for hertz, hundredths in pairs)


HOWL: Tune = (
    *_notes("520:6 0:4 620:6 0:5"),
    *_glide(430, 1050, 0.45),
    *_waver(1050, 0.6),
    *_glide(1050, 560, 0.55),
    *_waver(560, 0.2),
    *_glide(560, 380, 0.2),
)
"""Two yaps, then a long call that rises, wavers and fades."""
CLICK = _notes("880:2")
LOW = _notes("196:9 0:4 165:14")
LOSS = _notes("494:16 0:2 440:16 0:2 392:16 0:2 330:34")
FAREWELL = (*LOSS, *_glide(330, 131, 0.7))
WIN = _notes("523:12 659:12 784:12 0:4 659:10 784:12 1047:42")
TRICK = _notes("784:6 0:2 988:9")
SEASON = _notes("392:14 523:14 587:24")
TRUE = _notes("784:8 0:3 1175:24")
FALSE = _notes("165:8 0:4 123:18")
ASKED = _notes("659:7 0:3 784:9")

MOODS: tuple[tuple[Mood, Tune], ...] = (
    (Mood.WIN, WIN),
    (Mood.OUT, FAREWELL),
    (Mood.CALL, HOWL),
    (Mood.LOSS, LOSS),
    (Mood.TRUTH, TRUE),
    (Mood.LIE, FALSE),
    (Mood.TRICK, TRICK),
    (Mood.SEASON, SEASON),
)
"""Moods with a tune; of several at once, the first in this order is played."""


def tune(match: Match) -> Tune:
    return ruling_tune(match) or (ASKED if _turn(match) not in {None, _turn(match.before)} else ())


def ruling_tune(match: Match) -> Tune:
    moods = moods_of(match)
    return next((tune for mood, tune in MOODS if mood in moods), ())


def _turn(match: Match | None) -> tuple[int, ...] | None:
    return match.asks[0].seats if match is not None and match.asks else None


def note(played: Tune, at: float) -> tuple[int, float | None]:
    """Return the frequency `at` seconds into a tune, and its remaining seconds; None is forever."""
    for hertz, seconds in played:
        if at < seconds:
            return hertz, seconds - at
        at -= seconds
    return 0, None


# a tune as a sound file for loudspeakers; the buzzer plays the same notes directly

RATE = 22050
LOUDEST = 32767
FADE = 0.005  # seconds of fade at both ends of a note, to avoid clicks


def wave_of(tune: Tune, volume: int) -> bytes:
    """Return a tune as a WAV file; volume is 0 to 100."""
    written = BytesIO()
    with wave.open(written, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        for hertz, seconds in tune:
            file.writeframes(array("h", _samples(hertz, seconds, LOUDEST * volume // 100)).tobytes())
    return written.getvalue()


def _samples(hertz: int, seconds: float, height: int) -> Iterator[int]:
    count, fade = round(seconds * RATE), round(FADE * RATE)
    for place in range(count):
        swell = min(1.0, place / fade, (count - place) / fade)
        yield round(height * swell * sin(2 * pi * hertz * place / RATE))


# percussion before a tune: a gavel, a drum, a coin; only pages play it, and synthesize it

Strike = tuple[str, float]  # name of a sound, and seconds until the next one
GAVEL, DRUM, COIN = ("gavel", 0.34), ("drum", 0.45), ("coin", 0.3)

STRUCK: Mapping[Mood, Strike] = {Mood.TRUTH: GAVEL, Mood.LIE: GAVEL, Mood.COUNTER: DRUM, Mood.CLAIM: DRUM}
"""Moods with percussion: a verdict, or a claim that awaits one; the first in this order is played."""
COINS = "coins"  # name of the coin count in the games' standings


def strike(match: Match) -> tuple[Strike, ...]:
    moods = moods_of(match)
    struck = next((struck for mood, struck in STRUCK.items() if mood in moods), None)
    if struck is None and match.before is not None and _coins(match) != _coins(match.before):
        struck = COIN
    return () if struck is None else (struck,)


def _coins(match: Match) -> tuple[int, ...]:
    standings = match.setup.game.rules.standings(match.state)
    return tuple(standing.counts.get(COINS, 0) for standing in sorted(standings, key=lambda each: each.seat))
