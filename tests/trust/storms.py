"""Storm on the buttons of eight seats: `python -m tests.trust.storms 1000000`, with so many presses.

First storms alone, then a fiftieth as many while one wire swings a thousand times a second for a minute and
another button is held as long, and while it swings twenty times as fast. It fails if a press is lost or
doubled, if first presses are in another order than the fingers, if an answer isn't that of its finger, or if a
broken button isn't named.
"""

import argparse
import sys
from time import process_time

import msgspec

from tests.firmware.core.storms import Figures, Storm, is_kept, storm_beside_short

SWINGS = {"1 kHz": (0.0005, 60.0), "20 kHz": (0.000025, 20.0)}
"""How far its edges are apart, and for how long."""
BACKLOG = 5000
"""Things that wait for the loop at most, also in a storm that comes while it was busy for two seconds."""


def main() -> None:
    """Storm, print the figures, and fail if anything isn't as promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presses", type=int, help="how many presses")
    parser.add_argument("--seed", type=int, default=1, help="another storm")
    wish = parser.parse_args()
    figures = Figures()
    Storm(wish.seed, figures).run(wish.presses)
    is_well = _print_figures("storms", figures)
    for name, (every, seconds) in SWINGS.items():
        figures = Figures()
        storm = storm_beside_short(figures, wish.presses // 50, every, seconds)
        is_named = figures.stuck == figures.freed == 2 and not storm.companion.door.troubles()
        is_well = (
            _print_figures(f"a wire that swings at {name}, a button that is held", figures)
            and is_well
            and is_named
        )
    sys.exit(not is_well)


def _print_figures(what: str, figures: Figures) -> bool:
    """Print what was counted; tell whether it is well."""
    wrong, figures.wrong = figures.wrong, figures.wrong[:5]
    sys.stdout.write(
        f"{what}: {msgspec.json.encode(figures).decode()}, {process_time():.0f} s of a processor\n"
    )
    sys.stdout.flush()
    figures.wrong = wrong
    return is_kept(figures) and figures.longest_queue <= BACKLOG


if __name__ == "__main__":
    main()
