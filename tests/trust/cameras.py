"""Unplug the camera during play: `python -m tests.trust.cameras 200`; other faults are caused a few times, too.

It prints the time until each fault is reported and the cards are read again, and the delays of people and the
loop meanwhile: median, 95th percentile, maximum. Ctrl-C ends it early. It fails if a card is misread, a fault
isn't reported, or a limit is exceeded.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.failing_cameras import HANGING, Figures, fail_often
from tests.trust.telling import finish, wishes

WAITED, BACK, HUNG_BACK = 100.0, 5.0, 15.0
"""Limits: milliseconds that the loop waits for the eyes; seconds to recover, and after a hanging call."""
SLOW, GROWN = 0.95, 1.1


def main() -> None:
    wish, figures = wishes(__doc__, "unpluggings", times=15), Figures()
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        fail_often(Path(folder), wish.unpluggings, wish.times, figures)
    finish(figures, list(broken(figures)))


def broken(figures: Figures) -> Iterator[str]:
    """Yield the exceeded limits; one wait in twenty may be due to the machine."""
    for fault, back in figures.back.items():
        if max(back) > (HUNG_BACK if fault in HANGING else BACK):
            yield f"{fault}: the eyes were back after {max(back):.3g} s"
    slow = sorted(figures.phones)[int(SLOW * (len(figures.phones) - 1))]
    if slow > WAITED:
        yield f"one in twenty answers took more than {slow:.3g} ms"
    for what, (early, late) in figures.held.items():
        if late > max(early + 1, GROWN * early):
            yield f"{what}: {early}, then {late}"


if __name__ == "__main__":
    main()
