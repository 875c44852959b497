"""A jumping system clock, like that of a Pi without a battery, and time zones around the world.

libfaketime sets the clock; the monotonic clock is unaffected, as when Linux sets the time.
"""

from pathlib import Path
from random import Random
from time import time

from tests.firmware.start.whole_table import World

LIBRARY = "faketime/libfaketimeMT.so.1"
HOUR = 3600
JUMPS = (HOUR, -HOUR, None, 30 * 365 * 24 * HOUR, -24 * HOUR, 0)
"""Offsets of the clock in seconds; None sets it to 1970."""
ZONES = ("UTC", "Europe/Paris", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kolkata")
PLAIN = ("FAKETIME_NO_CACHE", "FAKETIME_DONT_FAKE_MONOTONIC", "DONT_FAKE_MONOTONIC")


def library() -> Path | None:
    """Return the path of libfaketime; None if it isn't installed."""
    found = (each for folder in ("/usr/lib", "/usr/lib64") for each in Path(folder).glob(f"*/{LIBRARY}"))
    return next(found, None)


def set_clock(folder: Path, rng: Random) -> None:
    seconds = rng.choice(JUMPS)
    offset = 60 - int(time()) if seconds is None else seconds
    draft = folder / "clock.draft"
    draft.write_text(f"{offset:+d}\n")
    draft.replace(folder / "clock")


def jumping_world(folder: Path, rng: Random) -> World:
    """Return an environment with a random time zone, and an adjustable clock if libfaketime is installed."""
    set_clock(folder, rng)
    clock = {"LD_PRELOAD": str(library() or ""), "FAKETIME_TIMESTAMP_FILE": str(folder / "clock")}
    return World((), {"TZ": rng.choice(ZONES), **clock, **dict.fromkeys(PLAIN, "1")})
