"""The pages for phones: served beside the companion, which goes on whatever becomes of them."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import click

from firmware.companion.door import Door
from firmware.companion.notices import told
from firmware.languages import language, languages, preferred
from firmware.places import links_path
from firmware.speaking import _

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones come from the local network
FAR = ("192.0.2.1", 9)
"""An address that nobody has: what would lead there is how phones reach us."""
AVAHI = Path("/run/avahi-daemon/socket")


class Phones:
    """The pages, opened in a thread of their own: the lamps don't wait for them."""

    def __init__(self, door: Door, port: int) -> None:
        """Begin to open."""
        self._door, self._port = door, port
        self._server: Any = None
        self._thread = Thread(target=self._open, name="phones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Serve no more."""
        self._thread.join()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _open(self) -> None:
        """Take the port, and tell where the pages are; without it the table runs on."""
        from webui.app import create_app  # noqa: PLC0415 - Flask takes a while to load
        from webui.handed import Handed  # noqa: PLC0415
        from webui.keeping import Keeper  # noqa: PLC0415
        from webui.serving import serve  # noqa: PLC0415

        handed = Handed(
            self._door,
            Keeper(links_path(os.environ)),
            {code: language(code) for code in languages()},
            preferred(os.environ),
            told,
            lambda: address(self._port),
        )
        try:
            self._server = serve(create_app(handed), EVERYWHERE, self._port)
        except OSError as error:
            why = error.strerror or str(error)
            click.echo(
                _("No pages for phones: port {port} can't be had ({why}).").format(port=self._port, why=why),
                err=True,
            )
            return
        for line in _invitation(handed, self._port):
            click.echo(line)


def address(port: int) -> str:
    """Find where phones reach this machine now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # this sends nothing: it only asks which way it would go
            probe.connect(FAR)
            own = str(probe.getsockname()[0])
        except OSError:
            own = "127.0.0.1"
    return f"http://{own}:{port}/"


def _invitation(handed: Any, port: int) -> Iterator[str]:
    """Tell where the pages are, and what lets people in; in a terminal with a picture to scan."""
    from webui.pages import drawn_in_letters  # noqa: PLC0415 - it draws with Flask's templates

    where = handed.address()
    names = handed.door.moment().setup.names
    links = handed.keeper.links(len(names))
    if sys.stdout.isatty():
        yield drawn_in_letters(where)
    yield _("Pages for phones: {address}").format(address=where)
    if AVAHI.exists():
        yield _("Also: {address}").format(address=f"http://{socket.gethostname()}.local:{port}/")
    seats = zip(names, links.seats, strict=False)
    yield _("Codes of the seats: {codes}").format(
        codes=", ".join(f"{name} {seat.code}" for name, seat in seats)
    )
    yield _("PIN of the host: {pin}").format(pin=links.pin)
