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
