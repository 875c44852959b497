"""`coyote table service`: starts the table with the machine, and restarts it after any failure."""

import grp
import json
import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from getpass import getuser
from pathlib import Path
from pwd import getpwnam, getpwuid
from shutil import which

import click
from msgspec import Struct
from platformdirs import user_data_path

from firmware.cli.output import click_errors, say_all, write_output
from firmware.cli.system import checkout_of, filled, template
from firmware.language.catalogues import preferred_language
from firmware.language.speaking import _
from firmware.services.power import run_command, why_failed
from firmware.services.screen_user import SCREEN_USER
from firmware.state_folder import CONFIGURATION, JOURNAL, service_state
from firmware.state_folder import NAME as NAME_OF_FOLDERS
from firmware.storage.configuration import SettingsError, settings_in

NAME, KIOSK = "coyote.service", "coyote-kiosk.service"
SYSTEM_UNITS = Path("/etc/systemd/system")
DESKTOP = Path("/etc/systemd/system/display-manager.service")
"""Exists if a desktop starts with the computer."""
ROOT = "root"
GROUPS = ("gpio", "video", "render", "audio", "input", "spi")
"""Groups with access to pins, cameras, sound, USB buttons and SPI."""
SCREEN_GROUPS = ("video", "render", "audio")  # groups that may draw and play sound
READABLE = 0o005  # permission bits for others to read a folder
SYSUSERS = Path(f"/etc/sysusers.d/{SCREEN_USER}.conf")
POWER_RULE = Path("/etc/polkit-1/rules.d/50-coyote-table.rules")
SYSTEM_ONLY = "# for a system service only"
CODE = Path(__file__).resolve().parents[2]
PROGRAM = Path(sys.executable).with_name("coyote")


class Service(Struct, frozen=True):
    """Unit files, and the commands that start them."""

    files: Mapping[Path, str]
    commands: tuple[tuple[str, ...], ...]


@click.command(
    help=_("""Start the table with the computer: write a systemd unit and enable it.

    By default it is a system service, which needs sudo and runs as your user.

    \b
    sudo coyote table service
    sudo coyote table service --screen
    coyote table service --user""")
)
@click.option(
    "--user", is_flag=True, help=_("Install a user service: it needs no sudo, but is less protected.")
)
@click.option("--screen", is_flag=True, help=_("Also show the table's screen on this computer's monitor."))
@click.option("--dry-run", is_flag=True, help=_("Print the unit and the commands without changing anything."))
def install_service(*, user: bool, screen: bool, dry_run: bool) -> None:
    checkout = checkout_of(CODE)
    if not dry_run:
        require_caller(os.geteuid() == 0, user=user)
    owner = user_for(None if user else os.environ.get("SUDO_USER"), checkout)
    service = user_service() if user else system_service(owner)
    if screen:
        service = with_screen(service, checkout, "" if user else owner, has_desktop=DESKTOP.exists())
        if not dry_run:
            screen_command(which, Path(), has_desktop=DESKTOP.exists())
            # refuse code that others can't read, because the screen's browser runs as another user
            folders = () if DESKTOP.exists() else (*_code_folders(checkout), Path(sys.prefix))
            shut = next((folder for folder in folders if folder.stat().st_mode & READABLE != READABLE), None)
            if shut is not None:
                message = _("the screen's own user can't read {folder}: chmod -R o+rX {name}")
                raise click.ClickException(message.format(folder=shut, name=shlex.quote(str(shut))))
    if dry_run:
        click.echo("\n".join(f"# {file}\n{text}" for file, text in service.files.items()))
        click.echo("\n".join(shlex.join(command) for command in service.commands))
        return
    say_all(_prepare_state(owner, user=user))
    for file, text in service.files.items():
        write_for_system(file, text)
    for command in service.commands:
        run(command)
    status = "systemctl --user status coyote" if user else "systemctl status coyote"
    click.echo(_("The table runs as a service. Its status: {command}").format(command=status))


def write_for_system(file: Path, text: str) -> None:
    """Write a system file: readable by systemd and polkit, writable only by root."""
    with click_errors(file):
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    write_output(file, text.encode())
    file.chmod(0o644)


def require_caller(is_root: bool, *, user: bool) -> None:
    if is_root and user:
        raise click.ClickException(_("install a user service without sudo, and not as root"))
    if not is_root and not user:
        raise click.ClickException(_("this needs sudo: sudo {command}").format(command=shlex.join(sys.argv)))


def user_for(caller: str | None, checkout: Path | None) -> str:
    """Return the service's user: the caller of sudo or the owner of the checkout, never root."""
    owner = getpwuid(checkout.stat().st_uid).pw_name if checkout else ROOT
    caller = caller or getuser()
    user = owner if caller == ROOT else caller
    if user == ROOT:
        message = _("the table doesn't run as root: log in as the user who will run it, then use sudo")
        raise click.ClickException(message)
    if checkout is not None and owner != user:
        message = _("{folder} belongs to {owner}, so {user} can't update it: sudo chown -R {user} {folder}")
        raise click.ClickException(message.format(folder=checkout, owner=owner, user=user))
    return user


def system_service(user: str) -> Service:
    text = unit("multi-user.target", user, [group.gr_name for group in grp.getgrall()])
    commands = (("systemctl", "daemon-reload"), ("systemctl", "enable", "--now", NAME))
    return Service({SYSTEM_UNITS / NAME: text, POWER_RULE: power_rule(user)}, commands)


def with_screen(service: Service, checkout: Path | None, user: str, *, has_desktop: bool) -> Service:
    """Add the screen: a desktop's autostart file, or a unit with its own terminal."""
    words = {
        "command": f"{_quote_path(PROGRAM)} table screen",
        "language": _locale(),
        "groups": _present(SCREEN_GROUPS, [group.gr_name for group in grp.getgrall()]),
        "code": " ".join(map(_quote_path, _code_folders(checkout))),
    }
    if has_desktop:
        file = (Path("/etc/xdg") if user else _config_home()) / "autostart" / "coyote-kiosk.desktop"
        return Service({**service.files, file: template(file.name).format(**words)}, service.commands)
    if not user:
        message = _("without a desktop, the screen is a system service: install it with sudo")
        raise click.ClickException(message)
    own = {
        SYSUSERS: f'u {SCREEN_USER} - "Coyote Table, the screen" /var/lib/coyote-kiosk\n',
        SYSTEM_UNITS / KIOSK: filled(KIOSK, words),
    }
    begin, end = ("systemd-sysusers", str(SYSUSERS)), ("systemctl", "enable", "--now", KIOSK)
    return Service({**service.files, **own}, (begin, *service.commands, end))


def _code_folders(checkout: Path | None) -> tuple[Path, ...]:
    both = (checkout or Path(sys.prefix), Path(sys.base_prefix))
    return tuple(folder for folder in both if Path("/usr") not in (folder, *folder.parents))


def power_rule(user: str) -> str:
    """Return the polkit rule that lets the table shut down its computer; the name is escaped."""
    return template(POWER_RULE.name).format(user=json.dumps(user))


def user_service() -> Service:
    """Return a service of this user, which also runs while nobody is logged in."""
    folder = _config_home() / "systemd/user"
    # omit parts that only a system service may have
    parts = unit("default.target", "", ()).split("\n\n")
    text = "\n\n".join(part for part in parts if not part.startswith(SYSTEM_ONLY))
    commands = (
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "--now", NAME),
        ("loginctl", "enable-linger"),
    )
    return Service({folder / NAME: text}, commands)


def unit(target: str, user: str, there: Collection[str]) -> str:
    """Return the table's unit; groups that don't exist are omitted."""
    # the configured folder of second copies is an optional path of the unit
    folder = None
    # the user may not exist yet
    with suppress(KeyError, OSError, SettingsError):
        own = Path(getpwnam(user).pw_dir, ".config", NAME_OF_FOLDERS, CONFIGURATION)
        of_service = Path("/etc", NAME_OF_FOLDERS, CONFIGURATION)
        folder = settings_in(of_service if of_service.exists() else own).copy.folder
    # a line break would start another line of the unit
    is_plain = folder is not None and folder.startswith("/") and folder.isprintable()
    words = {
        "command": f"{_quote_path(PROGRAM)} run",
        "language": _locale(),
        "user": user,
        "groups": _present(GROUPS, there),
        "target": target,
        "copies": f" {_quote_path(Path(f'-{folder}'))}" if is_plain else "",
    }
    return filled(NAME, words)


def _present(groups: Sequence[str], there: Collection[str]) -> str:
    return " ".join(group for group in groups if group in there)


def _locale() -> str:
    spoken = preferred_language()
    return "C.UTF-8" if spoken == "en" else f"{spoken}_{spoken.upper()}.UTF-8"


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _prepare_state(owner: str, *, user: bool) -> Iterator[str]:
    new = user_data_path("coyote-table") if user else service_state()
    if not user and not new.is_dir():
        # private, like the folders that systemd creates
        with click_errors(new):
            new.mkdir(mode=0o700)
            os.chown(new, getpwnam(owner).pw_uid, getpwnam(owner).pw_gid)
    yield _("The table's files are in {folder}.").format(folder=new)
    own = Path(getpwnam(owner).pw_dir, ".local", "share", NAME_OF_FOLDERS)
    if own != new and (own / JOURNAL).exists():
        command = (
            f"STATE_DIRECTORY={shlex.quote(str(own))} coyote table backup FILE && coyote table restore FILE"
        )
        message = _("Matches in {folder} stay there; to transfer them: {command}")
        yield message.format(folder=own, command=command)


def _quote_path(path: Path) -> str:
    plain = str(path).replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"' if " " in plain else plain


def run(command: tuple[str, ...]) -> None:
    if why := why_failed(run_command(command, seconds=None)):
        message = _("{command} failed: {why}")
        raise click.ClickException(message.format(command=shlex.join(command), why=why))


BROWSERS = ("chromium", "chromium-browser")
"""Names of the browser on Debian and on older Raspberry Pi OS."""
DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY")  # variables that name a desktop's display
OPTIONS = (
    *("--kiosk", "--no-first-run", "--noerrdialogs", "--disable-session-crashed-bubble"),
    *("--hide-crash-restore-bubble", "--disable-features=Translate", "--password-store=basic"),
    "--autoplay-policy=no-user-gesture-required",
)
"""Options for a browser that shows a single page and plays its sounds."""
Find = Callable[[str], str | None]


def has_display() -> bool:
    return any(os.environ.get(name) for name in DISPLAYS)


def screen_command(find: Find, profile: Path, *, has_desktop: bool) -> tuple[str, ...]:
    browser = next((found for name in BROWSERS if (found := find(name))), None)
    cage = None if has_desktop else find("cage")
    # Debian's cage needs Xwayland, but doesn't depend on it
    needed = {"chromium": browser, **({} if has_desktop else {"cage": cage, "xwayland": find("Xwayland")})}
    missing = [name for name, found in needed.items() if found is None]
    if missing:
        message = _("this computer has no {names}: sudo apt install {packages}")
        raise click.ClickException(message.format(names=", ".join(missing), packages=" ".join(missing)))
    shown = (str(browser), *OPTIONS, f"--user-data-dir={profile}")
    # -s allows switching to another terminal with Ctrl, Alt and F2
    return shown if cage is None else (cage, "-s", "--", *shown, "--ozone-platform=wayland")
