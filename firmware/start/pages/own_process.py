"""What would hold up the table is done by a process of its own: threads would share one interpreter with it."""

import subprocess
import sys
from collections.abc import Iterable


def run_module(module: str, *arguments: str, given: bytes = b"", patience: float) -> bytes:
    """Run a module of ours, and give what it prints; nothing if it fails, or isn't done in so many seconds."""
    command = [sys.executable, "-P", "-m", module, *arguments]
    try:
        done = subprocess.run(command, input=given, check=True, capture_output=True, timeout=patience)  # noqa: S603 - our own
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout


def clean_lines(record: Iterable[str]) -> tuple[str, ...]:
    """Give the lines of a record as text that can be sent: they may hold bytes that are no text."""
    return tuple(line.encode(errors="replace").decode() for line in record)
