"""`coyote table wifi`: the table's own Wi-Fi, where there is no other; the phones find it at 10.42.0.1.

A switch that isn't confirmed within two minutes is taken back: it may have cut the only way to the table.
"""

import os
import re
import secrets
import shlex
import signal
import sys
from contextlib import suppress
from time import monotonic
from uuid import uuid4

import click

from firmware.cli.access_point_steps import (
    SECONDS,
    SERVICE_STATE,
    Plan,
    Step,
    confirming_step,
    going_back_steps,
    making_steps,
    removing_steps,
    switching_step,
)
from firmware.cli.wifi_devices import (
    WifiDevice,
    find_wifi,
    is_access_point,
    may_not_isolate,
    read_password,
    require_programs,
    run_program,
)
from firmware.language.speaking import _, label_text, system_text
from firmware.state_folder import state_directory
from firmware.storage.access_point import (
    INTERFACE,
    RUN,
    WIFI_ACCESS,
    PendingWifi,
    WifiAccess,
    pending_wifi,
)

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letters that look alike."""
LENGTH = 10
WIFI_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9 ._-]{0,30}[A-Za-z0-9._-])?")


@click.command(
    "access-point",
    help=_("""Make a Wi-Fi of the table's own, named NAME, for the phones of those who play.

    It needs NetworkManager, as on Raspberry Pi OS, and the country whose rules the Wi-Fi has to follow. Phones
    reach the table by it, but neither each other nor your home network. It stays only if you confirm it within
    two minutes, on the host page or by --confirm; otherwise the Wi-Fi from before comes back by itself.

    \b
    coyote table wifi --country FR
    coyote table wifi --confirm
    coyote table wifi --off"""),
)
@click.option("--country", metavar="CC", help=_("The country, as two letters: FR, GB, US."))
@click.option("--name", default="coyote-table", show_default=True, help=_("What the Wi-Fi is called."))
@click.option(
    "--password-file",
    metavar="FILE",
    help=_(
        "A file with the password that only you can read, or - to type it; otherwise one is made up and told."
    ),
)
@click.option("--confirm", is_flag=True, help=_("Keep the Wi-Fi that was just made."))
@click.option("--off", is_flag=True, help=_("Take it away again."))
@click.option("--dry-run", is_flag=True, help=_("Print the commands; change nothing."))
def access_point(
    country: str | None, name: str, password_file: str | None, *, confirm: bool, off: bool, dry_run: bool
) -> None:
    """Make an access point, keep it, or take it away."""
    if off:
        _do_all(removing_steps(_older_name(name)), dry_run=dry_run)
        if not dry_run:
            WIFI_ACCESS.drop(state_directory(os.environ))
    elif confirm:
        pending = pending_wifi(RUN, monotonic())
        if pending is None:
            raise click.ClickException(_("no Wi-Fi waits to be confirmed: make one first"))
        _do_all((confirming_step(pending),), dry_run=dry_run)
        click.echo(_("The Wi-Fi stays."))
    else:
        wanted = (_check_country(country), _check_name(name), _password(password_file))
        _make(_plan(*wanted, dry_run=dry_run), dry_run=dry_run)


def _make(plan: Plan, *, dry_run: bool) -> None:
    """Make the switch, with all that people need to know said before it."""
    for line in _announcement(plan, may_meet=not dry_run and may_not_isolate()):
        click.echo(line)
    sys.stdout.flush()
    if not dry_run:
        # the switch may end the session that this was typed in
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        # without it the screen shows no square to join by, and all else is the same
        with suppress(OSError):
            WIFI_ACCESS.keep(state_directory(os.environ), WifiAccess(plan.name, plan.password))
    try:
        _do_all((*making_steps(plan), switching_step(plan)), dry_run=dry_run)
    except click.ClickException:
        _do_all(going_back_steps(plan), dry_run=dry_run)
        raise


def _announcement(plan: Plan, *, may_meet: bool) -> tuple[str, ...]:
    told = _("Wi-Fi: {name}, password: {password}, address of the table: {address}")
    within = _(
        "To keep it, join it with a phone, and press “Keep this Wi-Fi” on the host page; "
        "or type: coyote table wifi --confirm"
    )
    back = _("If neither happens within {seconds} seconds, the Wi-Fi from before comes back.")
    apart = _("This radio's driver doesn't say that it keeps phones apart: they may reach each other.")
    lines = (
        told.format(name=plan.name, password=plan.password, address=INTERFACE.ip),
        within,
        back.format(seconds=SECONDS),
    )
    return (*lines, apart) if may_meet else lines


def _plan(country: str, name: str, password: str, *, dry_run: bool) -> Plan:
    if dry_run:
        wifi = WifiDevice("wlan0", None, is_access_point=False)
    else:
        require_programs()
        wifi = find_wifi()
    if wifi.is_access_point:
        raise click.ClickException(_("the Wi-Fi is an access point already: coyote table wifi --off"))
    pending = PendingWifi(secrets.token_hex(8), monotonic() + SECONDS)
    states = tuple(dict.fromkeys((state_directory(os.environ), SERVICE_STATE)))
    return Plan(country, name, password, wifi.name, str(uuid4()), wifi.connection, pending, states)


def _older_name(name: str) -> str | None:
    """Name the access point that version 0.1.0 made, if it is there."""
    return name if is_access_point("id", name) else None


def _check_country(country: str | None) -> str:
    if country is None or len(country) != 2 or not country.isascii() or not country.isalpha():
        raise click.UsageError(_("say in which country you are, as two letters: --country FR"))
    return country.upper()


def _check_name(name: str) -> str:
    if not WIFI_NAME.fullmatch(name):
        raise click.UsageError(_("a Wi-Fi's name has up to 32 plain letters and digits"))
    return name


# the password, which is on no command line


def _password(given: str | None) -> str:
    if given is None:
        return "".join(secrets.choice(LETTERS) for _letter in range(LENGTH))
    return read_password(given)


# doing it


def _do_all(steps: tuple[Step, ...], *, dry_run: bool) -> None:
    """Do one step after the other, or print them without what they read; stop where one fails that must not."""
    for step in steps:
        if dry_run:
            click.echo(shlex.join(step.command))
        elif (why := _why_failed(step)) is not None and not step.may_fail:
            told = _("{command} failed, so no Wi-Fi is made: {why}")
            raise click.ClickException(told.format(command=shlex.join(step.command[1:4]), why=why))


def _why_failed(step: Step) -> str | None:
    try:
        done = run_program(step.command, step.reads)
    except OSError as error:
        return label_text(step.command[0], system_text(error))
    if done.returncode == 0:
        return None
    said = done.stderr.strip().splitlines()
    return said[-1] if said else str(done.returncode)
