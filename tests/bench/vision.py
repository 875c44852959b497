"""How well and how fast cards are read, on rendered tables whose truth is known."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from statistics import median
from time import process_time
from typing import Any

import click
import numpy as np

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.levels import LEVELS
from hardware.twin.rendering.renderer import CardTruth
from tests.bench.measured import Measured, amount, bench, milliseconds, one_thread, timed
from tests.vision.counting import (
    VERDICTS,
    Stated,
    all_reliability,
    pairs,
    reliability_lines,
    stated_names,
    time_columns,
    verdict_columns,
    verdict_of,
    yardstick,
)
from tests.vision.rendered_tables import (
    CARDS,
    DECKS,
    faces_of_cached,
    lay_cards,
    templates_from_artwork,
    templates_from_table,
)
from vision.process.messages import EyesSettings
from vision.process.on_frame import EyesState, read_part
from vision.reading.reader import read
from vision.reading.templates import Templates, templates
from vision.reading.views import Picture
from vision.sightings import Sighting

LAID = ("separate", "touching", "crossing", "fan", "overlapping")
FIRST = 1000
"""Seeds below were used to find the thresholds."""
BANDS = (">= 97 %", "45-97 %", "15-45 %")
LISTED = 20
"""The number of face pairs that are listed at most."""
TIMES = 5


class FrameTotals:
    """What all frames came to."""

    def __init__(self) -> None:
        self.verdicts, self.decks = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
        self.times, self.stated = dict[tuple[str, str], list[tuple[float, float]]](), dict[str, list[Stated]]()
        self.phantoms, self.confused = Counter[str](), Counter[tuple[str, str, str, bool]]()
        self.frames = 0


@bench("Reading cards: how many are right, unsure, missed and wrong; and how long it takes.", seed=FIRST)
@amount("frames", 5, "How many of each layout and level.", 1, 10_000)
@click.option("--plane/--no-plane", default=True, help="Whether the table's plane is known.")
@click.option(
    "--taught", "at_table", is_flag=True, help="With decks taught from three rendered pictures a card."
)
@one_thread()
def vision(frames: int, seed: int, *, plane: bool, at_table: bool) -> Measured:
    totals = FrameTotals()
    taught = templates_from_table if at_table else templates_from_artwork
    for number_of_frame, layout, level in product(range(seed, seed + frames), LAID, LEVELS):
        _measure(totals, layout, level, number_of_frame, taught, plane=plane)
    trusted = all_reliability(totals.stated)
    figures = {
        "seeds": [seed, seed + frames - 1],
        "frames": totals.frames,
        "accuracy": list(_accuracy(totals.verdicts, BANDS, tuple(LEVELS))),
        "by deck": list(_accuracy(totals.decks, DECKS, ("",))),
        "confused": list(_confusions(totals)),
        "phantoms": totals.phantoms,
        "speed": [
            {"layout": layout, "level": level, "frames": len(times), **time_columns(times)}
            for (layout, level), times in totals.times.items()
        ],
        "curve": list(_curve(seed)) if plane else [],
        "reliability": trusted,
    }
    shown = {name: value for name, value in figures.items() if name != "reliability"}
    shown["confused"] = list(_confusions(totals))[:LISTED]
    ratio = "ratio: to cvtColor, Otsu and findContours of the same frame, one thread; median in ms"
    return Measured("vision", figures, _ratios(totals), (ratio, *reliability_lines(trusted)), shown)


def _ratios(totals: FrameTotals) -> dict[str, str]:
    """Sum up what was read of cards as visible as this, and how long a picture took beside the yardstick."""
    by_band, by_layout = Counter[tuple[str, str, str]](), dict[str, list[tuple[float, float]]]()
    for (band, _level, verdict), count in totals.verdicts.items():
        by_band[band, "", verdict] += count
    for (layout, _level), spent in totals.times.items():
        by_layout.setdefault(layout, []).extend(spent)
    told = {
        f"{row['of']} in sight: right, wrong": f"{row['right_percent']} %, {row['wrong']} of {row['cards']:,}"
        for row in _accuracy(by_band, BANDS, ("",))
    }
    times = {f"{layout}: time": f"{time_columns(spent)['ratio']} times" for layout, spent in by_layout.items()}
    return told | times


def _measure(
    so_far: FrameTotals, layout: str, level: str, seed: int, taught: Callable[[str], Templates], *, plane: bool
) -> None:
    """Render one frame, read it, and compare with the truth."""
    deck = DECKS[seed % len(DECKS)]
    (frame, table), known = lay_cards(deck, layout, level, seed), taught(deck)
    around = table if plane else None
    reading, spent = timed(lambda: read(frame.picture, known, None, around), process_time)
    base = median(milliseconds(lambda: yardstick(frame.picture), process_time) for _time in range(3))
    so_far.times.setdefault((layout, level), []).append((spent, base))
    matched = pairs(frame.truth, reading.cards)
    for i, truth in enumerate(frame.truth):
        band = _band(truth)
        verdict = verdict_of(truth, matched.get(i), reading)
        if band or verdict == "wrong":
            so_far.verdicts[band or BANDS[-1], level, verdict] += 1
            so_far.decks[deck, "", verdict] += 1
            _note_confusion(so_far, deck, truth, matched.get(i))
    so_far.stated.setdefault(deck, []).extend(stated_names(frame.truth, reading))
    so_far.phantoms[level] += len(reading.cards) - len(matched)
    so_far.frames += 1


def _note_confusion(so_far: FrameTotals, deck: str, truth: CardTruth, seen: Sighting | None) -> None:
    """Note which face a card was taken for, or came nearest to."""
    if seen is None or truth.face is None or (seen.sure and seen.face == truth.face):
        return
    near = (each.face for each in seen.runners_up if each.face != truth.face)
    other = seen.face if seen.sure else next(near, None)
    if other is not None:
        so_far.confused[deck, truth.face, other, seen.sure] += 1


def _band(truth: CardTruth) -> str | None:
    if truth.visible >= 0.45:
        return BANDS[truth.visible < 0.97]
    return BANDS[2] if truth.visible >= 0.15 and any(truth.index_visible) else None


def _accuracy(
    told: Counter[tuple[str, str, str]], groups: tuple[str, ...], levels: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """Yield what became of the cards that are as visible as this, or of a deck."""
    for of, level in product(groups, levels):
        columns = verdict_columns({verdict: told[of, level, verdict] for verdict in VERDICTS})
        if columns["cards"]:
            yield {"of": of, "level": level, **columns}


def _confusions(of: FrameTotals) -> Iterator[dict[str, object]]:
    """List which face was taken for which other one first, then which couldn't be told from it; how often."""
    for key, times in sorted(of.confused.items(), key=lambda each: (not each[0][3], -each[1], each[0])):
        yield {**dict(zip(("deck", "face", "other", "is_sure"), key, strict=True)), "times": times}


# what more cards, and larger decks, cost


def _cost(
    what: str, picture: Picture, reading: Callable[[Picture], object], cards: int, faces: int
) -> dict[str, object]:
    """Time a reading, between yardsticks of the same picture."""
    times = list[tuple[float, float]]()
    for _time in range(TIMES):
        base = milliseconds(lambda: yardstick(picture), process_time)
        times.append((milliseconds(lambda: reading(picture), process_time), base))
    return {"what": what, "cards": cards, "faces": faces, **time_columns(times)}


def _curve(seed: int) -> Iterator[dict[str, object]]:
    """Read more and more cards, then some with larger and larger decks, then a changed part alone."""
    deck = templates_from_artwork(DECKS[0])
    for cards in (1, 2, 4, 8, 12):
        frame, table = lay_cards(DECKS[0], "separate", "L0", seed, cards)
        yield _cost("cards", frame.picture, partial(read, deck=deck, table=table), cards, len(deck.names))
    frame, table = lay_cards(DECKS[0], "separate", "L0", seed)
    names = [(name, face) for name in DECKS for face in PRINTED[name].faces]
    for faces in (33, 56, 112):
        shots = {f"{name}/{face}": [np.asarray(faces_of_cached(name)(face))] for name, face in names[:faces]}
        larger = templates(shots)
        yield _cost("faces", frame.picture, partial(read, deck=larger, table=table), CARDS, len(larger.names))
    frame, table = lay_cards(DECKS[0], "separate", "L0", seed, 1)
    outline = np.array(frame.truth[0].outline)
    (x, y), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    eyes, box = (
        EyesState(EyesSettings("none"), deck=deck, around=table),
        (int(x), int(y), int(right), int(bottom)),
    )
    yield _cost("changed part", frame.picture, lambda shown: read_part(eyes, shown, box), 1, len(deck.names))
