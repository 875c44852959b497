"""Bytes sent over SPI, checked against the chips' data sheets."""

import fcntl
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.board.outputs import drivers
from firmware.board.outputs.patterns import Light
from firmware.board.outputs.segments import SEGMENTS, strokes
from firmware.board.outputs.speech import Sound
from firmware.board.outputs.voices import Voices
from firmware.language.speaking import trouble_text
from hardware.board.board import DIGITS_SELECT, RING_SELECT, BoardError, LedRing, SpiDigits
from hardware.board.lamps import Rgb
from hardware.twin.chips import digit_strokes, hear_word, ring_colours
from tests.hardware.board.own_boards import OWN_BOARDS

RING = OWN_BOARDS["ring"]


class Wire:
    """A port that records the sent messages."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.opened: list[int] = []
        self.is_closed = False

    def open_spi(self, select: int) -> "Wire":
        self.opened.append(select)
        return self

    def write(self, sent: bytes) -> None:
        self.sent.append(sent)

    def close(self) -> None:
        self.is_closed = True


# WS2812


def test_one_led_is_encoded_byte_by_byte() -> None:
    # green 0xFF, red 0x00, blue 0xA5: 110 is a one, 100 a zero
    pulses = "110" * 8 + "100" * 8 + "110100110100100110100110"
    assert drivers.ring_message([(0x00, 0xFF, 0xA5)]) == bytes(1) + int(pulses, 2).to_bytes(9, "big") + bytes(
        90
    )
    assert drivers.ring_message([(0, 0, 0)])[1:10] == bytes.fromhex("924924924924924924")
    assert drivers.ring_message([]) == bytes(91)


@pytest.mark.parametrize("colours", [[(1, 2, 3)], [(255, 0, 0), (0, 255, 0), (0, 0, 255)], [(170, 85, 1)] * 24])
def test_ws2812_decodes_intended_colours(colours: list[Rgb]) -> None:
    assert ring_colours(drivers.ring_message(colours), drivers.RING_HERTZ) == tuple(colours)
    # a clock as inaccurate as a Pi's dividers is still decoded; half the speed isn't
    assert ring_colours(drivers.ring_message(colours), 2_380_000) == tuple(colours)
    with pytest.raises(ValueError, match="neither zero nor one"):
        ring_colours(drivers.ring_message(colours), drivers.RING_HERTZ // 2)
    assert ring_colours(drivers.ring_message(colours)[: -len(drivers.REST)], drivers.RING_HERTZ) == ()


def test_each_seat_has_its_leds_within_brightness_limit() -> None:
    wire = Wire()
    lamps = drivers.lamps_of(RING, wire)
    assert lamps is not None
    assert wire.opened == [RING_SELECT]
    assert set(ring_colours(wire.sent[-1], drivers.RING_HERTZ)) == {(0, 0, 0)}
    shown: tuple[Light, ...] = ("green", "red", "amber", "")
    lamps.show(shown)
    seen = ring_colours(wire.sent[-1], drivers.RING_HERTZ)
    assert len(seen) == 24
    assert seen[:12:3] == seen[1:12:3] == seen[2:12:3] == ((0, 64, 0), (64, 0, 0), (64, 27, 0), (0, 0, 0))
    assert set(seen[12:]) == {(0, 0, 0)}
    lamps.close()
    assert set(ring_colours(wire.sent[-1], drivers.RING_HERTZ)) == {(0, 0, 0)}
    assert wire.is_closed
    # lights beyond the LEDs are dropped
    drivers.RingLamps(LedRing(each=1), 2, wire).show(("green",) * 5)
    assert ring_colours(wire.sent[-1], drivers.RING_HERTZ) == ((0, 64, 0), (0, 64, 0))


# MAX7219


def test_digits_are_sent_register_by_register() -> None:
    wire = Wire()
    driver = drivers.SpiDigitsDriver(SpiDigits(digits=8, light=4), wire)
    assert wire.opened == [DIGITS_SELECT]
    driver.tell(" -20", 0)
    # test off, no decoding, eight digits, intensity 4; 0, 2, - from the right; on
    assert [sent.hex() for sent in wire.sent] == [
        *("0f00", "0900", "0b07", "0a04"),
        *("017e", "026d", "0301", "0400", "0500", "0600", "0700", "0800"),
        "0c01",
    ]
    driver.close()
    assert wire.sent[-9:-1] == [bytes((place, 0)) for place in range(1, 9)]


@pytest.mark.parametrize("digits", [4, 8])
def test_max7219_shows_text_right_aligned(digits: int) -> None:
    for text in ("CAPt", *(f"   {sign}" for sign in SEGMENTS)):
        wire, chip = Wire(), (0xFF,) * 16
        drivers.SpiDigitsDriver(SpiDigits(digits=digits), wire).tell(text, 0)
        for sent in wire.sent:
            # earlier pulses of a ring have no effect: only the last sixteen bits count
            chip = hear_word(chip, drivers.ring_message([(1, 2, 3)]) + sent)
        assert digit_strokes(chip, digits) == (0,) * (digits - 4) + strokes(text)


def test_max7219_is_dark_until_on_and_lit_in_test_mode() -> None:
    values = [0] * 16
    values[1], values[0x0B] = 0x7E, 7
    assert digit_strokes(tuple(values), 8) == (0,) * 8
    values[0x0F] = 1
    assert digit_strokes(tuple(values), 8) == (0x7F,) * 8


# the kernel's devices


def test_spi_device_gets_speed_and_each_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, asked = tmp_path / "spidev0.0", list[tuple[int, bytes]]()
    file.touch()
    # as in linux/spi/spidev.h: mode, bits per word, Hz
    monkeypatch.setattr(fcntl, "ioctl", lambda _handle, number, value: asked.append((number, bytes(value))))
    monkeypatch.setattr(drivers, "DEVICES", tmp_path)
    port = drivers.open_spi(RING_SELECT, 2_400_000)
    port.write(b"ring")
    port.write(b" again")
    port.close()
    assert asked == [(0x40016B01, b"\0"), (0x40016B03, b"\x08"), (0x40046B04, bytes.fromhex("009f2400"))]
    assert file.read_bytes() == b"ring again"


def test_spi_off_or_denied_gives_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "DEVICES", tmp_path)
    voices = Voices(replace(RING, buzzer=None, attention=None), Sound(volume=0))
    told = [trouble_text(trouble) for trouble in voices.troubles() if "spi" in trouble.key]
    voices.close()
    assert len(told) == 2
    assert told[0].startswith(f"{tmp_path / 'spidev0.0'} isn't there: switch SPI on (dtparam=spi=on in ")
    assert "spidev0.1" in told[1]
    with pytest.raises(BoardError) as error:
        drivers.SpiDevice(tmp_path, 1)
    assert error.value.trouble.key == "spi refused"
