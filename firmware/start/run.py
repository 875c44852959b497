"""`coyote run`: run the table with real cards on any computer, or a simulated one."""

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
    help=_("""Run the table: buttons, lamps, camera, journal. An open match is resumed.

    A Raspberry Pi plays with real cards and drives the wired board. Other computers simulate until you
    choose real cards on the first page, or name a camera; without a board, phones, keys and USB buttons
    do everything. Choices on pages are kept; options apply to this run only. Play on the table's pages,
    or type answers (help lists them).

    \b
    coyote run --seats Ana,Bo,Chloé
    coyote run --camera usb:0
    coyote run --camera phone
    coyote run --twin --seats Ana,Bo,Chloé --bots 2""")
)
@click.option("--game", type=click.Choice(list(GAMES)), help=_("The game."))
@click.option("--edition", metavar="E", help=_("The edition: kidult, gigamic or oliphante."))
@click.option("--seats", metavar="NAMES", help=_("The players' names, clockwise, separated by commas."))
@click.option("--house", "agreed", multiple=True, metavar="KEY=VALUE", help=_("A house rule; may be repeated."))
@click.option(
    "--new", "fresh", is_flag=True, help=_("Begin a new match even if one is open; the open one stays stored.")
)
@click.option(
    "--twin",
    is_flag=True,
    help=_("Simulate the table, even on a Raspberry Pi or after real cards were chosen."),
)
@click.option(
    "--bots",
    type=click.IntRange(0, 20),
    help=_(
        "Number of last seats played by bots in a simulation; by default all but the first, or none "
        "if you name players."
    ),
)
@click.option(
    "--strength",
    type=click.Choice(STRENGTHS),
    default="plain",
    show_default=True,
    help=_("How well the bots play."),
)
@click.option(
    "--board", "profile", metavar="PROFILE", help=_("The board: fab, two, none, or a profile of your own file.")
)
@click.option(
    "--camera",
    help=_(
        "The camera of real cards: pi, usb:0, /dev/video0, phone (a browser), or an address with http, https "
        "or rtsp; in a simulation a camera model, such as imx708."
    ),
)
@click.option("--config", type=FILE_HERE, help=_("The configuration file, instead of the default one."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=_("The port of the pages: by default 8000, for a service 80; 0 for no pages."),
)
@click.option("--https", is_flag=True, help=_("Encrypt the pages with the table's own certificate."))
@journal_option
@click.pass_context
def run(context: click.Context, /, journal: Path, **wish: Any) -> None:
    if not is_supervised():
        context.exit(Supervisor(sys.argv[1:]).run())
    from firmware.start.starting import start  # noqa: PLC0415 - the supervisor starts faster without

    with click_errors():
        context.exit(start(RunOptions(**wish), journal))
