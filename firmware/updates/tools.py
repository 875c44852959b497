"""Running other programs (git, ssh-keygen, a version's own `run`), and the one line that ends an update."""

import os
import subprocess
import sys
from pathlib import Path


class UpdateError(Exception):
    """Why an update isn't made; the version that runs stays."""


def report(text: str) -> None:
    """Print how far it is."""
    sys.stderr.write(f"{text}\n")


def surroundings(**more: str) -> dict[str, str]:
    """Give the environment of a version's own programs, which choose no version and use no other one's code."""
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    return {**ours, "COYOTE_CHOSEN": "1", **more}


def run_tool(*command: str, given: bytes = b"", seconds: float | None = None) -> bytes:
    """Run a program and give what it printed; the last line of its complaint is the error."""
    try:
        # our children hold the lock of this update, too: none goes on beside the next one
        done = subprocess.run(
            command, input=given, capture_output=True, check=False, close_fds=False, env=surroundings(),
            timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise UpdateError("it takes too long") from error
    except FileNotFoundError as error:
        cure = "" if "/" in command[0] else f": sudo apt install {command[0]}, then try again"
        raise UpdateError(f"{command[0]} is missing{cure}.") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UpdateError(said[-1] if said else f"{command[0]} failed without a word")
    return done.stdout


def git(root: Path, *words: str) -> str:
    """Run git in a checkout."""
    return run_tool("git", "-C", str(root), *words).decode(errors="replace").strip()
