"""The service's limits as set by systemd: a kernel control group for the companion."""

import os
from importlib.resources import files
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")


def unit() -> dict[str, str]:
    text = files("hardware").joinpath("systemd", "coyote.service").read_text(encoding="utf-8")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


class Limits:
    """A control group with the unit's limits."""

    def __init__(self, memory: int) -> None:
        said = unit()
        (GROUPS / "cgroup.subtree_control").write_text("+memory +pids")
        self._group = GROUPS / "coyote"
        self._group.mkdir()
        self.memory = self._left = memory * int(said["MemoryMax"].removesuffix("%")) // 100
        self.tasks = int(said["TasksMax"])
        self._badness = said["OOMScoreAdjust"]
        self.give_back()
        self._write("pids.max", self.tasks)

    def join(self) -> None:
        self._write("cgroup.procs", os.getpid())
        Path("/proc/self/oom_score_adj").write_text(self._badness)

    def peaks(self) -> tuple[int, int]:
        return self._number("memory.peak"), self._number("pids.peak")

    def refused(self) -> int:
        return self._event("pids.events", "max")

    def killed(self) -> int:
        return self._event("memory.events", "oom_kill")

    def leave(self, room: int) -> int:
        """Limit memory to the unreclaimable bytes plus this many; return the limit.

        Memory of an ended process is freed with a delay, so a later call may leave less, but never more.
        """
        counts = dict(line.split() for line in (self._group / "memory.stat").read_text().splitlines())
        held = self._number("memory.current") - int(counts["file"]) + int(counts["shmem"])
        self._left = min(self._left, held + room)
        self._write("memory.max", self._left)
        return self._left

    def give_back(self) -> None:
        self._left = self.memory
        self._write("memory.max", self._left)

    def _write(self, name: str, value: int) -> None:
        (self._group / name).write_text(str(value))

    def _number(self, name: str) -> int:
        return int((self._group / name).read_text())

    def _event(self, name: str, event: str) -> int:
        counts = (line.split() for line in (self._group / name).read_text().splitlines())
        return next(int(count) for key, count in counts if key == event)
