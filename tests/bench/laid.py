"""Seconds of a Raspberry Pi 4 until cards that are laid at once are read, with a deck that has been tried.

Valgrind counts the instructions of the eyes with a bare table, and with cards after it; the difference is what
the cards cost. The eyes watch as many pictures both times.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace

from firmware.storage.decks import deck_folder
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of, render
from tests.bench.instructions import PI_4, count_instructions, require_valgrind
from tests.bench.measured import Measured
from tests.hardware.twin.plays import still_scenes
from tests.vision.process.live import look_next
from tests.vision.rendered_tables import EXPOSURES, apart_under, heights_to_try, scene_under
from vision.files import read_json
from vision.process.messages import EyesSettings
from vision.process.on_frame import open_eyes
from vision.table.calibration import calibrate
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL
from vision.table.values import Calibration, Optics
from vision.teaching.taught_decks import load_deck
from vision.teaching.tried_decks import prepare_deck

LAID = (1, 4, 12)
SHOWN, CAMERA = "coup", "imx708"
TABLE, LENS, DECK, BARE, TRIED = "table.json", "lens.json", "deck", "bare.npy", "tried"
READ = 20  # pictures until all cards are read
PROGRAM = "import sys; from tests.bench.laid import do_part; do_part(*sys.argv[1:])"


def laid(*, small: bool = False) -> Measured:
    """Cards laid at once: seconds of a Pi 4 until they are read, by counted instructions."""
    require_valgrind()
    optics = made_smaller(CAMERAS[CAMERA], SMALL.share) if small else CAMERAS[CAMERA]
    with ThreadPoolExecutor(2) as counters:
        seconds = list(counters.map(lambda cards: _seconds(optics, cards), LAID))
    ratios = {
        f"{cards} card{'s' if cards > 1 else ''}": f"{each:.1f} s"
        for cards, each in zip(LAID, seconds, strict=True)
    }
    return Measured(
        ratios, ("counted by valgrind, vectors of 128 bits; a Pi 4's core does 1500 million a second",)
    )


def _seconds(optics: Optics, cards: int) -> float:
    with TemporaryDirectory() as folder:
        lay_table(Path(folder), optics, cards)
        taught = load_deck(Path(folder, DECK))
        prepare_deck(taught.faces, taught.card, Path(folder, TRIED))
        bare, full = (count_instructions(PROGRAM, folder, str(number)) for number in (0, cards))
    return (full - bare) / PI_4


def lay_table(folder: Path, optics: Optics, cards: int) -> None:
    """Store pictures of a table, with cards and bare, its position in them, the lens, and its deck."""
    apart, height = apart_under(optics), heights_to_try(optics)[1]
    noise, names = EXPOSURES["33 ms"], tuple(islice(cycle(PRINTED[SHOWN].faces), cards))
    faces = faces_of(SHOWN)
    scene = scene_under(optics, apart, height, noise, names, 1)
    bare = render(replace(scene, cards=()), faces)
    (folder / TABLE).write_bytes(msgspec.json.encode(calibrate(bare, apart)))
    (folder / LENS).write_bytes(msgspec.json.encode(optics))
    np.save(folder / BARE, bare)
    for number, each in enumerate(still_scenes(scene, 3)):
        np.save(folder / f"{number}.npy", render(each, faces))
    deck_folder(SHOWN, folder).rename(folder / DECK)


def do_part(folder: str, cards: str) -> None:
    """Watch a bare table, and then as many pictures with the cards on it, or without them."""
    cv2.setNumThreads(1)
    home = Path(folder)
    lens = read_json(home / LENS, Optics)
    table = read_json(home / TABLE, Calibration)
    eyes, _news = open_eyes(EyesSettings("pi", str(home / DECK), tried=str(home / TRIED), table=table))
    bare = np.load(home / BARE)
    laid_cards = [np.load(file) for file in sorted(home.glob("[0-9].npy"))] if int(cards) else [bare]
    for number in range(2 * READ):
        picture = bare if number < READ else laid_cards[number % len(laid_cards)]
        eyes, _news = look_next(eyes, picture.copy(), lens)
    seen = eyes.shown[-1].reading.cards if eyes.shown else ()
    if int(cards) and sum(card.face is not None for card in seen) < int(cards):
        raise RuntimeError(f"the eyes read {[card.face for card in seen]}")
