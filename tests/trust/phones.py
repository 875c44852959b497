"""250 phones for 60 minutes, with hostile clients: `python -m tests.trust.phones 60`.

Phones listen, load pages, leave and return. Others are slow, half open or greedy, or vanish without closing.
People play on their pages, some with double taps. Each minute it prints the program's resources and the latency
of moments. It fails if a phone missed a moment or received one twice, if a page didn't load, if an answer
counted twice, or if memory, threads or files grew.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.firmware.start.crowded import CrowdSize, gather
from tests.firmware.start.program import run_program
from tests.scripts import say, script

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")


@script
def main(minutes: int, scratch: Path, phones: int = 250, rowdies: int = 100, seed: int = 1) -> Iterator[str]:
    with run_program(scratch, NAMES) as program:
        figures = gather(program, CrowdSize(minutes, phones, rowdies), Random(seed), say)
    say(f"vanished, and seconds until that was known: {figures.vanished}")
    yield from figures.wrong
