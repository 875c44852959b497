"""Measured figures beside their limits, and waiting with a timeout."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from tests import scripts
from tests.waiting import came

FAILED: list[str] = []  # exceeded limits
SLOW = 120.0  # timeout in seconds


class FailedError(Exception):
    """A required event didn't happen."""


def until(what: str, is_so: Callable[[], Any], nap: float = 0.02) -> float:
    start = monotonic()
    if not came(is_so, seconds=SLOW, look=nap):
        raise FailedError(f"{what}: not within {SLOW:.0f} s")
    return monotonic() - start


def read_log(file: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def print_figure(what: str, measured: object, wanted: object) -> None:
    print(f"{what}: {measured} (wanted: {wanted})", flush=True)


def print_count(what: str, count: int, of: int) -> None:
    print_figure(what, f"{int(count)} of {of}", "all")
    if count != of:
        FAILED.append(what)


def spread(seconds: Sequence[float]) -> str:
    return f"{scripts.spread(seconds, 1000)} ms (median, p95, max, number)"


def end() -> None:
    raise SystemExit("; ".join(FAILED) or None)
