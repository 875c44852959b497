"""`coyote club`: the hub of a club, by default with its own broker and database."""

import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import click

from club.start.service import FOLDER, install_service
from firmware.language.speaking import _, problem_text
from firmware.state_folder import state_directory
from firmware.storage.own_secrets import fingerprint
from vision.troubles import TroubleError

AWAY = {
    "broker": _("The broker can't be reached: {why}"),
    "database": _("The database can't be reached: {why}"),
}
BACK = {"broker": _("The broker is back."), "database": _("The database is back.")}


def _usual_folder() -> Path:
    """Return the club's default folder: the service's folder if accessible or if we are root."""
    folder = state_directory() / "club"
    is_free = "STATE_DIRECTORY" not in os.environ and not folder.exists()
    return FOLDER if is_free and (os.geteuid() == 0 or os.access(FOLDER, os.R_OK)) else folder


@click.command(
    "club",
    short_help=_("Many tables, one evening: run the hub of a club"),
    help=_("""Run the hub of a club: many tables, one evening.

    It starts a Mosquitto and a PostgreSQL that it finds, and keeps all in a folder of its own; or it uses those
    that you name. Tables join with a code that --invite gives.

    \b
    coyote club
    coyote club --invite "Table 8"
    coyote club pin
    coyote club new-pin
    sudo coyote club service
    coyote club --try 20"""),
)
@click.argument("what", required=False, type=click.Choice(["pin", "new-pin", "service"]))
@click.option("--name", default="Club", show_default=True, help=_("What the club is called."))
@click.option("--invite", metavar="TITLE", help=_("Show the link with which a table joins the running club."))
@click.option("--try", "tables", type=click.IntRange(1, 60), help=_("Try it with this many simulated tables."))
@click.option(
    "--broker", default="", metavar="ADDRESS", help=_("Use an existing broker: mqtt://user:password@host.")
)
@click.option("--nats", is_flag=True, help=_("Start a nats-server instead of a Mosquitto."))
@click.option("--database", default="", metavar="ADDRESS", help=_("Use an existing database: postgresql://…"))
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=_usual_folder,
    metavar="FOLDER",
    help=_("The club's folder, instead of the default one."),
)
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help=_("The port of the pages.")
)
@click.option("--https", is_flag=True, help=_("Encrypt the pages with the club's own certificate."))
def club(what: str | None, tables: int | None, invite: str | None, nats: bool, **wish: Any) -> None:
    """Run the club."""
    from club.start import running  # noqa: PLC0415 - `coyote --help` needs none of it

    try:
        if what == "service":
            install_service([each for each in sys.argv[sys.argv.index("club") + 1 :] if each != "service"])
            return
        if invite is not None:
            click.echo(running.invite(wish["folder"], invite))
            return
        if what is not None:
            pin = running.renew_pin(wish["folder"]) if what == "new-pin" else running.pin_of(wish["folder"])
            click.echo(_("PIN of the director: {pin}").format(pin=pin))
            return
        with ExitStack() as ends:
            if tables is not None:
                wish["folder"] = Path(ends.enter_context(TemporaryDirectory(prefix="coyote-club-")))
                wish["folder"].chmod(0o755)
            _run(running.ClubWish(**wish, own_broker="nats" if nats else "mosquitto"), tables or 0)
    except TroubleError as error:
        raise click.ClickException(problem_text(error.problem)) from error


def _run(wish: Any, tables: int) -> None:
    from club.start.running import ClubRun, pin_of  # noqa: PLC0415 - as above
    from club.start.trying import simulated_tables  # noqa: PLC0415 - as above

    is_over = Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_signal: is_over.set())
    with ExitStack() as ends:
        # report each failing part once, and when all are back
        parts = set[str]()

        def tell(part: str, why: str) -> None:
            if why and part not in parts:
                parts.add(part)
                click.echo(AWAY[part].format(why=why), err=True)
            elif not why and part in parts:
                parts.remove(part)
                click.echo(BACK[part] if parts else _("Everything is fine again."), err=True)

        run = ClubRun(wish, tell)
        ends.callback(run.close)
        click.echo(_("The club is at {address}").format(address=run.address))
        if wish.https:
            code = fingerprint(run.tls.certificate)
            click.echo(_("Fingerprint of its certificate: {fingerprint}").format(fingerprint=code))
        click.echo(_("PIN of the director: {pin}").format(pin=pin_of(wish.folder)))
        joined = simulated_tables(tables, run.join_here, wish.folder / "tables", _("Table {number}"))
        for table in joined:
            ends.callback(table.close)
        is_over.wait()
        click.echo(_("The club has stopped."))
