"""Whole deals of Coup d'État, each card rendered as people lay it, and read: all 32 have to be entered.

python -m tests.long.deal_by_camera 5      five deals
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.core.deal_by_camera import count_read

CARDS = 32


def main(deals: int) -> None:
    """Read the deals, and print how many cards of each were entered."""
    for seed in range(deals):
        with TemporaryDirectory() as folder:
            sys.stdout.write(f"deal {seed}: {count_read(Path(folder), seed, CARDS)} of {CARDS}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
