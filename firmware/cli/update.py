"""`coyote update`: an alias of `./run update`."""

import os
import sys
from pathlib import Path

import click

from firmware.language.speaking import _
from firmware.updates.layout import home_of

CODE = Path(__file__).resolve().parents[2]


@click.command(
    help=_("""Update to the newest signed release, or return to the previous version (back).

    The new version is built and checked while the table plays on, and replaces the old one at the end. Matches
    and settings stay.

    \b
    coyote update
    coyote update --from /media/ana/STICK
    coyote update back""")
)
@click.argument("where", required=False, type=click.Choice(["back"]))
@click.option("--from", "source", metavar="SOURCE", help=_("A mirror, a repository, a bundle or a USB stick."))
def update(where: str | None, source: str | None) -> None:
    home = home_of(CODE)
    if home is None:
        # packages are updated by their installer
        command = f"{sys.executable} -m pip install --upgrade coyote-table"
        if "pipx" in sys.prefix or "uv" in Path(sys.prefix).parts:
            command = "pipx upgrade coyote-table" if "pipx" in sys.prefix else "uv tool upgrade coyote-table"
        raise click.ClickException(_("this was installed as a package: {command}").format(command=command))
    run = str(home.root / "run")
    words = ([] if where is None else [where]) + ([] if source is None else ["--from", source])
    os.execv(run, [run, "update", *words])  # noqa: S606 - our own command
