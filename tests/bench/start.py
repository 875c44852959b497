"""Processor time from a start by `./run` to the first page, on the simulated table."""

import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory

from tests.bench.measured import Measured, amount, bench, times_as_much
from tests.firmware.start.whole_table import WholeTable, World, cpu_seconds, free_port, processes

LIBRARIES = "import cv2, flask, numpy"


@bench("A start of the simulated table: processor time until its first page.", seed=None)
@amount("times", 5, "How often it is started.", 1, 100)
def start(times: int) -> Measured:
    taken = [(_work_until_page(), _work_of_libraries()) for _time in range(times)]
    page, libraries = (median(each) for each in zip(*taken, strict=True))
    what = "until the first page, beside loading its three largest libraries"
    told = f"processor time of all its processes, the median of all starts: {page:.2f} s; {libraries:.2f} s"
    return Measured({what: times_as_much(page, libraries)}, (told,))


def _work_until_page() -> float:
    with TemporaryDirectory() as folder:
        world = World(options=("--twin",))
        table = WholeTable(Path(folder), free_port(), with_supervisor=True, world=world)
        try:
            table.page()
            return sum(map(cpu_seconds, processes(table.folder)))
        finally:
            table.destroy()


def _work_of_libraries() -> float:
    """Import the libraries in a separate Python, as a reference."""
    before = getrusage(RUSAGE_CHILDREN)
    run([sys.executable, "-c", LIBRARIES], check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
