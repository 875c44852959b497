"""What makes an access point, keeps it or goes back: files, commands and a script for the shell; pure.

NetworkManager's own way to share (`ipv4.method shared`) isn't used: it switches on forwarding for the whole
machine, so that a phone in the table's Wi-Fi could reach the home network and its names. Here the table has
an address and hands some out, and nothing leads further.
"""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.storage.access_point import CONFIRMED, INTERFACE, PENDING, PROBED, RUN, PendingWifi

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

Command = tuple[str, ...]


class Step(Struct, frozen=True):
    """A command, and what it is given to read: secrets are on no command line."""

    command: Command
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


# what root does


def making_steps(plan: Plan) -> tuple[Step, ...]:
    """List what prepares the switch: the timer that takes it back is set before anything changes."""
    script = end_script(plan.uuid, plan.before, plan.pending.word, plan.states)
    pending = msgspec.json.encode(plan.pending).decode()
    return (
        Step(_root("raspi-config", "nonint", "do_wifi_country", plan.country), may_fail=True),
        Step(_root("rfkill", "unblock", "wifi"), may_fail=True),
        Step(_root("install", "-d", "-m", "755", str(RUN))),
        Step(_root("rm", "-f", str(RUN / CONFIRMED)), may_fail=True),
        _write(PROFILE, profile_text(plan), "600"),
        _write(UNIT, unit_text(plan.device), "644"),
        Step(_root(*_timer(script))),
        _write(RUN / PENDING, pending, "644"),
        Step(_root("systemctl", "daemon-reload")),
        Step(_root("nmcli", "connection", "load", str(PROFILE))),
        Step(_root("systemctl", "restart", UNIT.name)),
    )


def switching_step(plan: Plan) -> Step:
    """Give the switch itself, which may cut the terminal's own connection."""
    return Step(_root("nmcli", "--wait", str(WAIT), "connection", "up", "uuid", plan.uuid))


def going_back_steps(plan: Plan) -> tuple[Step, ...]:
    """List what takes back a switch that failed."""
    return (
        Step(_root("systemctl", "stop", f"{TIMER}.timer"), may_fail=True),
        Step(_root("sh", "-c", going_back_script(plan.uuid, plan.before)), may_fail=True),
    )


def confirming_step(pending: PendingWifi) -> Step:
    """Give what writes down that the access point stays."""
    return _write(RUN / CONFIRMED, f"{pending.word}\n", "644")


def removing_steps(older: str | None) -> tuple[Step, ...]:
    """List what takes an access point away for good: the Wi-Fi last, which may be the terminal's own."""
    names = (NAME,) if older is None else (NAME, older)
    return (
        Step(_root("systemctl", "stop", f"{TIMER}.timer"), may_fail=True),
        Step(_root("systemctl", "disable", "--now", UNIT.name), may_fail=True),
        Step(_root("rm", "-rf", str(UNIT), str(RUN)), may_fail=True),
        Step(_root("systemctl", "daemon-reload"), may_fail=True),
        *(Step(_root("nmcli", "connection", "delete", "id", name), may_fail=True) for name in names),
    )


def _root(*words: str) -> Command:
    return ("sudo", *words)


def _write(file: Path, text: str, mode: str) -> Step:
    """Write a file as root's, never readable by others for a moment that it shouldn't be."""
    return Step(_root("install", "-m", mode, "/dev/stdin", str(file)), text)


def _timer(script: str) -> Command:
    accuracy = "--timer-property=AccuracySec=1s"
    command = ("systemd-run", "--quiet", "--collect", f"--unit={TIMER}", f"--on-active={SECONDS}", accuracy)
    # systemd would take a dollar for a variable of its own
    return (*command, "/bin/sh", "-c", script.replace("$", "$$"))


# what the timer does


def end_script(uuid: str, before: str | None, word: str, states: Iterable[Path]) -> str:
    """Write what happens when the time is over: it stays if its word was written down, else all goes back."""
    places = shlex.join(str(folder / CONFIRMED) for folder in (RUN, *states))
    keep = (
        f"nmcli connection modify uuid {uuid} connection.autoconnect yes",
        f"systemctl enable {UNIT.name}",
        f"rm -f {RUN / PENDING}",
    )
    back = going_back_script(uuid, before)
    return f"if grep -qsxF {shlex.quote(word)} {places}; then {'; '.join(keep)}; else {back}; fi"


def going_back_script(uuid: str, before: str | None) -> str:
    """Write what goes back; where one part fails the others are done."""
    parts: Sequence[str] = (
        f"nmcli connection delete uuid {uuid}",
        *([] if before is None else [f"nmcli connection up uuid {before}"]),
        f"systemctl disable --now {UNIT.name}",
        f"rm -rf {UNIT} {RUN}",
        "systemctl daemon-reload",
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
