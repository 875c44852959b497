"""The loudspeakers that this computer has, as far as it can know, and which one the table speaks by.

A sound card is none yet: HDMI is one on every Pi, also without a screen, and no program sees whether a
plug is in a socket. What a person has heard counts more than what is guessed here.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

CARDS = Path("/proc/asound/cards")
SCREENS = Path("/sys/class/drm")
LINE = re.compile(r"^\s*\d+ \[(\S+)\s*\]: (\S+) - (.*)$", re.MULTILINE)
BLOCK, EXTENSION, SOUND = 128, 0x02, 0x40
"""Bytes of each part of what a screen says of itself, the mark of the parts that tell of sound, and its bit."""
LARGEST = 64 * BLOCK

Kind = Literal["usb", "screen", "other", "socket", "silent screen"]
"""What a card leads to; in this order they are taken where none was chosen."""
ORDER: Sequence[Kind] = ("usb", "screen", "other", "socket")
SURE: frozenset[Kind] = frozenset({"usb", "screen", "other"})
"""What is heard for all that the computer can know."""


class Loudspeaker(Struct, frozen=True):
    """A sound card: how the system calls it, its full name, and what it leads to."""

    card: str
    name: str
    kind: Kind


class UsedLoudspeaker(Struct, frozen=True):
    """The loudspeaker that is used, how programs are told to use it, and whether a person chose it by ear."""

    loudspeaker: Loudspeaker
    device: str
    is_chosen: bool = False

    @property
    def is_heard(self) -> bool:
        return self.is_chosen or self.loudspeaker.kind in SURE


def loudspeakers(cards: Path = CARDS, screens: Path = SCREENS) -> tuple[Loudspeaker, ...]:
    listed = cards.read_text(encoding="utf-8", errors="replace") if cards.exists() else ""
    found = LINE.findall(listed)
    return tuple(Loudspeaker(card, name.strip(), _kind(card, driver, screens)) for card, driver, name in found)


def used_loudspeaker(found: Sequence[Loudspeaker], chosen: str = "") -> UsedLoudspeaker | None:
    """Give the one that was chosen, if it is plugged in, else the likeliest one to be heard."""
    named = next((each for each in found if each.card == chosen), None)
    if named is not None:
        return UsedLoudspeaker(named, device_of(named.card), is_chosen=True)
    likely = min(
        (each for each in found if each.kind in ORDER), key=lambda it: ORDER.index(it.kind), default=None
    )
    if likely is None:
        return None
    # the first card is the system's own default, which may go through a desktop's mixer
    return UsedLoudspeaker(likely, "" if likely == found[0] else device_of(likely.card))


def device_of(card: str) -> str:
    """Name a card as ALSA's programs know it, with what it needs to play any format."""
    return f"sysdefault:CARD={card}"


def _kind(card: str, driver: str, screens: Path) -> Kind:
    if driver == "USB-Audio":
        return "usb"
    if driver == "vc4-hdmi":
        return "screen" if any(map(tells_of_sound, _screens_at(card, screens))) else "silent screen"
    return "socket" if driver.startswith("bcm2835") else "other"


def _screens_at(card: str, screens: Path) -> Iterator[bytes]:
    """Read what the screen at the HDMI of a card says of itself: vc4hdmi1 is the second one."""
    number = int(card.removeprefix("vc4hdmi") or 0) + 1 if card.removeprefix("vc4hdmi").isdecimal() else 1
    for file in screens.glob(f"card*-HDMI-A-{number}/edid"):
        try:
            with file.open("rb") as opened:
                yield opened.read(LARGEST)
        except OSError:
            continue


def tells_of_sound(edid: bytes) -> bool:
    """Return whether a screen says that it plays sound; nothing is said where none is plugged in."""
    parts = (edid[at : at + BLOCK] for at in range(BLOCK, len(edid) - BLOCK + 1, BLOCK))
    return any(part[0] == EXTENSION and part[3] & SOUND for part in parts)
