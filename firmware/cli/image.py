"""`coyote table image`: prepare a memory card so that the table installs itself at its first start."""

import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import click

from firmware.cli.board import choose_board
from firmware.cli.first_boot import (
    CODE,
    FOLDER,
    SCRIPT,
    WHEELS,
    FirstBoot,
    WiFi,
    install_script,
    network_config,
    user_data,
    with_our_words,
    with_spi,
)
from firmware.cli.output import click_errors, write_output
from firmware.cli.system import country_of, last_words, read_password, run_program
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _, label_text
from firmware.storage.wired_board import NONE
from firmware.updates.layout import home_of
from hardware.board.board import has_spi

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z]([a-z0-9-]{0,29}[a-z0-9])?")
KEY = re.compile(r"(ssh-|ecdsa-|sk-)[\x21-\x7e]+ [A-Za-z0-9+/=]+( [\x20-\x7e]*)?")
WRITTEN = ("config.txt", "cmdline.txt", "user-data", "network-config", FOLDER)
OLDER = ".before-coyote"
"""What a file is called that Raspberry Pi Imager has written, and ours takes the place of."""


@click.command(
    "image",
    help=_("""Prepare a card: the computer that starts from it installs the table by itself, and plays.

    First write Raspberry Pi OS (64-bit, from November 2025 on: trixie) to the card with Raspberry Pi Imager,
    without its customisation, whose place this takes. Then name the folder in which this computer shows the
    card's boot partition. The Wi-Fi's password is read from stdin, or asked for.

    The first start takes a quarter of an hour, and needs the internet for packages that the card doesn't bring.
    Until then the password lies readable on the card.

    \b
    coyote table image /media/ana/bootfs --wifi Home --country FR --board fab"""),
)
@click.argument("boot", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--wifi", metavar="NAME", help=_("The Wi-Fi that the table joins; without it, a network cable."))
@click.option("--country", metavar="FR", help=_("The country's two letters, as Wi-Fi's rules differ."))
@click.option("--board", help=_("The board that is wired; without it, the host page asks."))
@click.option(
    "--hostname", default="coyote", show_default=True, help=_("What the computer is called: NAME.local.")
)
@click.option(
    "--ssh-key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Your public key, to log in from another computer; without it no one logs in."),
)
@click.option("--timezone", metavar="Europe/Paris", help=_("Where the table stands."))
@click.option("--screen", "has_screen", is_flag=True, help=_("A monitor at the table shows its screen page."))
@click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help=_("Packages to bring along, of Python and of Debian, as docs/updates.md has them fetched."),
)
def image(boot: Path, wheels: Path | None, **wish: Any) -> None:
    """Prepare a card."""
    _check_card(boot)
    wanted = _first_boot(**wish)
    bring = boot / FOLDER
    with click_errors(bring):
        bring.mkdir(exist_ok=True)
        _bundle(bring / CODE)
        if wheels is not None:
            shutil.copytree(wheels, bring / WHEELS, dirs_exist_ok=True)
    write_output(bring / SCRIPT, install_script(wanted).encode())
    for name, text in (("user-data", user_data(wanted)), ("network-config", network_config(wanted))):
        if name != "network-config":
            # another password than the one that is erased would stay in that
            _put_aside(boot / name)
        write_output(boot / name, text.encode())
    # other boards have buttons where SPI is
    needs_spi = wanted.board not in {"", NONE} and has_spi(choose_board(wanted.board)[1])
    _rewrite(boot / "config.txt", partial(with_spi, is_wanted=needs_spi))
    _rewrite(boot / "cmdline.txt", with_our_words)
    for line in _told(wanted):
        click.echo(line)


def _check_card(boot: Path) -> None:
    if not (boot / "config.txt").exists() or not (boot / "cmdline.txt").exists():
        told = _("{folder}: no boot partition of Raspberry Pi OS: in that are config.txt and cmdline.txt")
        raise click.ClickException(told.format(folder=boot))
    if any((boot / name).is_symlink() for name in WRITTEN):
        raise click.ClickException(_("{folder}: there are links in it, as on no card").format(folder=boot))
    if not (boot / "meta-data").exists():
        told = _("{folder}: this system can't be told so: use Raspberry Pi OS, 64-bit, from November 2025 on")
        raise click.ClickException(told.format(folder=boot))


def _first_boot(
    *,
    wifi: str | None,
    country: str | None,
    board: str | None,
    hostname: str,
    ssh_key: Path | None,
    timezone: str | None,
    has_screen: bool,
) -> FirstBoot:
    if not NAME.fullmatch(hostname):
        raise click.UsageError(_("a computer's name has small letters, digits and -, as in coyote-2"))
    if timezone is not None and timezone not in available_timezones():
        raise click.UsageError(_("a time zone is named as in Europe/Paris"))
    return FirstBoot(
        hostname=hostname,
        board=choose_board(board)[0] if board and board != NONE else board or "",
        language=preferred_language(os.environ),
        timezone=timezone,
        country=None if country is None and wifi is None else country_of(country),
        wifi=None if wifi is None else _wifi(wifi),
        ssh_key=None if ssh_key is None else _key(ssh_key),
        has_screen=has_screen,
    )


def _wifi(name: str) -> WiFi:
    if not name.isprintable() or not 0 < len(name.encode()) <= 32:
        raise click.UsageError(_("a Wi-Fi's name has 1 to 32 letters"))
    return WiFi(name, read_password())


def _key(file: Path) -> str:
    with click_errors(file):
        key = file.read_text(encoding="utf-8", errors="replace").strip()
    if not KEY.fullmatch(key):
        raise click.ClickException(
            label_text(str(file), _("no public key of SSH: name the file that ends in .pub"))
        )
    return key


def _bundle(file: Path) -> None:
    """Pack this program with its history: updates go on from there."""
    home = home_of(ROOT)
    if home is None:
        raise click.ClickException(_("this needs the program as a checkout: git clone, then ./run table image"))
    what = ("HEAD", "--branches", "--tags")
    done = run_program(("git", "-C", str(home.root), "bundle", "create", "--quiet", str(file.resolve()), *what))
    if done.returncode != 0:
        raise click.ClickException(label_text("git", last_words(done)))


def _rewrite(file: Path, wanted: Callable[[str], str]) -> None:
    with click_errors(file):
        told = file.read_text(encoding="utf-8", errors="surrogateescape")
    if (text := wanted(told)) != told:
        write_output(file, text.encode(errors="surrogateescape"))


def _put_aside(file: Path) -> None:
    aside = file.with_name(file.name + OLDER)
    if file.exists() and not aside.exists():
        with click_errors(file):
            file.replace(aside)


def _told(wish: FirstBoot) -> list[str]:
    lines = [
        _("The card is ready: put it into the Raspberry Pi, and switch it on."),
        _("After a quarter of an hour: http://{name}.local").format(name=wish.hostname),
        _("The first phone there leads the table: its page says how, on the screen or by loudspeaker."),
        _("If nothing comes: coyote/install.log on the card says why."),
    ]
    if wish.wifi is not None:
        lines.append(_("Until the first start the Wi-Fi's password lies readable on the card."))
    return lines
