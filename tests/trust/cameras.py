"""Pull the camera out while people play: `python -m tests.trust.cameras 200`; each other fault some times, too.

It prints how soon each fault is told and the cards are read again, and how long people and the loop wait
meanwhile: median, the slowest of twenty, the slowest. Ctrl-C ends it early. It fails if a card is read
wrongly, a fault isn't told, or a promise isn't kept.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.failing_cameras import HANGING, Figures, fail_often
from tests.trust.telling import finish, wishes

WAITED, BACK, HUNG_BACK = 100.0, 5.0, 15.0
"""Milliseconds that the loop may wait for the eyes; seconds until they are back, and from a call that hangs."""
SLOW, GROWN = 0.95, 1.1


def main() -> None:
    wish, figures = wishes(__doc__, "unpluggings", times=15), Figures()
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        fail_often(Path(folder), wish.unpluggings, wish.times, figures)
    finish(figures, list(broken(figures)))


def broken(figures: Figures) -> Iterator[str]:
    """List the promises that weren't kept; one wait in twenty may be the machine's."""
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
