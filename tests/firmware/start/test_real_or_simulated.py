"""Real cards or a simulated table: a choice of people on any computer, and what the two tables don't share."""

import os
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from firmware.services.checks import Here
from firmware.start import board_checks, camera_checks, matches, plan, starting
from firmware.start.board_checks import board_findings
from firmware.start.camera_checks import camera_findings
from firmware.start.matches import is_mistyped, note_played, sit_down
from firmware.start.plan import Plan, camera_of, is_simulated, make_plan
from firmware.start.report import Draft
from firmware.start.safe_start import Start
from firmware.storage.backups.archive import TablePlaces, places
from firmware.storage.cards_choice import Kind, choose_kind, part_found_tables
from firmware.storage.configuration import CameraSettings, RunOptions, TableSettings
from firmware.storage.forgetting import KeptEverywhere
from firmware.storage.journal import open_journal
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD
from tests.firmware.board.inputs.matches import begun_at, bidden

NOTHING = RunOptions(
    game=None, edition=None, seats=None, agreed=(), fresh=False, twin=False, bots=None, profile=None,
    camera=None, config=None, port=0,
)  # fmt: skip

BEGUN = "2026-11-28T20:00:00+00:00"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TablePlaces:
    """Return a laptop's places."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    for module in (plan, matches, board_checks, camera_checks):
        monkeypatch.setattr(module, "is_raspberry", lambda: False)
    return places(tmp_path / "journal.sqlite3", tmp_path / "coyote.toml")


def planned(here: TablePlaces, wished: RunOptions = NOTHING) -> Plan:
    state = StatePlace(here.state, here.journal, here.state, here.journal)
    return make_plan(wished, here.state, here, Start(), state)


@pytest.mark.parametrize(
    ("wish", "chosen", "on_laptop", "on_pi"),
    [
        ({}, None, True, False),
        ({}, "real", False, False),
        ({}, "simulated", True, True),
        ({"twin": True}, "real", True, True),
        ({"camera": "usb:0"}, "simulated", False, False),
        ({"camera": "phone"}, None, False, False),
        ({"camera": "rtsp://cam/live"}, None, False, False),
        ({"camera": "imx708"}, "real", True, False),
        ({"camera": "usb:0", "twin": True}, "real", True, True),
        ({"camera": "usb"}, "real", True, False),
    ],
)
def test_options_win_over_choice_and_computer(
    wish: dict[str, object], chosen: Kind | None, *, on_laptop: bool, on_pi: bool
) -> None:
    wished = replace(NOTHING, **wish)
    found = [is_simulated(wished, chosen, is_pi=is_pi) for is_pi in (False, True)]
    assert found == [on_laptop, on_pi]


def test_laptop_with_real_cards_drives_no_pin(here: TablePlaces) -> None:
    choose_kind(here.state, "real")
    real = planned(here)
    assert (real.is_twin, real.has_pins, real.board, real.kind) == (False, False, NO_BOARD, "real")
    assert "GPIOZERO_PIN_FACTORY" not in os.environ
    with pytest.raises(click.UsageError, match="no Raspberry Pi"):
        planned(here, replace(NOTHING, camera="usb:0", profile="fab"))
    assert is_mistyped(replace(NOTHING, camera="usb:0", profile="fab"))
    assert not is_mistyped(replace(NOTHING, camera="usb:0"))
    assert not is_mistyped(replace(NOTHING, camera="usb:0", profile="none"))
    assert is_mistyped(replace(NOTHING, camera="usb"))


def test_browser_camera_has_a_file_that_the_service_replaces(here: TablePlaces) -> None:
    real = planned(here, wished := replace(NOTHING, camera="phone"))
    real = replace(real, camera=camera_of(real, wished))
    assert real.camera == f"live:{here.state / 'phone.jpg'}"
    assert real.is_seen_by_browser
    assert not planned(here, replace(NOTHING, camera="usb:0")).is_seen_by_browser


@pytest.mark.parametrize("camera", ["usb:foo", "evening.mp4"])
def test_refused_camera_stores_no_match(here: TablePlaces, camera: str) -> None:
    wished = replace(NOTHING, camera=camera, seats="Ana,Bo", fresh=True)
    state = StatePlace(here.state, here.journal, here.state, here.journal)
    people_have = "name pi, usb:0, /dev/video0, phone or an address .*, not a video file"
    with pytest.raises(click.UsageError, match=f"^{camera}: there is no such camera: {people_have}"):
        starting._run(wished, here, Start(), state)
    with open_journal(here.journal) as opened:
        assert opened.journal.latest() is None


@pytest.mark.parametrize(("kind", "other"), [("real", "simulated"), ("simulated", "real")])
def test_match_of_the_other_table_stays_open(here: TablePlaces, kind: Kind, other: Kind) -> None:
    choose_kind(here.state, kind)
    own = planned(here)
    with open_journal(here.journal) as opened:
        number = KeptEverywhere(opened.journal, here, kind).begin(begun_at(bidden(5), BEGUN))
        assert sit_down(opened.journal, NOTHING, own)[0] == number
        choose_kind(here.state, other)
        foreign = planned(here)
        new, match = sit_down(opened.journal, NOTHING, foreign)
        assert new != number
        note_played(here, match, new, foreign)
        # each table goes on with its own match, whichever was played last
        assert sit_down(opened.journal, NOTHING, own)[0] == number
        assert sit_down(opened.journal, NOTHING, foreign)[0] == new
        # a person may take the match along, which isn't unnoticed
        KeptEverywhere(opened.journal, here, other).take_up(number)
        assert sit_down(opened.journal, NOTHING, foreign)[0] == number


def test_each_camera_has_its_own_found_table(tmp_path: Path) -> None:
    def table() -> list[str]:
        return [file.read_text() for name in ("table.json", "table.png") if (file := tmp_path / name).exists()]

    (tmp_path / "table.json").write_text("first")
    part_found_tables(tmp_path, "pi")
    assert table() == ["first"]
    part_found_tables(tmp_path, "http://ana:secret@cam/live")
    assert table() == []
    (tmp_path / "table.json").write_text("network")
    (tmp_path / "table.png").write_text("empty")
    part_found_tables(tmp_path, "pi")
    assert table() == ["first"]
    part_found_tables(tmp_path, "http://ana:secret@cam/live")
    assert table() == ["network", "empty"]
    assert "secret" not in "".join(f"{file.name}{file.read_text()}" for file in tmp_path.iterdir())


def test_doctor_checks_the_real_table_of_a_laptop(here: TablePlaces) -> None:
    draft = Draft(is_wanted=False, is_alone=True)

    def found(camera: str) -> list[str]:
        settings = TableSettings(camera=CameraSettings(camera))
        state = Here(here.state, here.journal, settings)
        return [each.state for look in (camera_findings, board_findings) for each in look(None, state, draft)]

    # simulated without a choice
    assert found("pi") == ["absent", "absent"]
    choose_kind(here.state, "real")
    assert found("phone") == ["absent", "absent"]
    # the login isn't shown
    settings = TableSettings(camera=CameraSettings("http://ana:secret@127.0.0.1:1/live"))
    lines = [each.told for each in camera_findings(None, Here(here.state, here.journal, settings), draft)]
    assert "127.0.0.1:1/…" in lines[0]
    assert "secret" not in lines[0]
