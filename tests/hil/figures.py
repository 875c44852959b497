"""Figures as the bench prints them: what was measured, and beside it what it should be."""

from collections.abc import Sequence

FAILED: list[str] = []
"""What didn't come out as it has to."""


def print_figure(what: str, measured: object, wanted: object) -> None:
    """Print a figure that depends on the machine."""
    print(f"{what}: {measured} (wanted: {wanted})", flush=True)


def print_count(what: str, count: int, of: int) -> None:
    """Print a count, which has to be full on any machine."""
    print_figure(what, f"{count} of {of}", "all")
    if count != of:
        FAILED.append(what)


def spread(seconds: Sequence[float]) -> str:
    """Give median, 99th percentile and maximum, in milliseconds."""
    ordered = sorted(seconds)
    places = {"median": len(ordered) // 2, "p99": len(ordered) * 99 // 100, "max": len(ordered) - 1}
    told = ", ".join(f"{name} {1000 * ordered[place]:.2f}" for name, place in places.items())
    return f"{told} ms, n = {len(ordered)}"


def end() -> None:
    """End with what failed, if anything did."""
    raise SystemExit("; ".join(FAILED) or None)
