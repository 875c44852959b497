"""`coyote develop render`: a frame as the camera over a table would see it, with the truth about every card."""

from pathlib import Path
from random import Random
from typing import Any

import click
import cv2
import msgspec

from firmware.cli.output import FILE, write_output
from firmware.language.speaking import _
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.layouts import LAYOUTS, CrowdedError
from hardware.twin.rendering.levels import FAULTS, LEVELS, Fault, faulty_frame, random_scene
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import FULL, WIDE
from referee.contract.cards import expand_counts

SIZES = {f"{width}x{height}": (width, height) for width, height in (FULL, WIDE)}


@click.command(
    "render",
    context_settings={"show_default": True},
    help=_("""Render a table of the twin: cards of DECK as the camera sees them.

    The same seed always gives the same picture. --truth writes what is true of every card: its face, its
    outline in pixels, which way up it lies, how much of it can be seen.

    \b
    coyote develop render piquet --layout crossing --cards 4 --level L1 -o table.png --truth table.json"""),
)
@click.argument("deck", type=click.Choice(PRINTED), metavar="DECK")
@click.option("--cards", default=6, type=click.IntRange(0, 40), help=_("How many cards."))
@click.option("--layout", default="separate", type=click.Choice(LAYOUTS), help=_("How they lie."))
@click.option("--level", default="L0", type=click.Choice(LEVELS), help=_("How hard the light is."))
@click.option("--size", default="2028x1520", type=click.Choice(SIZES), help=_("Pixels."))
@click.option("--fault", type=click.Choice(FAULTS), help=_("Something that is wrong."))
@click.option("--seed", default=1, type=click.IntRange(0, 2**31), help=_("Where chance starts."))
@click.option("--truth", type=FILE, metavar="FILE", help=_("Write the truth as JSON."))
@click.option("-o", "--output", type=FILE, metavar="FILE", required=True, help=_("The picture: .png or .jpg."))
def rendering(output: Path, truth: Path | None, deck: str, seed: int, fault: Fault | None, **wish: Any) -> None:
    try:
        # cards from the top of a shuffled deck are laid
        names = expand_counts(PRINTED[deck].counts)
        faces = tuple(Random(seed).sample(names, min(wish["cards"], len(names))))
        level, layout = LEVELS[wish["level"]], LAYOUTS[wish["layout"]]
        scene = random_scene(level, layout, faces, seed, resolution=SIZES[wish["size"]])
        frame = faulty_frame(scene, faces_of(deck), fault)
    except CrowdedError as error:
        raise click.UsageError(_("there is no room for so many cards; try fewer, or another layout")) from error
    kind = output.suffix.lower()
    if kind not in {".png", ".jpg", ".jpeg"}:
        raise click.UsageError(_("name the picture .png or .jpg: {file}").format(file=output))
    write_output(output, cv2.imencode(kind, frame.picture)[1].tobytes())
    if truth is not None:
        write_output(truth, msgspec.json.encode({"seed": seed, "cards": frame.truth}))
