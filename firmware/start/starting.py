"""Start the table: choose where its state is stored and which match is played, open its parts, run the loop.

Lamps come first; eyes and pages open in threads of their own.
"""

import os
import signal
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from time import process_time

import click
from msgspec.structs import replace

from firmware.cli.output import complain
from firmware.cli.terminal import Keyboard, Printer
from firmware.language.speaking import PROGRAM, game_error_text, problem_text
from firmware.services.opened import OpenedServices
from firmware.start import safe_start
from firmware.start.board import open_power, open_presence, open_table_board, open_usb
from firmware.start.eyes import open_eyes
from firmware.start.guarding import end_program
from firmware.start.integrations import open_club, open_outlets
from firmware.start.loop import Hooks, open_loop
from firmware.start.matches import is_mistyped, lost_answers, note_played, other_match, sit_down_safely
from firmware.start.phones import open_pages
from firmware.start.plan import Plan, browser_camera_of, camera_of, make_plan
from firmware.start.storage import (
    open_links,
    open_repaired_journal,
    open_second_copies,
    open_store,
    prepare_state,
    restart_when_writable,
    working_folder,
)
from firmware.start.supervisor import end_signals, has_parent
from firmware.start.twin import simulated_lens, twin_of, world_of
from firmware.state_folder import log_path
from firmware.storage import state_place
from firmware.storage.backups.archive import TablePlaces, places
from firmware.storage.cards_choice import part_found_tables
from firmware.storage.configuration import RunOptions
from firmware.storage.errors import JournalError
from firmware.storage.journal import OpenedJournal
from firmware.table.client import Stop
from firmware.table.loop import Companion
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from firmware.table.state import at_start
from firmware.table.systemd import more_time, notify, slowness_of
from firmware.twin.typed_commands import typed_commands
from hardware.twin.rendering.scene import SceneCamera
from referee.games.catalogue import GameError
from vision.table.camera_names import with_scheme
from vision.table.thrift import give_back_memory

REST = 30.0
"""Seconds of rest after failed starts that no retry can fix, so that restarts don't wear out the card."""


def start(wished: RunOptions, journal: Path) -> int:
    """Run the table until it ends; returns the exit code. Raises ClickException."""
    for name in end_signals():
        if name != signal.SIGINT:
            signal.signal(name, end_program)
    # files are private to the owner, as under systemd
    os.umask(0o077)
    if wished.camera is not None:
        wished = replace(wished, camera=with_scheme(wished.camera))
    try:
        return _start_at(state_place.choose_place(journal), wished)
    except JournalError as error:
        raise click.ClickException(problem_text(error.problem)) from error


def _start_at(place: state_place.StatePlace, wished: RunOptions) -> int:
    """Run the table with its state at a place; in memory if the journal there can't be used."""
    state_place.use_place(place)
    here = places(place.journal, wished.config)
    policy = safe_start.FailurePolicy(
        log_path(),
        partial(is_mistyped, wished),
        0.0 if has_parent() else REST,
        partial(_start_in_memory, place, wished),
    )
    return safe_start.start_safely(here, lambda how: _run(wished, here, how, place), policy)


def _start_in_memory(place: state_place.StatePlace, wished: RunOptions, error: JournalError) -> int | None:
    """Run the table with its state in memory; None if that doesn't help."""
    why = None if place.unsaved is not None else state_place.journal_problem(error)
    if why is None:
        return None
    return _start_at(state_place.place_in_memory(place.disk, place.disk_journal, why), wished)


def _run(wished: RunOptions, here: TablePlaces, how: safe_start.Start, place: state_place.StatePlace) -> int:
    slowness = slowness_of(process_time())
    notify(more_time(slowness))
    with working_folder() as folder, ExitStack() as ends:
        how = replace(how, told=(*how.told, *prepare_state(here, place)))
        plan = make_plan(wished, folder, here, how, place)
        plan = replace(plan, slowness=slowness, camera=camera_of(plan, wished))
        # a wrong camera is refused before a match is stored
        lens = simulated_lens(wished) if plan.is_twin else None
        if not plan.is_twin:
            part_found_tables(here.state, plan.seen_by)
            # decks are drawn once; a simulated table goes on drawing
            give_back_memory()
        opened = open_repaired_journal(ends, here)
        while True:
            try:
                return _play(wished, here, plan, lens, opened)
            except GameError as error:
                # the second failure disables the game, so another match begins
                complain([f"{PROGRAM}: {game_error_text(error)}"])


def _play(
    wished: RunOptions, here: TablePlaces, plan: Plan, lens: SceneCamera | None, opened: OpenedJournal
) -> int:
    """Choose a match, open all parts of the table, and run the loop."""
    with ExitStack() as ends:
        number, match = sit_down_safely(opened.journal, wished, plan)
        note_played(here, match, number, plan)
        # a game that fails at once does so before any part is open
        at_start(match, number, 0.0)
        pages_settled, proof = Event(), _proof_of(here, wished, plan)
        world = None if lens is None else world_of(ends, match, plan, lens, pages_settled)
        camera = browser_camera_of(plan)
        hooks = Hooks(
            partial(open_eyes, plan, match, None if world is None else world.shown),
            camera.hear,
            partial(_note_eyes, here, proof),
            partial(other_match, wished=wished, plan=plan),
        )
        store = open_store(opened.journal, here, plan)
        companion = open_loop(ends, plan, store, (number, match), hooks)
        for name in end_signals():
            signal.signal(name, lambda *_signal: companion.put(Stop()))
        restart_when_writable(ends, plan.place, companion.client.restart)
        links = open_links(companion.client)
        twin = twin_of(ends, world, companion.client, plan, wished, links)
        if plan.is_twin or sys.stdout.isatty():
            ends.callback(Printer(companion.client).close)
        if plan.is_twin or sys.stdin.isatty():
            commands = typed_commands(twin) if twin.is_there else {}
            Keyboard(companion.client, lambda: companion.put(Stop()), commands)
        companion.client.report(NoticeKey.ANSWER_LOST, lost_answers(opened))
        open_outlets(ends, plan.settings, companion.client)
        services = OpenedServices(
            client=companion.client,
            links=links,
            twin=twin,
            camera=camera,
            board=open_table_board(ends, plan, here, companion.client),
            power=open_power(ends, plan, companion),
            usb=open_usb(ends, plan, here, companion),
            presence=open_presence(plan, companion),
            club=open_club(ends, here, companion),
            copies=open_second_copies(ends, plan, here, companion.client),
        )
        if wished.port == 0:
            pages_settled.set()
        else:
            at_open = partial(note_pages, companion, proof, plan.how, pages_settled)
            open_pages(ends, wished, plan, here, services, at_open)
        return companion.run()


def _proof_of(here: TablePlaces, wished: RunOptions, plan: Plan) -> safe_start.Proof:
    """Return the proof of this start: it has succeeded once eyes and pages work."""
    needed = ({"eyes"} if plan.needs_eyes else set()) | ({"pages"} if wished.port != 0 else set())
    return safe_start.Proof(needed, partial(safe_start.forget_failed_starts, here.state))


def _note_eyes(here: TablePlaces, proof: safe_start.Proof) -> None:
    safe_start.readmit_camera(here.state)
    proof.note("eyes")


def note_pages(
    companion: Companion,
    proof: safe_start.Proof,
    how: safe_start.Start,
    settled: Event,
    error: Exception | None,
) -> None:
    """Note that the pages are open; else end the start, or with defaults report the error and play on."""
    settled.set()
    if error is None:
        proof.note("pages")
    elif not how.with_defaults:
        companion.put(error)
    else:
        why = error.format_message() if isinstance(error, click.ClickException) else str(error)
        companion.client.report("no pages", Notice(NoticeKey.NO_PAGES, {"why": why}))
