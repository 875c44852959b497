"""Attack a table as strangers in its network would: `python -m tests.trust.attack`; fails if one succeeds.

At the end fifty addresses take all that can be taken, way by way, while a seated phone asks 200 times and fifty
new guests come: of the phone's questions none may be refused, and of the guests one.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.attacks import ATTACKS, target
from tests.firmware.start.hostile_networks import EVERY_WAY, WAYS, count_refusals
from tests.trust.telling import finish, say, wishes


def main() -> None:
    wish = wishes(__doc__, asked=200, came=50)
    lost = []
    with TemporaryDirectory() as folder, target(Path(folder)) as table:
        for attack in ATTACKS:
            outcome = attack(table)
            say(f"{' '.join((attack.__doc__ or '').split())} -> {outcome.measured}")
            lost += [] if outcome.is_withstood else [outcome.measured]
        for way in (*WAYS, EVERY_WAY):
            refusals = count_refusals(table.program, way, wish.asked, wish.came)
            say(f"Fifty addresses: {way.name} -> {refusals}")
            lost += [] if refusals.is_withstood else [f"{way.name}: {refusals}"]
    finish(wrong=lost)


if __name__ == "__main__":
    main()
