"""Attack a table as a stranger in its network would: `python -m tests.trust.attack`; fails if one succeeds."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.attacks import ATTACKS, target


def main() -> None:
    """Attack the real program in every way, and print what came of it."""
    lost = 0
    with TemporaryDirectory() as folder, target(Path(folder)) as table:
        for attack in ATTACKS:
            outcome = attack(table)
            lost += not outcome.is_withstood
            verdict = "ok" if outcome.is_withstood else "LOST"
            sys.stdout.write(f"{verdict}: {' '.join((attack.__doc__ or '').split())} -> {outcome.measured}\n")
            sys.stdout.flush()
    sys.exit(lost > 0)


if __name__ == "__main__":
    main()
