"""Let a table play a match without a network: `python -m tests.trust.offline`; it must connect nowhere else."""

from collections.abc import Iterator
from pathlib import Path

from tests.firmware.start.offline import play_offline
from tests.scripts import say, script

MOST, SECONDS = 10_000, 900.0


@script
def main(scratch: Path, answers: int = MOST) -> Iterator[str]:
    played = play_offline(scratch, answers, SECONDS)
    alone = "without another machine in the network" if played.is_alone else "with the usual network"
    say(f"a match of {played.answers} answers {alone}; said to other machines: {len(played.far)}")
    for line in played.heard:
        say(f"  {line}")
    yield from [*played.far, *([] if played.is_over or answers < MOST else ["the match isn't over"])]
