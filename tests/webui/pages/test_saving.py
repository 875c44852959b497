"""A table that can't save: the host is told what helps and starts it again, others take the match along."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hardware.twin.player import play_on
from tests.webui.fakes import FakeSaving
from tests.webui.room import FakeStatus, Room, match_of, room_with


@pytest.fixture
def saving() -> FakeSaving:
    return FakeSaving()


@pytest.fixture
def room(tmp_path: Path, saving: FakeSaving) -> Room:
    return room_with(match_of(), tmp_path, saving=saving)


def test_the_host_is_told_what_helps_and_starts_the_table_again(room: Room, saving: FakeSaving) -> None:
    host = room.browser().host()
    assert "<li>Delete &lt;this&gt;.</li>" in host.get("/host").text
    response = host.send("/host", "/host/start-again")
    assert response.headers["Refresh"].endswith("; url=/host")
    response.close()
    assert saving.restarts == 1


def test_only_the_host_starts_it_again(room: Room, saving: FakeSaving) -> None:
    for phone in (room.browser(), room.browser().sit(0)):
        assert "What helps" not in phone.get("/host").text
        assert phone.post("/host/start-again", form="").status_code == 403
    assert room.browser().host().post("/host/start-again", form="").status_code == 403
    assert saving.restarts == 0


def test_where_all_is_saved_there_is_nothing_of_it(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    assert "What helps" not in room.browser().host().get("/host").text
    assert room.browser().host().post("/host/start-again", form="").status_code == 404


@pytest.mark.parametrize("is_saving", [True, False])
@pytest.mark.parametrize("is_over", [True, False])
def test_a_match_that_is_over_and_not_saved_can_be_taken_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_saving: bool, is_over: bool
) -> None:
    match = play_on(match_of(), Random(1)) if is_over else match_of()
    room = room_with(match, tmp_path)
    monkeypatch.setattr(room.door, "state", lambda: replace(FakeStatus(), id=7, is_saving=is_saving))
    for page in (room.browser().get("/").text, room.browser().sit(0).get("/seat").text):
        assert ('href="/history/7.jsonl" download' in page) == (is_over and not is_saving)
