"""`coyote kiosk`: what shows the screen, what is missing, and that it waits for the table."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import pytest

from firmware.cli.screen_programs import screen_command
from firmware.start import kiosk as module
from firmware.start.kiosk import profile_folder, screen_address
from tests.firmware.conftest import Coyote

PROFILE = Path("/profile")


def _having(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in names else None


def test_on_a_desktop_it_is_the_browser_alone() -> None:
    command = screen_command(_having("chromium", "cage"), PROFILE, has_desktop=True)
    assert command[:2] == ("/usr/bin/chromium", "--kiosk")
    assert "--user-data-dir=/profile" in command
    assert "--autoplay-policy=no-user-gesture-required" in command
    assert "--no-sandbox" not in command


def test_without_a_desktop_cage_shows_it() -> None:
    command = screen_command(_having("chromium-browser", "cage", "Xwayland"), PROFILE, has_desktop=False)
    assert command[:4] == ("/usr/bin/cage", "-s", "--", "/usr/bin/chromium-browser")
    assert command[-1] == "--ozone-platform=wayland"


@pytest.mark.parametrize(
    ("there", "has_desktop", "missing"),
    [
        ((), False, "chromium cage xwayland"),
        (("chromium",), False, "cage xwayland"),
        (("cage", "Xwayland"), False, "chromium"),
        (("chromium", "cage"), False, "xwayland"),
        (("cage",), True, "chromium"),
    ],
)
def test_what_is_missing_is_said(there: Sequence[str], missing: str, *, has_desktop: bool) -> None:
    with pytest.raises(click.ClickException) as refused:
        screen_command(_having(*there), PROFILE, has_desktop=has_desktop)
    assert refused.value.message.endswith(f"sudo apt install {missing}")


@pytest.mark.parametrize(
    ("port", "address"), [(80, "http://localhost/screen#ask"), (8000, "http://localhost:8000/screen#ask")]
)
def test_the_screen_is_opened_on_this_computer(port: int, address: str) -> None:
    assert screen_address(port) == address


def test_what_the_browser_keeps_lies_apart_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/home/ana/data")
    assert profile_folder({}) == Path("/home/ana/data/coyote-kiosk/browser")
    assert profile_folder({"STATE_DIRECTORY": "/var/lib/coyote-kiosk"}) == Path("/var/lib/coyote-kiosk/browser")


def test_it_waits_for_the_table_and_becomes_the_browser(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers, started = [8000, None, None], list[Sequence[str]]()

    def become(_program: str, command: Sequence[str]) -> None:
        started.append(command)

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(module, "which", _having("chromium", "cage"))
    monkeypatch.setattr(module, "sleep", lambda _seconds: None)
    monkeypatch.setattr(module, "table_port", lambda _ports: answers.pop())
    monkeypatch.setattr(os, "execv", become)
    monkeypatch.setattr(module, "has_display", lambda _environ: True)
    said = coyote("kiosk")
    assert said.out.count("Waiting for the table") == 1
    assert started[0][0] == "/usr/bin/chromium"
    assert started[0][-1] == "http://localhost:8000/screen#ask"
    assert (tmp_path / "state/browser").stat().st_mode & 0o777 == 0o700


def test_a_browser_is_not_run_as_root_and_a_dry_run_only_prints(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(module, "which", _having("chromium", "cage", "Xwayland"))
    assert "without sudo" in coyote("kiosk").err
    assert coyote("kiosk --dry-run --port 80").out.rstrip().endswith("'http://localhost/screen#ask'")
