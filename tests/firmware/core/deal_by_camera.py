"""A whole deal of Coup d'État by camera: every card is rendered as people lay it, crossing others, and read."""

from collections.abc import Iterator
from itertools import count
from math import cos, radians, sin
from pathlib import Path
from random import Random

import numpy as np
from msgspec.structs import replace

from firmware.core.cards import show_ask
from firmware.core.table import OrderEyes, SayNotice, TableStep, Write
from firmware.storage.eyes_settings import deck_folder
from firmware.storage.table_zones import seat_zones
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from hardware.twin.dealer import lay_honestly as fairly
from hardware.twin.rendering import scene
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight
from referee.contract import CENTRE, TableLayout
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.deck import PIQUET
from referee.match import Match, Setup, begin
from tests.firmware.core.sat import Sat
from vision.process.messages import CardChanged, EyesSettings, TableRead
from vision.process.on_frame import EyesState, look_at_picture, obey_order, open_eyes
from vision.table.calibration import calibrate

PLAYERS = ("Ana", "Bo", "Eve", "Jo")
CAMERA = SceneCamera(resolution=(1664, 1248), focal=1280.0, jpeg=0)
TOWARDS, LOOSE, TURNED = 34.0, 9.0, 18.0
"""Millimetres from the middle to where a seat lays its cards, and how loosely; degrees of turn."""
ENOUGH = 40
"""Frames in which a card that lies still is read."""
FRESH = 3
"""Frames whose noise is drawn afresh."""
FRAME = 1 / 15


class Sitting(Sat):
    """Four people at a table with a camera above: what the table wants is done at once."""

    def __init__(self, match: Match, eyes: EyesState, at: DealtMatch) -> None:
        """Sit down."""
        self.eyes, self.at, self.now, self.said = eyes, at, 1.0, list[str]()
        self.lying: tuple[SceneCard, ...] = ()
        super().__init__(match, now=self.now)

    def do(self, step: TableStep) -> "Sitting":
        """Take a step: look again, keep an answer, say something."""
        super().do(step)
        for deed in self.deeds:
            match deed:
                case OrderEyes(order):
                    self.eyes, _news = obey_order(self.eyes, order)
                case Write():
                    self.keep(self.now)
                    self.at = DealtMatch(self.match, follow_rulings(self.at.truth, self.match, Random(0)))
                case SayNotice(notice):
                    self.said.append(notice.key)
        return self


def sit_down(folder: Path, seed: int) -> Sitting:
    """Sit down; the table has been found, the deck is drawn."""
    match = begin(Setup(COUP_D_ETAT, COUP_D_ETAT.house(), PLAYERS))
    assert isinstance(match, Match)
    deck = deck_folder(PIQUET.name, folder)
    bare = render(Scene(CAMERA, scene.SceneTable("felt"), SceneLight(), ()), {}).picture
    zones = seat_zones(TableLayout(len(PLAYERS)), 844.0, 556.0)
    counts = COUP_D_ETAT.deck(match.setup.house).counts
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), counts, calibrate(bare), zones=zones))
    return Sitting(match, eyes, deal_match(match, Random(seed)))


def lay_as_player(seat: int, face: str, rng: Random) -> SceneCard:
    """Lay a card as a player does: from the own side towards the middle, not quite straight."""
    turn = 90 + 360 * seat / len(PLAYERS)
    x, y = TOWARDS * cos(radians(turn)), TOWARDS * sin(radians(turn))
    loose = [rng.uniform(-LOOSE, LOOSE) for _way in range(2)]
    return SceneCard(face, x + loose[0], y + loose[1], turn - 90 + rng.uniform(-TURNED, TURNED))


def watch_table(sitting: Sitting, number: int) -> None:
    """Let the camera look until the referee has heard what lies there."""
    stacked = tuple(replace(card, height=0.3 * (place + 1)) for place, card in enumerate(sitting.lying))
    shown = render(Scene(CAMERA, scene.SceneTable("felt"), SceneLight(), stacked), faces_of(PIQUET.name))
    picture = np.minimum(shown.picture, 250)
    noise = np.random.default_rng(number).integers(0, 4, (FRESH, *picture.shape), np.uint8)
    before = sitting.at.match.number
    for frame in range(ENOUGH):
        sitting.now += FRAME
        sitting.eyes, news = look_at_picture(sitting.eyes, picture + noise[frame % FRESH])
        for each in news:
            if isinstance(each, TableRead | CardChanged):
                sitting.hear(each, sitting.now)
        sitting.wait(sitting.now)
        if sitting.at.match.number > before:
            return


def deal(folder: Path, seed: int) -> Iterator[tuple[Sitting, tuple[str, ...]]]:
    """Play until a deal is over; give what is truly laid at every step."""
    rng = Random(seed)
    sitting, numbers = sit_down(folder, seed), count()
    tricks = 0
    while tricks < 8:
        match = sitting.at.match
        ask = show_ask(match)
        if ask is None or ask.zone != CENTRE or not fairly(sitting.at, ask)[0]:
            sitting.enter(answer_of(sitting.at, rng), sitting.now)
            continue
        (face,), _owners = fairly(sitting.at, ask)
        sitting.lying = (*sitting.lying, lay_as_player(ask.seats[0], face, rng))
        watch_table(sitting, next(numbers))
        yield sitting, (face,)
        if any(ruling.key == "trick" for ruling in sitting.at.match.rulings):
            tricks += 1
            sitting.lying = ()


def count_read(folder: Path, seed: int, most: int) -> int:
    """Deal, and count how many cards in a row are entered as they were laid, by the camera, up to so many."""
    read = 0
    for read, (sitting, faces) in enumerate(deal(folder, seed), 1):
        entry = sitting.at.match.entry
        assert getattr(entry, "value", None) == faces, (read, faces, sitting.said)
        assert getattr(entry, "sense", None) == "camera"
        if read == most:
            break
    return read
