"""Pull the camera out while people play: `python -m tests.trust.cameras 200`; each other fault some times, too.

It prints how soon each fault is told and the cards are read again, and how long people and the loop wait
meanwhile: median, the slowest of twenty, the slowest. Beside that stands how late a process wakes on this
machine that only sleeps. Ctrl-C ends it early. It fails if a card is read wrongly, a fault isn't told, or a
promise isn't kept.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.failing_cameras import HANGING, Figures, Waits, fail_often

WAITED, BACK, HUNG_BACK = 100.0, 5.0, 15.0
"""Milliseconds that the loop may wait for the eyes; seconds until they are back, and from a call that hangs."""
SLOW = 0.95
GROWN = 1.1


def main() -> None:
    """Fail, print the figures, and fail if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("unpluggings", type=int, help="how often the camera is pulled out")
    parser.add_argument("--times", type=int, default=15, help="how often each other fault comes")
    wish = parser.parse_args()
    figures = Figures()
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        fail_often(Path(folder), wish.unpluggings, wish.times, figures)
    for line in figure_lines(figures):
        sys.stdout.write(f"{line}\n")
    wrong = [*figures.wrong, *broken(figures)]
    sys.stdout.write("".join(f"  wrong: {each}\n" for each in wrong[:20]))
    sys.exit(bool(wrong))


def figure_lines(figures: Figures) -> Iterator[str]:
    """Put the figures in lines."""
    for fault, back in sorted(figures.back.items()):
        yield f"{fault}: told after {figures.told[fault].summary()} s, read again after {back.summary()} s"
    yield f"an answer by phone to its ruling: {figures.phones.summary()} ms while the camera fails"
    yield f"a press of a button to its ruling: {figures.buttons.summary()} ms while the camera fails"
    yield f"the same while it is well: {figures.well.summary()} ms"
    yield f"a call of the loop to the eyes: {figures.calls.summary()} ms"
    yield f"the longest turn of the loop: {figures.longest:.3g} ms"
    yield f"a process that only sleeps wakes late by {figures.late.summary()} ms"
    yield f"readings of the whole table: {figures.read}, {len(figures.wrong)} wrong"
    yield f"starts of the eyes: {figures.starts}"
    yield f"held early on, and at the end: {figures.held}"


def broken(figures: Figures) -> Iterator[str]:
    """List the promises that weren't kept; a machine that is late itself is allowed for."""
    for fault, back in figures.back.items():
        most = HUNG_BACK if fault in HANGING else BACK
        if max(back.all) > most:
            yield f"{fault}: the eyes were back after {max(back.all):.3g} s, not {most} s"
    most = WAITED + max(figures.late.all)
    for name, worst in (
        ("a call to the eyes", max(figures.calls.all)),
        ("a turn of the loop", figures.longest),
    ):
        if worst > most:
            yield f"{name} took {worst:.3g} ms, more than {most:.3g} ms"
    for name, waits in (("phone", figures.phones), ("button", figures.buttons)):
        if _slow(waits) > WAITED:
            yield f"one in twenty answers by {name} took more than {_slow(waits):.3g} ms"
    for what, (early, late) in figures.held.items():
        if late > max(early + 1, GROWN * early):
            yield f"{what} held: {early}, then {late}"


def _slow(waits: Waits) -> float:
    return sorted(waits.all)[int(SLOW * (len(waits.all) - 1))]


if __name__ == "__main__":
    main()
