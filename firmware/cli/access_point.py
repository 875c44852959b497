"""`coyote table wifi`: the table's own Wi-Fi, where there is no other; the phones find it at 10.42.0.1.

A switch that isn't confirmed within two minutes is taken back: it may have cut the only way to the table.

NetworkManager's own way to share (`ipv4.method shared`) isn't used: it switches on forwarding for the whole
machine, so that a phone in the table's Wi-Fi could reach the home network and its names. Here the table has
an address and hands some out, and nothing leads further.
"""

import os
import re
import secrets
import shlex
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from uuid import uuid4

import click
import msgspec
from msgspec import Struct

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
    CONFIRMED,
    INTERFACE,
    PENDING,
    PROBED,
    RUN,
    WIFI_ACCESS,
    PendingWifi,
    WifiAccess,
    pending_wifi,
)

NAME = "coyote-access-point"
"""How NetworkManager and systemd call what we make."""
PROFILE = Path("/etc/NetworkManager/system-connections", f"{NAME}.nmconnection")
UNIT = Path("/etc/systemd/system", f"{NAME}.service")
TIMER = f"{NAME}-end"
"""What decides when the time is over: it is systemd's, so it outlives this command and its terminal."""
SECONDS = 120
"""How long an access point may wait to be confirmed."""
WAIT = 30
"""Seconds within which the Wi-Fi has to be there."""
SERVICE_STATE = Path("/var/lib/coyote-table")
"""Where a service of the system keeps its state, whatever this command's own is."""
FIRST, LAST = INTERFACE.network[10], INTERFACE.network[250]
"""The addresses for phones."""


class Step(Struct, frozen=True):
    """A command of root's, and what it is given to read: secrets are on no command line."""

    command: tuple[str, ...]
    reads: str = ""
    may_fail: bool = False


class Plan(Struct, frozen=True):
    """An access point that is wanted, and what was there before."""

    country: str
    name: str
    password: str
    device: str
    uuid: str
    before: str | None
    """The connection that the device has now."""
    pending: PendingWifi
    states: tuple[Path, ...]
    """Where a table may write down that it stays."""


def making_steps(plan: Plan) -> tuple[Step, ...]:
    """List what is done: the timer that takes it back is set before anything changes, the switch comes last."""
    pending = msgspec.json.encode(plan.pending).decode()
    # systemd would take a dollar for a variable of its own
    script = end_script(plan).replace("$", "$$")
    timer = ("--quiet", "--collect", f"--unit={TIMER}", f"--on-active={SECONDS}")
    return (
        Step(("raspi-config", "nonint", "do_wifi_country", plan.country), may_fail=True),
        Step(("rfkill", "unblock", "wifi"), may_fail=True),
        Step(("install", "-d", "-m", "755", str(RUN))),
        Step(("rm", "-f", str(RUN / CONFIRMED)), may_fail=True),
        _write(PROFILE, profile_text(plan), "600"),
        _write(UNIT, unit_text(plan.device), "644"),
        Step(("systemd-run", *timer, "--timer-property=AccuracySec=1s", "/bin/sh", "-c", script)),
        _write(RUN / PENDING, pending, "644"),
        Step(("systemctl", "daemon-reload")),
        Step(("nmcli", "connection", "load", str(PROFILE))),
        Step(("systemctl", "restart", UNIT.name)),
        # this may cut the terminal's own connection
        Step(("nmcli", "--wait", str(WAIT), "connection", "up", "uuid", plan.uuid)),
    )


def undoing_steps(script: str) -> tuple[Step, ...]:
    """List what takes an access point away before its time is over."""
    stop = Step(("systemctl", "stop", f"{TIMER}.timer"), may_fail=True)
    return (stop, Step(("sh", "-c", script), may_fail=True))


def _write(file: Path, text: str, mode: str) -> Step:
    """Write a file as root's, never readable by others for a moment that it shouldn't be."""
    return Step(("install", "-m", mode, "/dev/stdin", str(file)), text)


# what the timer does


def end_script(plan: Plan) -> str:
    """Write what happens when the time is over: it stays if its word was written down, else all goes back."""
    places = shlex.join(str(folder / CONFIRMED) for folder in (RUN, *plan.states))
    keep = (
        f"nmcli connection modify uuid {plan.uuid} connection.autoconnect yes",
        f"systemctl enable {UNIT.name}",
        f"rm -f {RUN / PENDING}",
    )
    back = going_back_script(f"uuid {plan.uuid}", before=plan.before)
    return f"if grep -qsxF {shlex.quote(plan.pending.word)} {places}; then {'; '.join(keep)}; else {back}; fi"


def going_back_script(*connections: str, before: str | None = None) -> str:
    """Write what goes back, the Wi-Fi last: it may be the terminal's own. What fails hinders nothing else."""
    parts = (
        f"systemctl disable --now {UNIT.name}",
        f"rm -rf {UNIT} {RUN}",
        "systemctl daemon-reload",
        *(f"nmcli connection delete {each}" for each in connections),
        *(() if before is None else (f"nmcli connection up uuid {before}",)),
    )
    return "; ".join(parts)


# files


def profile_text(plan: Plan) -> str:
    """Write the connection for NetworkManager; it starts by itself only once it is confirmed."""
    return f"""\
[connection]
id={NAME}
uuid={plan.uuid}
type=wifi
interface-name={plan.device}
autoconnect=false
autoconnect-priority=100

[wifi]
mode=ap
band=bg
ssid={plan.name}
ap-isolation=1

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
psk={_as_value(plan.password)}

[ipv4]
method=manual
address1={INTERFACE}
never-default=true

[ipv6]
method=disabled
"""


def _as_value(text: str) -> str:
    plain = text.replace("\\", "\\\\")
    return f"\\s{plain[1:]}" if plain.startswith(" ") else plain


def unit_text(device: str) -> str:
    """Write the service that gives phones their addresses: no way out, and no names but those of the portal.

    Names are given by a process of its own: where another has their port, phones get addresses all the same.
    """
    here = f"--conf-file=/dev/null --interface={device} --bind-dynamic"
    served = f"--dhcp-range={FIRST},{LAST},{INTERFACE.netmask},12h --port=0"
    silent = f"--dhcp-option=option:router --dhcp-option=option:dns-server,{INTERFACE.ip}"
    files = f"--dhcp-leasefile=%t/{NAME}-leases/leases --pid-file=%t/{NAME}-leases/pid"
    led = " ".join(f"--address=/{name}/{INTERFACE.ip}" for name in PROBED)
    names = f"--except-interface=lo --no-resolv --no-hosts --pid-file=%t/{NAME}-leases/names-pid"
    return f"""\
[Unit]
Description=Addresses for the phones in the Wi-Fi of Coyote Table

[Service]
ExecStart=/usr/sbin/dnsmasq --keep-in-foreground {here} {served} {silent} --dhcp-authoritative {files}
ExecStartPost=-/usr/sbin/dnsmasq {here} {names} {led}
RuntimeDirectory={NAME}-leases
RuntimeDirectoryPreserve=yes
Restart=on-failure
RestartSec=2
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
"""


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
        # version 0.1.0 made one by that name
        older = (f"id {shlex.quote(name)}",) if is_access_point("id", name) else ()
        _do_all(undoing_steps(going_back_script(f"id {NAME}", *older)), dry_run=dry_run)
        if not dry_run:
            WIFI_ACCESS.drop(state_directory(os.environ))
    elif confirm:
        pending = pending_wifi(RUN, monotonic())
        if pending is None:
            raise click.ClickException(_("no Wi-Fi waits to be confirmed: make one first"))
        _do_all((_write(RUN / CONFIRMED, f"{pending.word}\n", "644"),), dry_run=dry_run)
        click.echo(_("The Wi-Fi stays."))
    else:
        wanted_country = _check_country(country)
        if not WIFI_NAME.fullmatch(name):
            raise click.UsageError(_("a Wi-Fi's name has up to 32 plain letters and digits"))
        password = read_password(password_file) if password_file is not None else _made_up_password()
        _make(_plan(wanted_country, name, password, dry_run=dry_run), dry_run=dry_run)


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
        _do_all(making_steps(plan), dry_run=dry_run)
    except click.ClickException:
        _do_all(undoing_steps(going_back_script(f"uuid {plan.uuid}", before=plan.before)), dry_run=dry_run)
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


def _check_country(country: str | None) -> str:
    if country is None or len(country) != 2 or not country.isascii() or not country.isalpha():
        raise click.UsageError(_("say in which country you are, as two letters: --country FR"))
    return country.upper()


def _made_up_password() -> str:
    return "".join(secrets.choice(LETTERS) for _letter in range(LENGTH))


# doing it


def _do_all(steps: tuple[Step, ...], *, dry_run: bool) -> None:
    """Do one step after the other, or print them without what they read; stop where one fails that must not."""
    for step in steps:
        if dry_run:
            click.echo(shlex.join(("sudo", *step.command)))
        elif (why := _why_failed(step)) is not None and not step.may_fail:
            told = _("{command} failed, so no Wi-Fi is made: {why}")
            raise click.ClickException(told.format(command=shlex.join(step.command[:3]), why=why))


def _why_failed(step: Step) -> str | None:
    try:
        done = run_program(("sudo", *step.command), step.reads)
    except OSError as error:
        return label_text("sudo", system_text(error))
    if done.returncode == 0:
        return None
    said = done.stderr.strip().splitlines()
    return said[-1] if said else str(done.returncode)
