"""`coyote table wifi`: passwords don't leak, phones stay isolated, unconfirmed changes revert."""

import itertools
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from configparser import RawConfigParser
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from firmware.cli import access_point, system
from firmware.cli.access_point import NAME, PROFILE
from firmware.services.addresses import Interface, OwnWifi
from firmware.storage.access_point import PROBED, RUN, WIFI_ACCESS
from tests.firmware.conftest import Coyote

HOME = "0f5c7c3a-home"
SUCCESS, INVALID_CALL, ACTIVATION_FAILED, UNKNOWN_CONNECTION = 0, 2, 4, 10
"""Exit codes of nmcli: success, invalid call, failed activation, unknown connection."""
PROGRAMS = frozenset({"sudo", "nmcli", "systemd-run", "dnsmasq", "iw", "raspi-config", "rfkill", "systemctl"})
SYSTEM = ("/etc/", "/run/")
Answer = tuple[int, str]


class KilledError(BaseException):
    """The command was killed; the command must not catch this."""


@dataclass
class FakeNetwork:
    """A machine connected to the home Wi-Fi."""

    root: Path
    programs: set[str] = field(default_factory=lambda: set(PROGRAMS))
    devices: tuple[str, ...] = ("lo:loopback", "wlan0:wifi")
    own: str | None = None  # the uuid of the table's profile
    autoconnects: bool = False  # whether the table's profile does
    active: str | None = HOME
    timer: str | None = None
    gives_addresses: bool = False
    gives_addresses_at_start: bool = False
    is_radio_well: bool = True
    has_isolation: bool = True
    dies_at: int = 0
    calls: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def run_folder(self) -> Path:
        return self._place(str(RUN))

    def _place(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith(SYSTEM) else Path(path)

    @property
    def is_own(self) -> bool:
        """Return whether the machine runs its own Wi-Fi, and assigns addresses to phones."""
        return self.active is not None and self.active == self.own and self.gives_addresses

    @property
    def is_home(self) -> bool:
        """Return whether the machine is in the home Wi-Fi again, without a DHCP server."""
        return self.active == HOME and not self.gives_addresses

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
        self.active = self.own if self.own is not None and self.autoconnects else HOME
        self.timer, self.gives_addresses = None, self.gives_addresses_at_start

    def files(self) -> dict[str, str]:
        there = (file for file in self.root.rglob("*") if file.is_file())
        return {file.name: file.read_text(encoding="utf-8") for file in there}

    def run(
        self, command: Sequence[str], given: bytes = b"", seconds: float | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program; the command may be killed before each program with sudo."""
        if command[0] not in self.programs:
            return subprocess.CompletedProcess(command, 127, "", f"{command[0]}: No such file or directory")
        assert seconds is None
        words = tuple(command)
        if words[0] == "sudo":
            self.calls.append(words)
            words = words[1:]
        if self.dies_at and len(self.calls) == self.dies_at:
            raise KilledError
        code, said = self._do(words, given.decode())
        return subprocess.CompletedProcess(words, code, said, f"Error: {code}.\n" if code else "")

    def _do(self, command: Sequence[str], reads: str = "") -> Answer:
        match list(command):
            case ["nmcli", "--wait", "30", *words] | ["nmcli", *words]:
                return self._nmcli(words)
            case ["systemd-run", *words] if "--on-active=120" in words and self.timer is None:
                self.timer = words[-1].replace("$$", "$")
            case ["systemctl", verb, *_units]:
                self.timer = None if verb == "stop" else self.timer
                now, later = self.gives_addresses, self.gives_addresses_at_start
                self.gives_addresses = {"restart": True, "disable": False}.get(verb, now)
                self.gives_addresses_at_start = {"enable": True, "disable": False}.get(verb, later)
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

    def _nmcli(self, words: Sequence[str]) -> Answer:
        is_own, said = self.own is not None and bool({self.own, NAME} & {*words}), ""
        match words:
            case ["-t", "-f", "DEVICE,TYPE", "device"]:
                said = "\n".join(self.devices)
            case ["-t", "-f", "UUID,DEVICE", "connection", "show", "--active"]:
                said = f"lo-uuid:lo\n{self.active}:wlan0\n" if self.active else "lo-uuid:lo\n"
            case ["-g", "802-11-wireless.mode", "connection", "show", "id" | "uuid", name] if (
                is_own or name == HOME
            ):
                said = "ap" if is_own else "infrastructure"
            case ["connection", "load", file]:
                return self._load(self._place(file)), ""
            case ["connection", "up", "uuid", uuid] if is_own or uuid == HOME:
                works = uuid == HOME or self.is_radio_well
                self.active = uuid if works else None
                return SUCCESS if works else ACTIVATION_FAILED, ""
            case ["connection", "delete", "id" | "uuid", _name] if is_own:
                self._place(str(PROFILE)).unlink()
                # NetworkManager chooses the next connection; the worst case is none
                self.active = None if self.active == self.own else self.active
                self.own, self.autoconnects = None, False
            case ["connection", "modify", "uuid", _name, "connection.autoconnect", "yes"] if is_own:
                self.autoconnects = True
            case _:
                return UNKNOWN_CONNECTION, ""
        return SUCCESS, said

    def _load(self, file: Path) -> int:
        # NetworkManager rejects files that others can read
        if file.stat().st_mode & 0o077:
            return INVALID_CALL
        text = RawConfigParser()
        text.read(file)
        connection = text["connection"]
        is_first = connection.getint("autoconnect-priority", 0) > 0
        assert (connection["id"], text["wifi"]["mode"], is_first) == (NAME, "ap", True)
        self.own, self.autoconnects = connection["uuid"], bool(connection.getboolean("autoconnect"))
        return SUCCESS


def made_up_network(root: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    root.mkdir()
    network = FakeNetwork(root)
    for module in (access_point, system):
        monkeypatch.setattr(module, "run_command", network.run)
    monkeypatch.setattr(access_point, "find_program", lambda name: name if name in network.programs else None)
    monkeypatch.setattr(access_point, "RUN", network.run_folder)
    monkeypatch.setattr(signal, "signal", lambda *_words: None)
    return network


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return made_up_network(tmp_path / "network", monkeypatch)


SECRET = "open sesame"  # noqa: S105 - no secret of ours


def test_failing_radio_changes_nothing(coyote: Coyote, network: FakeNetwork) -> None:
    assert coyote("table wifi --country fr --dry-run").code == 0
    assert network.calls == []
    network.is_radio_well = False
    result = coyote("table wifi --country FR")
    assert result.code == 1
    # the instructions come before the switch
    assert all(word in result.out for word in ("coyote-table", "password: ", "10.42.0.1", "--confirm", "120"))
    assert network.is_home
    assert network.timer is None


def test_switch_stays_once_confirmed_in_terminal(coyote: Coyote, network: FakeNetwork) -> None:
    assert coyote("table wifi --off").out == "The table has no Wi-Fi of its own.\n"
    coyote("table wifi --country FR")
    assert "stays" in coyote("table wifi --confirm").out
    network.pass_two_minutes()
    assert network.is_own
    network.start_anew()
    assert network.is_own
    assert coyote("table wifi --confirm").code == 1
    assert "already" in coyote("table wifi --country FR").err
    result = coyote("table wifi --off")
    assert (result.code, result.out) == (0, "")
    network.start_anew()
    assert network.is_home
    assert (network.own, "id coyote-table" in repr(network.calls)) == (None, False)


def test_page_confirmation_counts_for_one_attempt_only(
    coyote: Coyote, network: FakeNetwork, tmp_path: Path
) -> None:
    page = OwnWifi(tmp_path / "state", network.run_folder)
    assert page.seconds_left() is None
    assert not page.keep()
    coyote("table wifi --country FR")
    late = OwnWifi(tmp_path / "state", network.run_folder, lambda: monotonic() + 200)
    assert late.seconds_left() is None
    assert not late.keep()
    assert 0 < (page.seconds_left() or 0) <= 120
    assert page.keep()
    assert page.seconds_left() is None
    network.pass_two_minutes()
    assert network.is_own
    coyote("table wifi --off")
    network.start_anew()
    coyote("table wifi --country FR")
    assert network.is_own
    network.pass_two_minutes()
    assert network.is_home


def test_only_table_can_read_its_network_while_active(
    coyote: Coyote, network: FakeNetwork, tmp_path: Path
) -> None:
    there = [Interface("wlan0", "10.42.0.1")]
    page = OwnWifi(tmp_path / "state", network.run_folder, found=lambda: there)
    assert page.access() is None
    result = coyote("table wifi --country FR --name ours")
    access = page.access()
    assert access is not None
    assert access.name == "ours"
    assert f"password: {access.password}," in result.out
    file = tmp_path / "state" / WIFI_ACCESS.name
    assert file.stat().st_mode & 0o777 == 0o600
    # the earlier Wi-Fi is back
    there.clear()
    assert page.access() is None
    there.append(Interface("wlan0", "10.42.0.1"))
    coyote("table wifi --off")
    assert page.access() is None
    assert not file.exists()


@pytest.mark.parametrize("is_cut", [False, True])
def test_kill_at_any_step_reverts_within_two_minutes_or_at_reboot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_cut: bool
) -> None:
    for at in itertools.count(1):
        network = made_up_network(tmp_path / str(at), monkeypatch)
        network.dies_at = at
        try:
            access_point.access_point.main(["--country", "FR"], standalone_mode=False)
            is_killed = False
        except KilledError:
            is_killed = True
        if is_cut:
            network.start_anew()
        else:
            network.pass_two_minutes()
        assert network.is_home, at
        if not is_killed:
            # not even then is it confirmed
            assert at > 12
            assert is_cut or (network.own, network.files()) == (None, {})
            return


def test_phones_are_isolated_and_nothing_is_routed(coyote: Coyote, network: FakeNetwork) -> None:
    assert "may not isolate phones" not in coyote("table wifi --country FR --name 'our table'").out
    profile = network.files()["coyote-access-point.nmconnection"]
    assert "ap-isolation=1\n" in profile
    assert "method=manual\naddress1=10.42.0.1/24\nnever-default=true\n" in profile
    assert "shared" not in profile
    assert "ssid=our table\n" in profile
    unit = network.files()["coyote-access-point.service"]
    for word in (
        "interface=wlan0",
        "port=0",
        "dhcp-option=option:router ",
        "dhcp-range=10.42.0.10,10.42.0.250,",
    ):
        assert f"--{word}" in unit
    # every name resolves to the table
    [names] = [line for line in unit.splitlines() if line.startswith("ExecStartPost=-")]
    for word in ("--interface=wlan0", "--except-interface=lo", "--no-resolv", "--no-hosts"):
        assert word in names.split()
    assert re.findall(r"--address=/([^/]+)/(\S+)", names) == [(name, "10.42.0.1") for name in PROBED]
    assert "--dhcp-option=option:dns-server,10.42.0.1 " in unit
    coyote("table wifi --off")
    network.has_isolation = False
    assert "may not isolate phones" in coyote("table wifi --country FR").out


def test_password_is_on_no_command_line(coyote: Coyote, network: FakeNetwork, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\n", encoding="utf-8")
    file.chmod(0o644)
    assert "chmod 600" in coyote(f"table wifi --country FR --password-file {file}").err
    assert network.calls == []
    file.chmod(0o600)
    result = coyote(f"table wifi --country FR --password-file {file}")
    assert result.code == 0
    assert SECRET in result.out
    assert f"psk={SECRET}\n" in network.files()["coyote-access-point.nmconnection"]
    assert SECRET not in repr(network.calls)
    coyote("table wifi --off")
    # typed, with any plain letters
    assert coyote("table wifi --country FR --password-file -", typed=" a\\b;c d\n").code == 0
    assert "psk=\\sa\\\\b;c d\n" in network.files()["coyote-access-point.nmconnection"]


MISSING = [("--country FR", {"programs": PROGRAMS - {each}}, each) for each in ("nmcli", "dnsmasq", "sudo")]


@pytest.mark.parametrize(
    ("words", "changes", "expected"),
    [
        ("", {}, "--country FR"),
        ("--country France", {}, "--country FR"),
        ("--country FR --password-file -", {}, "8 to 63"),
        ("--country FR --password-file nowhere", {}, "nowhere: "),
        ("--country FR --name 'a\nb'", {}, "32 plain"),
        ("--country FR --name ';'", {}, "32 plain"),
        *MISSING,
        ("--country FR", {"devices": ("eth0:ethernet",)}, "no Wi-Fi here"),
    ],
)
def test_impossible_request_gets_one_line_and_changes_nothing(
    coyote: Coyote, network: FakeNetwork, words: str, changes: dict[str, Any], expected: str
) -> None:
    for name, value in changes.items():
        setattr(network, name, value)
    result = coyote(f"table wifi {words}", typed="short\n")
    assert (result.code > 0, result.err.count("\n"), expected in result.err) == (True, 1, True)
    assert network.calls == []


OWN_NETWORK, HOME_NETWORK = Interface("wlan0", "10.42.0.1"), Interface("wlan0", "10.42.0.77")


@pytest.mark.parametrize(
    ("host", "address", "found", "is_led"),
    [
        ("connectivitycheck.gstatic.com:80", "10.42.0.17", OWN_NETWORK, True),
        ("WWW.msftconnecttest.com.", "10.42.0.17", OWN_NETWORK, True),
        # a home network with the same addresses
        ("captive.apple.com", "10.42.0.17", HOME_NETWORK, False),
        ("captive.apple.com", "10.42.1.17", OWN_NETWORK, False),
        ("captive.apple.com", "2001:db8::1", OWN_NETWORK, False),
        ("apple.com", "10.42.0.17", OWN_NETWORK, False),
    ],
)
def test_only_own_phones_looking_for_a_page_are_redirected(
    tmp_path: Path, host: str, address: str, found: Interface, *, is_led: bool
) -> None:
    page = OwnWifi(tmp_path, tmp_path, found=lambda: (found,))
    assert page.portal(host, address) == ("10.42.0.1" if is_led else None)
