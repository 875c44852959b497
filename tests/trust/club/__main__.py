"""A club under trial, with real processes: `python -m tests.trust.club TRIALS`, sizes as options.

Trials, all where none is named: `kills` (random kills, partitions and swallowed connections: `--count`), `week`
(a week's outbox: `--matches`), `many` (many tables), `hostile` (one that floods and forges). The last two take
`--tables` (many 1000, hostile 50), `--rate` (answers a second of each: 0.25, 2) and `--minutes` (5, each third
0.5). A trial prints its figures, with how busy the machine was, and fails if a goal is missed that doesn't
depend on the machine. All traffic stays on this machine; `--nats` takes a nats-server instead of a Mosquitto.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator

from tests.scripts import say, script
from tests.trust.club.figures import Sizes
from tests.trust.club.hostile import try_hostile
from tests.trust.club.kills import try_kills
from tests.trust.club.pace import try_many
from tests.trust.club.week import try_week

TRIALS: dict[str, Callable[[Sizes], bool]] = {
    "kills": try_kills,
    "week": try_week,
    "many": try_many,
    "hostile": try_hostile,
}


@script
def main(
    *trials: str,
    tables: int = 0,
    rate: float = 0.0,
    minutes: float = 0.0,
    count: int = 100,
    matches: int = 200,
    nats: bool = False,
    seed: int = 1,
) -> Iterator[str]:
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("ended from outside"))
    for name in trials or TRIALS:
        is_well = TRIALS[name](Sizes(tables, rate, minutes, count, matches, nats, seed))
        loads = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        say(f"  {name} {'PASSED' if is_well else 'FAILED'}; load of the machine over 1, 5, 15 minutes: {loads}")
        yield from [] if is_well else [name]
