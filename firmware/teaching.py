"""`coyote teach`: learn a deck from pictures; `coyote calibrate`: find the table in a picture."""

import os
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import numpy as np

from firmware.output import told_in_one_line, write_output
from firmware.places import decks_directory
from firmware.speaking import _
from firmware.troubles import said
from vision.calibration import Calibration, Picture, Plates, calibrate, problems, scale
from vision.cameras import open_camera
from vision.likeness import Pair
from vision.teaching import (
    DECK,
    Lesson,
    Shot,
    Taught,
    described,
    load,
    look_alikes,
    safe_name,
    save,
    teach_from,
)
from vision.troubles import Problem, TroubleError

WARM = 12
"""Pictures that a camera takes before it has found its exposure."""


def _size(value: str, least: float, most: float) -> tuple[float, float]:
    """Read a size such as 63x88."""
    try:
        width, height = (float(part) for part in value.lower().split("x"))
    except ValueError as error:
        raise click.UsageError(_("{value} is no size; write it as 63x88").format(value=value)) from error
    if not (least < width < most and least < height < most):
        raise click.UsageError(_("{value} can't be: give millimetres").format(value=value))
    return width, height


# teaching


@click.command(
    "teach",
    help=_("""Learn the deck NAME from a folder of pictures, each of one card.

    A file's name up to the first dot or two underscores is the face: 20.jpg, max0__2.jpg. Three pictures a
    card, taken from above, read best. How many there are of each face may be told in counts.json or counts.csv.
    A face that was taught before is taught anew; the others stay.

    \b
    coyote teach my-coyote --from pictures/"""),
)
@click.argument("name")
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help=_("The pictures."),
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help=_("Where the deck is kept, instead of the usual place."),
)
@click.option("--card", help=_("A card's size in millimetres, such as 63x88."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: faces, unreadable, look_alikes."))
@click.pass_context
def teach(
    context: click.Context,
    name: str,
    source: Path,
    into: Path | None,
    card: str | None,
    *,
    as_json: bool,
) -> None:
    """Teach a deck."""
    if not safe_name(name):
        raise click.UsageError(_("{name} can't be a deck's name").format(name=name))
    folder, size = into or decks_directory(os.environ) / name, _size(card, 5, 500) if card else None
    try:
        with told_in_one_line(folder):
            lesson = _learnt(source, name, folder, size)
            whole = _saved(lesson, folder)
    except TroubleError as error:
        raise click.ClickException(said(error.problem)) from error
    pairs = look_alikes(whole)
    told = _as_json(lesson, whole, folder, pairs) if as_json else "\n".join(_lines(lesson, folder, pairs))
    click.echo(told)
    if lesson.missed:
        context.exit(1)


def _learnt(source: Path, name: str, folder: Path, card: tuple[float, float] | None) -> Lesson:
    """Learn; what is known of a deck that is there already needn't be told again."""
    if not (folder / DECK).exists():
        return teach_from(source, name, card)
    before = described(folder)
    return teach_from(source, name, card or before.card, before.faces)


def _saved(lesson: Lesson, folder: Path) -> Taught:
    """Keep what was learnt; give the whole deck, with what was there before."""
    if not lesson.taught.faces:
        return lesson.taught
    save(lesson.taught, folder)
    return load(folder)


def _lines(lesson: Lesson, folder: Path, pairs: list[Pair]) -> Iterator[str]:
    """Tell each face, then what couldn't be read, then what looks alike."""
    shown = {shot.face for shot in lesson.shots}
    for face in sorted(shown):
        pictures = len(lesson.taught.faces.get(face, ()))
        count = lesson.taught.counts.get(face, 0)
        done = _("{pictures} pictures, {count} in the deck") if pictures else _("NOT TAUGHT")
        yield f"{face:16} " + done.format(pictures=pictures, count=count)
    for problem in _unreadable(lesson.shots):
        yield said(problem)
    for pair in pairs:
        told = _("{first} and {second} look alike ({distance:.2f}): a reader may take one for the other")
        turned = _("{first} and {second}, turned round, look alike ({distance:.2f}): mark which way is up")
        yield (turned if pair.turned else told).format(**pair._asdict())
    if lesson.taught.faces:
        yield _("the deck is in {folder}").format(folder=folder)


def _unreadable(shots: tuple[Shot, ...]) -> list[Problem]:
    return [shot.problem for shot in shots if shot.problem is not None]


def _as_json(lesson: Lesson, whole: Taught, folder: Path, pairs: list[Pair]) -> str:
    told = {
        "deck": whole.name,
        "folder": str(folder),
        "card": whole.card,
        "faces": {
            face: {"pictures": len(pictures), "count": lesson.taught.counts[face]}
            for face, pictures in lesson.taught.faces.items()
        },
        "not_taught": lesson.missed,
        "unreadable": [_told(problem) for problem in _unreadable(lesson.shots)],
        "look_alikes": [pair._asdict() for pair in pairs],
    }
    return msgspec.json.encode(told).decode()


def _told(problem: Problem) -> dict[str, object]:
    return {"problem": problem.key, **problem.values, "said": said(problem)}


# calibrating


@click.command(
    "calibrate",
    help=_("""Find the table in a PICTURE of the four corner markers, or in what a camera sees.

    Tells what is wrong with the picture, if anything is; ends with 1 then. The distances between the middles
    of the markers make it exact: measure them, and give them with --apart.

    \b
    coyote calibrate table.jpg --apart 844x556 -o table.json"""),
)
@click.argument("picture", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--camera", help=_("A camera instead: pi, usb:0, /dev/video0, folder:PATH, file:PATH."))
@click.option("--apart", help=_("How far apart the markers are, in millimetres: across and down, as 844x556."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one object: problems, calibration."))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Write the calibration as JSON."),
)
@click.pass_context
def calibration(
    context: click.Context,
    picture: Path | None,
    camera: str | None,
    apart: str | None,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Calibrate."""
    if (picture is None) == (camera is None):
        raise click.UsageError(_("name a picture or a camera"))
    plates = _plates(apart)
    shown = _picture(picture, camera)
    wrong, found = problems(shown, plates=plates), calibrate(shown, plates)
    if found is not None and output is not None:
        write_output(output, msgspec.json.encode(found))
    told = {"problems": [_told(problem) for problem in wrong], "calibration": found}
    click.echo(msgspec.json.encode(told).decode() if as_json else "\n".join(_found(wrong, found)))
    if wrong or found is None:
        context.exit(1)


def _plates(apart: str | None) -> Plates:
    """Lay the plates out as they were measured."""
    if apart is None:
        return Plates()
    across, down = (length / 2 for length in _size(apart, 20, 10_000))
    return Plates(places=((-across, -down), (across, -down), (across, down), (-across, down)))


def _picture(file: Path | None, camera: str | None) -> Picture:
    """Load the picture, or take one when the camera has got used to the light."""
    try:
        source = open_camera(f"file:{file}" if file is not None else str(camera))
        try:
            shown = source.picture()
            for _number in range(WARM if camera and not camera.startswith(("folder:", "file:")) else 0):
                shown = source.picture()
        finally:
            source.close()
    except TroubleError as error:
        raise click.ClickException(said(error.problem)) from error
    if shown is None:
        raise click.ClickException(said(Problem("missing", {"camera": str(file or camera)})))
    return shown


def _found(wrong: tuple[Problem, ...], found: Calibration | None) -> Iterator[str]:
    yield from (said(problem) for problem in wrong)
    if found is None:
        if not wrong:
            yield _("not all four markers were found")
        return
    yield _("{scale:.2f} px are a millimetre; the markers fit within {residual:.2f} mm").format(
        scale=scale(found), residual=found.residual
    )
    blue, green, red = np.round(found.white, 2).tolist()
    yield _("white paper is at {light:.0%}; red x {red}, green x {green}, blue x {blue} make it white").format(
        light=found.light, red=red, green=green, blue=blue
    )
