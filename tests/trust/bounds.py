"""Read match files of 10 MB of every shape: `python -m tests.trust.bounds`.

Each is read in its own process, which reports memory and time; it fails above 200 MB or 60 s.
"""

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from firmware.start.games import hand_in_games
from referee.record import read_record
from tests.referee.long_records import SHAPES, record_of
from tests.trust.telling import finish, say, wishes

MOST_MEMORY, MOST_SECONDS = 200.0, 60.0  # megabytes, and seconds
MODULE = "tests.trust.bounds"


def main() -> None:
    wish, failed = wishes(__doc__, megabytes=10.0, read=""), list[str]()
    hand_in_games()
    if wish.read:
        read(Path(wish.read))
        return
    with TemporaryDirectory() as folder:
        for shape in SHAPES:
            file = Path(folder, "match")
            write_record(file, shape, int(wish.megabytes * 1e6))
            result = subprocess.run(
                [sys.executable, "-m", MODULE, "--read", str(file)], capture_output=True, text=True, check=True
            )
            seconds, memory, became = result.stdout.strip().split("\t")
            is_kept = float(seconds) <= MOST_SECONDS and float(memory) <= MOST_MEMORY
            failed += [] if is_kept else [shape]
            say(f"{shape}: {seconds} s, {memory} MB; {became}")
    finish(wrong=failed)


def write_record(file: Path, shape: str, size: int) -> None:
    written = 0
    with file.open("w", encoding="utf-8") as out:
        for line in record_of(SHAPES[shape]()):
            written += out.write(f"{line}\n")
            if written > size:
                return


def read(file: Path) -> None:
    began = monotonic()
    with file.open(encoding="utf-8") as lines:
        record = read_record(line.rstrip("\n") for line in lines)
    seconds, memory = monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    became = (
        "read whole" if record.fault is None else f"refused at line {record.fault.line}: {record.fault.key}"
    )
    say(f"{seconds:.1f}\t{memory:.0f}\t{became}")


if __name__ == "__main__":
    main()
