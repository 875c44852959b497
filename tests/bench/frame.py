"""The table's frame in rendered sequences: false moves, missed ones, errors after a move, processor time."""

from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import cv2
import numpy as np
from msgspec import Struct

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.lens import on_table
from tests.bench.measured import Measured
from tests.vision.process.live import look_next, teach_artwork
from tests.vision.slanted_views import seen_from
from tests.vision.table_sequences import DECK, SECOND, Shot, TableSequence, pictures_of, sequences
from vision.process import messages
from vision.process.card_table import LAY_CARDS
from vision.process.messages import EyesMessage, EyesSettings
from vision.process.on_frame import open_eyes
from vision.sightings import Sighting, likely_face
from vision.table.calibration import to_pixels, to_table
from vision.table.values import Calibration

CARRIED = 2.0  # millimetres of the table by which a frame that is carried along moves in the picture
MOST_ERROR = 8.0  # millimetres from which on a place is wrong
READ_AFTER = SECOND  # still pictures after which cards must have been reported
GRID = np.stack(np.meshgrid((-120.0, 0.0, 120.0), (-80.0, 0.0, 80.0)), -1).reshape(-1, 2)
"""Places of the table, in millimetres from the middle of the first cards."""


class Outcome(Struct):
    """What the eyes reported in a sequence."""

    event: str
    ground: str
    is_moved: bool
    has_table: bool = False  # whether the first cards gave the table
    moves: int = 0  # times that the eyes carried the frame along
    questions: int = 0
    is_told: bool = False
    """Whether players were asked whether the camera moved, or to lay cards for a new table."""
    dumb: int = 0  # pictures of a table at rest whose cards weren't reported
    is_dead: bool = False  # whether the last cards weren't reported at all
    doubles: int = 0  # cards at the end that were reported more often than they lie there
    error: float = 0.0  # of places at the end, in millimetres
    taken: float = 0.0  # milliseconds of processor time a picture


def frame(sequences: int = 60, first: int = 0, processes: int = 2, seed: int = 3) -> Measured:
    """The table's frame over sequences of pictures: false and missed moves, errors, processor time."""
    with TemporaryDirectory() as folder:
        teach_artwork(Path(folder, DECK))
        jobs = [(folder, number, seed) for number in range(first, first + sequences)]
        with get_context("spawn").Pool(processes) as pool:
            found = pool.starmap(play_numbered, jobs, chunksize=1)
    return Measured(dict(_rows(found)), tuple(map(str, found)))


def play_numbered(folder: str, number: int, seed: int) -> Outcome:
    *_before, sequence = sequences(number + 1, seed)
    return play(sequence, Path(folder))


def play(sequence: TableSequence, folder: Path) -> Outcome:
    cv2.setNumThreads(1)
    tried = folder / "tried"
    eyes, _news = open_eyes(EyesSettings("usb:0", str(folder / DECK), tried=str(tried)))
    found, reported = Outcome(sequence.event, sequence.ground, sequence.is_moved), Counter[str]()
    table: Calibration | None = None
    began: Calibration | None = None
    times, still = list[float](), 0
    last, is_first = sequence.shots[0], True
    for shot, picture in pictures_of(sequence):
        if shot is not last:
            began = table if is_first else began
            last, is_first, still = shot, False, 0
        start = process_time()
        eyes, news = look_next(eyes, picture)
        if not is_first:
            times.append(1000 * (process_time() - start))
        for each in news:
            if isinstance(each, messages.TableFound):
                found.moves += not is_first and table is not None and _shift_of(table, each.table) > CARRIED
                table = each.table
            found.questions += isinstance(each, messages.TroubleBegan) and each.problem == messages.DID_MOVE
        found.is_told |= bool(found.questions) or (not is_first and LAY_CARDS in eyes.wrong.get("table", ()))
        reported = _after(reported, news)
        is_changing = bool(shot.scene.hands) or shot.is_covered or shot.light[0] != shot.light[1]
        still = 0 if is_changing else still + 1
        if not is_first and still > READ_AFTER and set(reported) != set(_truth(shot)):
            found.dumb += 1
    found.has_table, found.is_dead = began is not None, set(reported) != set(_truth(last))
    found.doubles, found.error = (reported - _truth(last)).total(), _error(began, table, sequence)
    found.taken = float(np.mean(times))
    return found


def _after(reported: Counter[str], news: tuple[EyesMessage, ...]) -> Counter[str]:
    for each in news:
        if isinstance(each, messages.TableRead):
            reported = Counter(_name(placed.card) for placed in each.cards)
    return Counter({face: count for face, count in reported.items() if face})


def _name(card: Sighting) -> str:
    return (card.face if card.sure else likely_face(card)) or ""


def _truth(shot: Shot) -> Counter[str]:
    return Counter(card.face for card in shot.scene.cards if not card.deck and card.face in PRINTED[DECK].faces)


def _error(began: Calibration | None, table: Calibration | None, sequence: TableSequence) -> float:
    """Return by how far places have moved in the eyes' frame; the largest."""
    if began is None or table is None or began.size != table.size:
        return float("inf")
    first, last = sequence.shots[0].scene.camera, sequence.shots[-1].scene.camera
    world = on_table(first, to_pixels(began, GRID))
    now = to_table(table, seen_from(last, world))
    return float(np.hypot(*(now - GRID).T).max())


def _shift_of(before: Calibration, after: Calibration) -> float:
    """Return by how far the same places lie apart in two frames of one picture, in millimetres."""
    if before.size != after.size:
        return float("inf")
    return float(np.hypot(*(to_table(after, to_pixels(before, GRID)) - GRID).T).max())


def _rows(found: list[Outcome]) -> Iterator[tuple[str, str]]:
    yield "no table by the first cards", str(sum(not each.has_table for each in found))
    for name, is_moved in (("not moved", False), ("moved", True)):
        some = [each for each in found if each.is_moved == is_moved]
        wrong = [each for each in some if each.error > MOST_ERROR]
        yield name, str(len(some))
        yield f"{name}: moves of the frame", str(sum(each.moves for each in some))
        yield f"{name}: frame over {MOST_ERROR:.0f} mm wrong", str(len(wrong))
        yield f"{name}: of these without a word", str(sum(not each.is_told for each in wrong))
        yield f"{name}: questions", str(sum(each.questions for each in some))
        yield f"{name}: dead at the end", str(sum(each.is_dead for each in some))
        yield f"{name}: dumb seconds", f"{sum(each.dumb for each in some) / SECOND:.1f}"
        if some:
            yield f"{name}: median error of places", f"{np.median([each.error for each in some]):.2f} mm"
            yield f"{name}: processor time a picture", f"{np.mean([each.taken for each in some]):.1f} ms"
    yield "cards reported twice", str(sum(each.doubles for each in found))
