"""The host's pages of the machine: power, loudspeakers, restart, LEDs, pause, stored data, and backups.

`server/test_fuzz.py` checks that each form needs the host and its token.
"""

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from werkzeug.test import TestResponse

from firmware.services.checks import WEAK, Finding, dated, notice_of, supply, warmth
from firmware.services.own_club import ClubLinkStatus
from firmware.services.settings import TableChoice
from firmware.start.board_choice import board_at_start
from firmware.storage.backups.copies import FolderReport, KeptCopy
from firmware.storage.configuration import BoardSettings, CameraSettings, SoundSettings
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import WiredBoard
from firmware.table.client import TableSummary
from firmware.table.notices import LastingTrouble, Notice, button_notice
from hardware.board.board import Key
from hardware.twin.player import play_on
from tests.webui.fakes import NOW, CallRecorder, FakeBackups, FakeCopies, FakeFinder, FakePrivacy, FakeUsb
from tests.webui.room import Browser, Room, hidden_fields, listen, match_of, room_with, said
from vision.troubles import Problem
from webui.pages.host import backups
from webui.pages.host.settings import GROUPS, choice_of, fields_of_choice
from webui.server.serving import GONE
from webui.views.health import club_findings

PRIVACY = "/host/privacy"


def test_host_restarts_a_table_that_cannot_save(tmp_path: Path) -> None:
    place = StatePlace(tmp_path, tmp_path / "j", tmp_path / "<disk>", tmp_path / "j", Problem("unsaved rights"))
    room = room_with(match_of(), tmp_path, place=place)
    assert "&lt;disk&gt;" not in room.browser().get("/host").text
    host = room.browser().host()
    assert "&lt;disk&gt;" in host.get("/host").text
    response = host.send("/host", "/host/save")
    assert 'data-to="/host"' in response.text
    assert room.client.actions == []
    response.close()
    assert room.client.actions == [("restart",)]


UNSAVED = Problem("unsaved full", {"room": 3})


def room_unsaved(folder: Path) -> Room:
    room = room_with(match_of(), folder)
    room.client.summary, room.client.lasting = replace(TableSummary(1), is_saving=False), (UNSAVED,)
    return room


@pytest.mark.parametrize("page", ["/host", "/seat"])
def test_host_retries_saving(tmp_path: Path, page: str) -> None:
    room = room_unsaved(tmp_path)
    host = room.browser().sit(0).host()
    assert "Free at least 3 MB" in host.get(page).text
    response = host.send(page, "/host/save")
    assert (response.status_code, response.headers["Location"]) == (303, page)
    room.client.saves = False
    response = host.send(page, "/host/save")
    assert response.status_code == 409
    assert "Nothing is saved yet" in response.text
    assert room.client.actions == [("save_again",)] * 2


STUCK, BLURRED, BROKEN = (
    button_notice("stuck", Key("call", 0)),
    Problem("blurred"),
    Notice("disk", {"why": "broken"}),
)
HOSTS_ALONE = (
    Problem("too far", {"pixels": 60, "needed": 110}),
    Notice("board asleep", {"told": "Buttons sleep."}),
    Notice("second copy", {"place": "copies", "why": "full"}),
    STUCK,
)
PLAYERS = (UNSAVED, BROKEN, Notice("goes down"))
IN_ROW = (Problem("black", {"camera": "pi"}), Problem("hand stays"), Problem("phone lost", {"camera": "phone"}))
"""Problems that the camera's row reports to everybody."""


def test_guests_see_game_faults_and_the_host_sees_all(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    room.client.lasting = (*HOSTS_ALONE, *PLAYERS, *IN_ROW)
    alarm = 'role="alert"><b'
    assert room.browser().sit(1).get("/seat").text.count(alarm) == len(PLAYERS)
    host = room.browser().sit(0).host()
    assert host.get("/seat").text.count(alarm) == len(HOSTS_ALONE) + len(PLAYERS)
    assert next(listen(room, "seat", seat=1))["data"].count(alarm) == len(PLAYERS)


@pytest.mark.parametrize(
    ("wrong", "parts"),
    [
        ((), [("camera", ""), ("record", "")]),
        ((STUCK,), [("buttons", "new"), ("camera", ""), ("record", "")]),
        ((Problem("frozen", {"camera": "usb:0"}),), [("camera", "new"), ("record", "")]),
        ((BLURRED, BROKEN), [("record", "new"), ("camera", "new")]),
        ((said("other"),), [("camera", ""), ("record", "")]),
    ],
)
def test_table_check_lists_the_worst_problem_first(
    tmp_path: Path, wrong: tuple[LastingTrouble, ...], parts: list[tuple[str, str]]
) -> None:
    room = room_with(match_of(), tmp_path)
    room.client.lasting = wrong
    page = room.browser().host().get("/host/check").text
    assert re.findall(r'<li id="(\w+)"(?: class="(\w+)")?>', page) == parts


POWER, HOT = replace(supply(WEAK), part="power"), warmth(81.0)
SLEEPING = Notice("board asleep", {"told": board_at_start(WiredBoard(), BoardSettings()).told or ""})
CLOCK = replace(dated(datetime(1970, 1, 1, tzinfo=UTC)), part="clock")


def club(*, is_connected: bool) -> tuple[Finding, ...]:
    return tuple(club_findings(ClubLinkStatus("Tuesday", is_connected=is_connected)))


@pytest.mark.parametrize(
    ("found", "wrong", "symptoms"),
    [
        # a fault reported by both table and check is shown once
        (
            (POWER, HOT),
            (notice_of("weak supply", supply(WEAK)), Problem("blurred")),
            ["The table may stop at any moment", "The table answers slowly", "Cards may go unread"],
        ),
        (
            (warmth(50.0),),
            (said("other"), notice_of("weak supply", supply(WEAK))),
            ["The table may stop at any moment", "Other."],
        ),
        # faults without a remedy are shown once
        ((), (BLURRED, BROKEN), ["", "Cards may go unread"]),
        ((CLOCK,), (), ["The clock is wrong"]),
        ((), (STUCK,), ["A button can&#39;t be used"]),
        ((), (SLEEPING,), ["No button can be used"]),
        ((*club(is_connected=False), HOT), (), ["The table answers slowly", "The club isn&#39;t connected"]),
        # a healthy table shows values
        ((warmth(52.0), replace(supply(0), part="power"), *club(is_connected=True)), (), []),
    ],
)
def test_faults_are_described_by_symptom_worst_first(
    tmp_path: Path, found: tuple[Finding, ...], wrong: tuple[LastingTrouble, ...], symptoms: list[str]
) -> None:
    room = room_with(match_of(), tmp_path, checks=lambda: found)
    room.client.lasting = wrong
    page = room.browser().host().get("/host/health").text
    assert re.findall(r"<div>(?:<b>(.*?)</b>)?<p>", page) == symptoms
    # one action, one filled button
    assert page.count('class="say"') == bool(symptoms)


@pytest.mark.parametrize("is_saving", [True, False])
@pytest.mark.parametrize("is_over", [True, False])
def test_unsaved_finished_match_can_be_downloaded(tmp_path: Path, *, is_saving: bool, is_over: bool) -> None:
    room = room_with(play_on(match_of(), Random(1)) if is_over else match_of(), tmp_path)
    room.client.summary = replace(TableSummary(1), id=7, is_saving=is_saving)
    for page in (room.browser().get("/").text, room.browser().sit(0).get("/seat").text):
        assert ('href="/history/7.jsonl" download' in page) == (is_over and not is_saving)


def test_resuming_ends_the_guide(tmp_path: Path) -> None:
    guides = {
        "finder": FakeFinder(),
        "naming": CallRecorder(
            questions=lambda _seat: (),
            last=lambda _seat: None,
            hidden_from=lambda _seat: (),
            passed=lambda _seat: False,
        ),
        "usb": FakeUsb(),
    }
    host = room_with(match_of(), tmp_path, **guides).browser().host()
    for step in ("pause", "go-on"):
        assert [guide.asked for guide in guides.values()] == [[], [], []]
        assert host.send("/host", f"/host/{step}").status_code == 303
    assert [guide.asked for guide in guides.values()] == [[("close",)], [("end_rest",)], [("stop",)]]


def test_names_cannot_be_forgotten_in_memory_mode(tmp_path: Path) -> None:
    privacy = FakePrivacy()
    room = room_with(match_of(), tmp_path, privacy=privacy)
    host = room.browser().host()
    page = host.get(PRIVACY).text
    assert page.count("coyote.toml still seats Ana: change it there.") == 1
    assert "Without a date, matches: 1" in page
    assert "3, 4 MB" in page
    form = hidden_fields(page, f"{PRIVACY}/forget")
    room.client.summary = TableSummary(1, is_saving=False)
    assert host.post(f"{PRIVACY}/forget", **form).status_code == 409
    assert privacy.asked == []


FIELDS = {**fields_of_choice(NOW), "from": "22:00", "to": "07:00", "volume": "30", "across": "800,5"}


times = st.none() | st.tuples(*[st.times().map(lambda at: at.replace(second=0, microsecond=0))] * 2)
lengths = st.integers(20, 10_000).map(float)


@given(
    st.builds(
        TableChoice,
        st.sampled_from(["", "fr"]),
        st.builds(SoundSettings, st.integers(0, 100), st.integers(80, 450), times),
        st.builds(CameraSettings, st.just("usb:1"), mat=st.booleans(), apart=st.tuples(lengths, lengths)),
    )
)
def test_form_submits_its_displayed_values(choice: TableChoice) -> None:
    assert choice_of(fields_of_choice(choice)) == choice


@given(
    st.dictionaries(
        st.sampled_from(list(FIELDS)), st.text("019:.,-+ex \N{ARABIC-INDIC DIGIT THREE}\0é", max_size=9)
    )
)
def test_any_input_is_valid_or_reported(form: dict[str, str]) -> None:
    read = choice_of(form)
    assert isinstance(read, TableChoice) or read


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("volume", "101", "Volume"),
        ("volume", "loud", "Volume"),
        ("speed", "٣٠٠", "Speed"),
        ("to", "", "Quiet hours"),
        ("from", "25:00", "Quiet hours"),
        ("camera", " ", "Camera"),
        ("camera", "a" * 501, "Camera"),
        ("across", "nan", "Markers"),
        ("down", "1", "Markers"),
    ],
)
def test_invalid_form_preserves_input(tmp_path: Path, room: Room, field: str, text: str, said: str) -> None:
    home, beside = next(
        (f"/host/settings/{group}", sorted({*fields} - {field, "mat"}))
        for group, fields in GROUPS.items()
        if field in fields
    )
    typed = {**FIELDS, field: text}
    response = room.browser().host().send(home, home, **typed)
    assert response.status_code == 400
    assert f"<li>{said}" in response.text
    assert [other for other in beside if f'value="{typed[other]}"' not in response.text] == []
    assert not (tmp_path / "chosen.json").exists()


# backups


HOME = "/host/backup"
COPY = KeptCopy("a1", "", "2026-11-20T21:04:00+01:00", 12)


@pytest.fixture
def safe() -> FakeBackups:
    return FakeBackups()


@pytest.fixture
def copies() -> FakeCopies:
    return FakeCopies()


@pytest.fixture
def backup_room(tmp_path: Path, safe: FakeBackups, copies: FakeCopies) -> Room:
    return room_with(match_of(), tmp_path, backups=safe, copies=copies)


def send_backup(browser: Browser, content: bytes, name: str = "b.zip") -> TestResponse:
    return browser.post(HOME, form=browser.form("/host"), backup=(BytesIO(content), name))


def test_backup_is_downloaded_as_a_file(backup_room: Room, safe: FakeBackups) -> None:
    response = backup_room.browser().host().get(f"{HOME}/file")
    assert (response.data, response.mimetype) == (b"one two", "application/zip")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="coyote-table-')
    assert response.headers["Cache-Control"] == "no-store"
    assert safe.ended == 1
    safe.is_full = True
    hindered = backup_room.browser().host().get(f"{HOME}/file")
    assert (hindered.status_code, "5 MB are needed" in hindered.text) == (409, True)


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        (None, "Everything is on this computer only"),
        (FolderReport("/mnt/a"), "There is no copy in /mnt/a yet."),
        (FolderReport("/mnt/a", 9, (COPY,)), "Everything is stored twice: here and in /mnt/a."),
        (FolderReport("/mnt/a", 9, (COPY,), Problem("copy full")), "/mnt/a: Its disk is full: delete files"),
    ],
)
def test_backup_page_shows_safety_before_sizes(
    tmp_path: Path, safe: FakeBackups, folder: FolderReport | None, said: str
) -> None:
    copies = FakeCopies(folder=lambda: folder)
    page = room_with(match_of(), tmp_path, backups=safe, copies=copies).browser().host().get(HOME).text
    assert said in page.partition("</h1>")[0]


def test_unusable_backup_is_reported_without_restart(
    tmp_path: Path, safe: FakeBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "LARGEST", 10_000)
    backup_room = room_with(match_of(), tmp_path, backups=safe)
    host = backup_room.browser().host()
    for content, name, code, told in (
        (b"bad", "b.zip", 400, "This isn&#39;t a table&#39;s backup"),
        (b"", "", 400, "Choose a backup first"),
        (b"good" * 5000, "b.zip", 413, ""),
    ):
        response = send_backup(host, content, name=name)
        assert (response.status_code, told in response.text) == (code, True)
    # the phone is gone
    sent = {"form": host.form("/host"), "backup": (BytesIO(b"good"), "b.zip")}
    host.client.post(HOME, data=sent, environ_overrides={GONE: lambda: True}).close()
    assert (safe.asked, backup_room.client.actions) == ([], [])


def test_valid_backup_is_staged_and_the_table_restarts(backup_room: Room, safe: FakeBackups) -> None:
    content = b"good\r\n--x\r\n" + bytes(range(256)) * 1000
    response = send_backup(backup_room.browser().host(), content)
    assert response.status_code == 200
    assert f'data-to="{HOME}"' in response.text
    assert "Not in it: &lt;x&gt;" in response.text
    assert (safe.asked, backup_room.client.actions) == ([("stage", content)], [])
    response.close()
    assert backup_room.client.actions == [("restart",)]
