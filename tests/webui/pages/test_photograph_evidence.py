"""A photograph that an answer rests on is kept, and "Why?" and corrections know it like any other picture."""

from itertools import count
from pathlib import Path

import msgspec
import pytest

from firmware.start.pages.evidence_door import EvidenceFiles
from referee.contract import Answer
from referee.match import Correct, Match, enter
from tests.webui.coyote_round import JPEG, READING, REVEAL, SHOWN, call_coyote, keep_picture, reveal_cards
from tests.webui.fakes import FakeReader
from tests.webui.photographing import PAGE, PICTURED, review, send_photo
from tests.webui.room import FakeStatus, Room, match_of, room_with
from vision.process.evidence import Sidecar
from webui.doors.companion import Photograph, PhotographEvidence

WHY, CORRECT = f"/why/{REVEAL}", f"/host/correct/{REVEAL}"
CARDS = '["20","10","10"]'


@pytest.fixture
def reader() -> FakeReader:
    reader = FakeReader()
    reader.says = PICTURED
    return reader


@pytest.fixture
def room(tmp_path: Path, reader: FakeReader) -> Room:
    return room_with(call_coyote(match_of()), tmp_path, photographs=reader)


def kept_files(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "evidence").glob("*"))


def other_photograph(jpeg: bytes) -> Photograph:
    return Photograph(PICTURED.cards, b"", PhotographEvidence(jpeg, msgspec.json.encode(READING)))


def test_a_photograph_that_was_agreed_to_is_evidence(room: Room, tmp_path: Path) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    hidden = review(phone)
    assert kept_files(tmp_path) == []
    assert phone.post("/seat/answer", **hidden, cards=CARDS).status_code == 303
    assert room.door.entries == [Answer(REVEAL, "reveal", SHOWN, None, "phone")]
    assert kept_files(tmp_path) == [f"1.{REVEAL + 1:06d}.{kind}" for kind in ("jpg", "json")]
    assert f'href="{WHY}"' in room.browser().get("/").text
    page = room.browser().get(WHY).text
    for words in ("20, 10, 10", f'src="{WHY}.jpg"', "sure, 93%", "A phone took this picture", "face down"):
        assert words in page, words
    assert "by hand" not in page
    assert room.browser().get(f"{WHY}.jpg").data == JPEG
    assert "No picture available" not in room.browser().get("/why").text
    correction = host.get(CORRECT).text
    assert "<b>15</b><small>instead of 10</small>" in correction
    assert f'href="{WHY}"' in correction
    assert phone.send(WHY, f"{WHY}/contest").status_code == 303
    assert room.door.actions == [("Bo", REVEAL)]
    assert host.send(CORRECT, CORRECT, cards='["20","15","10"]').status_code == 303
    assert "corrected by the host" in room.browser().get(WHY).text


def test_the_tables_own_picture_is_kept_beside_the_photograph_that_it_helped_to_read(
    room: Room, reader: FakeReader, tmp_path: Path
) -> None:
    reader.says = Photograph(
        PICTURED.cards, b"", PhotographEvidence(b"photo", msgspec.json.encode(READING), JPEG)
    )
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **review(phone), cards=CARDS)
    assert len(kept_files(tmp_path)) == 4
    assert room.browser().get(f"{WHY}.jpg").data == b"photo"
    assert room.browser().get(f"{WHY}/table.jpg").data == JPEG
    assert f'src="{WHY}/table.jpg"' in room.browser().get(WHY).text
    assert room.browser().get("/why/99/table.jpg").status_code == 404


def test_a_photograph_that_stands_alone_has_no_second_picture(room: Room) -> None:
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **review(phone), cards=CARDS)
    assert "table.jpg" not in room.browser().get(WHY).text
    assert room.browser().get(f"{WHY}/table.jpg").status_code == 404


def test_the_links_are_there_while_the_moment_is_told(room: Room) -> None:
    """Pages are drawn when the answer counts, before its picture is on the disk."""
    told, phone = list[str](), room.browser().sit(1)
    hidden, tell = review(phone), room.door.tell

    def tell_and_look(match: Match) -> None:
        tell(match)
        told.append(room.browser().get("/").text)

    room.door.tell = tell_and_look  # type: ignore[method-assign]
    phone.post("/seat/answer", **hidden, cards=CARDS)
    assert [f'href="{WHY}"' in page for page in told] == [True]


def test_it_is_evidence_after_a_restart_and_of_its_match_alone(room: Room, tmp_path: Path) -> None:
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **review(phone), cards=CARDS)
    again = room_with(room.door.match, tmp_path)
    assert f'href="{WHY}"' in again.browser().get("/").text
    assert again.browser().get(f"{WHY}.jpg").data == JPEG
    again.door.kept = FakeStatus(id=2)
    assert again.browser().get(WHY).status_code == 404


def test_a_card_that_was_changed_by_hand_says_so(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    fields = {"read-1": "20", "read-2": "15", "read-3": "10"}
    phone.post("/seat/answer", **review(phone), **fields)
    assert room.door.entries == [Answer(REVEAL, "reveal", ("20", "15", "10"), None, "phone")]
    page = room.browser().get(WHY).text
    assert page.count("by hand") == 1
    assert "chosen by hand: 15" in page
    # what the reader saw comes first now, as what else it could be
    correction = host.get(CORRECT).text
    assert "<b>10</b><small>instead of 15</small>" in correction


def test_a_card_that_was_left_out_says_so(room: Room, reader: FakeReader) -> None:
    cards = (*PICTURED.cards[:3], PICTURED.cards[2])
    reading = msgspec.structs.replace(READING, cards=(*READING.cards[:3], READING.cards[2]))
    reader.says = Photograph(cards, b"", PhotographEvidence(JPEG, msgspec.json.encode(reading)))
    phone = room.browser().sit(1)
    fields = {"read-1": "20", "read-2": "10", "read-3": "10", "read-4": ""}
    phone.post("/seat/answer", **review(phone), **fields)
    assert room.browser().get(WHY).text.count("by hand: doesn&#39;t count") == 1


BY_HAND = {"card-20": "1", "card-10": "2"}
FORMS = (
    BY_HAND,
    {"cards": '["10","20","10"]'},
    {"cards": '[ "20","10","10"]'},
    {"read-1": "20", "read-2": "10"},
    {"read-1": "20", "read-2": "10", "read-3": "10", "read-4": ""},
    {"read-1": "x3", "read-2": "10", "read-3": "10"},
)


@pytest.mark.parametrize("fields", FORMS)
def test_cards_that_are_not_from_the_review_are_no_evidence(
    room: Room, tmp_path: Path, fields: dict[str, str]
) -> None:
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **review(phone), **fields)
    assert len(room.door.entries) == 1
    assert kept_files(tmp_path) == []
    assert room.browser().get(WHY).status_code == 404


@pytest.mark.parametrize("mark", ["", "../1", "1.000004", "é" * 50])
def test_nothing_that_a_form_says_names_what_is_kept(room: Room, tmp_path: Path, mark: str) -> None:
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **{**review(phone), "photograph": mark}, cards=CARDS)
    assert len(room.door.entries) == 1
    assert kept_files(tmp_path) == []


def test_the_photograph_of_another_phone_is_not_used(room: Room, tmp_path: Path) -> None:
    phone, other = room.browser().sit(1), room.browser().sit(0)
    mark = review(phone)["photograph"]
    other.send("/seat", "/seat/answer", photograph=mark, cards=CARDS)
    assert len(room.door.entries) == 1
    assert kept_files(tmp_path) == []


def test_what_is_refused_leaves_nothing(room: Room, tmp_path: Path) -> None:
    phone = room.browser().sit(1)
    hidden = review(phone)
    room.browser().sit(0).send("/seat", "/seat/answer", **BY_HAND)
    assert phone.post("/seat/answer", **hidden, cards=CARDS).status_code == 409
    assert kept_files(tmp_path) == []
    assert room.browser().get(WHY).status_code == 404
    assert "/why/" not in room.browser().get("/").text


def test_a_later_photograph_does_not_change_what_is_kept(
    room: Room, reader: FakeReader, tmp_path: Path
) -> None:
    phone, jpegs = room.browser().sit(1), (b"\xff\xd8%d" % number for number in count())
    reader.says = other_photograph(next(jpegs))
    hidden = review(phone)
    reader.says = other_photograph(next(jpegs))
    assert send_photo(phone, page=PAGE).status_code == 303
    phone.post("/seat/answer", **hidden, cards=CARDS)
    assert room.browser().get(f"{WHY}.jpg").data == b"\xff\xd80"
    assert len(kept_files(tmp_path)) == 2


def test_a_host_corrects_by_a_photograph_which_is_then_the_evidence(tmp_path: Path, reader: FakeReader) -> None:
    keep_picture(tmp_path)
    reader.says = other_photograph(b"\xff\xd8corrected")
    room = room_with(reveal_cards(match_of()), tmp_path, photographs=reader)
    host = room.browser().host()
    assert room.browser().get(f"{WHY}.jpg").data == JPEG
    hidden = review(host, f"/host/photo/{REVEAL}", CORRECT)
    fields = {"read-1": "20", "read-2": "15", "read-3": "10"}
    assert host.post(CORRECT, **hidden, **fields).status_code == 303
    assert room.door.entries == [Correct(REVEAL + 1, REVEAL, ("20", "15", "10"))]
    for here in (room, room_with(room.door.match, tmp_path)):
        page = here.browser().get(WHY).text
        assert "chosen by hand: 15" in page
        assert "corrected by the host" in page
        assert here.browser().get(f"{WHY}.jpg").data == b"\xff\xd8corrected"
    struck = enter(room.door.match, Correct(room.door.match.number, REVEAL))
    assert isinstance(struck, Match)
    room.door.match = struck
    assert room.browser().get(WHY).status_code == 404


def test_another_match_that_begins_meanwhile_gets_no_picture(tmp_path: Path) -> None:
    status = [FakeStatus(id=1), FakeStatus(id=2)]
    files = EvidenceFiles(tmp_path, lambda: status[0])
    assert PICTURED.evidence is not None
    with files.expect_photograph(REVEAL) as keep:
        assert files.photographed_answers() == {REVEAL}
        status.pop(0)
        keep(PICTURED.evidence, ())
    assert files.photographed_answers() == frozenset()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_can_not_be_written_costs_the_picture_alone(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_bytes(b"no folder")
    reported = list[str]()
    files = EvidenceFiles(tmp_path / "evidence", FakeStatus, reported.append)
    assert PICTURED.evidence is not None
    with files.expect_photograph(REVEAL) as keep:
        keep(PICTURED.evidence, ())
    assert files.photographed_answers() == frozenset()
    assert len(reported) == 1
    assert "evidence" in reported[0]


def test_what_the_eyes_kept_is_no_phones(tmp_path: Path) -> None:
    keep_picture(tmp_path)
    assert EvidenceFiles(tmp_path / "evidence", FakeStatus).photographed_answers() == frozenset()
    sidecar = next((tmp_path / "evidence").glob("*.json")).read_bytes()
    assert msgspec.json.decode(sidecar, type=Sidecar).taken_by == "camera"
