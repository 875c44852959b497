"""A client to eyes that see four cards on a table without markers, from 35 degrees."""

from concurrent.futures import Future
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from firmware.services.finding import TableFinder
from firmware.storage.found_table import divide_table
from hardware.twin.rendering.lens import project
from hardware.twin.rendering.renderer import corners, faces_of, points_on_card, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from referee.games.catalogue import GAMES
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from tests.referee.tables import new_match
from vision.pictures import Picture, packed_jpeg, small_jpeg
from vision.process import messages
from vision.sightings import Outline
from vision.table.card_plane import FOUR, fit_cards
from vision.table.plane import as_outline
from vision.troubles import Problem

CAMERA = aim_camera(
    SceneCamera(at=(0.0, 380.0, 620.0), tilt=30.0, focal=1260.0, resolution=(1280, 800)), 0.0, 0.0
)
LAID = (
    SceneCard("duke", -170.0, -80.0, -6.0),
    SceneCard("captain", 90.0, -100.0, 8.0),
    SceneCard("assassin", -100.0, 90.0, 5.0),
    SceneCard("contessa", 150.0, 80.0, -18.0),
)


@cache
def picture(cards: int = 4) -> Picture:
    # no test looks at the grain, and a large wooden table takes seconds to draw
    table = SceneTable("light", plates=(), width=1000.0, depth=800.0)
    return render(Scene(CAMERA, table, SceneLight(), LAID[:cards]), faces_of("coup"))


def outline(card: SceneCard) -> Outline:
    return as_outline(np.asarray(project(CAMERA, points_on_card(card, corners(card.size))), np.float64))


class SlantedEyes:
    """A client whose eyes have found some of the cards."""

    def __init__(self, cards: int = 4) -> None:
        self.cards, self.done, self.told = cards, list[Any](), list[messages.ShowCards]()
        self.are_named, self.deck = True, ""
        self.markers: tuple[int, ...] = ()
        self.wrong: tuple[Problem, ...] = ()
        self.blind: tuple[Problem, ...] = ()
        self.match = new_match(GAMES["coup"], "rule text", 4)

    def show(self, order: object, _kind: type) -> "Future[Any]":
        future, size = Future[Any](), (CAMERA.resolution[0], CAMERA.resolution[1])
        outlines = tuple(outline(card) for card in LAID[: self.cards])
        match order:
            case messages.ShowCards() if self.blind:
                future.cancel()
            case messages.ShowCards():
                self.told.append(order)
                fit = fit_cards(outlines, (63.0, 88.0), size)
                table = None if fit is None or len(outlines) < FOUR or not self.are_named else fit.table
                cards = tuple(
                    messages.ShownCard(each, None if self.are_named else "doubtful") for each in outlines
                )
                future.set_result(
                    messages.CardsShown(size, small_jpeg(picture(), 1280), cards, table, self.wrong, self.deck)
                )
            case messages.TakeFrame():
                future.set_result(messages.FrameTaken(packed_jpeg(picture(), 95)))
            case messages.FrameTable():
                framing = SimpleNamespace(seen=self.markers, moves=(), wrong=())
                future.set_result(SimpleNamespace(framing=framing))
            case _:
                future.cancel()
        return future

    def do(self, order: object) -> None:
        self.done.append(order)

    def troubles(self) -> tuple[Problem, ...]:
        return self.blind

    def moment(self) -> object:
        return self.match


def finder_of(folder: Path, cards: int = 4) -> tuple[TableFinder, SlantedEyes]:
    eyes = SlantedEyes(cards)
    client: Any = eyes
    pausing: Any = SimpleNamespace(enter=lambda *_: None, leave=lambda *_: None, touch=lambda: None)
    home = folder / "table.json", lambda layout, seats: divide_table(layout, seats, (844.0, 556.0), mat=False)
    return TableFinder(client, home, pausing, folder), eyes


def opened(folder: Path, cards: int = 4) -> tuple[TableFinder, SlantedEyes]:
    finder, eyes = finder_of(folder, cards)
    finder.open()
    present(finder.sight().laid)
    return finder, eyes
