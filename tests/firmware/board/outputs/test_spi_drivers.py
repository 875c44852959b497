"""Bytes sent over SPI, checked against the chips' data sheets."""

import fcntl
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.board.outputs import drivers
from firmware.board.outputs.segments import SEGMENTS, strokes
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.language.speaking import problem_text
from hardware.board.board import BoardError, SpiDigits
from hardware.twin.chips import digit_strokes, hear_word
from tests.hardware.board.own_boards import OWN_BOARDS

DIGITS = OWN_BOARDS["digits"]


class Wire:
    """A port that records the sent messages."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def open_spi(self) -> "Wire":
        return self

    def write(self, sent: bytes) -> None:
        self.sent.append(sent)

    def close(self) -> None: ...

    def received(self, chip: tuple[int, ...]) -> tuple[int, ...]:
        """Return the chip's registers after the messages sent since the last call."""
        for sent in self.sent:
            # only the last sixteen bits count
            chip = hear_word(chip, bytes(3) + sent)
        self.sent.clear()
        return chip


# MAX7219


@pytest.mark.parametrize("digits", [4, 8])
def test_max7219_shows_text_right_aligned(digits: int) -> None:
    for text in ("CAPt", *(f"   {sign}" for sign in SEGMENTS)):
        wire, chip = Wire(), (0xFF,) * 16
        driver = drivers.SpiDigitsDriver(SpiDigits(digits=digits, light=4), wire)
        driver.tell(text, 0)
        assert b"\x0a\x04" in wire.sent, "its brightness"
        chip = wire.received(chip)
        assert digit_strokes(chip, digits) == (0,) * (digits - 4) + strokes(text)
        driver.close()
        assert digit_strokes(wire.received(chip), digits) == (0,) * digits


# the kernel's devices


def test_spi_device_gets_speed_and_each_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, asked = tmp_path / "spidev0.1", list[tuple[int, bytes]]()
    file.touch()
    # as in linux/spi/spidev.h: mode, bits per word, Hz
    monkeypatch.setattr(fcntl, "ioctl", lambda _handle, number, value: asked.append((number, bytes(value))))
    monkeypatch.setattr(drivers, "DEVICES", tmp_path)
    port = drivers.open_spi(2_400_000)
    port.write(b"digits")
    port.write(b" again")
    port.close()
    assert asked == [(0x40016B01, b"\0"), (0x40016B03, b"\x08"), (0x40046B04, bytes.fromhex("009f2400"))]
    assert file.read_bytes() == b"digits again"


def test_spi_off_or_denied_gives_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "DEVICES", tmp_path)
    voices = Voices(replace(DIGITS, buzzer=None, attention=None, lamps=None), Sound(volume=0))
    (told,) = [problem_text(trouble) for trouble in voices.troubles() if "spi" in trouble.key]
    voices.close()
    assert told.startswith(f"{tmp_path / 'spidev0.1'} isn't there: switch SPI on (dtparam=spi=on in ")
    with pytest.raises(BoardError) as error:
        drivers.SpiDevice(tmp_path, 1)
    assert error.value.trouble.key == "spi refused"
