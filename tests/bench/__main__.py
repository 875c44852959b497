"""Measure a part, on this machine."""

from firmware.cli.lazy import LazyGroup
from firmware.start.games import hand_in_games

NAMES = (
    *(
        "bots",
        "cameras",
        "companion",
        "cues",
        "evening",
        "eyes",
        "film",
        "firmware",
        "idle",
        "phones",
        "pieces",
    ),
    *("referee", "rules", "twin", "vision"),
)
bench = LazyGroup(
    {name: f"tests.bench.{name}:{name}" for name in NAMES},
    help="Measure the figures of each part, on this machine.",
)

if __name__ == "__main__":
    hand_in_games()
    bench(prog_name="python -m tests.bench")
