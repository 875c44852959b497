"""Running other programs (git, ssh-keygen, a version's own `run`), and the one line that ends an update."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

DRAFT = ".draft-"  # how what isn't there whole yet begins: it is removed, or written over


class UpdateError(Exception):
    """Why an update isn't made; the version that runs stays."""


def report(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def surroundings(**more: str) -> dict[str, str]:
    """Give the environment of a version's own programs, which choose no version and use no other one's code."""
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    return {**ours, "COYOTE_CHOSEN": "1", **more}


def run_tool(*command: str, given: bytes = b"", seconds: float | None = None) -> bytes:
    """Run a program and give what it printed; the error is the last line of its complaint, or git's first."""
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
        why = [line for line in said if line.startswith("fatal: ")][:1] or said[-1:]
        raise UpdateError("".join(why) or f"{command[0]} failed without a word")
    return done.stdout


def git(root: Path, *words: str) -> str:
    return run_tool("git", "-C", str(root), *words).decode(errors="replace").strip()


# files and links that are there whole or not at all, whatever happens meanwhile


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
    """Read a small file; one that isn't there, or can't be read, says nothing."""
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8").strip()
    return ""
