"""Storms of presses on the buttons of eight seats: `python -m tests.trust.storms 1000000`.

First there are storms alone. Then come a fiftieth as many while one wire oscillates at 1 kHz for a minute and
another button is held, and again at 20 kHz. It fails if a press is lost or duplicated, if first presses are out
of order, if an answer doesn't match its press, or if a broken button isn't reported.
"""

from collections.abc import Iterator
from time import process_time

from tests.firmware.table.storms import Figures, Storm, is_kept, storm_beside_short
from tests.scripts import figure_lines, say, script

SWINGS = {"1 kHz": (0.0005, 60.0), "20 kHz": (0.000025, 20.0)}
"""Seconds between the edges of an oscillating wire, and its duration in seconds."""
BACKLOG = 5000
"""Maximum items in the loop's queue, even if a storm arrives while the loop is busy for two seconds."""


def _faults(what: str, figures: Figures) -> Iterator[str]:
    say(f"{what}: {', '.join(figure_lines(figures))}; {process_time():.0f} s of a processor")
    if not is_kept(figures) or figures.longest_queue > BACKLOG:
        yield from (f"{what}: {each}" for each in figures.wrong or ["a figure isn't as promised"])


@script
def main(presses: int, seed: int = 1) -> Iterator[str]:
    figures = Figures()
    Storm(seed, figures).run(presses)
    yield from _faults("storms", figures)
    for name, (every, seconds) in SWINGS.items():
        figures = Figures()
        storm = storm_beside_short(figures, presses // 50, every, seconds)
        yield from _faults(f"a wire that swings at {name}, a button that is held", figures)
        if not figures.stuck == figures.freed == 2 or storm.companion.client.troubles():
            yield f"{name}: a broken button isn't named"
