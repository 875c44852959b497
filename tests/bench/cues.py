"""How far apart lamps, buzzer, speech and phones tell of one ruling.

For phones that is the news from which their pages are drawn; `python -m tests.bench phones` measures the rest.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import sleep, time
from typing import Any

import click
from msgspec import Struct

from firmware.board.voices.speech import PROGRAM, Sound
from hardware.twin.player import any_answer
from referee.match import Match
from tests.bench.measured import json_option, print_figures
from tests.bench.simulated_table import SimulatedCompanion, coyote_match, open_companion, unplug_camera

NAMES = ("Ana", "Bo", "Chloé", "Dan")
REST, PATIENCE = 0.4, 0.6
"""Seconds for which all has to be still before an answer, and for which is listened after it."""
SPEAKER = '#!/bin/sh\n: > "{folder}/$$"\nexec cat > /dev/null\n'
"""What stands in for the program that speaks: it leaves a file when it begins."""

Cues = Mapping[str, float]
"""When each way of telling began, on the clock that files have, too."""


class CueFigures(Struct, frozen=True):
    """How many moments were told in each way, and how far apart, in milliseconds."""

    moments: int
    told: Mapping[str, int]
    apart_median: float
    apart_most: float


@click.command(help="One ruling on lamps, buzzer, loudspeaker and phones: how far apart it is told.")
@click.option(
    "--moments", default=30, show_default=True, type=click.IntRange(1, 1000), help="How many answers."
)
@click.option("--seed", default=1, show_default=True, help="Where chance starts.")
@json_option
def cues(moments: int, seed: int, *, as_json: bool) -> None:
    """Measure how far apart the ways of telling are."""
    rng = Random(seed)
    with TemporaryDirectory() as folder, speaker(Path(folder)) as spoken, _table(Path(folder)) as sat:
        told = [cues_of_answer(sat, spoken, rng) for _moment in range(moments)]
    figures = figures_of([each for each in told if len(each) > 1])
    print_figures("cues", {"figures": figures}, _lines(figures), as_json=as_json)


def figures_of(told: list[Cues]) -> CueFigures:
    """Sum up moments that were told in two ways or more."""
    apart = [1000 * (max(each.values()) - min(each.values())) for each in told] or [0.0]
    ways = sorted({way for each in told for way in each})
    counts = {way: sum(way in each for each in told) for way in ways}
    return CueFigures(len(told), counts, round(median(apart), 1), round(max(apart), 1))


def cues_of_answer(sat: SimulatedCompanion, spoken: Path, rng: Random) -> Cues:
    """Answer once all is still, and note when each way of telling begins."""
    lines: Any = sat.board.lamps
    lamps = [sat.factory.pin(gpio) for gpio in (*lines.green, *lines.red)]
    buzzer = sat.factory.pin(sat.board.buzzer)

    def seen() -> tuple[Any, ...]:
        return ([lamp.state for lamp in lamps], buzzer.state, sum(1 for _file in spoken.iterdir()))

    _wait_until_still(seen)
    door = sat.companion.door
    listening, (shown, _silence, said) = door.subscribe(), seen()
    listening.next(PATIENCE)
    looks: dict[str, Callable[[], bool]] = {
        "lamps": lambda: [lamp.state for lamp in lamps] != shown,
        "buzzer": lambda: bool(buzzer.state),
        "phones": lambda: isinstance(listening.next(0), Match),
    }
    match = door.moment()
    end, began = time() + PATIENCE, dict[str, float]()
    if match.asks:
        door.submit(any_answer(match.asks, match.number, rng))
    else:
        door.ask_rematch()
    while time() < end:
        began |= {way: time() for way, begins in looks.items() if way not in began and begins()}
        sleep(0)
    listening.close()
    sentences = sorted(file.stat().st_mtime for file in spoken.iterdir())
    return began | ({"speech": sentences[said]} if len(sentences) > said else {})


def _wait_until_still(seen: Callable[[], object]) -> None:
    """Wait until nothing has changed for longer than a flash has breaks."""
    since, before = time(), seen()
    while time() < since + REST:
        sleep(0.005)
        if (now := seen()) != before:
            since, before = time(), now


@contextmanager
def speaker(folder: Path) -> Iterator[Path]:
    """Put a program in the place of the one that speaks; give the folder of its marks."""
    spoken, programs = folder / "spoken", folder / "programs"
    spoken.mkdir()
    programs.mkdir()
    program = programs / PROGRAM
    program.write_text(SPEAKER.format(folder=spoken), encoding="utf-8")
    program.chmod(0o700)
    before = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = f"{programs}{os.pathsep}{before}"
    try:
        yield spoken
    finally:
        os.environ["PATH"] = before


@contextmanager
def _table(folder: Path) -> Iterator[SimulatedCompanion]:
    with open_companion(coyote_match(NAMES), folder / "table", sound=Sound(volume=50)) as sat:
        unplug_camera(sat)
        yield sat


def _lines(figures: CueFigures) -> Iterable[str]:
    counts = ", ".join(f"{way} {count}" for way, count in figures.told.items())
    yield f"one ruling, told in several ways: median {figures.apart_median} ms apart, at most {figures.apart_most} ms"
    yield f"moments: {figures.moments} ({counts})"
