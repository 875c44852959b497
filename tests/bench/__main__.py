"""`python -m tests.bench NAME`: measure a part, on this machine."""

from importlib import import_module
from typing import Any

import click

from firmware.start.games import hand_in_games

NAMES = ("bots", "cameras", "evening", "film", "idle", "phones", "pieces", "referee", "rules", "vision")


class Benches(click.Group):
    """The benches; each is imported when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, _ctx: click.Context, name: str) -> Any:
        return getattr(import_module(f"tests.bench.{name}"), name) if name in NAMES else None


bench = Benches(help="Measure the figures of each part, on this machine.")

if __name__ == "__main__":
    hand_in_games()
    bench(prog_name="python -m tests.bench")
