"""Unplug the camera during play: `python -m tests.trust.cameras 200`; other faults are caused a few times, too.

It prints the time until each fault is reported and the cards are read again, and the delays of people and the
loop meanwhile: median, 95th percentile, maximum. Ctrl-C ends it early. It fails if a card is misread, a fault
isn't reported, or a limit is exceeded.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.firmware.start.failing_cameras import HANGING, Figures, fail_often
from tests.scripts import script

WAITED, BACK, HUNG_BACK = 100.0, 5.0, 15.0
"""Limits: milliseconds that the loop waits for the eyes; seconds to recover, and after a hanging call."""
SLOW, GROWN = 0.95, 1.1
"""The share of answers that must be fast, as one wait in twenty may be due to the machine; allowed growth."""


@script
def main(unpluggings: int, scratch: Path, times: int = 15) -> Iterator[object]:
    yield (figures := Figures())
    with suppress(KeyboardInterrupt):
        fail_often(scratch, unpluggings, times, figures)
    for fault, back in figures.back.items():
        if max(back) > (HUNG_BACK if fault in HANGING else BACK):
            yield f"{fault}: the eyes were back after {max(back):.3g} s"
    slow = sorted(figures.phones)[int(SLOW * (len(figures.phones) - 1))]
    if slow > WAITED:
        yield f"one in twenty answers took more than {slow:.3g} ms"
    for what, (early, late) in figures.held.items():
        if late > max(early + 1, GROWN * early):
            yield f"{what}: {early}, then {late}"
