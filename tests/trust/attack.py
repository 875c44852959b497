"""Exhaust a table's resources from its network: `python -m tests.trust.attack`; fails if an attack succeeds.

One client uploads a gigabyte. Then fifty addresses take all connections and places, one attack after the other.
Meanwhile a seated phone sends 200 requests, none of which may be refused, and fifty guests arrive, of whom one
may.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.hostile_networks import (
    ALL_ATTACKS,
    ATTACKS,
    MAX_ACCEPTED,
    count_refusals,
    upload_endlessly,
)
from tests.firmware.start.program import run_program
from tests.trust.telling import finish, say, wishes


def main() -> None:
    wish = wishes(__doc__, asked=200, came=50)
    lost = []
    with TemporaryDirectory() as folder, run_program(Path(folder), ("Ana", "Bo", "Cleo")) as program:
        taken = upload_endlessly(program.port)
        say(f"A gigabyte is uploaded -> hung up after {taken / 1e6:.1f} MB")
        lost += [] if taken < MAX_ACCEPTED else [f"{taken} bytes were taken"]
        for way in (*ATTACKS, ALL_ATTACKS):
            refusals = count_refusals(program, way, wish.asked, wish.came)
            say(f"Fifty addresses: {way.name} -> {refusals}")
            lost += [] if refusals.is_withstood else [f"{way.name}: {refusals}"]
    finish(wrong=lost)


if __name__ == "__main__":
    main()
