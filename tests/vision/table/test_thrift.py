"""A process gives back what it has freed, where it is told to."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from pathlib import Path
from vision.table.thrift import give_back_memory

def held() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

give_back_memory()
first = bytearray(4_000_000)
del first  # glibc would take the next ones from its own store
before = held()
pictures = [bytearray(b"x") * 3_000_000 for _number in range(20)]
between = bytearray(200_000)  # what lies above keeps a store from shrinking
full = held()
del pictures
print(full - before, held() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="its memory is read from /proc")
def test_pictures_that_are_freed_leave_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    grown, kept = (int(number) for number in done.stdout.split())
    assert grown > 55_000_000
    assert kept < 5_000_000
