"""`python -m tests.bench NAME`: measure a part, on this machine."""

from importlib import import_module
from typing import Any

import click

from firmware.start.games import hand_in_games
from tests.bench.measured import Measured
from tests.bench.page import NAMES, all_benches


class Benches(click.Group):
    """The benches; each is imported when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return ["all", *NAMES]

    def get_command(self, _ctx: click.Context, name: str) -> Any:
        if name == "all":
            return all_benches
        return getattr(import_module(f"tests.bench.{name}"), name) if name in NAMES else None


bench = Benches(help="Measure the figures of each part, on this machine.")


@bench.result_callback()
def end(measured: Measured | None) -> None:
    if measured is not None and measured.fault:
        raise click.ClickException(measured.fault)


if __name__ == "__main__":
    hand_in_games()
    bench(prog_name="python -m tests.bench")
