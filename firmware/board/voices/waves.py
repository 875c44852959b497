"""A tune as a sound file, for loudspeakers: the buzzer plays the same notes by itself."""

import wave
from array import array
from io import BytesIO
from math import pi, sin

from firmware.board.voices.tunes import Tune

RATE = 22050
LOUDEST = 32767
FADE = 0.005
"""Seconds in which a note begins and ends, so that it doesn't click."""


def wave_of(tune: Tune, volume: int) -> bytes:
    """Write a tune as a WAV file; volume is 0 to 100."""
    written = BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for note in tune:
            file.writeframes(_samples(note.hertz, note.seconds, LOUDEST * volume // 100).tobytes())
    return written.getvalue()


def _samples(hertz: int, seconds: float, height: int) -> "array[int]":
    count, fade = round(seconds * RATE), round(FADE * RATE)
    return array(
        "h",
        (
            round(height * min(1.0, place / fade, (count - place) / fade) * sin(2 * pi * hertz * place / RATE))
            for place in range(count)
        ),
    )
