"""Attack a table as a stranger in its network would: `python -m tests.trust.attack`; fails if one succeeds."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.attacks import ATTACKS, target
from tests.trust.telling import finish, say, wishes


def main() -> None:
    wishes(__doc__)
    lost = []
    with TemporaryDirectory() as folder, target(Path(folder)) as table:
        for attack in ATTACKS:
            outcome = attack(table)
            say(f"{' '.join((attack.__doc__ or '').split())} -> {outcome.measured}")
            lost += [] if outcome.is_withstood else [outcome.measured]
    finish(wrong=lost)


if __name__ == "__main__":
    main()
