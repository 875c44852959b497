"""A club under trial, with real processes: `python -m tests.trust.club TRIALS`, sizes as options.

Trials, both where none is named: `kills` (random kills, partitions and swallowed connections: `--count`), and
`hostile` (a table that floods and forges beside `--tables`, each with `--rate` answers a second, in three parts
of `--minutes`). A trial prints its figures, with how busy the machine was, and fails if a goal is missed that
doesn't depend on the machine. All traffic stays on this machine; `--nats` takes a nats-server instead of a
Mosquitto.
"""

import os
import signal
import sys
from collections.abc import Iterator

from tests.scripts import say, script
from tests.trust.club.figures import Sizes
from tests.trust.club.hostile import try_hostile
from tests.trust.club.kills import try_kills

TRIALS = {"kills": try_kills, "hostile": try_hostile}


@script
def main(
    *trials: str,
    tables: int = 50,
    rate: float = 2.0,
    minutes: float = 0.5,
    count: int = 100,
    nats: bool = False,
    seed: int = 1,
) -> Iterator[str]:
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("ended from outside"))
    for name in trials or TRIALS:
        is_well = TRIALS[name](Sizes(tables, rate, minutes, count, nats, seed))
        loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        say(f"  {name} {'PASSED' if is_well else 'FAILED'}; load of the machine over 1, 5, 15 minutes: {loads}")
        yield from [] if is_well else [name]
