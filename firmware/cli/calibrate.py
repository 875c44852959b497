"""`coyote table calibrate`: find the table in a picture, and save its position."""

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
from firmware.state_folder import FOUND_TABLE, state_directory
from firmware.storage.found_table import keep_table, load_layout
from vision.pictures import Picture
from vision.sightings import Outline
from vision.table import calibration as tables
from vision.table.calibration import calibrate, save_empty_table
from vision.table.camera_names import shown_name
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
from vision.troubles import Problem


@click.command(
    help=_("""Find the table by its corner markers, in a PICTURE or through a camera, and store its position.

    By default the table's own camera is used. Prints what is wrong with the picture and how to move the camera,
    and exits with 1 in that case. For exact results, measure the distances between the markers' centres and
    pass them as --apart. Without markers, name four points of the picture (upper left, upper right, lower
    right, lower left) and their distances.

    \b
    coyote table calibrate --camera pi --apart 844x556 --empty
    coyote table calibrate table.jpg --taps 210,180 1830,190 1815,1350 205,1340 --apart 800x600""")
)
@click.argument("picture", required=False, type=FILE)
@click.option("--camera", help=_("Another camera: pi, usb:0, /dev/video0, folder:PATH, file:PATH, live:PATH."))
@click.option(
    "--apart", help=_("Distances between the markers' centres in millimetres, across and down: 844x556.")
)
@click.option(
    "--taps",
    nargs=4,
    metavar="X,Y X,Y X,Y X,Y",
    help=_("Four points of the picture in pixels, instead of markers; --apart gives their distances."),
)
@click.option("--empty", is_flag=True, help=_("The table is empty: store a picture of it as well."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: problems, calibration."))
@click.option(
    "-o",
    "--output",
    type=FILE,
    help=_("Write the calibration to this file as JSON, instead of storing it for the table."),
)
def calibration(output: Path | None, *, empty: bool, as_json: bool, taps: Any, apart: Any, **seen: Any) -> None:
    shown, lens = _picture(**seen)
    measured = apart and parse_size(apart, 20, 10_000)
    wrong, found = _find_table(taps, measured, shown, lens)
    if wrong and not taps and not TOLD_BY_LENS & {problem.key for problem in wrong}:
        wrong = (*wrong, *(tell_move(move) for move in frame_picture(shown, lens).moves[:1]))
    if found is not None:
        _keep(found, measured or plates_apart(found), shown if empty else None, output)
    report = {"problems": [as_plain(problem) for problem in wrong], "calibration": found}
    click.echo(msgspec.json.encode(report).decode() if as_json else "\n".join(_report_lines(wrong, found)))
    if wrong or found is None:
        raise click.exceptions.Exit(1)


def _find_table(
    typed: tuple[str, ...] | None, apart: Millimetres | None, shown: Picture, lens: Optics | None
) -> tuple[tuple[Problem, ...], Calibration | None]:
    if typed is None:
        if apart is not None and (seen := denied_by_size(shown, apart)) is not None:
            message = _(
                "{apart} isn't possible: by their size, the markers are about {across}x{down} mm "
                "apart. Measure from centre to centre, and print markers at 100 %."
            )
            wished, (across, down) = f"{apart[0]:g}x{apart[1]:g}", map(round, seen)
            raise click.UsageError(message.format(apart=wished, across=across, down=down))
        return sight_problems(shown, lens, apart), calibrate(shown, apart)
    taps, (high, wide) = _taps(typed), shown.shape[:2]
    if apart is None:
        raise click.UsageError(_("give the distances between the four points with --apart"))
    for x, y in taps:
        if not (0 <= x < wide and 0 <= y < high):
            message = _("{x:g},{y:g} is outside the picture, which has {width}x{height} pixels")
            raise click.UsageError(message.format(x=x, y=y, width=wide, height=high))
    return (), tables.calibrate_from_taps(shown, taps, apart)


def _taps(taps: tuple[str, ...]) -> Outline:
    try:
        a, b, c, d = ((float(x), float(y)) for x, y in (tap.split(",") for tap in taps))
    except ValueError as error:
        raise click.UsageError(_("write each tap as X,Y in pixels, such as 210,180")) from error
    if not tables.is_clockwise((a, b, c, d)):
        raise click.UsageError(_("tap four corners: upper left, upper right, lower right, lower left"))
    return a, b, c, d


def _keep(found: Calibration, apart: Millimetres, bare: Picture | None, output: Path | None) -> None:
    file = output or state_directory() / FOUND_TABLE
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
    message = _("{scale:.2f} pixels per millimetre; the markers fit within {residual:.2f} mm")
    yield message.format(scale=tables.scale(found), residual=found.residual)
    blue, green, red = np.round(found.white, 2).tolist()
    message = _(
        "brightness of white paper: {light:.0%}; white balance: red x {red}, green x {green}, blue x {blue}"
    )
    yield message.format(light=found.light, red=red, green=green, blue=blue)
