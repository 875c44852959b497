"""Open the simulated table: its cards, its camera and its bots."""

from contextlib import ExitStack
from functools import partial
from threading import Event

import click

from firmware.language.speaking import problem_text
from firmware.start.eyes import zones_of
from firmware.start.plan import DRAWN, Plan
from firmware.state_folder import state_directory
from firmware.storage.configuration import RunOptions
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people.evening import held_seats
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableClient
from firmware.twin.simulated_camera import simulated_camera
from firmware.twin.simulated_table import NoTwin, SimulatedTable, open_twin
from firmware.twin.world import World
from hardware.twin.rendering.scene import SceneCamera
from referee.match import Match
from vision.troubles import TroubleError
from webui.views.bots import animals_of


def simulated_lens(wished: RunOptions) -> SceneCamera:
    """Return the simulated camera's lens. Raises UsageError if `--camera` names none."""
    try:
        return simulated_camera(wished.camera)
    except TroubleError as error:
        raise click.UsageError(problem_text(error.problem)) from error


def world_of(ends: ExitStack, match: Match, plan: Plan, lens: SceneCamera, begin: Event) -> World:
    """Open the simulated cards; they are rendered once `begin` is set."""
    secret = deal_secret(state_directory())
    world = World(match, partial(zones_of, plan), plan.folder / DRAWN, lens, secret, begin)
    ends.callback(world.close)
    return world


def twin_of(
    ends: ExitStack, world: World | None, client: TableClient, plan: Plan, wished: RunOptions, links: LinksFile
) -> SimulatedTable:
    """Open the simulated table with its bots, or the object that reports its absence."""
    if world is None:
        return NoTwin()
    seats = wished, lambda: held_seats(links.evening())
    return open_twin(ends, client, world, (plan.board, plan.factory), seats, animals_of)
