"""`coyote table calibrate`: find the table in a picture by markers or cards, and save its position."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from msgspec.structs import replace

from firmware.cli.cameras import open_as_configured, tables_camera, take_picture
from firmware.cli.output import FILE, as_plain, click_errors, parse_size, write_output
from firmware.language.speaking import _, problem_text
from firmware.services.finding import apart_from_seat
from firmware.state_folder import FOUND_TABLE, state_directory
from firmware.storage.decks import deck_named
from firmware.storage.found_table import keep_table, load_layout
from vision.pictures import Picture
from vision.process.free_cards import NAMED, Sought, show_cards
from vision.process.messages import ShowCards
from vision.sightings import Point
from vision.table import calibration as tables
from vision.table.calibration import calibrate, save_empty_table
from vision.table.camera_names import shown_name
from vision.table.card_plane import FOUR, with_seat, without_cards
from vision.table.framing import (
    TOLD_BY_LENS,
    denied_by_size,
    frame_picture,
    plates_apart,
    sight_problems,
    tell_move,
)
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics
from vision.troubles import Problem, TroubleError


@click.command(
    help=_("""Find the table in a PICTURE or through a camera, and store its position.

    By default the table's own camera is used. If printed markers are visible, they give the table; for exact
    results, measure the distances between their centres and pass them as --apart. Otherwise, spread out four
    cards of the deck, and name a point of the picture at which seat 1 sits; three with a name are enough. Cards
    without one count if a picture --before shows the table without them. Prints what is wrong with the
    picture and how to move the camera, and exits with 1 in that case.

    \b
    coyote table calibrate --camera pi --apart 844x556 --empty
    coyote table calibrate --camera usb:0 --deck coyote-gigamic --seat-1 960,1000""")
)
@click.argument("picture", required=False, type=FILE)
@click.option("--camera", help=_("Another camera: pi, usb:0, /dev/video0, folder:PATH, file:PATH, live:PATH."))
@click.option(
    "--apart", help=_("Distances between the markers' centres in millimetres, across and down: 844x556.")
)
@click.option("--deck", "name", metavar="NAME", help=_("The deck of the cards that give the table."))
@click.option("--before", type=FILE, help=_("A picture of the same camera without the cards."))
@click.option(
    "--seat-1", "seat", metavar="X,Y", help=_("Where seat 1 sits, in pixels of the picture; without it, below.")
)
@click.option("--empty", is_flag=True, help=_("The table is empty: store a picture of it as well."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: problems, calibration."))
@click.option(
    "-o",
    "--output",
    type=FILE,
    help=_("Write the calibration to this file as JSON, instead of storing it for the table."),
)
def calibration(
    output: Path | None,
    name: str | None,
    seat: str | None,
    before: Path | None,
    *,
    empty: bool,
    as_json: bool,
    apart: Any,
    **seen: Any,
) -> None:
    shown, lens = _picture(**seen)
    measured = apart and parse_size(apart, 20, 10_000)
    if name is not None:
        bare = None if before is None else _picture(before, None)[0]
        wrong, found, bare = _find_by_cards(shown, lens, name, seat, bare)
    else:
        wrong, found = _find_by_markers(measured, shown, lens)
        bare = shown if empty else None
        if wrong and not TOLD_BY_LENS & {problem.key for problem in wrong}:
            wrong = (*wrong, *(tell_move(move) for move in frame_picture(shown, lens).moves[:1]))
    if found is not None:
        _keep(found, measured, bare, output)
    report = {"problems": [as_plain(problem) for problem in wrong], "calibration": found}
    click.echo(msgspec.json.encode(report).decode() if as_json else "\n".join(_report_lines(wrong, found)))
    if wrong or found is None:
        raise click.exceptions.Exit(1)


def _find_by_markers(
    apart: Millimetres | None, shown: Picture, lens: Optics | None
) -> tuple[tuple[Problem, ...], Calibration | None]:
    if apart is not None and (seen := denied_by_size(shown, apart)) is not None:
        message = _(
            "{apart} isn't possible: by their size, the markers are about {across}x{down} mm "
            "apart. Measure from centre to centre, and print markers at 100 %."
        )
        wished, (across, down) = f"{apart[0]:g}x{apart[1]:g}", map(round, seen)
        raise click.UsageError(message.format(apart=wished, across=across, down=down))
    return sight_problems(shown, lens, apart), calibrate(shown, apart)


def _find_by_cards(
    shown: Picture, lens: Optics | None, name: str, seat: str | None, before: Picture | None
) -> tuple[tuple[Problem, ...], Calibration | None, Picture | None]:
    """Return problems, the table by the cards of a deck, and its picture without them."""
    size = (shown.shape[1], shown.shape[0])
    at = None if seat is None else _point_in(seat, size)
    try:
        deck = deck_named(name, at_once=True)
    except TroubleError as error:
        raise click.UsageError(problem_text(error.problem)) from error
    if before is not None and before.shape != shown.shape:
        raise click.UsageError(_("--before must be a picture of the same size, by the same camera"))
    found = show_cards(shown, Sought({name: deck}, before), ShowCards(), lens)
    if found.table is None:
        count, needed = len(found.outlines), NAMED if before is None else FOUR
        few = Problem("few cards", {"found": count, "needed": needed})
        return (*found.wrong, few if count < needed else Problem("askew cards")), None, None
    table = found.table if at is None else with_seat(found.table, at)
    return found.wrong, table, without_cards(shown, found.outlines) if before is None else before


def _point_in(typed: str, size: tuple[int, int]) -> Point:
    try:
        x, y = (float(part) for part in typed.split(","))
    except ValueError as error:
        raise click.UsageError(_("write the point as X,Y in pixels, such as 960,1000")) from error
    if not (0 <= x < size[0] and 0 <= y < size[1]):
        message = _("{x:g},{y:g} is outside the picture, which has {width}x{height} pixels")
        raise click.UsageError(message.format(x=x, y=y, width=size[0], height=size[1]))
    return x, y


def _keep(found: Calibration, measured: Millimetres | None, bare: Picture | None, output: Path | None) -> None:
    file = output or state_directory() / FOUND_TABLE
    apart = measured or (plates_apart(found) if found.markers else apart_from_seat(found))
    with click_errors(file):
        if output is None:
            keep_table(file, found, replace(load_layout(file), apart=apart), bare)
            return
        write_output(file, msgspec.json.encode(found))
        if bare is not None:
            save_empty_table(file.with_suffix(".png"), bare, found)


def _picture(picture: Path | None, camera: str | None) -> tuple[Picture, Optics | None]:
    if picture is not None and camera is not None:
        raise click.UsageError(_("name a picture or a camera, not both"))
    eyes = f"file:{picture}" if picture is not None else camera or tables_camera()
    with click_errors():
        shown, lens = take_picture(open_as_configured(eyes), eyes)
    if shown is None:
        named = {"camera": str(picture or shown_name(eyes))}
        raise click.ClickException(problem_text(Problem("missing", named)))
    return shown, lens


def _report_lines(wrong: tuple[Problem, ...], found: Calibration | None) -> Iterator[str]:
    yield from (problem_text(problem) for problem in wrong)
    if found is None:
        if not wrong:
            yield _("not all four markers were found")
        return
    by_markers = _("{scale:.2f} pixels per millimetre; the markers fit within {residual:.2f} mm")
    by_cards = _("{scale:.2f} pixels per millimetre; the cards fit within {residual:.2f} mm")
    message = by_markers if found.markers else by_cards
    yield message.format(scale=tables.scale(found), residual=found.residual)
    blue, green, red = np.round(found.white, 2).tolist()
    message = _(
        "brightness of white paper: {light:.0%}; white balance: red x {red}, green x {green}, blue x {blue}"
    )
    yield message.format(light=found.light, red=red, green=green, blue=blue)
