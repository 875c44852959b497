"""A club under trial, with real processes: `python -m tests.trust.club TRIAL`, sizes as options.

Trials: `kills` (random kills, partitions and swallowed connections), `week` (a week's outbox), `many` (many
tables), `hostile` (one that floods and forges), `all`. A trial prints its figures, with how busy the machine
was, and fails if a goal is missed that doesn't depend on the machine. All traffic stays on this machine.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable

from tests.trust.club.hostile import try_hostile
from tests.trust.club.kills import try_kills
from tests.trust.club.pace import try_many
from tests.trust.club.week import try_week
from tests.trust.telling import say

TRIALS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "kills": try_kills,
    "week": try_week,
    "many": try_many,
    "hostile": try_hostile,
}


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("ended from outside"))
    wish = _parser().parse_args()
    failed = [name for name in (TRIALS if wish.trial == "all" else [wish.trial]) if not _try(name, wish)]
    return int(bool(failed))


def _try(name: str, wish: argparse.Namespace) -> bool:
    is_well = TRIALS[name](wish)
    loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    say(f"  {name} {'PASSED' if is_well else 'FAILED'}; load of the machine over 1, 5, 15 minutes: {loads}")
    return is_well


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.trust.club",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("trial", choices=[*TRIALS, "all"])
    parser.add_argument("--nats", action="store_true", help="with a nats-server instead of a Mosquitto")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, help="of many (1000) and hostile (50)")
    parser.add_argument("--rate", type=float, help="answers a second of each table: many 0.25, hostile 2")
    parser.add_argument("--minutes", type=float, help="of many (5) and of each third of hostile (0.5)")
    parser.add_argument("--count", type=int, default=100, help="kills and partitions of kills")
    parser.add_argument("--matches", type=int, default=200, help="of week")
    return parser


if __name__ == "__main__":
    sys.exit(main())
