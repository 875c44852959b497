"""Storm on the buttons of eight seats: `python -m tests.trust.storms 1000000`, with so many presses.

First storms alone, then a fiftieth as many while one wire swings a thousand times a second for a minute and
another button is held as long, and while it swings twenty times as fast. It fails if a press is lost or
doubled, if first presses are in another order than the fingers, if an answer isn't that of its finger, or if a
broken button isn't named.
"""

from time import process_time

from tests.firmware.table.storms import Figures, Storm, is_kept, storm_beside_short
from tests.trust.telling import figure_lines, finish, say, wishes

SWINGS = {"1 kHz": (0.0005, 60.0), "20 kHz": (0.000025, 20.0)}
"""How far its edges are apart, and for how long."""
BACKLOG = 5000
"""Things that wait for the loop at most, also in a storm that comes while it was busy for two seconds."""


def main() -> None:
    wish, figures = wishes(__doc__, "presses", seed=1), Figures()
    Storm(wish.seed, figures).run(wish.presses)
    wrong = _tell("storms", figures)
    for name, (every, seconds) in SWINGS.items():
        figures = Figures()
        storm = storm_beside_short(figures, wish.presses // 50, every, seconds)
        wrong += _tell(f"a wire that swings at {name}, a button that is held", figures)
        is_named = figures.stuck == figures.freed == 2 and not storm.companion.door.troubles()
        wrong += [] if is_named else [f"{name}: a broken button isn't named"]
    finish(wrong=wrong)


def _tell(what: str, figures: Figures) -> list[str]:
    say(f"{what}: {', '.join(figure_lines(figures))}; {process_time():.0f} s of a processor")
    is_well = is_kept(figures) and figures.longest_queue <= BACKLOG
    return [] if is_well else [f"{what}: {each}" for each in figures.wrong or ["a figure isn't as promised"]]


if __name__ == "__main__":
    main()
