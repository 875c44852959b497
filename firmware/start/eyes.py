"""Open the eyes: the camera's process, with the zones and the deck of a match."""

from contextlib import suppress
from functools import reduce
from threading import Event

from msgspec.structs import replace

from firmware.services.finding import Home
from firmware.start.plan import Plan
from firmware.state_folder import FOUND_TABLE, state_directory
from firmware.storage.decks import deck_order
from firmware.storage.found_table import divide_table, load_layout, parting_of
from firmware.storage.found_table import settings as eyes_settings
from referee.contract import TableLayout
from referee.games.catalogue import MAX_FAILURES, GameError
from referee.match import Match
from vision.process.eyes import run_eyes
from vision.process.messages import EyesOrder, UseZones, settings_after
from vision.process.supervision import SILENCE_TIMEOUT, START, SupervisedEyes
from vision.table.values import Zones

FIRST_FRAME_TIMEOUT = 30.0
"""Seconds to wait for the pages and then the first frame of a simulated table."""


def home_of(plan: Plan) -> Home:
    """Return the file of the found table, and the function that divides a table into zones."""
    camera = plan.settings.camera
    file = plan.folder / FOUND_TABLE if plan.is_twin else state_directory() / FOUND_TABLE
    return file, lambda layout, parting: divide_table(layout, parting, camera.apart, mat=camera.mat)


def zones_of(plan: Plan, parting: TableLayout) -> Zones:
    file, divide = home_of(plan)
    return divide(load_layout(file), parting)


def open_eyes(plan: Plan, match: Match, shown: Event | None) -> SupervisedEyes:
    """Find or draw the deck, and start the eyes; slow, so lamps don't wait for it.

    A simulated table's camera has no picture before `shown` is set.
    """
    if shown is not None:
        shown.wait(plan.slowness * FIRST_FRAME_TIMEOUT)
    usual = eyes_settings(plan.camera, plan.settings.camera)
    settings = reduce(settings_after, orders_for_match(plan, match), usual)
    if plan.is_twin:
        # the position of the real table doesn't apply to the simulated one
        settings = replace(settings, table=None, empty="")
    patience, start = plan.slowness * SILENCE_TIMEOUT, plan.slowness * START
    return SupervisedEyes(run_eyes, settings, patience=patience, start=start)


def orders_for_match(plan: Plan, match: Match) -> tuple[EyesOrder, ...]:
    """Return the eyes' orders for another match: its zones and its deck.

    Nothing if the game fails: it is then disabled, and another match begins.
    """
    for _time in range(MAX_FAILURES):
        with suppress(GameError):
            return UseZones(zones_of(plan, parting_of(match))), deck_order(match.setup.deck, plan.folder)
    return ()
