"""`coyote run`: run the table, or a simulated one on a machine that isn't a Raspberry Pi."""

import sys
from pathlib import Path
from typing import Any

import click

from firmware.cli.output import FILE_HERE, click_errors, journal_option
from firmware.language.speaking import _
from firmware.start.supervisor import Supervisor, is_supervised
from firmware.storage.configuration import RunOptions
from hardware.twin.strengths import STRENGTHS
from referee.games.catalogue import GAMES


@click.command(
    help=_("""Run the table: buttons, lamps, camera, journal. An open match goes on by itself.

    On a Raspberry Pi the board is used that is wired; elsewhere the table is simulated: play on its page, or
    type (help tells what).

    \b
    coyote run --seats Ana,Bo,Chloé
    coyote run --twin --seats Ana,Bo,Chloé --bots 2""")
)
@click.option("--game", type=click.Choice(list(GAMES)), help=_("Which game."))
@click.option("--edition", metavar="E", help=_("Whose box it is: kidult, gigamic or oliphante."))
@click.option("--seats", metavar="NAMES", help=_("Who plays, clockwise, with commas between the names."))
@click.option("--house", "agreed", multiple=True, metavar="KEY=VALUE", help=_("A house rule; may be repeated."))
@click.option(
    "--new", "fresh", is_flag=True, help=_("Begin a new match even if one is open; the open one is kept.")
)
@click.option("--twin", is_flag=True, help=_("Simulate the table, also on a Raspberry Pi."))
@click.option(
    "--bots",
    type=click.IntRange(0, 20),
    help=_("Bots at so many of the last seats of the twin; if no seats are named, at all but the first."),
)
@click.option(
    "--strength",
    type=click.Choice(STRENGTHS),
    default="plain",
    show_default=True,
    help=_("How well the bots play."),
)
@click.option(
    "--board", "profile", metavar="PROFILE", help=_("The board: fab, fab-ring, two, or a profile of your file.")
)
@click.option(
    "--camera",
    help=_("The camera: pi, usb:0, /dev/video0, live:PATH; of the twin a simulated one, such as imx708."),
)
@click.option("--config", type=FILE_HERE, help=_("The configuration, instead of the usual one."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=_("The port of the pages for phones: 8000, as a service 80; 0 for none."),
)
@click.option("--https", is_flag=True, help=_("Encrypt the pages, with a certificate of the table's own."))
@journal_option
@click.pass_context
def run(context: click.Context, /, journal: Path, **wish: Any) -> None:
    if not is_supervised():
        context.exit(Supervisor(sys.argv[1:]).run())
    from firmware.start.starting import start  # noqa: PLC0415 - the supervisor starts faster without

    with click_errors():
        context.exit(start(RunOptions(**wish), journal))
