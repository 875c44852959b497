"""Running other programs (git, ssh-keygen, a version's own `run`), and the one line that ends an update."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


class UpdateError(Exception):
    """Why an update isn't made; the version that runs stays."""


PACKAGES = {"git": "git", "ssh-keygen": "openssh-client"}
"""Which package of Debian brings what."""


def report(text: str) -> None:
    """Print how far it is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def run_tool(*command: str, given: bytes = b"", environ: Mapping[str, str] | None = None) -> bytes:
    """Run a program and give what it printed; the last line of its complaint is the error."""
    try:
        # our children hold the lock of this update, too: none goes on beside the next one
        done = subprocess.run(
            command, input=given, capture_output=True, check=False, close_fds=False, env=environ
        )
    except FileNotFoundError as error:
        package = PACKAGES.get(command[0], command[0])
        raise UpdateError(f"{command[0]} is missing: sudo apt install {package}, then try again.") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it failed"]
        raise UpdateError(f"{command[0]}: {said[-1]}")
    return done.stdout


def git(root: Path, *words: str, environ: Mapping[str, str] | None = None) -> str:
    """Run git in a checkout."""
    return run_tool("git", "-C", str(root), *words, environ=environ).decode(errors="replace").strip()
