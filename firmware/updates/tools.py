"""Running other programs (git, ssh-keygen, a version's own `run`), and atomic file operations."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

DRAFT = ".draft-"  # prefix of incomplete files and folders, which are removed or overwritten


class UpdateError(Exception):
    """An update failed; the current version stays."""


def report(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def surroundings(**more: str) -> dict[str, str]:
    """Return the environment for a version's own programs, without other versions' variables."""
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    return {**ours, "COYOTE_CHOSEN": "1", **more}


def run_tool(*command: str, given: bytes = b"", seconds: float | None = None) -> bytes:
    """Run a program and return its output; the error has its last line, or git's first fatal one."""
    try:
        # children inherit the update's lock, so that none of them overlaps the next update
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
        why = [line for line in said if line.startswith("fatal: ")][:1] or said[-1:]
        raise UpdateError("".join(why) or f"{command[0]} failed without a word")
    return done.stdout


def git(root: Path, *words: str) -> str:
    return run_tool("git", "-C", str(root), *words).decode(errors="replace").strip()


# atomic writes of files and links


def write_whole(file: Path, content: bytes) -> None:
    draft = draft_of(file)
    with draft.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    sync(file.parent)


def point_link(link: Path, target: str) -> None:
    draft = draft_of(link)
    draft.unlink(missing_ok=True)
    draft.symlink_to(target)
    draft.replace(link)
    sync(link.parent)


def draft_of(path: Path) -> Path:
    return path.with_name(f"{DRAFT}{path.name}")


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def read_text(file: Path) -> str:
    """Return a small file's text; empty if it is missing or unreadable."""
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8").strip()
    return ""
