"""`coyote install-service`, `install-sticks` and `access-point`: what they would write and run."""

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware.cli import install_service as service
from firmware.cli.access_point import removal_commands, setup_commands
from tests.firmware.cli.unit_exposure import measure_exposure
from tests.firmware.conftest import Coyote

EXPOSED = 2.0
"""At most; other versions of systemd count a little otherwise."""
NEEDED = (
    "Type=notify",
    "WatchdogSec=",
    "Restart=always",
    "StartLimitIntervalSec=0",
    "StateDirectory=coyote-table",
    "RuntimeDirectory=coyote-table",
    "LG_WD=%t/coyote-table",
)


@pytest.mark.parametrize("option", ["", "--user"])
def test_the_unit_says_what_a_table_needs_and_waits_for_no_network(coyote: Coyote, option: str) -> None:
    said = coyote(f"install-service --dry-run {option}")
    assert said.code == 0
    assert all(wanted in said.out for wanted in NEEDED)
    assert "network" not in said.out
    assert "{" not in said.out
    assert ("ProtectSystem=strict" in said.out) == (option == "")
    assert ("systemctl --user enable --now coyote.service" in said.out) == (option == "--user")


def test_the_service_runs_as_the_user_who_called_sudo_in_the_groups_that_exist() -> None:
    text = service.unit({"LANG": "fr_FR.UTF-8"}, "multi-user.target", "ana", ["gpio", "audio", "users"])
    assert "User=ana\nSupplementaryGroups=gpio audio\n" in text
    assert "LANG=fr_FR.UTF-8" in text
    assert service.system_service({"SUDO_USER": "bo"}).text.count("User=bo\n") == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze isn't installed")
@pytest.mark.parametrize("kind", ["system", "user"])
def test_systemd_understands_the_unit(tmp_path: Path, kind: str) -> None:
    made = service.system_service({}) if kind == "system" else service.user_service({})
    # the program may not be where this Python is, the rest is as it is
    text = "\n".join(
        "ExecStart=/bin/true" if line.startswith("ExecStart") else line for line in made.text.split("\n")
    )
    (tmp_path / service.NAME).write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "verify", str(tmp_path / service.NAME)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert service.NAME not in done.stderr


def test_an_access_point_needs_a_country_and_a_password(coyote: Coyote) -> None:
    assert coyote("access-point --dry-run").code == 2
    assert coyote("access-point --dry-run --country France").code == 2
    assert coyote("access-point --dry-run --country FR --password short").code == 2
    said = coyote("access-point --dry-run --country fr --password 'long enough'")
    assert said.code == 0
    assert "do_wifi_country FR" in said.out
    assert "10.42.0.1" in said.out


def test_an_access_point_shares_its_address_and_goes_again() -> None:
    commands = setup_commands("GB", "table", "12345678")
    assert "do_wifi_country" in commands[0]
    added = next(command for command in commands if "add" in command)
    assert added[added.index("ipv4.method") + 1] == "shared"
    assert removal_commands("table") == (("sudo", "nmcli", "connection", "delete", "id", "table"),)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze isn't installed")
def test_the_service_may_do_no_more_than_it_has_to(tmp_path: Path) -> None:
    told = measure_exposure(tmp_path)
    assert told is None or told <= EXPOSED


def test_sticks_belong_to_whoever_called_sudo(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "ana")
    said = coyote("install-sticks --dry-run").out.splitlines()
    assert said[0] == "# /etc/udev/rules.d/99-coyote-sticks.rules"
    [rule] = [line for line in said if not line.startswith("#")]
    assert 'ENV{ID_FS_TYPE}=="vfat|exfat|ntfs"' in rule
    assert "--owner=ana --options=nosuid,nodev,noexec,umask=077 $devnode /media/stick-%k" in rule


def test_the_service_may_write_to_sticks(coyote: Coyote) -> None:
    assert "ReadWritePaths=-/media -/run/media\n" in coyote("install-service --dry-run").out
