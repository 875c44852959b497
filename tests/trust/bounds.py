"""Read match files of 10 MB of every shape: `python -m tests.trust.bounds`.

Each is read in its own process, which reports memory and time; it fails above 200 MB or 60 s.
"""

import resource
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from referee.record import read_record
from tests.referee.long_records import SHAPES, record_of
from tests.scripts import say, script

MOST_MEMORY, MOST_SECONDS = 200.0, 60.0  # megabytes, and seconds


def write_record(file: Path, shape: str, size: int) -> None:
    written = 0
    with file.open("w", encoding="utf-8") as out:
        for line in record_of(SHAPES[shape]()):
            written += out.write(f"{line}\n")
            if written > size:
                return


def read(file: Path) -> tuple[float, float, str]:
    began = monotonic()
    with file.open(encoding="utf-8") as lines:
        record = read_record(line.rstrip("\n") for line in lines)
    seconds, memory = monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    became = (
        "read whole" if record.fault is None else f"refused at line {record.fault.line}: {record.fault.key}"
    )
    return seconds, memory, became


@script
def main(scratch: Path, megabytes: float = 10.0) -> Iterator[str]:
    for shape in SHAPES:
        file = scratch / "match"
        write_record(file, shape, int(megabytes * 1e6))
        with get_context("spawn").Pool(1) as reader:
            seconds, memory, became = reader.apply(read, (file,))
        say(f"{shape}: {seconds:.1f} s, {memory:.0f} MB; {became}")
        if seconds > MOST_SECONDS or memory > MOST_MEMORY:
            yield shape
