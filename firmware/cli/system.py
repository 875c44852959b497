"""System access of commands: programs, templates, and passwords that avoid the command line."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import click
from babel import Locale

from firmware.language.speaking import _, label_text, system_text
from firmware.services.power import run_command

SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin"
"""Folders of programs that an ordinary user's PATH may lack."""
STDIN = "-"
MAX_LINE = 200


def find_program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SYSTEM_PATH}")


def ask(*command: str) -> str:
    """Return a program's output; empty if it fails."""
    done = run_command(command, seconds=None)
    return done.stdout if done.returncode == 0 else ""


def checkout_of(code: Path) -> Path | None:
    """Return the git checkout that contains the program's code; None for an installed package."""
    return code if (code / ".git").exists() and (code / "run").exists() else None


def template(name: str) -> str:
    return files("hardware").joinpath("systemd", name).read_text(encoding="utf-8")


def filled(name: str, words: Mapping[str, object]) -> str:
    """Fill in a template, without the comment at its head."""
    _head, body = template(name).split("\n\n", 1)
    return body.format(**words)


def country_of(typed: str | None) -> str:
    if typed is None or typed.upper() not in Locale("en").territories or not typed.isalpha():
        raise click.UsageError(_("name your country with two letters: --country FR"))
    return typed.upper()


def read_password(given: str = STDIN) -> str:
    """Read a Wi-Fi password from a private file, a prompt or stdin."""
    if given != STDIN:
        file = Path(given)
        try:
            with file.open(encoding="utf-8", errors="replace") as opened:
                if os.fstat(opened.fileno()).st_mode & 0o077:
                    message = _("others can read {file}: chmod 600 {file}")
                    raise click.ClickException(message.format(file=shlex.quote(str(file))))
                line = opened.readline(MAX_LINE)
        except OSError as error:
            raise click.ClickException(label_text(str(file), system_text(error))) from error
    elif sys.stdin.isatty():
        line = str(click.prompt(_("Wi-Fi password"), hide_input=True))
    else:
        line = sys.stdin.readline(MAX_LINE)
    password = line.rstrip("\r\n")
    if not 8 <= len(password) <= 63 or not password.isascii() or not password.isprintable():
        raise click.UsageError(_("a Wi-Fi password has 8 to 63 plain letters"))
    return password
