"""The hub as a system service: the contents of its unit, and the rights to install it."""

import os
import shlex
import shutil
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import click
import pytest

from club.start import service
from club.start.service import install_service, unit_text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here: apt install systemd")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / service.NAME
    unit.write_text(unit_text(getuser(), Path("/bin/true"), []), encoding="utf-8")
    command = (shutil.which("systemd-analyze") or "", "verify", str(unit))
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert service.NAME not in result.stderr, result.stderr


def test_unit_is_written_and_enabled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = list[tuple[str, ...]]()
    monkeypatch.setattr(service, "UNIT", tmp_path / service.NAME)
    monkeypatch.setattr(service, "run", asked.append)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_USER", "ana")
    install_service(["--name", "50 % & more", "--https"])
    assert asked[1:] == [
        ("systemctl", "daemon-reload"),
        ("systemctl", "enable", "--now", "coyote-club.service"),
    ]
    lines = (tmp_path / service.NAME).read_text(encoding="utf-8").splitlines()
    program = shlex.quote(str(Path(sys.executable).with_name("coyote")))
    start = f"ExecStart={program} club --folder /var/lib/coyote-club --name '50 %% & more' --https"
    assert {"User=ana", start, "NoNewPrivileges=yes", "ProtectSystem=strict"} <= {*lines}
    assert "StateDirectory=coyote-club" in lines


@pytest.mark.parametrize(
    ("user", "why"), [(1000, "this needs sudo: sudo"), (0, "systemctl: No such file or directory")]
)
def test_nothing_is_written_without_root_or_systemd(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int, why: str
) -> None:
    monkeypatch.setattr(service, "UNIT", tmp_path / service.NAME)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setenv("SUDO_USER", "ana")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(click.ClickException, match=why):
        install_service([])
    assert not service.UNIT.exists()
