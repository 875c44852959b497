"""A club under trial, with real processes: `python -m tests.trust.club TRIALS`, sizes as options.

Trials, all where none is named: `kills` (random kills, partitions and swallowed connections: `--count`), `week`
(a week's outbox: `--matches`), `many` (many tables), `hostile` (one that floods and forges). The last two take
`--tables` (many 1000, hostile 50), `--rate` (answers a second of each: 0.25, 2) and `--minutes` (5, each third
0.5). A trial prints its figures, with how busy the machine was, and fails if a goal is missed that doesn't
depend on the machine. All traffic stays on this machine; `--nats` takes a nats-server instead of a Mosquitto.
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
from tests.trust.telling import say, wishes

TRIALS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "kills": try_kills,
    "week": try_week,
    "many": try_many,
    "hostile": try_hostile,
}


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("ended from outside"))
    sizes = {"tables": 0, "rate": 0.0, "minutes": 0.0, "count": 100, "matches": 200}
    wish = wishes(__doc__, words="trials", nats=False, seed=1, **sizes)
    failed = [name for name in wish.trials or TRIALS if not _try(name, wish)]
    return int(bool(failed))


def _try(name: str, wish: argparse.Namespace) -> bool:
    is_well = TRIALS[name](wish)
    loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    say(f"  {name} {'PASSED' if is_well else 'FAILED'}; load of the machine over 1, 5, 15 minutes: {loads}")
    return is_well


if __name__ == "__main__":
    sys.exit(main())
