"""The computer's loudspeakers, and the one that the table uses.

A sound card alone is no loudspeaker: every Pi has one for HDMI, with or without a screen, and software can't
detect a plug in an audio socket. A choice that a person made by ear overrides any guess.
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
"""Bytes of an EDID block, the tag of a CTA-861 extension, and its basic audio bit."""
MAX_EDID = 64 * BLOCK

Kind = Literal["usb", "screen", "other", "socket", "silent screen"]
"""Output of a sound card."""
ORDER: Sequence[Kind] = ("usb", "screen", "other", "socket")
AUDIBLE: frozenset[Kind] = frozenset({"usb", "screen", "other"})
"""Outputs that are surely audible."""


class Loudspeaker(Struct, frozen=True):
    """A sound card: its ALSA name, its full name, and its output."""

    card: str
    name: str
    kind: Kind


class UsedLoudspeaker(Struct, frozen=True):
    """The loudspeaker in use, its ALSA device, and whether a person chose it by ear."""

    loudspeaker: Loudspeaker
    device: str
    is_chosen: bool = False

    @property
    def is_heard(self) -> bool:
        return self.is_chosen or self.loudspeaker.kind in AUDIBLE


def loudspeakers(cards: Path = CARDS, screens: Path = SCREENS) -> tuple[Loudspeaker, ...]:
    listed = cards.read_text(encoding="utf-8", errors="replace") if cards.exists() else ""
    found = LINE.findall(listed)
    return tuple(Loudspeaker(card, name.strip(), _kind(card, driver, screens)) for card, driver, name in found)


def used_loudspeaker(found: Sequence[Loudspeaker], chosen: str = "") -> UsedLoudspeaker | None:
    """Return the chosen loudspeaker if it is plugged in, or else the one most likely audible."""
    named = next((each for each in found if each.card == chosen), None)
    if named is not None:
        return UsedLoudspeaker(named, device_of(named.card), is_chosen=True)
    likely = min(
        (each for each in found if each.kind in ORDER), key=lambda it: ORDER.index(it.kind), default=None
    )
    if likely is None:
        return None
    # the first card is the system's default, which may go through a desktop's mixer
    return UsedLoudspeaker(likely, "" if likely == found[0] else device_of(likely.card))


def device_of(card: str) -> str:
    """Return a card's ALSA device; it converts any format."""
    return f"sysdefault:CARD={card}"


def _kind(card: str, driver: str, screens: Path) -> Kind:
    if driver == "USB-Audio":
        return "usb"
    if driver == "vc4-hdmi":
        return "screen" if any(map(tells_of_sound, _screens_at(card, screens))) else "silent screen"
    return "socket" if driver.startswith("bcm2835") else "other"


def _screens_at(card: str, screens: Path) -> Iterator[bytes]:
    """Yield the EDID of each screen on a card's HDMI port; vc4hdmi1 is the second port."""
    number = int(card.removeprefix("vc4hdmi") or 0) + 1 if card.removeprefix("vc4hdmi").isdecimal() else 1
    for file in screens.glob(f"card*-HDMI-A-{number}/edid"):
        try:
            with file.open("rb") as opened:
                yield opened.read(MAX_EDID)
        except OSError:
            continue


def tells_of_sound(edid: bytes) -> bool:
    """Return whether an EDID announces audio; it is empty if no screen is plugged in."""
    parts = (edid[at : at + BLOCK] for at in range(BLOCK, len(edid) - BLOCK + 1, BLOCK))
    return any(part[0] == EXTENSION and part[3] & SOUND for part in parts)
