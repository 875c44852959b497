"""Exhaust a table's resources from its network: `python -m tests.trust.attack`; fails if an attack succeeds.

One client uploads a gigabyte. Then fifty addresses take all connections and places, one attack after the other.
Meanwhile a seated phone sends 200 requests, none of which may be refused, and fifty guests arrive, of whom one
may.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.firmware.start.hostile_networks import (
    ALL_ATTACKS,
    ATTACKS,
    MAX_ACCEPTED,
    count_refusals,
    upload_endlessly,
)
from tests.firmware.start.program import run_program
from tests.scripts import say, script


@script
def main(scratch: Path, asked: int = 200, came: int = 50) -> Iterator[str]:
    with run_program(scratch, ("Ana", "Bo", "Cleo")) as program:
        taken = upload_endlessly(program.port)
        say(f"A gigabyte is uploaded -> hung up after {taken / 1e6:.1f} MB")
        yield from [] if taken < MAX_ACCEPTED else [f"{taken} bytes were taken"]
        for way in (*ATTACKS, ALL_ATTACKS):
            refusals = count_refusals(program, way, asked, came)
            say(f"Fifty addresses: {way.name} -> {refusals}")
            yield from [] if refusals.is_withstood else [f"{way.name}: {refusals}"]
