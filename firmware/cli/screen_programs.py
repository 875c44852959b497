"""The programs that show the table's screen: Chromium on a desktop, or in cage where there is none."""

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from firmware.language.speaking import _

BROWSERS = ("chromium", "chromium-browser")
"""How the browser is called, on Debian and on older Raspberry Pi OS."""
DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY")
"""Variables that name a desktop's display."""
OPTIONS = (
    "--kiosk",
    "--no-first-run",
    "--noerrdialogs",
    "--disable-session-crashed-bubble",
    "--hide-crash-restore-bubble",
    "--disable-features=Translate",
    "--password-store=basic",
    "--autoplay-policy=no-user-gesture-required",
)
"""What lets a browser show one page and nothing else, with its tunes."""

Find = Callable[[str], str | None]


def has_display(environ: Mapping[str, str]) -> bool:
    """Tell whether a desktop's display is there."""
    return any(environ.get(name) for name in DISPLAYS)


def screen_command(find: Find, profile: Path, *, has_desktop: bool) -> tuple[str, ...]:
    """Give the browser's command, in cage where there is no desktop; say what is missing."""
    browser = next((found for name in BROWSERS if (found := find(name))), None)
    cage = None if has_desktop else find("cage")
    # Debian's cage ends where Xwayland isn't there, and doesn't bring it
    needed = {"chromium": browser, **({} if has_desktop else {"cage": cage, "xwayland": find("Xwayland")})}
    missing = [name for name, found in needed.items() if found is None]
    if missing:
        told = _("this computer has no {names}: sudo apt install {packages}")
        raise click.ClickException(told.format(names=", ".join(missing), packages=" ".join(missing)))
    shown = (str(browser), *OPTIONS, f"--user-data-dir={profile}")
    # with -s, another terminal is reached by Ctrl, Alt and F2
    return shown if cage is None else (cage, "-s", "--", *shown, "--ozone-platform=wayland")
