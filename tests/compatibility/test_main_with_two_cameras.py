"""What main kept while a table could have two cameras and clips of rulings: each says what it said.

Its own code made it, at commit 412f3c6e, table, stick and backup; they are one zip file.
"""

from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware.services.photographs import EvidenceFiles
from firmware.start.safe_start import KEPT_STARTS, Starts
from firmware.storage.access_point import WIFI_ACCESS, WifiAccess
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.copies import COPY_SETTINGS, drop_sticks
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.club import MEMBERSHIP, Outbox, WaitingCall, read_outbox
from firmware.storage.configuration import (
    LOUDSPEAKER,
    CameraSettings,
    HostChoice,
    TableSettings,
    effective_settings,
    gone_in,
    read_choice,
    settings_in,
)
from firmware.storage.forgetting import drop_clips
from firmware.storage.found_table import Layout, load_calibration, load_layout
from firmware.storage.journal import open_journal, open_matches
from firmware.storage.match_marks import FORGOTTEN_MARKS, OWNERS, is_kept_paused
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people.links_file import read_links
from firmware.storage.wired_board import KEPT_BUTTONS, KEPT_FAULTS, WIRED_BOARD, BoardFaults, WiredBoard
from firmware.table.client import TableSummary
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox, UsbButton
from referee.match import Match
from tests.given import present
from vision.troubles import Problem

FIXTURE = Path(__file__).parents[1] / "fixtures" / "main-with-two-cameras.zip"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    with ZipFile(FIXTURE) as packed:
        packed.extractall(tmp_path)
    return tmp_path / "state"


def test_the_hosts_choice_and_what_was_found_hold(state: Path) -> None:
    assert read_choice(state) == HostChoice(
        "fr", {"second": "usb:0", "clips": True, "live": True}, {"volume": 35}
    )
    assert LOUDSPEAKER.read(state).card == "Headphones"
    assert WIFI_ACCESS.read(state) == WifiAccess("Coyote", "a password")
    assert load_calibration(state / "table.json") is not None
    assert load_layout(state / "table.json") == Layout((700.0, 500.0), 1)
    assert WIRED_BOARD.read(state) == WiredBoard("six", "confirmed")
    assert KEPT_FAULTS.read(state) == BoardFaults("six", (Key("call", 2),), (Lamp("red", 0),))
    assert KEPT_BUTTONS.read(state) == (UsbButton(UsbBox("Encoder", "usb-1/input0"), 288, 0),)


def test_the_club_is_sent_what_it_has_not_got(state: Path) -> None:
    assert present(MEMBERSHIP.read(state)).table == "kitchen"
    known = Outbox("0123456789abcdef", 7, 2, (WaitingCall("c1", "{}"),))
    assert read_outbox(state / "journal.sqlite3") == known


def test_marks_people_and_the_pause_are_known(state: Path) -> None:
    assert KEPT_STARTS.read(state) == Starts(1, "a boot", "board", ("Something was set aside.",))
    assert (len(FORGOTTEN_MARKS.read(state)), set(OWNERS.read(state))) == (1, {"1", "2", "4"})
    assert deal_secret(state) == bytes(range(32))
    assert COPY_SETTINGS.read(state).table == "7d792055"
    assert [person.name for person in present(read_links(state / "links.json")).people] == ["Ana"]
    with open_journal(state / "journal.sqlite3") as opened:
        assert opened.repairs() == ()
        [resumed] = open_matches(opened.journal)
        assert isinstance(resumed.match, Match)
        assert is_kept_paused(state, resumed.match, resumed.id)


def test_removed_settings_are_ignored_and_mentioned_once(state: Path) -> None:
    configuration = state.parent / "configuration" / "coyote.toml"
    settings = settings_in(configuration)
    gone = {"file": str(configuration), "names": "camera.second, camera.clips"}
    assert gone_in(configuration) == (Problem("settings gone", gone),)
    holding = effective_settings(settings, state)
    gone = {"file": str(state / "chosen.json"), "names": "camera.second, camera.clips, camera.live"}
    assert holding.told == (Problem("settings gone", gone),)
    assert (holding.settings.camera, holding.settings.sound.volume) == (CameraSettings(), 35)
    again = effective_settings(settings, state)
    assert (again.told, again.settings) == ((), holding.settings)


def test_chosen_sticks_are_ignored_and_mentioned_once(state: Path) -> None:
    before = COPY_SETTINGS.read(state)
    assert [drop_sticks(state), drop_sticks(state)] == [True, False]
    assert COPY_SETTINGS.read(state) == before


def test_a_backup_with_those_settings_is_put_in_place(state: Path) -> None:
    new = state.parent / "new"
    there = TablePlaces(new, new / "journal.sqlite3", new / "coyote.toml")
    staged = stage(state.parent / "backup.zip", there)
    assert (staged.left_out, staged.unread) == ((), 0)
    assert finish_restore(there)
    # its board is gone, so the configuration lies beside
    assert settings_in(new / "restored.toml").play.seats == ("Ana", "Bo")
    assert effective_settings(TableSettings(), new).settings.sound.volume == 35


def test_its_pictures_are_shown_and_its_clips_are_gone_after_a_start(state: Path) -> None:
    evidence = EvidenceFiles(state / "evidence", lambda: TableSummary(4))
    assert evidence.now()[4].cards() == ()
    assert drop_clips(state) == 4
    assert drop_clips(state) == 0
    assert evidence.now().keys() == {4}
