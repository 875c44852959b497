"""A fake system with NetworkManager for `coyote table wifi`, according to the manuals.

Programs run without processes. Tests control time and reboots.
"""

import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from configparser import RawConfigParser
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware.cli import access_point, system
from firmware.storage.access_point import RUN

HOME = "0f5c7c3a-home"
SUCCESS, INVALID_CALL, ACTIVATION_FAILED, UNKNOWN_CONNECTION = 0, 2, 4, 10
"""Exit codes of nmcli: success, invalid call, failed activation, unknown connection."""
PROGRAMS = frozenset({"sudo", "nmcli", "systemd-run", "dnsmasq", "iw", "raspi-config", "rfkill", "systemctl"})
SYSTEM = ("/etc/", "/run/")
LOOPBACK = "lo-uuid:lo"
Answer = tuple[int, str]


class KilledError(BaseException):
    """The command was killed; the command must not catch this."""


@dataclass
class Profile:
    """A connection profile of NetworkManager."""

    id: str
    mode: str = "infrastructure"
    autoconnect: bool = True
    priority: int = 0


@dataclass
class FakeNetwork:
    """A machine connected to the home Wi-Fi."""

    root: Path
    programs: set[str] = field(default_factory=lambda: set(PROGRAMS))
    devices: tuple[str, ...] = ("lo:loopback", "wlan0:wifi")
    profiles: dict[str, Profile] = field(default_factory=lambda: {HOME: Profile("home")})
    active: str | None = HOME
    timer: str | None = None
    gives_addresses: bool = False
    gives_addresses_at_start: bool = False
    is_radio_well: bool = True
    has_isolation: bool = True
    dies_at: int = 0
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def take_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(access_point, "run_program", self.run)
        monkeypatch.setattr(system, "run_program", self.run)
        monkeypatch.setattr(access_point, "find_program", lambda name: name if name in self.programs else None)
        monkeypatch.setattr(access_point, "RUN", self.run_folder)
        monkeypatch.setattr(signal, "signal", lambda *_words: None)

    @property
    def run_folder(self) -> Path:
        return self._place(str(RUN))

    def _place(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith(SYSTEM) else Path(path)

    @property
    def is_own(self) -> bool:
        """Return whether the machine runs its own Wi-Fi, and assigns addresses to phones."""
        return self.active is not None and self.profiles[self.active].mode == "ap" and self.gives_addresses

    @property
    def is_home(self) -> bool:
        """Return whether the machine is in the home Wi-Fi again, without a DHCP server."""
        return self.active == HOME and not self.gives_addresses

    # external events

    def pass_two_minutes(self) -> None:
        """Run the timer's command in a shell with the fake programs."""
        script, self.timer = self.timer, None
        if script is None:
            return
        for path in SYSTEM:
            script = script.replace(f" {path}", f" {self.root}{path}")
        done = self.root / "done"
        stubs = "".join(f'{name}() {{ echo "{name} $*" >>{done}; }}\n' for name in ("nmcli", "systemctl"))
        subprocess.run(["/bin/sh", "-c", f"{stubs}{script}"], check=False, capture_output=True)
        for line in done.read_text(encoding="utf-8").splitlines():
            self._do(shlex.split(line))
        done.unlink()

    def start_anew(self) -> None:
        """Reboot after a power cut: memory is lost, and automatic connections start."""
        shutil.rmtree(self._place("/run/"), ignore_errors=True)
        able = [uuid for uuid, profile in self.profiles.items() if profile.autoconnect]
        self.active = max(able, key=lambda uuid: self.profiles[uuid].priority)
        self.timer, self.gives_addresses = None, self.gives_addresses_at_start

    def files(self) -> dict[str, str]:
        there = (file for file in self.root.rglob("*") if file.is_file())
        return {file.name: file.read_text(encoding="utf-8") for file in there}

    # programs

    def run(self, command: Sequence[str], reads: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a program; the command may be killed before each program with sudo."""
        if command[0] not in self.programs:
            raise FileNotFoundError(2, "No such file or directory", command[0])
        words = tuple(command)
        if words[0] == "sudo":
            self.calls.append(words)
            words = words[1:]
        if self.dies_at and len(self.calls) == self.dies_at:
            raise KilledError
        code, said = self._do(words, reads)
        return subprocess.CompletedProcess(words, code, said, f"Error: {code}.\n" if code else "")

    def _do(self, command: Sequence[str], reads: str = "") -> Answer:
        match list(command):
            case ["nmcli", "--wait", "30", *words] | ["nmcli", *words]:
                return self._nmcli(words)
            case ["systemd-run", *words] if "--on-active=120" in words and self.timer is None:
                self.timer = words[-1].replace("$$", "$")
            case ["systemctl", *words]:
                self._systemctl(words)
            case ["install", "-d", "-m", "755", folder]:
                self._place(folder).mkdir(parents=True, exist_ok=True)
            case ["install", "-m", mode, "/dev/stdin", name]:
                file = self._place(name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.unlink(missing_ok=True)
                file.touch(int(mode, 8))
                file.write_text(reads, encoding="utf-8")
            case ["rm", "-rf" | "-f", *names]:
                for place in map(self._place, names):
                    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
            case ["sh", "-c", script]:
                self.timer = script
                self.pass_two_minutes()
            case ["iw", "phy"]:
                return SUCCESS, "\t\t * set_bss\n" if self.has_isolation else "\t\t * start_ap\n"
            case _:
                return (SUCCESS if command[0] in {"raspi-config", "rfkill"} else INVALID_CALL), ""
        return SUCCESS, ""

    def _systemctl(self, words: Sequence[str]) -> None:
        match words:
            case ["stop", "coyote-access-point-end.timer"]:
                self.timer = None
            case ["restart", "coyote-access-point.service"]:
                self.gives_addresses = True
            case ["enable", "coyote-access-point.service"]:
                self.gives_addresses_at_start = True
            case ["disable", "--now", "coyote-access-point.service"]:
                self.gives_addresses = self.gives_addresses_at_start = False

    def _nmcli(self, words: Sequence[str]) -> Answer:
        match words:
            case ["-t", "-f", "DEVICE,TYPE", "device"]:
                rows = [*self.devices]
            case ["-t", "-f", "UUID,DEVICE", "connection", "show", "--active"]:
                rows = [LOOPBACK, *([] if self.active is None else [f"{self.active}:wlan0"])]
            case ["-g", "802-11-wireless.mode", "connection", "show", by, name]:
                uuid = self._find(by, name)
                return (UNKNOWN_CONNECTION, "") if uuid is None else (SUCCESS, f"{self.profiles[uuid].mode}\n")
            case ["connection", "load", file]:
                return self._load(self._place(file)), ""
            case ["connection", "up" | "delete" | "modify" as what, by, name, *more]:
                uuid = self._find(by, name)
                return (UNKNOWN_CONNECTION if uuid is None else self._change(what, uuid, more)), ""
            case _:
                return INVALID_CALL, ""
        return SUCCESS, "".join(f"{row}\n" for row in rows)

    def _find(self, by: str, name: str) -> str | None:
        if by == "uuid":
            return name if name in self.profiles else None
        return next((uuid for uuid, profile in self.profiles.items() if profile.id == name), None)

    def _load(self, file: Path) -> int:
        # NetworkManager rejects files that others can read
        if file.stat().st_mode & 0o077:
            return INVALID_CALL
        text = RawConfigParser()
        text.read(file)
        connection, mode = text["connection"], text["wifi"]["mode"]
        may_connect, priority = connection.getboolean("autoconnect"), connection.getint("autoconnect-priority")
        self.profiles[connection["uuid"]] = Profile(connection["id"], mode, bool(may_connect), priority or 0)
        return SUCCESS

    def _change(self, what: str, uuid: str, more: Sequence[str]) -> int:
        profile = self.profiles[uuid]
        if what == "up":
            fails = profile.mode == "ap" and not self.is_radio_well
            self.active = None if fails else uuid
            return ACTIVATION_FAILED if fails else SUCCESS
        if what == "delete":
            for file in self.root.rglob(f"{self.profiles.pop(uuid).id}.nmconnection"):
                file.unlink()
            # NetworkManager chooses the next connection; the worst case is none
            self.active = None if self.active == uuid else self.active
            return SUCCESS
        profile.autoconnect = more == ["connection.autoconnect", "yes"]
        return SUCCESS if profile.autoconnect else INVALID_CALL
