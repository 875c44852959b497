"""Storms of presses on the buttons of eight seats: `python -m tests.trust.storms 1000000`.

First there are storms alone. Then come a fiftieth as many while one wire oscillates at 1 kHz for a minute and
another button is held, and again at 20 kHz. It fails if a press is lost or duplicated, if first presses are out
of order, if an answer doesn't match its press, or if a broken button isn't reported.
"""

from time import process_time

from tests.firmware.table.storms import Figures, Storm, is_kept, storm_beside_short
from tests.trust.telling import figure_lines, finish, say, wishes

SWINGS = {"1 kHz": (0.0005, 60.0), "20 kHz": (0.000025, 20.0)}
"""Seconds between the edges of an oscillating wire, and its duration in seconds."""
BACKLOG = 5000
"""Maximum items in the loop's queue, even if a storm arrives while the loop is busy for two seconds."""


def main() -> None:
    wish, figures = wishes(__doc__, "presses", seed=1), Figures()
    Storm(wish.seed, figures).run(wish.presses)
    wrong = _tell("storms", figures)
    for name, (every, seconds) in SWINGS.items():
        figures = Figures()
        storm = storm_beside_short(figures, wish.presses // 50, every, seconds)
        wrong += _tell(f"a wire that swings at {name}, a button that is held", figures)
        is_named = figures.stuck == figures.freed == 2 and not storm.companion.client.troubles()
        wrong += [] if is_named else [f"{name}: a broken button isn't named"]
    finish(wrong=wrong)


def _tell(what: str, figures: Figures) -> list[str]:
    say(f"{what}: {', '.join(figure_lines(figures))}; {process_time():.0f} s of a processor")
    is_well = is_kept(figures) and figures.longest_queue <= BACKLOG
    return [] if is_well else [f"{what}: {each}" for each in figures.wrong or ["a figure isn't as promised"]]


if __name__ == "__main__":
    main()
