"""One job with second copies in a process of its own: `python -m firmware.start.copy_process JOB`.

A stick that hangs holds up this process, and never the table. What lies where goes to its output.
"""

import os
import sys

from firmware.start.games import hand_in_games
from firmware.storage.second_copy.jobs import do_job, encode_report, read_job

NICE = 10
"""The table goes first."""


def main() -> None:
    """Do the job, and tell what lies where."""
    os.nice(NICE)
    job = read_job(sys.argv[1])
    if job.what == "restore":
        # matches are played again to see whether they can be
        hand_in_games()
    sys.stdout.buffer.write(encode_report(do_job(job)))


if __name__ == "__main__":
    main()
