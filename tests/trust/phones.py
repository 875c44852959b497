"""250 phones for 60 minutes, with hostile clients: `python -m tests.trust.phones 60`.

Phones listen, load pages, leave and return. Others are slow, half open or greedy, or vanish without closing.
People play on their pages, some with double taps. Each minute it prints the program's resources and the latency
of moments. It fails if a phone missed a moment or received one twice, if a page didn't load, if an answer
counted twice, or if memory, threads or files grew.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.firmware.start.crowded import CrowdSize, gather
from tests.firmware.start.program import run_program
from tests.trust.telling import finish, say, wishes

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")


def main() -> None:
    wish = wishes(__doc__, "minutes", phones=250, rowdies=100, pace=1.0, minute=60.0, seed=1)
    size = CrowdSize(wish.minutes, wish.phones, wish.rowdies, wish.pace, wish.minute)
    with TemporaryDirectory() as folder, run_program(Path(folder), NAMES) as program:
        figures = gather(program, size, Random(wish.seed), say)
    say(f"vanished, and seconds until that was known: {figures.vanished}")
    finish(wrong=figures.wrong)


if __name__ == "__main__":
    main()
