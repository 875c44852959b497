"""Serve the pages for phones; the loop goes on even if they fail."""

import errno
import os
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from ssl import SSLContext
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from firmware.cli.output import complain, say_all
from firmware.language.speaking import _, problem_text
from firmware.services.addresses import (
    TableAddress,
    may_take_low_ports,
    own_names,
    ports_to_try,
    secure_ports_to_try,
)
from firmware.services.opened import OpenedServices
from firmware.start.own_browser import local_address, own_address, write_forwarding
from firmware.start.pin import codes_and_pin
from firmware.start.plan import Plan
from firmware.start.safe_start import ANYTHING, StartError
from firmware.start.supervisor import is_restart
from firmware.state_folder import state_directory
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import RunOptions
from firmware.storage.own_secrets import encryption, fingerprint, own_certificate
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.games.catalogue import GameError
from vision.troubles import TroubleError

if TYPE_CHECKING:
    from firmware.services.table import Table

AGAIN = 5.0
"""Seconds between attempts to open a port that another program uses."""
OPEN_TIMEOUT, CLOSE_TIMEOUT = 60.0, 5.0
"""Seconds until the pages must be open, and for their thread to end with the table."""
CLOSE_CHECK_INTERVAL = 0.5
"""Seconds between checks of the doorkeeper whether the pages are closing."""
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
BROWSER_START = 60.0
"""Seconds that this computer's browser may take to read the file that forwards it."""


def open_pages(
    ends: ExitStack,
    wished: RunOptions,
    plan: Plan,
    here: TablePlaces,
    opened: OpenedServices,
    at_open: Callable[[Exception | None], None],
) -> None:
    """Serve the pages; `at_open` is called with None once they are open, or with the error."""
    https = wished.https or plan.settings.pages.https
    may_take_low = may_take_low_ports()
    ports = ports_to_try(wished.port, "https" if https else "http", may_take_low=may_take_low)
    # with encrypted pages only, the first port has them
    beside = () if https else secure_ports_to_try(may_take_low=may_take_low)

    def complete(address: TableAddress) -> "Table":
        from firmware.start.table import table_of  # noqa: PLC0415 - lamps don't wait for these services

        return table_of(plan, here, opened, address)

    phones = Phones(
        opened.client, ports, complete, https=https, beside=beside, at_open=at_open, slowness=plan.slowness
    )
    ends.callback(phones.close)


class Phones:
    """Serves the pages from a thread of its own, so lamps don't wait for them."""

    def __init__(
        self,
        client: TableClient,
        ports: Sequence[int],
        make_table: Callable[[TableAddress], "Table"],
        *,
        https: bool = False,
        beside: Sequence[int] = (),
        at_open: Callable[[Exception | None], None],
        slowness: float = 1.0,
    ) -> None:
        """Serve on the first free port; `beside` are ports for encrypted pages beside plain ones."""
        self._wants_https, self._beside, self._tell_open = https, beside, at_open
        self._has_settled, self._patience = Event(), slowness * OPEN_TIMEOUT
        self._late = monotonic() + self._patience
        self._client, self._make_table = client, make_table
        self._table: Table | None = None
        self._ports, self._address = ports, TableAddress(ports[0])
        self._server: Any = None
        self._secure_server: Any = None
        self._over = Event()
        self._printed: tuple[str, ...] = ()
        self._own_address = ""
        """Address for this computer's own browser; empty if it has no special rights."""
        self._thread = Thread(target=self._open, name="phones", daemon=True)
        self._doorkeeper = Thread(target=self._keep_door, name="doorkeeper", daemon=True)
        for thread in (self._thread, self._doorkeeper):
            thread.start()

    def close(self) -> None:
        self._over.set()
        # a hanging thread is abandoned
        self._thread.join(CLOSE_TIMEOUT)
        self._doorkeeper.join()
        for server in (self._secure_server, self._server):
            if server is not None:
                server.close()

    def _keep_door(self) -> None:
        """Update the seats at each match: people without one lose their rights even if no page is open."""
        listening = self._client.subscribe()
        while not self._over.is_set():
            listening.next(CLOSE_CHECK_INTERVAL)
            if self._table is not None:
                self._address.ask_name()
                if self._printed:
                    # print codes and PIN that have changed
                    before, self._printed = self._printed, codes_and_pin(self._table.links.evening())
                    say_all(line for line in self._printed if line not in before)
                # the loop reports a failed game
                with suppress(GameError):
                    self._table.links.keep_time()
                    self._table.presence.keep()
            if monotonic() > self._late and not self._has_settled.is_set():
                told = _("the pages didn't start within {seconds} seconds")
                self._settle(StartError(told.format(seconds=round(self._patience)), ANYTHING))
        listening.close()

    def _open(self) -> None:
        """Open the pages, and report success or the error."""
        try:
            while not self._has_opened():
                # the loop leaves a failed game within a second
                self._over.wait(CLOSE_CHECK_INTERVAL)
        except Exception as error:  # noqa: BLE001 - every error is reported
            self._settle(error)
        else:
            self._settle(None)
            if self._own_address and sys.stdout.isatty() and not is_restart():
                self._open_browser(self._own_address)

    def _open_browser(self, address: str) -> None:
        """Open the table's page in this computer's browser, if there is one."""
        if any(map(os.environ.get, SCREENS)) or sys.platform in {"darwin", "win32"}:
            # browsers of snap packages read no hidden folders
            with suppress(OSError, RuntimeError):
                file = Path.home() / f"coyote-table-{os.getpid()}.html"
                try:
                    webbrowser.open(write_forwarding(file, address))
                    self._over.wait(BROWSER_START)
                finally:
                    file.unlink(missing_ok=True)

    def _has_opened(self) -> bool:
        """Open the pages. Returns False if the game failed meanwhile."""
        with suppress(GameError):
            self._open_port()
            return True
        return self._over.is_set()

    def _settle(self, error: Exception | None) -> None:
        if not self._has_settled.is_set():
            self._has_settled.set()
            self._tell_open(error)

    def _open_port(self) -> None:
        from webui.server.app import create_app  # noqa: PLC0415 - Flask loads slowly

        context = self._open_https() if self._wants_https else None
        table = self._make_table(self._address)
        self._table = table
        # the secret is stored before the port opens, because `coyote table screen` reads it then
        app, secret = create_app(table), table.links.evening().secret
        if not self._wait_for_port(app, context):
            return
        if table.cards.is_led_here:
            self._own_address = own_address(self._address.port, secret)
            # printed for the person at this computer, before the addresses for phones
            told = _("The table: {address}") if table.cards.is_real else _("The simulated table: {address}")
            plain = local_address(self._address.port, "/welcome")
            click.echo(told.format(address=self._own_address if sys.stdout.isatty() else plain))
        self._address.ask_name()
        # never into a file or a log, which others may read; `coyote table pin` shows them
        lets_in = codes_and_pin(table.links.evening()) if sys.stdout.isatty() else ()
        say_all((*_invitation(self._address), *lets_in))
        self._printed = lets_in
        # render a page once, so that the first phone needn't wait
        app.test_client().get("/")
        if context is None and self._beside:
            self._serve_encrypted(app)
            if where := self._address.secure():
                click.echo(_("Encrypted pages: {address}").format(address=where))
                told = _("Fingerprint of its certificate: {fingerprint}")
                click.echo(told.format(fingerprint=self._address.fingerprint))

    def _open_https(self) -> SSLContext | None:
        """Return the context for HTTPS, and note it in the address; None without a certificate."""
        certificate = self._find_certificate()
        if isinstance(certificate, str):
            click.echo(_("The pages aren't encrypted: {why}").format(why=certificate), err=True)
            self._client.report("not encrypted", Notice(NoticeKey.NOT_ENCRYPTED, {"why": certificate}))
            return None
        self._address.scheme, self._address.fingerprint = "https", fingerprint(certificate)
        return encryption(certificate)

    def _serve_encrypted(self, app: Any) -> None:
        """Serve encrypted pages beside the plain ones, for phones as a camera; without them play goes on."""
        from webui.server.serving import EVERYWHERE, Server  # noqa: PLC0415 - loads Flask

        why = certificate = self._find_certificate()
        if isinstance(certificate, Path):
            context, why = encryption(certificate), _("no port is free")
            for port in self._beside:
                with suppress(OSError):
                    self._secure_server = Server(app, EVERYWHERE, port, context, self._server.places)
                    self._address.secure_port = port
                    self._address.fingerprint = fingerprint(certificate)
                    return
        click.echo(_("No encrypted pages, which a phone as the camera needs: {why}").format(why=why), err=True)

    def _wait_for_port(self, app: Any, context: SSLContext | None) -> bool:
        """Serve the pages once a port is free. Returns False if the table ends first."""
        from webui.server.serving import EVERYWHERE, Server  # noqa: PLC0415 - loads Flask

        is_told = False
        while (error := self._take_port(lambda port: Server(app, EVERYWHERE, port, context))) is not None:
            complain(() if is_told else [self._port_sentence(error)])
            is_told = True
            self._settle(None)
            # the other program may be ending
            if self._over.wait(AGAIN):
                return False
        return True

    def _port_sentence(self, error: OSError) -> str:
        sentence = _(
            "No pages for phones: port {port} isn't available ({why}). The table retries every few "
            "seconds; --port chooses another one."
        )
        # Python adds the socket's address to the system's text
        is_taken = error.errno == errno.EADDRINUSE
        why = _("another program uses it") if is_taken else error.strerror or str(error)
        return sentence.format(port=self._ports[-1], why=why)

    def _take_port(self, serve: Callable[[int], Any]) -> OSError | None:
        hindrance = None
        for port in self._ports:
            try:
                self._server, self._address.port = serve(port), port
                if self._address.scheme == "https":
                    self._address.secure_port = port
            except OSError as error:
                hindrance = error
            else:
                return None
        return hindrance

    def _find_certificate(self) -> Path | str:
        """Return the certificate for HTTPS, or the reason why there is none."""
        try:
            return own_certificate(state_directory(), own_names())
        except TroubleError as error:
            return problem_text(error.problem)


def _invitation(address: TableAddress) -> Iterator[str]:
    from webui.server.drawn_pages import qr_in_letters  # noqa: PLC0415 - loads Flask

    where = address.own()
    if sys.stdout.isatty():
        yield qr_in_letters(where)
    yield _("Pages for phones: {address}").format(address=where)
    if also := address.named():
        yield _("Also: {address}").format(address=also)
    if address.fingerprint:
        yield _("Fingerprint of its certificate: {fingerprint}").format(fingerprint=address.fingerprint)
