"""`coyote table image`: prepare a memory card that installs the table at its first boot."""

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import click
from msgspec import Struct

from firmware.cli.board import choose_board
from firmware.cli.output import FILE_HERE, FOLDER_HERE, click_errors, write_output
from firmware.cli.system import checkout_of, country_of, read_password, template
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _, label_text
from firmware.services.checks import BOOT, COUNT_MEMORY
from firmware.services.power import run_command, why_failed
from firmware.storage.access_point import WifiAccess

# cloud-init reads these files at the first boot of Raspberry Pi OS. They are JSON, which is valid YAML.

FOLDER = "coyote"
"""Folder on the boot partition that contains the program."""
CODE, WHEELS, SCRIPT = "coyote.bundle", "wheels", "install"
"""Names in that folder: the git bundle, the packages, the install script."""
PACKAGES = (
    "git python3-venv python3-picamera2 python3-lgpio python3-gpiozero python3-numpy espeak-ng avahi-daemon"
    " network-manager dnsmasq-base"
)
"""Debian packages to install; .ci/raspberry offers the same ones at a terminal, which a first boot lacks."""
SCREEN_PACKAGES = " cage xwayland chromium"
PER_BOOT = "/var/lib/cloud/scripts/per-boot/coyote"
DONE = "/var/lib/coyote-table-installed"
"""File that marks a finished installation."""
CONFIGURED, USER = "/etc/coyote-table/coyote.toml", "coyote"
ISSUE, ADDRESSES = "/etc/issue.d/coyote.issue", "Coyote Table: http://\\n.local or http://\\4\n\n"
"""Login banner on the monitor: the table's addresses, filled in by getty."""
HERTZ_60 = (
    "AG AI AS AW BM BR BS BZ CA CO CR CU DO EC FM GT GU GY HN HT KN KR KY LR MH MP MS MX NI PA PE PH PR PW SA"
    " SR SV TC TT TW US VE VG VI"
)
"""Countries with 60 Hz mains throughout; Japan has both 50 and 60 Hz."""
MOUNTED_FIRST = b"[Unit]\nRequiresMountsFor=/boot/firmware\n"
WAITS = "systemd.set_credential_binary=systemd.unit-dropin.cloud-init-main.service:"
WAITS += b64encode(MOUNTED_FIRST).decode()
"""Kernel option that makes cloud-init wait for the boot partition.

The first images of trixie don't wait and ignore our files if the partition mounts late (cloud-init issue 6614).
systemd reads the option from version 256 on; older versions ignore it.
"""


class FirstBoot(Struct, frozen=True):
    """The owner's settings for the new computer."""

    hostname: str = "coyote"
    board: str = ""
    language: str = "en"
    timezone: str | None = None
    country: str | None = None  # two letters; without a country the system disables its radio
    wifi: WifiAccess | None = None  # the network that the table joins
    ssh_key: str | None = None
    """Public key of the person who may log in remotely; without a key nobody can."""
    has_screen: bool = False


def user_data(wish: FirstBoot) -> str:
    """Return cloud-init's user-data file."""
    log = f"{BOOT}/{FOLDER}/install.log"
    data: dict[str, Any] = {
        "hostname": wish.hostname,
        "manage_etc_hosts": True,
        "ssh_pwauth": False,
        "users": [_owner(wish)],
        "write_files": [*_files(wish)],
        "bootcmd": [["sh", "-c", _script("coyote-skip-wizard.sh", {"installed": DONE, "log": log})]],
    }
    if wish.country is not None:
        radio = ["cloud-init-per", "instance", "coyote-radio", "sh", "-c", radio_script(wish.country)]
        data["bootcmd"].append(radio)
    if wish.timezone is not None:
        data["timezone"] = wish.timezone
    return f"#cloud-config\n{json.dumps(data, indent=1, ensure_ascii=False)}\n"


def _owner(wish: FirstBoot) -> dict[str, Any]:
    # the service has these groups anyway; the owner needs them to run the doctor after logging in
    groups = "gpio, video"
    user: dict[str, Any] = {"name": USER, "groups": groups, "shell": "/bin/bash", "lock_passwd": True}
    if wish.ssh_key is not None:
        user |= {"ssh_authorized_keys": [wish.ssh_key], "sudo": "ALL=(ALL) NOPASSWD:ALL"}
    return user


def _files(wish: FirstBoot) -> Iterator[dict[str, str]]:
    # an installation that fails, as without a network, is repeated at the next boot
    install = f"#!/bin/sh\n[ -e {DONE} ] || {{ sh {BOOT}/{FOLDER}/{SCRIPT} && touch {DONE}; }}\n"
    yield {"path": PER_BOOT, "permissions": "0755", "content": install}
    yield {"path": ISSUE, "content": ADDRESSES}
    if wish.country in HERTZ_60.split():
        # the flicker of lamps follows the mains
        yield {"path": CONFIGURED, "content": "[camera]\nmains = 60\n"}


def _script(name: str, values: Mapping[str, str]) -> str:
    """Return a shell script of this package, with its variables assigned first."""
    head = "".join(f'{variable}="{value}"\n' for variable, value in values.items())
    return f"{head}\n{template(name)}"


def radio_script(country: str) -> str:
    """Return the script that switches the Wi-Fi radio on, with the rules of a country (two letters)."""
    return _script("coyote-radio.sh", {"country": country})


def network_config(wish: FirstBoot) -> str:
    """Return cloud-init's network-config file."""
    data: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if wish.wifi is not None:
        access = {wish.wifi.name: {"password": wish.wifi.password}}
        domain = {} if wish.country is None else {"regulatory-domain": wish.country}
        data["wifis"] = {"wlan0": {"dhcp4": True, "optional": True, "access-points": access, **domain}}
    return f"{json.dumps(data, indent=1, ensure_ascii=False)}\n"


def install_script(wish: FirstBoot) -> str:
    """Return the script that installs the table."""
    values = {
        "user": USER,
        "language": {"fr": "fr_FR.UTF-8"}.get(wish.language, "C.UTF-8"),
        "packages": PACKAGES + (SCREEN_PACKAGES if wish.has_screen else ""),
        "board": wish.board,
        "screen": "--screen" if wish.has_screen else "",
    }
    return f"#!/bin/sh\n{_script('coyote-install.sh', values)}"


ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z]([a-z0-9-]{0,29}[a-z0-9])?")
KEY = re.compile(r"(ssh-|ecdsa-|sk-)[\x21-\x7e]+ [A-Za-z0-9+/=]+( [\x20-\x7e]*)?")
WRITTEN = ("cmdline.txt", "user-data", "network-config", FOLDER)
OLDER = ".before-coyote"
"""Suffix for a file of Raspberry Pi Imager that ours replaces."""


def own_timezone(clock: Path = Path("/etc/localtime")) -> str | None:
    """Return this computer's time zone, the default for the table; None if it has none."""
    name = str(clock.resolve()).rpartition("zoneinfo/")[2]
    return name if name in available_timezones() else None


@click.command(
    help=_("""Prepare a memory card: a Raspberry Pi that starts from it installs the table by itself.

    First write Raspberry Pi OS (64-bit, trixie, November 2025 or later) to the card with Raspberry Pi Imager,
    without its customisation, which this command replaces. Then name the folder of the card's boot partition
    on this computer. The Wi-Fi password is read from stdin or asked for.

    The first start takes a quarter of an hour and needs the internet for packages that aren't on the card.
    Until then, the password on the card is readable.

    \b
    coyote table image /media/ana/bootfs --wifi Home --country FR --board fab

    To install without the internet, download all packages to a folder, here wheels, and name it with --wheels.
    Python's packages (trixie has Python 3.13), in this program's folder and with the tool uv:

    \b
    uv run --no-project --python 3.13 --with pip python -m pip download \\
      --require-hashes --no-deps --only-binary :all: \\
      --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 \\
      -r requirements/table.lock -r requirements/raspberry.lock -d wheels

    Debian's packages, on a connected Pi with the same system: coyote/install on a card lists their NAMES after
    packages=. Then copy the files *.deb from /var/cache/apt/archives.

    \b
    sudo apt-get install --download-only --no-install-recommends NAMES""")
)
@click.argument("boot", type=FOLDER_HERE)
@click.option(
    "--wifi", metavar="NAME", help=_("The Wi-Fi that the table joins; by default it uses a network cable.")
)
@click.option(
    "--country", metavar="FR", help=_("The country as two letters, because the rules for Wi-Fi differ.")
)
@click.option("--board", help=_("The wired board; by default, the host's page asks for it."))
@click.option(
    "--hostname", default="coyote", show_default=True, help=_("The computer's name; its address is NAME.local.")
)
@click.option(
    "--ssh-key",
    type=FILE_HERE,
    help=_("Your public SSH key, to log in from another computer; without a key, nobody can."),
)
@click.option(
    "--timezone",
    metavar="Europe/Paris",
    default=own_timezone,
    help=_("The table's time zone; by default this computer's."),
)
@click.option("--screen", "has_screen", is_flag=True, help=_("Show the screen page on a monitor at the table."))
@click.option(
    "--wheels",
    type=FOLDER_HERE,
    metavar="FOLDER",
    help=_("Folder with downloaded Python and Debian packages to put on the card."),
)
def image(boot: Path, wheels: Path | None, **wish: Any) -> None:
    if not (boot / "config.txt").exists() or not (boot / "cmdline.txt").exists():
        error = _("{folder}: not a boot partition of Raspberry Pi OS: config.txt and cmdline.txt are missing")
        raise click.ClickException(error.format(folder=boot))
    if any((boot / name).is_symlink() for name in WRITTEN):
        raise click.ClickException(
            _("{folder}: contains symbolic links, so it isn't a memory card").format(folder=boot)
        )
    if not (boot / "meta-data").exists():
        error = _(
            "{folder}: this system can't be prepared: use Raspberry Pi OS (64-bit) of November 2025 or later"
        )
        raise click.ClickException(error.format(folder=boot))
    wanted = _first_boot(**wish)
    bring = boot / FOLDER
    with click_errors(bring):
        bring.mkdir(exist_ok=True)
        _bundle(bring / CODE)
        if wheels is not None:
            shutil.copytree(wheels, bring / WHEELS, dirs_exist_ok=True)
    write_output(bring / SCRIPT, install_script(wanted).encode())
    # no copy of network-config: an older Wi-Fi password would stay on the card
    before, aside = boot / "user-data", boot / f"user-data{OLDER}"
    if before.exists() and not aside.exists():
        with click_errors(before):
            before.replace(aside)
    write_output(boot / "user-data", user_data(wanted).encode())
    write_output(boot / "network-config", network_config(wanted).encode())
    file = boot / "cmdline.txt"
    with click_errors(file):
        cmdline = file.read_text(encoding="utf-8", errors="surrogateescape")
    if missing := [option for option in (COUNT_MEMORY, WAITS) if option not in cmdline.split()]:
        text = " ".join((cmdline.rstrip(), *missing)) + "\n"
        write_output(file, text.encode(errors="surrogateescape"))
    click.echo(_("The card is ready: put it into the Raspberry Pi and switch it on."))
    click.echo(_("After a quarter of an hour: http://{name}.local").format(name=wanted.hostname))
    click.echo(
        _("The first phone there becomes the host; its page explains how, with the screen or the loudspeaker.")
    )
    click.echo(_("If nothing appears, read coyote/install.log on the card."))
    if wanted.wifi is not None:
        click.echo(_("Until the first start, the Wi-Fi password on the card is readable."))


def _first_boot(
    *, wifi: str | None, country: str | None, board: str | None, ssh_key: Path | None, **plain: Any
) -> FirstBoot:
    if not NAME.fullmatch(plain["hostname"]):
        raise click.UsageError(
            _("the name of a computer has small letters, digits and hyphens, as in coyote-2")
        )
    if plain["timezone"] not in {None, *available_timezones()}:
        raise click.UsageError(_("name a time zone as in Europe/Paris"))
    if wifi is not None and (not wifi.isprintable() or not 0 < len(wifi.encode()) <= 32):
        raise click.UsageError(_("the name of a Wi-Fi has 1 to 32 letters"))
    return FirstBoot(
        board=choose_board(board)[0] if board else "",
        language=preferred_language(),
        country=None if country is None and wifi is None else country_of(country),
        wifi=None if wifi is None else WifiAccess(wifi, read_password()),
        ssh_key=None if ssh_key is None else _key(ssh_key),
        **plain,
    )


def _key(file: Path) -> str:
    with click_errors(file):
        key = file.read_text(encoding="utf-8", errors="replace").strip()
    if not KEY.fullmatch(key):
        why = _("not a public SSH key: name the file that ends in .pub")
        raise click.ClickException(label_text(str(file), why))
    return key


def _bundle(file: Path) -> None:
    """Write this program and its history to a git bundle; `git pull` continues that history."""
    checkout = checkout_of(ROOT)
    if checkout is None:
        raise click.ClickException(
            _("this needs a git checkout of the program: git clone, then ./run table image")
        )
    refs = ("HEAD", "--branches", "--tags")
    bundle = ("git", "-C", str(checkout), "bundle", "create", "--quiet", str(file.resolve()), *refs)
    if why := why_failed(run_command(bundle, seconds=None)):
        raise click.ClickException(label_text("git", why))
