"""The camera that looks at the table, and what its eyes start with."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware.language.troubles import error_text
from firmware.parts.live_pictures import LivePictures, ShowingEyes
from firmware.start.planning import Plan, camera_of, frames_of, zones_of
from firmware.state_folder import state_directory
from firmware.storage.configuration import CameraSettings, RunOptions
from firmware.storage.decks import deck_folder
from firmware.storage.eyes_settings import parts_to_film, use_pieces
from firmware.storage.eyes_settings import settings as eyes_settings
from firmware.storage.found_table import parting_of
from firmware.storage.own_secrets import deal_secret
from firmware.table.watcher import EyesProcess
from firmware.twin.simulated_camera import SimulatedCameraError, simulated_camera
from firmware.twin.world import World
from hardware.twin.rendering.scene import SceneCamera
from referee.contract import TableLayout
from referee.match import Match
from vision.process.eyes import run_eyes
from vision.process.messages import EyesOrder, EyesSettings, FilmParts, UseDeck, UseZones, settings_after
from vision.process.supervision import PATIENCE, START, SupervisedEyes
from vision.table.zones import Zones

OPENING = 30.0
"""Seconds within which the pages, and then the first frame of the twin, have come."""


class EyesPlaces(Struct, frozen=True):
    """The camera by its name, and where the eyes find what they need."""

    camera: str
    sight: CameraSettings
    folder: Path
    """For what needn't survive."""
    zones_of: Callable[[TableLayout], Zones]
    is_twin: bool
    slowness: float = 1.0


def simulated_lens(wished: RunOptions) -> SceneCamera:
    """Give the lens of the twin's camera; a name that it doesn't know is a mistake of who typed it."""
    try:
        return simulated_camera(wished.camera)
    except SimulatedCameraError as error:
        raise click.UsageError(error_text(error)) from error


def open_eyes(places: EyesPlaces, match: Match, shown: Event | None, live: LivePictures) -> EyesProcess:
    """Draw or find the deck, and open the eyes: that takes longer than the first lamp may.

    A twin's camera shows nothing before its first frame.
    """
    if shown is not None:
        shown.wait(places.slowness * OPENING)
    settings = _first_settings(places, match)
    eyes = SupervisedEyes(
        run_eyes,
        settings,
        remembered=settings_after,
        patience=places.slowness * PATIENCE,
        start=places.slowness * START,
    )
    return ShowingEyes(eyes, live)


def _first_settings(places: EyesPlaces, match: Match) -> EyesSettings:
    deck, zones, sight = match.setup.game.table.deck(match.setup.house), _zones(places, match), places.sight
    begin_with = eyes_settings(places.camera, deck_folder(deck.name, places.folder), deck.counts, zones, sight)
    begin_with = settings_after(begin_with, use_pieces(match, places.folder, sight))
    begin_with = settings_after(begin_with, parts_to_film(match, zones, sight))
    # where the real table is says nothing of the twin's
    return replace(begin_with, table=None, empty="") if places.is_twin else begin_with


def orders_for_match(places: EyesPlaces, match: Match) -> tuple[EyesOrder, ...]:
    """Return what to order the eyes for another match: where its seats are, and its cards."""
    deck, zones = match.setup.game.table.deck(match.setup.house), _zones(places, match)
    folder = deck_folder(deck.name, places.folder)
    pieces = use_pieces(match, places.folder, places.sight)
    filmed = parts_to_film(match, zones, places.sight)
    # nothing is shown while the parts of one game could be taken for those of another
    return FilmParts(None), UseZones(zones), UseDeck(str(folder), deck.counts), pieces, filmed


def _zones(places: EyesPlaces, match: Match) -> Zones:
    return places.zones_of(parting_of(match))


def world_of(
    ends: ExitStack, plan: Plan, match: Match, places: EyesPlaces, wished: RunOptions, begin: Event
) -> World:
    """Simulate a table for a match, and the camera that looks at it from a beginning on."""
    lens = simulated_lens(wished)
    secret = deal_secret(state_directory(os.environ))
    zones, frames = partial(zones_of, plan), frames_of(places.camera)
    world = World(match, zones, frames, lens, secret, begin)
    ends.callback(world.close)
    return world


def see_with(plan: Plan, wished: RunOptions) -> EyesPlaces:
    """Name the camera: the one that is wished for, or configured; the twin has its own."""
    camera = camera_of(wished, plan.settings.camera, plan.folder if plan.is_twin else None)
    folder, zones = plan.folder, partial(zones_of, plan)
    return EyesPlaces(camera, plan.settings.camera, folder, zones, plan.is_twin, plan.slowness)
