"""Options that several commands have."""

import os
from pathlib import Path

import click

from firmware.language.speaking import _
from firmware.storage.places import journal_path

journal_option = click.option(
    "--journal",
    type=click.Path(path_type=Path),
    envvar="COYOTE_JOURNAL",
    default=lambda: journal_path(os.environ),
    metavar="FILE",
    help=_("The journal to use, instead of the usual one."),
)


def parse_size(value: str, least: float, most: float) -> tuple[float, float]:
    """Read a size such as 63x88."""
    try:
        width, height = (float(part) for part in value.lower().split("x"))
    except ValueError as error:
        raise click.UsageError(_("{value} is no size; write it as 63x88").format(value=value)) from error
    if not (least < width < most and least < height < most):
        raise click.UsageError(_("{value} can't be: give millimetres").format(value=value))
    return width, height
