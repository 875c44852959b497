"""`coyote table wifi`: the table's own Wi-Fi for places without one; phones find the table at 10.42.0.1.

A switch that isn't confirmed within two minutes is undone, because it may have cut the only connection.

NetworkManager's connection sharing (`ipv4.method shared`) isn't used: it enables forwarding for the whole
machine, so that phones could reach the home network and its names. This access point has an address, runs a
DHCP server, and forwards nothing.
"""

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

from firmware.cli.output import say_all
from firmware.cli.system import ask, country_of, filled, find_program, read_password
from firmware.language.speaking import _
from firmware.services.power import run_command, why_failed
from firmware.state_folder import service_state, state_directory
from firmware.storage import access_point as wifi
from firmware.storage.access_point import INTERFACE, RUN, PendingWifi, WifiAccess

NAME = "coyote-access-point"  # name of the NetworkManager profile and the systemd unit
PROFILE = Path("/etc/NetworkManager/system-connections", f"{NAME}.nmconnection")
UNIT = Path("/etc/systemd/system", f"{NAME}.service")
TIMER = f"{NAME}-end"
"""The systemd timer that undoes the switch; it outlives this command and its terminal."""
CONFIRM_TIMEOUT = 120  # seconds to confirm an access point
CONNECT_TIMEOUT = 30  # seconds for the Wi-Fi to come up
NEEDED = {"nmcli": "network-manager", "systemd-run": "systemd", "dnsmasq": "dnsmasq-base"}
"""Required programs and their Debian packages."""
WIFI_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9 ._-]{0,30}[A-Za-z0-9._-])?")
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10
"""Letters and length of generated passwords, without look-alikes."""


@click.command(
    help=_("""Create the table's own Wi-Fi for the players' phones.

    It needs NetworkManager, as on Raspberry Pi OS, and your country, whose radio rules apply. Phones can reach
    the table through it, but neither each other nor your home network. Confirm it within two minutes, on the
    host's page or with --confirm; otherwise the previous Wi-Fi comes back.

    \b
    coyote table wifi --country FR
    coyote table wifi --confirm
    coyote table wifi --off""")
)
@click.option("--country", metavar="CC", help=_("The country, as two letters: FR, GB, US."))
@click.option("--name", default="coyote-table", show_default=True, help=_("Name of the Wi-Fi."))
@click.option(
    "--password-file",
    metavar="FILE",
    help=_(
        "A file with the password that only you can read, or - to type it. By default, a password is "
        "generated and shown."
    ),
)
@click.option("--confirm", is_flag=True, help=_("Keep the Wi-Fi that was just created."))
@click.option("--off", is_flag=True, help=_("Remove the Wi-Fi."))
@click.option("--dry-run", is_flag=True, help=_("Print the commands without running them."))
def access_point(
    country: str | None, name: str, password_file: str | None, *, confirm: bool, off: bool, dry_run: bool
) -> None:
    if off:
        is_there = _is_access_point("id", NAME)
        _undo(going_back_script(f"id {NAME}"), dry_run=dry_run)
        if not dry_run:
            wifi.WIFI_ACCESS.drop(state_directory())
        if not (dry_run or is_there):
            click.echo(_("The table has no Wi-Fi of its own."))
    elif confirm:
        pending = wifi.pending_wifi(RUN, monotonic())
        if pending is None:
            raise click.ClickException(_("no Wi-Fi is waiting for confirmation: create one first"))
        _do_all((_write(RUN / wifi.CONFIRMED, f"{pending.word}\n", "644"),), dry_run=dry_run)
        click.echo(_("The Wi-Fi stays."))
    else:
        letters = country_of(country)
        if not WIFI_NAME.fullmatch(name):
            raise click.UsageError(_("the name of a Wi-Fi has up to 32 plain letters and digits"))
        made_up = "".join(secrets.choice(LETTERS) for _letter in range(LENGTH))
        access = WifiAccess(name, made_up if password_file is None else read_password(password_file))
        _make(letters, access, *(("wlan0", None) if dry_run else _find_wifi()), dry_run=dry_run)


def _find_wifi() -> tuple[str, str | None]:
    for program, package in NEEDED.items():
        if find_program(program) is None:
            message = _("{program} isn't here: sudo apt install {package}")
            raise click.ClickException(message.format(program=program, package=package))
    rows = (line.split(":") for line in ask("nmcli", "-t", "-f", "DEVICE,TYPE", "device").splitlines())
    device = next((row[0] for row in rows if row[1:] == ["wifi"]), None)
    if device is None:
        raise click.ClickException(
            _("NetworkManager finds no Wi-Fi here: switch it on, or plug in a Wi-Fi stick")
        )
    output = ask("nmcli", "-t", "-f", "UUID,DEVICE", "connection", "show", "--active").splitlines()
    before = next((uuid for uuid, *at in (line.split(":") for line in output) if at == [device]), None)
    if before is not None and _is_access_point("uuid", before):
        raise click.ClickException(_("the Wi-Fi is an access point already: coyote table wifi --off"))
    return device, before


def _is_access_point(by: str, name: str) -> bool:
    return ask("nmcli", "-g", "802-11-wireless.mode", "connection", "show", by, name).strip() == "ap"


def _make(country: str, access: WifiAccess, device: str, before: str | None, *, dry_run: bool) -> None:
    message = _("Wi-Fi: {name}, password: {password}, address of the table: {address}")
    keep = _(
        "To keep it, connect a phone and press “Keep this Wi-Fi” on the host's page, or type: coyote "
        "table wifi --confirm"
    )
    back = _("Otherwise the previous Wi-Fi comes back after {seconds} seconds.")
    message = message.format(name=access.name, password=access.password, address=INTERFACE.ip)
    say_all((message, keep, back.format(seconds=CONFIRM_TIMEOUT)))
    if not dry_run and "set_bss" not in ask(find_program("iw") or "iw", "phy"):
        click.echo(
            _("This radio may not isolate phones from each other: its driver doesn't report that it can.")
        )
    sys.stdout.flush()
    if not dry_run:
        # the switch may end the SSH session of this command
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        # if this fails, only the screen's QR code is missing
        with suppress(OSError):
            wifi.WIFI_ACCESS.keep(state_directory(), access)
    uuid, pending = str(uuid4()), PendingWifi(secrets.token_hex(8), monotonic() + CONFIRM_TIMEOUT)
    back = going_back_script(f"uuid {uuid}", before=before)
    try:
        _do_all(making_steps(country, access, (device, uuid), pending, back), dry_run=dry_run)
    except click.ClickException:
        _undo(back, dry_run=dry_run)
        raise


def _undo(script: str, *, dry_run: bool) -> None:
    """Undo an access point before its timer fires."""
    stop = Step(("systemctl", "stop", f"{TIMER}.timer"), may_fail=True)
    _do_all((stop, Step(("sh", "-c", script), may_fail=True)), dry_run=dry_run)


class Step(Struct, frozen=True):
    """A command run as root, and its standard input; secrets never appear on a command line."""

    command: tuple[str, ...]
    reads: str = ""
    may_fail: bool = False


def making_steps(
    country: str, access: WifiAccess, connection: tuple[str, str], pending: PendingWifi, back: str
) -> tuple[Step, ...]:
    """Return the steps: the undo timer is set before any change, and the switch comes last."""
    device, uuid = connection
    psk = access.password.replace("\\", "\\\\")
    # key files require an escape for a leading space
    psk = f"\\s{psk[1:]}" if psk.startswith(" ") else psk
    words, network = {"name": NAME, "device": device}, INTERFACE.network
    profile = {**words, "uuid": uuid, "ssid": access.name, "psk": psk, "interface": INTERFACE}
    addresses = {"ip": INTERFACE.ip, "first": network[10], "last": network[250], "netmask": network.netmask}
    led = " ".join(f"--address=/{name}/{INTERFACE.ip}" for name in wifi.PROBED)
    # systemd would expand a dollar sign
    script = end_script(uuid, pending.word, back).replace("$", "$$")
    timer = ("--quiet", "--collect", f"--unit={TIMER}", f"--on-active={CONFIRM_TIMEOUT}")
    return (
        Step(("raspi-config", "nonint", "do_wifi_country", country), may_fail=True),
        Step(("rfkill", "unblock", "wifi"), may_fail=True),
        Step(("install", "-d", "-m", "755", str(RUN))),
        Step(("rm", "-f", str(RUN / wifi.CONFIRMED)), may_fail=True),
        _write(PROFILE, filled(PROFILE.name, profile), "600"),
        _write(UNIT, filled(UNIT.name, {**words, "led": led, **addresses}), "644"),
        Step(("systemd-run", *timer, "--timer-property=AccuracySec=1s", "/bin/sh", "-c", script)),
        _write(RUN / wifi.PENDING, msgspec.json.encode(pending).decode(), "644"),
        Step(("systemctl", "daemon-reload")),
        Step(("nmcli", "connection", "load", str(PROFILE))),
        Step(("systemctl", "restart", UNIT.name)),
        # this may cut the terminal's own connection
        Step(("nmcli", "--wait", str(CONNECT_TIMEOUT), "connection", "up", "uuid", uuid)),
    )


def _write(file: Path, text: str, mode: str) -> Step:
    """Write a file as root with its final mode from the start, so that secrets are never exposed."""
    return Step(("install", "-m", mode, "/dev/stdin", str(file)), text)


def end_script(uuid: str, word: str, back: str) -> str:
    """Return the script for the timeout: keep the Wi-Fi if its word was stored, or else undo it."""
    # the service stores its state there, which may differ from this command's
    states = dict.fromkeys((RUN, state_directory(), service_state()))
    places = shlex.join(str(folder / wifi.CONFIRMED) for folder in states)
    keep = (
        f"nmcli connection modify uuid {uuid} connection.autoconnect yes",
        f"systemctl enable {UNIT.name}",
        f"rm -f {RUN / wifi.PENDING}",
    )
    return f"if grep -qsxF {shlex.quote(word)} {places}; then {'; '.join(keep)}; else {back}; fi"


def going_back_script(connection: str, before: str | None = None) -> str:
    """Return the script that undoes an access point; the old Wi-Fi comes last, and errors are ignored."""
    parts = (
        f"systemctl disable --now {UNIT.name}",
        f"rm -rf {UNIT} {RUN}",
        "systemctl daemon-reload",
        f"nmcli connection delete {connection}",
        *(() if before is None else (f"nmcli connection up uuid {before}",)),
    )
    return "; ".join(parts)


def _do_all(steps: tuple[Step, ...], *, dry_run: bool) -> None:
    """Run the steps, or print them without their input; stop at the first failure that matters."""
    for step in steps:
        if dry_run:
            click.echo(shlex.join(("sudo", *step.command)))
            continue
        why = why_failed(run_command(("sudo", *step.command), step.reads.encode(), None))
        if why and not step.may_fail:
            message = _("{command} failed, so no Wi-Fi is created: {why}")
            raise click.ClickException(message.format(command=shlex.join(step.command[:3]), why=why))
