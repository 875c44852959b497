"""Hostile requests to every route: `python -m tests.long.fuzz 100000`; prints what became of them.

It fails if any brought a fault or a traceback, or changed something without the right link and token, or if
memory grew.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.companion.writer import connected_for_a_thread
from firmware.journal import open_journal
from tests.webui.hostile import FINE, Table, Wire, attempt, became, mangled, memory, settle, table_in

SHOWN = 10
WIRED = 20
"""Of so many requests, another one goes over the wire, spoilt."""
GROWTH = 1.1
"""Times the memory after the first fifth that is still no growth."""


def main() -> None:
    """Send so many, and fail if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("requests", type=int, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the requests")
    wish = parser.parse_args()
    codes, faults, held = Counter[str](), list[str](), list[float]()
    with (
        TemporaryDirectory() as folder,
        open_journal(Path(folder, "journal.sqlite3"), connected_for_a_thread) as opened,
    ):
        table = table_in(Path(folder), opened.journal)
        wire = Wire(table.app)
        for number in range(wish.requests):
            codes.update(_asked(table, f"{wish.seed} {number}", faults))
            if number % WIRED == 0:
                codes.update(_said(wire, table, f"{wish.seed} {number}", faults))
            if number % max(1, wish.requests // 5) == 0:
                held.append(memory())
        held.append(memory())
        wire.close()
    sys.stdout.write(f"{wish.requests} requests: {dict(sorted(codes.items()))}\n")
    sys.stdout.write(f"memory: {held} MB; faults: {len(faults)}\n")
    sys.stdout.write("\n".join(faults[:SHOWN]) + "\n" * bool(faults))
    sys.exit(bool(faults) or held[-1] > GROWTH * held[min(1, len(held) - 1)])


def _asked(table: Table, seed: str, faults: list[str]) -> list[str]:
    """Send one to the app; give what it was answered."""
    sent = attempt(table, Random(seed))
    done = became(table, sent)
    faults += [f"{seed}: {done.fault}\n  {sent.told}"] if done.fault else []
    return [f"{done.code}"]


def _said(wire: Wire, table: Table, seed: str, faults: list[str]) -> list[str]:
    """Send one over the wire; give what it was answered."""
    words = mangled(table, Random(seed))
    code = wire.say(words)
    settle(table)
    wrong = [*wire.faults, *([code] if code.startswith("5") and code not in FINE else [])]
    faults += [f"{seed}: {each}\n  {words!r}" for each in wrong]
    wire.faults.clear()
    return [f"wire {code}"]


if __name__ == "__main__":
    main()
