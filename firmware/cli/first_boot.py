"""What a card tells the computer at its first start: cloud-init's files, as Raspberry Pi OS takes them; pure.

They are written as JSON, which is YAML, too.
"""

import json
from base64 import b64encode
from typing import Any

from msgspec import Struct

from firmware.cli.system import template
from firmware.parts.checks import BOOT, COUNT_MEMORY

FOLDER = "coyote"
"""The folder on the boot partition that brings the program."""
CODE, WHEELS, SCRIPT = "coyote.bundle", "wheels", "install"
PACKAGES = (
    "git",
    "python3-venv",
    # as .ci/raspberry asks at a terminal, which a first start has not
    "python3-picamera2",
    "python3-lgpio",
    "python3-gpiozero",
    "python3-numpy",
    "espeak-ng",
    "avahi-daemon",
    "network-manager",
    "dnsmasq-base",
)
SCREEN_PACKAGES = ("cage", "xwayland", "chromium")
PER_BOOT = "/var/lib/cloud/scripts/per-boot/coyote"
DONE = "/var/lib/coyote-table-installed"
CONFIGURED = "/etc/coyote-table/coyote.toml"
ISSUE, ADDRESSES = "/etc/issue.d/coyote.issue", "Coyote Table: http://\\n.local or http://\\4\n\n"
"""What a monitor shows before anybody logs in."""
HERTZ_60 = (
    "AG AI AS AW BM BR BS BZ CA CO CR CU DO EC FM GT GU GY HN HT KN KR KY LR MH MP MS MX NI PA PE PH PR PW SA"
    " SR SV TC TT TW US VE VG VI"
)
"""Countries whose mains have 60 hertz everywhere; in Japan they have 50 or 60."""
MOUNTED_FIRST = b"[Unit]\nRequiresMountsFor=/boot/firmware\n"
WAITS = (
    "systemd.set_credential_binary=systemd.unit-dropin.cloud-init-main.service:"
    + b64encode(MOUNTED_FIRST).decode()
)
"""Has cloud-init wait for the boot partition, as the first images of trixie don't: where that is late, nothing
of ours is read (cloud-init's issue 6614). systemd takes it from version 256 on; older ones pass it over."""


END_WIZARD = f"""\
[ ! -e {DONE} ] || exit 0
echo "$(date): waiting for the system to come up" >>"${{COYOTE_LOG:-{BOOT}/{FOLDER}/install.log}}"
systemctl mask --quiet userconfig.service
systemctl stop --quiet --no-block userconfig.service
exit 0
"""
"""Ends what would ask at the monitor for a user and a password, before it begins.

Raspberry Pi OS Lite asks whenever its first user has no password (userconf-pi), and multi-user.target waits for
the answer, as does all that comes after it: the installer among them. Until that begins, the log says so.
"""


class WiFi(Struct, frozen=True):
    """The Wi-Fi that the table joins."""

    name: str
    password: str


class FirstBoot(Struct, frozen=True):
    """What the owner wants of the new computer."""

    hostname: str = "coyote"
    user: str = "coyote"
    board: str = ""
    language: str = "en"
    timezone: str | None = None
    country: str | None = None
    """Its two letters; without a country the system keeps its radio off."""
    wifi: WiFi | None = None
    ssh_key: str | None = None
    """Who may log in from another computer; without a key no one can, and no one needs to."""
    has_screen: bool = False


def user_data(wish: FirstBoot) -> str:
    """Write for whom the program is installed, and that each start installs it until one has succeeded."""
    once = f"#!/bin/sh\n[ -e {DONE} ] || {{ sh {BOOT}/{FOLDER}/{SCRIPT} && touch {DONE}; }}\n"
    # the service has its groups by itself; this is for the owner who logs in and asks the doctor
    groups = "gpio, video"
    user: dict[str, Any] = {"name": wish.user, "groups": groups, "shell": "/bin/bash", "lock_passwd": True}
    if wish.ssh_key is not None:
        user |= {"ssh_authorized_keys": [wish.ssh_key], "sudo": "ALL=(ALL) NOPASSWD:ALL"}
    told: dict[str, Any] = {
        "hostname": wish.hostname,
        "manage_etc_hosts": True,
        "ssh_pwauth": False,
        "users": [user],
        "write_files": [
            # what can fail, as where no network is, is done again at the next start
            {"path": PER_BOOT, "permissions": "0755", "content": once},
            {"path": ISSUE, "content": ADDRESSES},
        ],
    }
    if wish.country in HERTZ_60.split():
        # lamps flicker by the mains of this country
        told["write_files"] += [{"path": CONFIGURED, "content": "[camera]\nmains = 60\n"}]
    told["bootcmd"] = [["sh", "-c", END_WIZARD]]
    if wish.country is not None:
        radio = radio_script(wish.country)
        told["bootcmd"] += [["cloud-init-per", "instance", "coyote-radio", "sh", "-c", radio]]
    if wish.timezone is not None:
        told["timezone"] = wish.timezone
    return f"#cloud-config\n{json.dumps(told, indent=1, ensure_ascii=False)}\n"


def radio_script(country: str) -> str:
    """Write what switches the radio on, before packages are fetched; it is done again until it succeeds.

    An image of Raspberry Pi OS has no country, so that its kernel blocks the radio and NetworkManager's state
    keeps it off (pi-gen, stage2/02-net-tweaks/01-run.sh). A NetworkManager that starts later reads the state;
    one that runs is told.
    """
    state = "${COYOTE_RADIO:-/var/lib/NetworkManager/NetworkManager.state}"
    return (
        f"raspi-config nonint do_wifi_country {country}; rfkill unblock wifi; "
        f'sed -i s/^WirelessEnabled=false/WirelessEnabled=true/ "{state}"; '
        "systemctl is-active --quiet NetworkManager || exit 0; nmcli radio wifi on"
    )


def network_config(wish: FirstBoot) -> str:
    """Write how it finds the network: by cable wherever there is one, and by the Wi-Fi that was named."""
    told: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if wish.wifi is not None:
        access = {wish.wifi.name: {"password": wish.wifi.password}}
        wlan: dict[str, Any] = {
            "dhcp4": True,
            "optional": True,
            "access-points": access,
        }
        if wish.country is not None:
            wlan["regulatory-domain"] = wish.country
        told["wifis"] = {"wlan0": wlan}
    return f"{json.dumps(told, indent=1, ensure_ascii=False)}\n"


SPI_LINES = """
# Coyote Table: a ring of LEDs, or digits, on SPI; its clock is right only while the core's doesn't change
[all]
dtparam=spi=on
[pi3]
core_freq=250
[pi4]
core_freq=500
core_freq_min=500
[all]
"""


def with_spi(config: str, *, is_wanted: bool) -> str:
    """Write config.txt with SPI switched on for the board, or without what was written for another one."""
    return config.replace(SPI_LINES, "") + (SPI_LINES if is_wanted else "")


def with_our_words(cmdline: str) -> str:
    """Write cmdline.txt, one line, with the words of ours that it lacks."""
    words = cmdline.split()
    lacking = [word for word in (COUNT_MEMORY, WAITS) if word not in words]
    return " ".join((cmdline.rstrip(), *lacking)) + "\n" if lacking else cmdline


def install_script(wish: FirstBoot) -> str:
    """Write what brings the program to its place and starts it; run again, it goes on where it ended."""
    told = {
        "user": wish.user,
        "language": {"fr": "fr_FR.UTF-8"}.get(wish.language, "C.UTF-8"),
        "packages": " ".join((*PACKAGES, *(SCREEN_PACKAGES if wish.has_screen else ()))),
        "board": wish.board,
        "screen": "--screen" if wish.has_screen else "",
    }
    head = "".join(f'{name}="{value}"\n' for name, value in told.items())
    return f"#!/bin/sh\n{head}\n{template('coyote-install.sh')}"
