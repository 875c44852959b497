"""What Linux reports about processes in `/proc`; nothing about those that have ended."""

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def read(pid: int | str, what: str) -> bytes:
    try:
        return (PROC / f"{pid}" / what).read_bytes()
    except OSError:
        return b""


def reported(name: str, file: str) -> int:
    """Return the number in a named line, in kilobytes for memory; 0 if there is none."""
    lines = read("", file).decode(errors="replace").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


def cpu_seconds(pid: int) -> float:
    """Return a process's CPU seconds, over all of its threads."""
    fields = _stat(pid)
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def is_alive(pid: int | None) -> bool:
    """Return whether a process exists and isn't a zombie."""
    return pid is not None and bool(read(pid, "cmdline"))


def running() -> Iterator[int]:
    return (int(folder.name) for folder in PROC.iterdir() if folder.name.isdecimal())


def pids_with(entry: str) -> Iterator[int]:
    """Yield the processes with an entry of the environment, such as `NAME=value`."""
    return (pid for pid in running() if entry.encode() in read(pid, "environ").split(b"\0"))


def parent(pid: int) -> int:
    """Return the parent of a process; 0 if it has ended."""
    return int((_stat(pid)[1:2] or [b"0"])[0])


def _stat(pid: int) -> list[bytes]:
    return read(pid, "stat").rpartition(b")")[2].split()
