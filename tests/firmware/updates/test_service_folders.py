"""Who is the user of the machine's service sees what it keeps; others learn whose it is."""

import os
from pathlib import Path

import pytest

from firmware.start.commands import other_user_hint
from firmware.start.doctor import folders
from firmware.state_folder import state_directory
from firmware.storage.places import configuration_path, log_path
from firmware.updates import service_folders
from firmware.updates.trial import state_folder


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a machine on which a service is installed, whose user runs these tests."""
    monkeypatch.setattr(service_folders, "ROOT", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for place in service_folders.PLACES.values():
        (tmp_path / place / "coyote-table").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def others(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give one whose service is another user's."""
    monkeypatch.setattr(service_folders, "_owner", lambda _folder: os.geteuid() + 1)
    monkeypatch.setattr(service_folders, "_name_of", lambda _user: "ana")
    return machine


def test_its_user_sees_what_the_service_keeps(machine: Path) -> None:
    assert state_directory({}) == state_folder({}) == machine / "var/lib/coyote-table"
    assert log_path({}) == machine / "var/log/coyote-table/coyote.jsonl"
    assert configuration_path({}) == machine / "etc/coyote-table/coyote.toml"


@pytest.mark.usefixtures("machine")
def test_what_is_named_comes_first() -> None:
    assert (
        state_directory({"STATE_DIRECTORY": "/srv/a"})
        == state_folder({"STATE_DIRECTORY": "/srv/a"})
        == Path("/srv/a")
    )
    assert configuration_path({"CONFIGURATION_DIRECTORY": "/srv/b"}) == Path("/srv/b/coyote.toml")


@pytest.mark.parametrize("environ", [{}, {"CONFIGURATION_DIRECTORY": "etc/coyote-table"}])
def test_a_persons_own_configuration_counts_for_the_service_too_until_it_has_one(
    machine: Path, environ: dict[str, str]
) -> None:
    given = {name: str(machine / value) for name, value in environ.items()}
    own = machine / "home/.config/coyote-table/coyote.toml"
    own.parent.mkdir(parents=True)
    own.touch()
    assert configuration_path(given) == own
    (machine / "etc/coyote-table/coyote.toml").touch()
    assert configuration_path(given) == machine / "etc/coyote-table/coyote.toml"


def test_another_user_sees_an_own_folder_and_learns_whose_the_table_is(others: Path) -> None:
    own = others / "home/.local/share/coyote-table"
    assert state_directory({"HOME": str(others)}) == state_folder({}) == own
    assert "ana's" in other_user_hint(["matches"], {})
    assert "sudo -u ana " in other_user_hint(["matches"], {})
    assert other_user_hint(["render"], {}) == other_user_hint(["matches"], {"STATE_DIRECTORY": "/srv/a"}) == ""
    [found] = folders(own, others / "home")
    assert (found.state, "sudo -u ana" in found.remedy) == ("trouble", True)


def test_doctor_says_which_folder_it_looks_at_and_where_else_things_lie(machine: Path) -> None:
    older = machine / "home/.local/share/coyote-table"
    older.mkdir(parents=True)
    [found] = folders(machine / "var/lib/coyote-table", machine / "home")
    assert (found.state, found.told) == ("well", f"{machine}/var/lib/coyote-table, as the service")
    (older / "table.json").touch()
    [_well, found] = folders(machine / "var/lib/coyote-table", machine / "home")
    assert (found.state, "table.json" in found.told) == ("absent", True)
    [found, _unused] = folders(Path("/srv/a"), machine / "home")
    assert (found.state, found.told) == ("well", "/srv/a")
