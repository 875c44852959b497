"""`coyote pin` shows what lets people in, and draws a new PIN beside a table that runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.start.commands import coyote
from tests.webui.room import match_of, room_with


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(coyote, ["pin", *arguments])


def test_the_pin_and_the_codes_are_shown(tmp_path: Path) -> None:
    evening = room_with(match_of(), tmp_path).browser().links
    said = run()
    assert said.exit_code == 0
    assert said.output.splitlines()[-1] == f"PIN of the host: {evening.pin}"
    assert f"Ana {evening.codes[0]}, Bo {evening.codes[1]}" in said.output


def test_a_new_pin_puts_hosts_out_while_people_stay(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    host, ana = room.browser().host(), room.browser().sit(0)
    old = ana.links.pin
    assert run("--new").exit_code == 0
    assert ana.links.pin != old
    assert 'name="pin"' in host.get("/host").text
    assert "You are Ana." in ana.get("/seat").text
    assert 'name="pin"' not in host.host().get("/host").text


def test_why_there_is_none_is_told_in_a_line(tmp_path: Path) -> None:
    assert "No table has run here yet" in run().output
    (tmp_path / "links.json").write_bytes(b"{")
    for arguments in ((), ("--new",)):
        assert "can't be read: start the table" in run(*arguments).output
    assert (tmp_path / "links.json").read_bytes() == b"{"


def test_a_pin_that_cannot_be_kept_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room_with(match_of(), tmp_path).browser().sit(0)

    def fail(*_arguments: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("webui.access.links_file._write", fail)
    assert "couldn't be kept" in run("--new").output
