"""Put a report together while doctor looks at everything."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
from msgspec import Struct

from firmware.cli.board import board_here, choose_board
from firmware.cli.output import STDOUT, write_output
from firmware.language.speaking import _
from firmware.start.board_tries import BoardTries
from firmware.start.machine import Finding
from firmware.start.report import computer_facts, power_facts, tell_finding, write_report
from firmware.state_folder import state_directory
from firmware.storage.configuration import BoardSettings, CameraSettings, TableSettings
from firmware.storage.eyes_settings import chosen_thrift
from firmware.storage.wired_board import NONE, is_raspberry
from hardware.board.board import Board, our_boards
from vision.table.camera_facts import CameraFacts
from vision.table.device_cameras import PiCamera, is_pi_camera, open_camera
from vision.troubles import TroubleError


class Sight(Struct, frozen=True):
    """What the Pi's camera tells, or the key of why it tells nothing."""

    facts: CameraFacts | None = None
    trouble: str = ""


@contextmanager
def reporting(
    file: Path,
    typed: tuple[str | None, str | None],
    settings: TableSettings,
    tries: BoardTries,
    *,
    is_alone: bool,
) -> Iterator[list[Finding]]:
    """Write the report at once, so that it can be, and again at the end, whatever that is, with all by then.

    `typed` are a board and a camera that were named.
    """
    found, (profile, camera) = list[Finding](), typed
    computer, before = computer_facts(), power_facts()
    sight, (name, board) = Sight(trouble="not tried"), wired(profile, settings.board)

    def write() -> None:
        report = write_report(
            **computer,
            power=(before, power_facts()),
            camera=sight.facts,
            camera_trouble=sight.trouble,
            profile=name,
            board=board,
            presses=tuple(tries.presses),
            checklist=tries.seen,
            findings=tuple(map(tell_finding, found)),
        )
        write_output(file, report)

    if file != STDOUT:
        write()
    try:
        sight = look(camera or settings.camera.name, settings.camera, is_named=camera is not None)
        yield found
        if not is_alone and is_raspberry():
            tries.remember()
    finally:
        write()
        if file != STDOUT:
            told = _("{file} is written. Please attach it to a new issue of the program's project.")
            click.echo(told.format(file=file), err=True)


def wired(profile: str | None, settings: BoardSettings) -> tuple[str, Board | None]:
    """Give the board that is wired, by its name if that is one of ours."""
    with suppress(click.ClickException, OSError):
        chosen = board_here(profile, settings, state_directory(os.environ)).profile
        if chosen not in {"", NONE}:
            name, board = choose_board(chosen, settings.own_profiles)
            return name if our_boards().get(name) == board else "own", board
    return "", None


def look(camera: str, settings: CameraSettings, *, is_named: bool) -> Sight:
    """Have the Pi's camera tell of itself, as the table runs it."""
    if not is_pi_camera(camera):
        return Sight(trouble="not the Pi's own")
    if not is_named and not is_raspberry():
        return Sight(trouble="no Raspberry Pi")
    source = open_camera(camera, settings.mains, chosen_thrift(settings.small))
    try:
        return Sight(source.facts() if isinstance(source, PiCamera) else None)
    except TroubleError as error:
        return Sight(trouble=error.problem.key)
    finally:
        source.close()
