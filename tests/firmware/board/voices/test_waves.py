"""A tune as a sound file: as long as its notes, as loud as it is wished, and at their pitch."""

import wave
from array import array
from io import BytesIO
from itertools import pairwise

import pytest

from firmware.board.voices.tunes import WIN, Note
from firmware.board.voices.waves import RATE, wave_of


def _samples(written: bytes) -> "array[int]":
    with wave.open(BytesIO(written)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return array("h", file.readframes(file.getnframes()))


def test_it_is_as_long_as_its_notes() -> None:
    assert len(_samples(wave_of(WIN, 80))) == sum(round(note.seconds * RATE) for note in WIN)


@pytest.mark.parametrize(("volume", "highest"), [(100, 32767), (50, 16383), (0, 0)])
def test_it_is_as_loud_as_is_wished(volume: int, highest: int) -> None:
    loudest = max(_samples(wave_of((Note(441, 0.1),), volume)))
    assert highest * 0.99 <= loudest <= highest


def test_a_note_swings_as_often_as_it_should_and_silence_does_not() -> None:
    heard = _samples(wave_of((Note(441, 1.0), Note(0, 0.5)), 100))
    ups = sum(one < 0 <= other for one, other in pairwise(heard))
    assert ups in {440, 441}
    assert not any(heard[RATE:])
