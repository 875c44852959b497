"""Folders of a table that runs as a service, as its user and others see them."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware import state_folder
from firmware.services.checks import Here, folder
from firmware.start.commands import other_user_hint
from firmware.state_folder import configuration_path, log_path, state_directory


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a machine with an installed service whose user runs the tests."""
    monkeypatch.setattr(state_folder, "ROOT", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", *state_folder.PLACES):
        monkeypatch.delenv(name, raising=False)
    for place in state_folder.PLACES.values():
        (tmp_path / place / "coyote-table").mkdir(parents=True)
    return tmp_path


def test_service_user_sees_state_of_service(machine: Path) -> None:
    assert state_directory() == machine / "var/lib/coyote-table"
    assert log_path() == machine / "var/log/coyote-table/coyote.jsonl"
    assert configuration_path() == machine / "etc/coyote-table/coyote.toml"


@pytest.mark.parametrize("environ", [{}, {"CONFIGURATION_DIRECTORY": "etc/coyote-table"}])
def test_users_configuration_applies_to_service_until_it_has_its_own(
    machine: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, str(machine / value))
    own = machine / "home/.config/coyote-table/coyote.toml"
    own.parent.mkdir(parents=True)
    own.touch()
    assert configuration_path() == own
    (machine / "etc/coyote-table/coyote.toml").touch()
    assert configuration_path() == machine / "etc/coyote-table/coyote.toml"


def test_other_user_gets_own_folder_and_is_told_the_owner(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_folder, "owner_of", lambda _folder: os.geteuid() + 1)
    monkeypatch.setattr(state_folder, "getpwuid", lambda _user: SimpleNamespace(pw_name="ana"))
    own = machine / "home/.local/share/coyote-table"
    assert state_directory() == own
    assert "belongs to ana" in other_user_hint(["record", "list"], {})
    assert "sudo -u ana " in other_user_hint(["record", "list"], {})
    assert (
        other_user_hint(["cards"], {})
        == other_user_hint(["record", "list"], {"STATE_DIRECTORY": "/srv/a"})
        == ""
    )
    found = folder(Here(own, own / "journal.sqlite3"))
    assert (found.state, "sudo -u ana" in str(found.remedy)) == ("trouble", True)
