"""Accuracy and speed of reading cards, on rendered tables with known cards."""

from collections import Counter, defaultdict
from itertools import product
from time import process_time

import cv2

from tests.bench.measured import Measured, milliseconds, timed
from tests.hardware.twin.levels import LEVELS
from tests.hardware.twin.truth import CardTruth
from tests.vision import counting
from tests.vision.rendered_tables import DECKS, lay_cards, templates_from_artwork
from vision.reading.reader import read

LAID = ("separate", "touching", "crossing", "fan", "overlapping")
FIRST = 1000  # lower seeds were used to tune the thresholds
ROUNDS = 5  # times that each picture is read, because times vary
BANDS = (">= 97 %", "45-97 %", "15-45 %")


class FrameTotals:
    """Totals over all frames."""

    def __init__(self) -> None:
        self.verdicts = defaultdict[str, Counter[str]](Counter)
        self.stated = defaultdict[str, list[counting.Stated]](list)
        self.times = defaultdict[str, list[list[tuple[float, float]]]](list)  # for each round
        self.wrong = list[str]()


def vision(frames: int = 5, seed: int = FIRST) -> Measured:
    """Reading cards: how many are right, unsure, missed and wrong; and how long it takes."""
    cv2.setNumThreads(1)
    totals = FrameTotals()
    for number_of_frame, layout, level in product(range(seed, seed + frames), LAID, LEVELS):
        _measure(totals, layout, level, number_of_frame)
    bands = ((band, counting.verdict_columns(totals.verdicts[band])) for band in BANDS if totals.verdicts[band])
    told = {
        f"{band} in sight: right, wrong": f"{row['right_percent']} %, {row['wrong']} of {row['cards']:,}"
        for band, row in bands
    }
    times = {f"{layout}: time": counting.times_the_yardstick(rounds) for layout, rounds in totals.times.items()}
    return Measured(
        told | times, (*totals.wrong, *counting.reliability_lines(counting.all_reliability(totals.stated)))
    )


def _measure(so_far: FrameTotals, layout: str, level: str, seed: int) -> None:
    deck = DECKS[seed % len(DECKS)]
    (frame, table), known = lay_cards(deck, layout, level, seed), templates_from_artwork(deck)
    # one after the other, so that both find the processor's caches as full
    rounds = [
        (
            timed(lambda: read(frame.picture, known, None, table), process_time),
            milliseconds(lambda: counting.yardstick(frame.picture), process_time),
        )
        for _round in range(ROUNDS)
    ]
    so_far.times[layout].append([(spent, base) for (_reading, spent), base in rounds])
    (reading, _spent), _base = rounds[0]
    matched = counting.pairs(frame.truth, reading.cards)
    for i, truth in enumerate(frame.truth):
        band, seen = _band(truth), matched.get(i)
        verdict = counting.verdict_of(truth, seen, reading)
        if band or verdict == "wrong":
            so_far.verdicts[band or BANDS[-1]][verdict] += 1
        if verdict == "wrong" and seen is not None:
            so_far.wrong.append(f"{deck}, {layout}, {level}, {seed}: {seen.face} for {truth.face}")
    so_far.stated[deck] += counting.stated_names(frame.truth, reading)


def _band(truth: CardTruth) -> str | None:
    if truth.visible >= 0.45:
        return BANDS[truth.visible < 0.97]
    return BANDS[2] if truth.visible >= 0.15 and any(truth.index_visible) else None
