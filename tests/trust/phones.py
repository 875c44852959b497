"""250 phones for so many minutes, with people who mean harm: `python -m tests.trust.phones 60`.

Phones listen, look at pages, leave and come back; others are slow, half open, greedy or gone without a word;
and people play on their pages, some tapping twice. Each minute it prints what the program holds and how soon
moments are on the phones. It fails if a phone missed one or heard one twice, if a page never came, if an answer
counted twice, or if memory, threads or files grew.
"""

import argparse
import sys
from array import array
from collections import Counter
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

from msgspec import Struct

from tests.firmware.start.crowded import (
    Minute,
    Players,
    count_missed_at_ends,
    lives,
    phones,
    plan_crowd,
    play_for,
    rowdies,
)
from tests.firmware.start.program import Held, Program, run_program
from tests.firmware.start.vanishing import is_possible, let_phones_vanish

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
WARM = 5.0
"""Seconds for which people play alone, so that all is open that will be."""
EVERY = 180.0
"""Seconds from one time that phones vanish to the next."""
AWAY = 30
SPARE = 5.0
"""Megabytes between a quarter of the time and its end that are no growth: the most of some minutes each."""
MORE = 4
"""Threads and files that may be there once all are gone, beside those of the beginning."""
SETTLING = 60.0
PRESENT = 45.0
"""Seconds within which a phone that is gone without a word has to be found out."""


class Figures(Struct):
    """What was measured."""

    held: list[Held] = []
    seconds: "array[float]" = array("d")
    pages: "array[float]" = array("d")
    left_at: Counter[tuple[str, int]] = Counter()
    unanswered: int = 0
    missed: int = 0
    doubled: int = 0
    left: int = 0
    lost: int = 0
    vanished: list[tuple[int, float]] = []


def main() -> None:
    """Let them come, print the figures, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=int, help="how long")
    parser.add_argument("--phones", type=int, default=250, help="how many listen")
    parser.add_argument("--rowdies", type=int, default=100, help="how many mean harm")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds from one answer to the next")
    parser.add_argument("--minute", type=float, default=60.0, help="seconds of a minute")
    parser.add_argument("--seed", type=int, default=1, help="of what is played")
    wish = parser.parse_args()
    with TemporaryDirectory() as folder, run_program(Path(folder), NAMES) as program:
        wrong = _measure(program, wish)
    sys.stdout.write("".join(f"WRONG: {each}\n" for each in wrong))
    sys.exit(bool(wrong))


def _measure(program: Program, wish: Any) -> list[str]:
    players, rng = Players(program, Random(wish.seed)), Random(wish.seed)
    play_for(players, WARM, wish.pace, rng)
    figures, before = Figures(), program.holdings()
    _say(f"before anybody comes: {_format_holdings(before)}")
    with ExitStack() as ends:
        crowd = _process(ends, phones, plan_crowd(program, wish.phones), wish.minutes, wish.minute)
        harm = _process(ends, rowdies, program.port, wish.rowdies)
        assert crowd.recv() == "ready"
        until = monotonic() + wish.minutes * wish.minute
        gone = Thread(target=_vanish, args=(program.port, figures, until))
        gone.start()
        for number in range(1, wish.minutes + 1):
            play_for(players, wish.minute, wish.pace, rng)
            _note(figures, crowd.recv(), players.played.sent, program, f"minute {number}")
        gone.join()
        crowd.send("enough")
        _note(figures, crowd.recv(), players.played.sent, program, "the end")
        last = crowd.recv()
        harm.send("enough")
    after = _wait_until_settled(program, before)
    _say(f"once all are gone: {_format_holdings(after)}")
    return [*_sum_up(figures, players, last, program), *_grown(figures, before, after)]


def _process(ends: ExitStack, work: Any, *said: Any) -> Connection:
    """Begin a process of its own; at the end it is over by itself, or it is ended."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=work, args=(*said, theirs))
    process.start()
    ends.callback(process.join)
    return ours


def _vanish(port: int, figures: Figures, until: float) -> None:
    """Let phones be gone without a word, now and then."""
    while is_possible() and monotonic() + PRESENT < until:
        figures.vanished.append(let_phones_vanish(port, AWAY))
        sleep(max(0.0, min(EVERY, until - monotonic())))


def _note(figures: Figures, minute: Minute, sent: dict[str, float], program: Program, name: str) -> None:
    """Add a minute to the figures, and print it."""
    seconds, pages = lives(minute, sent), array("d", filter(None, minute.pages))
    figures.seconds.extend(seconds)
    figures.pages.extend(pages)
    figures.left_at.update({(match, last): count for match, last, count in minute.left_at})
    figures.unanswered += sum(page is None for page in minute.pages)
    figures.missed, figures.doubled, figures.left, figures.lost = (
        minute.missed, minute.doubled, minute.left, minute.lost,
    )  # fmt: skip
    figures.held.append(program.holdings())
    for gap in minute.gaps:
        _say(f"  {gap}")
    _say(
        f"{name}: {_format_holdings(figures.held[-1])}; moments {len(minute.at)},"
        f" answer to phone {_times(seconds)}; pages {_times(pages)}; left {minute.left}, let go {minute.lost},"
        f" missed {minute.missed}, doubled {minute.doubled}, pages that never came {figures.unanswered}"
    )


def _wait_until_settled(program: Program, before: Held) -> Held:
    """Wait until whatever was begun is over."""
    until = monotonic() + SETTLING
    while (now := program.holdings()).threads > before.threads and monotonic() < until:
        sleep(0.5)
    return now


def _sum_up(figures: Figures, players: Players, last: Counter[tuple[str, int]], program: Program) -> list[str]:
    """Print what it comes to; give what is wrong."""
    played = players.played
    at_ends = count_missed_at_ends(figures.left_at, played.ends)
    late = sum(count for (match, number), count in last.items() if played.ends.get(match, 0) > number)
    kept, accepted = program.answers(), played.codes[303]
    _say(f"answer to phone {_times(figures.seconds)}; pages {_times(figures.pages)}")
    _say(f"answers {accepted} in {len(played.ends)} matches, codes {dict(played.codes)}; twice {played.twice}")
    _say(f"phones that left {figures.left}, let go {figures.lost}; missed at ends of matches {at_ends}")
    _say(f"vanished, and seconds until that was known: {[(many, round(s, 1)) for many, s in figures.vanished]}")
    wrong = {
        "moments that phones missed": figures.missed + at_ends,
        "phones that didn't hear the last moment": late,
        "moments that phones heard twice": figures.doubled,
        "pages that never came": figures.unanswered,
        "answers that counted twice": played.both + abs(kept - accepted),
        "vanished phones that weren't found out": sum(seconds > PRESENT for _many, seconds in figures.vanished),
    }
    return [f"{what}: {count}" for what, count in wrong.items() if count]


def _grown(figures: Figures, before: Held, after: Held) -> list[str]:
    """Tell what has grown."""
    count = len(figures.held)
    # who means harm comes and goes in waves, each with its threads
    wave = max(1, count // 12)
    quarter, end = (
        max(each.memory for each in figures.held[:at][-wave:]) for at in (max(1, count // 4), count)
    )
    _say(f"memory after a quarter {quarter} MB, at the end {end} MB")
    return [
        *([f"memory: {quarter} to {end} MB"] if end > quarter + SPARE else []),
        *([f"threads: {before.threads} to {after.threads}"] if after.threads > before.threads + MORE else []),
        *([f"files: {before.files} to {after.files}"] if after.files > before.files + MORE else []),
    ]


def _times(seconds: "array[float]") -> str:
    if len(seconds) < 2:
        return "-"
    cuts = quantiles(seconds, n=100, method="inclusive")
    return f"median {1000 * cuts[49]:.0f} p99 {1000 * cuts[98]:.0f} at most {1000 * max(seconds):.0f} ms"


def _format_holdings(now: Held) -> str:
    return f"{now.memory} MB, {now.threads} threads, {now.files} files"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
