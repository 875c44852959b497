"""How well and how fast cards are read, on rendered tables whose truth is known."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice, product
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import click
import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import BACK, CardTruth, Frame, render
from hardware.twin.rendering.scene import CARD, Plate, SceneTable
from tests.bench.measured import json_option, milliseconds, print_figures
from tests.bench.reliability import Stated, all_reliability, best_face, reliability_lines
from tests.bench.twin import _contours as yardstick
from vision.process.messages import EyesSettings
from vision.process.on_frame import EyesState, read_part
from vision.reading.reader import read
from vision.reading.templates import Templates, templates
from vision.reading.views import Picture, Surroundings, plate_around, surroundings
from vision.sightings import Outline, Reading, Sighting
from vision.table.plane import as_outline, map_points
from vision.teaching.taught_decks import teach_from
from vision.teaching.tried_decks import prepare_deck

DECKS = ("piquet", "coyote-gigamic", "plenty-coups", "ogallala", "coup")
LAID = ("separate", "touching", "crossing", "fan", "overlapping")
CARDS = 8
FIRST = 1000
"""Seeds below were used to find the thresholds."""
BANDS = (">= 97 %", "45-97 %", "15-45 %")
LISTED = 20
"""The number of face pairs that are listed at most."""
VERDICTS = ("right", "unsure", "flagged", "missed", "wrong")


class Accuracy(Struct, frozen=True):
    """What became of the cards that are as visible as this; flagged ones lie in something unexplained."""

    visible: str
    level: str
    cards: int
    right: int
    unsure: int
    flagged: int
    missed: int
    wrong: int
    right_percent: float


class DeckAccuracy(Struct, frozen=True):
    """What became of the cards of a deck, in all layouts and levels."""

    deck: str
    cards: int
    right: int
    unsure: int
    flagged: int
    missed: int
    wrong: int
    right_percent: float


class Confusion(Struct, frozen=True):
    """A face that was taken for another one, or that it couldn't be told from; how often."""

    deck: str
    face: str
    other: str
    is_sure: bool
    times: int


class Speed(Struct, frozen=True):
    """How long a frame takes with one thread, over one cvtColor, Otsu's threshold and findContours of it."""

    layout: str
    level: str
    frames: int
    median: float
    ratio: float


class FrameTotals(Struct):
    """What all frames came to."""

    verdicts: Counter[tuple[str, str, str]]
    times: dict[tuple[str, str], list[tuple[float, float]]]
    phantoms: Counter[str]
    decks: Counter[tuple[str, str]]
    confused: Counter[tuple[str, str, str, bool]]
    stated: dict[str, list[Stated]]
    frames: int = 0


@click.command(help="Reading cards: how many are right, unsure, missed and wrong; and how long it takes.")
@click.option(
    "--frames",
    default=5,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="How many of each layout and level.",
)
@click.option("--seed", default=FIRST, show_default=True, help="The first frame's seed.")
@click.option("--plane/--no-plane", default=True, help="Whether the table's plane is known.")
@click.option(
    "--taught",
    "at_table",
    is_flag=True,
    help="With decks taught from three rendered pictures a card, instead of from the artwork.",
)
@json_option
def vision(frames: int, seed: int, *, plane: bool, at_table: bool, as_json: bool) -> None:
    """Measure the reader."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    all_frames = FrameTotals(Counter(), {}, Counter(), Counter(), Counter(), {})
    for number, layout, level in product(range(seed, seed + frames), LAID, LEVELS):
        _measure(
            all_frames,
            layout,
            level,
            number,
            templates_from_table if at_table else templates_from_artwork,
            plane=plane,
        )
    rows, speeds = list(_accuracy(all_frames)), list(_speeds(all_frames))
    decks, confused = list(_deck_accuracy(all_frames)), list(_confusions(all_frames))
    trusted = all_reliability(all_frames.stated)
    curve = [*cost_by_cards(seed), *cost_by_faces(seed), cost_of_new_card(seed)] if plane else []
    cv2.setNumThreads(threads)
    figures = {
        "seeds": [seed, seed + frames - 1],
        "decks": DECKS,
        "frames": all_frames.frames,
        "accuracy": rows,
        "by_deck": decks,
        "confused": confused,
        "reliability": trusted,
        "phantoms": all_frames.phantoms,
        "speed": speeds,
        "curve": curve,
    }
    told = [*_table(rows, speeds, all_frames, seed), *_deck_lines(decks, confused)]
    told += ["", *reliability_lines(trusted), *_cost_lines(curve)]
    print_figures("vision", figures, told, as_json=as_json)


def _measure(
    so_far: FrameTotals, layout: str, level: str, seed: int, taught: Callable[[str], Templates], *, plane: bool
) -> None:
    """Render one frame, read it, and compare with the truth."""
    deck = DECKS[seed % len(DECKS)]
    (frame, table), known = lay_cards(deck, layout, level, seed), taught(deck)
    readings: list[Reading] = []
    spent = milliseconds(
        lambda: readings.append(read(frame.picture, known, None, table if plane else None)), process_time
    )
    base = median(milliseconds(lambda: yardstick(frame.picture), process_time) for _time in range(3))
    so_far.times.setdefault((layout, level), []).append((spent, base))
    matched = pairs(frame.truth, readings[0])
    for i, truth in enumerate(frame.truth):
        band = _band(truth)
        verdict = verdict_of(truth, matched.get(i), readings[0])
        if band or verdict == "wrong":
            so_far.verdicts[band or BANDS[-1], level, verdict] += 1
            so_far.decks[deck, verdict] += 1
            _note_confusion(so_far.confused, deck, truth, matched.get(i))
    so_far.stated.setdefault(deck, []).extend(_stated(frame.truth, matched, readings[0]))
    extra = len(readings[0].cards) - len(matched)
    so_far.phantoms[level] += extra
    so_far.frames += 1


def _stated(truth: tuple[CardTruth, ...], matched: dict[int, Sighting], reading: Reading) -> Iterator[Stated]:
    """List what was stated of names, those of nothing included."""
    faces = {id(seen): truth[i].face for i, seen in matched.items()}
    for seen in reading.cards:
        if seen.chance is not None:
            is_right = id(seen) in faces and best_face(seen) == faces[id(seen)]
            yield Stated(seen.chance, is_right)


def _note_confusion(
    so_far: Counter[tuple[str, str, str, bool]], deck: str, truth: CardTruth, seen: Sighting | None
) -> None:
    """Note which face a card was taken for, or came nearest to."""
    if seen is None or truth.face is None or (seen.sure and seen.face == truth.face):
        return
    other = (
        seen.face
        if seen.sure
        else next((each.face for each in seen.runners_up if each.face != truth.face), None)
    )
    if other is not None:
        so_far[deck, truth.face, other, seen.sure] += 1


def lay_cards(deck: str, layout: str, level: str, seed: int, cards: int = CARDS) -> tuple[Frame, Surroundings]:
    """Lay cards of a deck, one in ten face down; give what calibration would have found of the table."""
    rng, names = Random(seed), tuple(PRINTED[deck].faces)
    faces = tuple(None if rng.random() < 0.1 else rng.choice(names) for _card in range(cards))
    scene = random_scene(LEVELS[level], LAYOUTS[layout], faces, seed)
    # the empty table was seen without a person bending over it, and with other camera noise
    empty = replace(scene, cards=(), hands=(), light=replace(scene.light, shadows=()), seed=scene.seed + 1)
    frame, before = (render(each, faces_of_cached(deck)) for each in (scene, empty))
    codes = (_code_outline(frame, plate) for plate in scene.table.plates)
    return frame, surroundings(frame.plane, [plate_around(code) for code in codes], before.picture)


def _code_outline(frame: Frame, plate: Plate) -> Outline:
    """Tell where the code of a plate is in the picture."""
    half = plate.size / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return as_outline(map_points(frame.plane, square + np.array((plate.x, plate.y))))


faces_of_cached = cache(faces_of)


@cache
def templates_from_artwork(deck: str) -> Templates:
    """Teach a deck from its own artwork."""
    faces = faces_of_cached(deck)
    return prepare_deck({name: [np.asarray(faces(name))] for name in (*PRINTED[deck].faces, BACK)})


@cache
def templates_from_table(deck: str) -> Templates:
    """Teach a deck from three pictures of each card on a table."""
    with TemporaryDirectory() as folder:
        for number, face in enumerate((*PRINTED[deck].faces, BACK)):
            for placement in range(3):
                shown = _one_card(deck, face, 3 * number + placement)
                cv2.imwrite(f"{folder}/{face}__{placement}.png", shown.picture)
        lesson = teach_from(Path(folder), deck, CARD)
    return prepare_deck(lesson.taught.faces, lesson.taught.card)


def _one_card(deck: str, face: str, seed: int) -> Frame:
    """Lay one card somewhere on green felt, where no markers are."""
    scene = random_scene(
        LEVELS["L0"],
        LAYOUTS["separate"],
        (None if face == BACK else face,),
        seed,
        SceneTable("felt", plates=()),
    )
    return render(scene, faces_of_cached(deck))


def pairs(truth: tuple[CardTruth, ...], reading: Reading) -> dict[int, Sighting]:
    """Give each true card the sighting whose middle is nearest, if it is within a third of the card's width."""
    far = [
        (away, i, j)
        for i, card in enumerate(truth)
        for j, seen in enumerate(reading.cards)
        if (away := _distance(card, seen)) < 1 / 3
    ]
    found: dict[int, int] = {}
    for _away_by, i, j in sorted(far):
        if i not in found and j not in found.values():
            found[i] = j
    return {i: reading.cards[j] for i, j in found.items()}


def _distance(card: CardTruth, seen: Sighting) -> float:
    """Measure how far apart the middles are, in widths of the card."""
    outline = np.array(card.outline)
    width = float(np.hypot(*(outline[0] - outline[1])))
    return float(np.hypot(*(outline.mean(axis=0) - np.array(seen.outline).mean(axis=0)))) / width


def _band(truth: CardTruth) -> str | None:
    if truth.visible >= 0.97:
        return BANDS[0]
    if truth.visible >= 0.45:
        return BANDS[1]
    return BANDS[2] if truth.visible >= 0.15 and any(truth.index_visible) else None


def verdict_of(truth: CardTruth, seen: Sighting | None, reading: Reading) -> str:
    """Say what became of a card."""
    if seen is None:
        return "flagged" if is_flagged(truth, reading) else "missed"
    if not seen.sure:
        return "unsure"
    return "right" if (seen.face, seen.facing) == (truth.face, truth.facing) else "wrong"


def is_flagged(truth: CardTruth, reading: Reading) -> bool:
    """Tell whether the card's middle is in something that was reported as unexplained."""
    x, y = np.array(truth.outline).mean(axis=0).tolist()
    return any(
        cv2.pointPolygonTest(np.array(some.outline, np.float32), (x, y), measureDist=False) >= 0
        for some in reading.unexplained
    )


def _accuracy(of: FrameTotals) -> Iterator[Accuracy]:
    for band, level in product(BANDS, LEVELS):
        right, unsure, flagged, missed, wrong = (of.verdicts[band, level, verdict] for verdict in VERDICTS)
        if total := right + unsure + flagged + missed + wrong:
            share = round(100 * right / total, 2)
            yield Accuracy(band, level, total, right, unsure, flagged, missed, wrong, share)


def _deck_accuracy(of: FrameTotals) -> Iterator[DeckAccuracy]:
    for deck in DECKS:
        right, unsure, flagged, missed, wrong = (of.decks[deck, verdict] for verdict in VERDICTS)
        if total := right + unsure + flagged + missed + wrong:
            share = round(100 * right / total, 2)
            yield DeckAccuracy(deck, total, right, unsure, flagged, missed, wrong, share)


def _confusions(of: FrameTotals) -> Iterator[Confusion]:
    """List what was taken for something else first, then what couldn't be told apart."""
    ranked = sorted(of.confused.items(), key=lambda each: (not each[0][3], -each[1], each[0]))
    return (Confusion(deck, face, other, is_sure, times) for (deck, face, other, is_sure), times in ranked)


def _deck_lines(decks: Iterable[DeckAccuracy], confused: Iterable[Confusion]) -> Iterable[str]:
    yield ""
    yield f"{'deck':16} {'cards':>6} {'right':>8}" + "".join(f"{v:>9}" for v in VERDICTS[1:])
    for row in decks:
        counts = f"{row.unsure:>9}{row.flagged:>9}{row.missed:>9}{row.wrong:>9}"
        yield f"{row.deck:16} {row.cards:>6} {row.right_percent:>7.2f}%{counts}"
    for each in islice(confused, LISTED):
        told = "{deck}: {face} taken for {other}" if each.is_sure else "{deck}: {face} or {other}, unsure"
        yield told.format(deck=each.deck, face=each.face, other=each.other) + f" ({each.times})"


def _speeds(of: FrameTotals) -> Iterator[Speed]:
    for (layout, level), times in of.times.items():
        spent, base = (median(column) for column in zip(*times, strict=True))
        yield Speed(layout, level, len(times), round(spent, 1), round(spent / base, 1))


# what more cards, and larger decks, cost


class ReadingCost(Struct, frozen=True):
    """What reading a separate layout costs."""

    what: str
    cards: int
    faces: int
    median: float
    ratio: float


TIMES = 5


def _cost(
    what: str, picture: Picture, reading: Callable[[Picture], object], cards: int, faces: int
) -> ReadingCost:
    """Time a reading, between yardsticks of the same picture."""
    spent, base = [], []
    for _time in range(TIMES):
        base.append(milliseconds(lambda: yardstick(picture), process_time))
        spent.append(milliseconds(lambda: reading(picture), process_time))
    return ReadingCost(what, cards, faces, round(median(spent), 1), round(median(spent) / median(base), 1))


def cost_by_cards(seed: int) -> Iterator[ReadingCost]:
    """Lay more and more cards of one deck."""
    deck = templates_from_artwork(DECKS[0])
    for cards in (1, 2, 4, 8, 12):
        frame, table = lay_cards(DECKS[0], "separate", "L0", seed, cards)
        yield _cost("cards", frame.picture, partial(read, deck=deck, table=table), cards, len(deck.names))


def cost_by_faces(seed: int) -> Iterator[ReadingCost]:
    """Read the same cards with larger and larger decks; what they have more are cards of our other decks."""
    frame, table = lay_cards(DECKS[0], "separate", "L0", seed)
    every = {
        f"{deck}/{face}": np.asarray(faces_of_cached(deck)(face))
        for deck in DECKS
        for face in PRINTED[deck].faces
    }
    for faces in (33, 56, 112):
        deck = templates({name: [shot] for name, shot in list(every.items())[:faces]})
        yield _cost("faces", frame.picture, partial(read, deck=deck, table=table), CARDS, len(deck.names))


def cost_of_new_card(seed: int) -> ReadingCost:
    """Read only the part of a picture in which a card was laid."""
    frame, table = lay_cards(DECKS[0], "separate", "L0", seed, 1)
    outline = np.array(frame.truth[0].outline)
    x, y = outline.min(axis=0)
    right, bottom = outline.max(axis=0)
    box = (int(x), int(y), int(right), int(bottom))
    deck = templates_from_artwork(DECKS[0])
    eyes = EyesState(EyesSettings("none"), deck=deck, around=table)
    return _cost("changed part", frame.picture, lambda shown: read_part(eyes, shown, box), 1, len(deck.names))


def _cost_lines(costs: Iterable[ReadingCost]) -> Iterable[str]:
    yield ""
    yield f"{'what':14} {'cards':>6} {'faces':>6} {'median ms':>10} {'ratio':>7}"
    for each in costs:
        yield f"{each.what:14} {each.cards:>6} {each.faces:>6} {each.median:>10} {each.ratio:>7}"


# telling it


def _table(rows: Iterable[Accuracy], speeds: Iterable[Speed], of: FrameTotals, seed: int) -> Iterable[str]:
    yield f"{'visible':8} {'level':5} {'cards':>6} {'right':>8}" + "".join(f"{v:>9}" for v in VERDICTS[1:])
    for row in rows:
        counts = f"{row.unsure:>9}{row.flagged:>9}{row.missed:>9}{row.wrong:>9}"
        yield f"{row.visible:8} {row.level:5} {row.cards:>6} {row.right_percent:>7.2f}%{counts}"
    phantoms = ", ".join(f"{level} {of.phantoms[level]}" for level in LEVELS)
    yield f"phantoms: {phantoms}; {of.frames} frames, from seed {seed}"
    yield ""
    yield f"{'layout':12} {'level':5} {'frames':>6} {'median ms':>10} {'ratio':>7}"
    for each in speeds:
        yield f"{each.layout:12} {each.level:5} {each.frames:>6} {each.median:>10} {each.ratio:>7}"
    yield "ratio: to cvtColor, Otsu and findContours of the same frame, one thread"
