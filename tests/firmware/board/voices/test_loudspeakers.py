"""Which loudspeaker the table speaks by: the one that was heard, else the likeliest one."""

from pathlib import Path

import pytest

from firmware.board.voices.loudspeakers import Loudspeaker, loudspeakers, tells_of_sound, used_loudspeaker

PI_4 = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
 2 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
"""
USB = """\
 3 [Device         ]: USB-Audio - USB Audio Device
                      C-Media Electronics Inc. USB Audio Device at usb-1.3, full speed
"""
LAPTOP = " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      HDA at 0x1 irq 1\n"
BASE = bytes(128)


def _edid(*, has_sound: bool) -> bytes:
    """Write what a screen says of itself: a part of its own, and an extension."""
    extension = bytearray(128)
    extension[0], extension[3] = 0x02, 0x40 if has_sound else 0x00
    return BASE + bytes(extension)


def _machine(folder: Path, cards: str, *screens: bytes) -> tuple[Loudspeaker, ...]:
    """Set up a machine with sound cards, and what its screens say of themselves."""
    (folder / "cards").write_text(cards, encoding="utf-8")
    for number, edid in enumerate(screens, 1):
        place = folder / "drm" / f"card1-HDMI-A-{number}"
        place.mkdir(parents=True)
        (place / "edid").write_bytes(edid)
    return loudspeakers(folder / "cards", folder / "drm")


def test_cards_are_listed_with_what_they_lead_to(tmp_path: Path) -> None:
    found = _machine(tmp_path, PI_4 + USB, b"", _edid(has_sound=True))
    assert [(each.card, each.kind) for each in found] == [
        ("vc4hdmi0", "silent screen"),
        ("vc4hdmi1", "screen"),
        ("Headphones", "socket"),
        ("Device", "usb"),
    ]
    assert found[3].name == "USB Audio Device"


@pytest.mark.parametrize(
    ("edid", "is_so"),
    [
        (b"", False),
        (BASE, False),
        (_edid(has_sound=False), False),
        (_edid(has_sound=True), True),
        (_edid(has_sound=True)[:-1], False),
        (BASE + bytes(128) + _edid(has_sound=True)[128:], True),
        (b"\xff" * 200, False),
    ],
)
def test_a_screen_says_whether_it_plays_sound(edid: bytes, *, is_so: bool) -> None:
    assert tells_of_sound(edid) is is_so


@pytest.mark.parametrize(
    ("cards", "screens", "device", "is_heard"),
    [
        # what the system takes by itself is a HDMI without a screen
        (PI_4 + USB, (), "sysdefault:CARD=Device", True),
        (PI_4, (_edid(has_sound=True),), "", True),
        (PI_4, (b"", _edid(has_sound=True)), "sysdefault:CARD=vc4hdmi1", True),
        (PI_4, (), "sysdefault:CARD=Headphones", False),
        (LAPTOP, (), "", True),
    ],
)
def test_the_likeliest_one_is_taken_where_none_was_chosen(
    tmp_path: Path, cards: str, screens: tuple[bytes, ...], device: str, *, is_heard: bool
) -> None:
    used = used_loudspeaker(_machine(tmp_path, cards, *screens))
    assert used is not None
    assert (used.device, used.is_heard, used.is_chosen) == (device, is_heard, False)


@pytest.mark.parametrize("cards", ["", "--- no soundcards ---\n", PI_4.partition(" 2 [")[0], "\x00 [nonsense"])
def test_where_nothing_can_be_heard_there_is_none(tmp_path: Path, cards: str) -> None:
    assert used_loudspeaker(_machine(tmp_path, cards)) is None


def test_what_a_person_heard_counts_for_as_long_as_it_is_plugged_in(tmp_path: Path) -> None:
    used = used_loudspeaker(_machine(tmp_path, PI_4 + USB), "vc4hdmi0")
    assert used is not None
    assert (used.device, used.is_heard) == ("sysdefault:CARD=vc4hdmi0", True)
    gone = used_loudspeaker(_machine(tmp_path, PI_4), "Device")
    assert gone is not None
    assert (gone.loudspeaker.card, gone.is_chosen) == ("Headphones", False)


def test_a_machine_without_sound_has_none(tmp_path: Path) -> None:
    assert loudspeakers(tmp_path / "nothing", tmp_path / "nothing") == ()
