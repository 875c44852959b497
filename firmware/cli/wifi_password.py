"""A Wi-Fi's password: typed or read, and on no command line."""

import os
import shlex
import sys
from pathlib import Path

import click

from firmware.language.speaking import _, label_text, system_text

STDIN = "-"
LONGEST = 200


def read_password(given: str = STDIN) -> str:
    """Read the password from a file that only the caller can read, or have it typed."""
    said = _typed_password() if given == STDIN else _password_in(Path(given))
    password = said.rstrip("\r\n")
    if not 8 <= len(password) <= 63 or not password.isascii() or not password.isprintable():
        raise click.UsageError(_("a Wi-Fi's password has 8 to 63 plain letters"))
    return password


def _typed_password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt(_("Password of the Wi-Fi"), hide_input=True))
    return sys.stdin.readline(LONGEST)


def _password_in(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            if os.fstat(opened.fileno()).st_mode & 0o077:
                told = _("others can read {file}: chmod 600 {file}")
                raise click.ClickException(told.format(file=shlex.quote(str(file))))
            return opened.readline(LONGEST)
    except OSError as error:
        raise click.ClickException(label_text(str(file), system_text(error))) from error
