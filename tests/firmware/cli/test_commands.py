"""Small commands as typed: results and error lines."""

import json
from pathlib import Path

import cv2
import pytest

from firmware.cli import decks
from firmware.start import commands
from firmware.start.supervisor import Supervisor
from firmware.state_folder import DECKS, state_directory
from firmware.storage.journal import open_journal
from firmware.storage.wired_board import KEPT_BUTTONS, KEPT_FAULTS, WIRED_BOARD, BoardFaults, WiredBoard
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox, UsbButton
from hardware.twin.rendering.renderer import faces_of
from referee.record import record_lines
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.conftest import Coyote
from tests.referee.laboratories import match_by_bots
from vision.teaching.taught_decks import DECK, bare_deck, save_deck

# analyse


def test_turning_points_are_listed_by_player(coyote: Coyote, tmp_path: Path) -> None:
    match = match_by_bots("coyote", "kidult", 3)
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(match)
    result = coyote("record analyse 1")
    assert result.code == 0
    assert all(name in result.out for name in match.setup.names)
    one = coyote("record analyse 1 --seat bo").out
    assert ("Bo: decisions judged" in one, "Ana: decisions judged" in one) == (True, False)
    assert "no player is named Zoe; there are Ana, Bo, Chloé" in coyote("record analyse 1 --seat Zoe").err


def test_match_from_file_is_analysed_as_data(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match = match_by_bots("coup", "rule text", 2)
    file.write_text("".join(f"{line}\n" for line in record_lines(match)), encoding="utf-8")
    once = coyote(f"record analyse {file} --json --seed 5").out
    data = json.loads(once)
    assert (data["game"], data["seed"]) == ("coup", 5)
    decisions = [each for player in data["players"] for each in player["decisions"]]
    assert decisions
    assert all(0 <= each["worth"] <= 1 and each["text"] for each in decisions)
    assert coyote(f"record analyse {file} --json --seed 5").out == once


def test_unanalysable_match_is_rejected_in_one_line(coyote: Coyote, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(3, 5))
    file, lines = tmp_path / "match.jsonl", record_lines(match_by_bots("coyote", "kidult", 3))
    file.write_text("\n".join([*lines[:4], "nonsense", *lines[5:]]), encoding="utf-8")
    for line, why in (
        ("record analyse 7", "there is no such match; coyote record list lists them"),
        ("record analyse 1", "this match isn't over"),
        ("record analyse nothing-there", "neither a match nor a file"),
        (f"record analyse {file}", "only up to line 5"),
    ):
        result = coyote(line)
        assert (result.code, why in result.err, result.err.count("\n")) == (1, True, 1), line


# board


def test_print_board_shows_current_inputs_and_usb_buttons(coyote: Coyote, tmp_path: Path) -> None:
    state = tmp_path / "state"
    said = coyote("table board")
    assert (said.code, "one of fab, two, none" in said.out) == (0, True)
    assert coyote("table board fab").code == 0
    assert WIRED_BOARD.find(state) == WiredBoard("fab", "confirmed")
    KEPT_FAULTS.keep(state, BoardFaults("fab", (Key("call", 2),), (Lamp("red", 0),)))
    box = UsbBox("Encoder", "usb-1/input0")
    KEPT_BUTTONS.keep(state, (UsbButton(box, 288, 0), UsbButton(box, 289, 1)))
    said = coyote("table board").out
    assert "fab is wired." in said
    assert "Not in use: The button of seat 3, The red lamp of seat 1" in said
    assert "Seats 1, 2 have USB buttons, on Encoder." in said
    # another board has other buttons
    coyote("table board two")
    assert "Not in use" not in coyote("table board").out
    assert coyote("table board none").out == "From the next start on, no pin is driven: phones do everything.\n"
    assert coyote("table board").out.startswith("No board is wired: phones do everything.\n")


def test_club_that_is_not_installed_is_named(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands.coyote, "headings", {"": {"run": commands.HEADINGS["To play"]["run"]}})
    result = coyote("club --port 80")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "coyote-club" in result.err


# count


VECTORS = [
    ("gigamic 20 max- max0 15 10 6", 1),
    ("oliphante 3 -5 -10 max0", -15),
    ("kidult '?' 10 5 x2 --drawn -10", 20),
    # a cave with an empty draw pile, and one that draws another cave
    ("kidult '?' 10 5 --drawn none", 15),
    ("kidult --any '?' '?' 5 --drawn 3 --drawn 4", 12),
    # in no deck
    ("kidult 20 20 --any", 40),
]


@pytest.mark.parametrize(("words", "total"), VECTORS)
def test_vectors(coyote: Coyote, words: str, total: int) -> None:
    result = coyote(f"count {words} --json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["total"] == total


EQUIVALENT_CALLS = [
    ("gigamic 0 3", "gigamic night 3"),
    ("oliphante MAX0 Max- X2", "oliphante max0 max- x2"),
    ("kidult −5 05", "kidult -5 5"),
    ("kidult ×2 fox cave --drawn 3", "kidult x2 max0 '?' --drawn 3"),
]


def test_cards_as_people_write_them_and_zero_is_decoy_in_kidult(coyote: Coyote) -> None:
    for written, meant in EQUIVALENT_CALLS:
        assert coyote(f"count {written} --json") == coyote(f"count {meant} --json")
    report = [json.loads(coyote(f"count {edition} 0 3 --json").out) for edition in ("kidult", "gigamic")]
    assert [each["reshuffle"] for each in report] == [False, True]
    assert [step["step"] for step in report[1]["steps"]] == ["add", "night"]


# decks


def test_check_lists_closest_pairs_and_fails_on_lookalikes(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = coyote("cards check coup --json")
    report = json.loads(result.out)
    assert result.code == 0
    assert {pair["deck"] for pair in report["pairs"]} == {"coup"}
    assert all(pair["distance"] >= report["limit"] for pair in report["pairs"])
    monkeypatch.setattr(decks, "LIMIT", 9.0)
    result = coyote("cards check coup")
    assert (result.code, "TOO CLOSE" in result.out) == (1, True)
    assert result.out.splitlines()[-1].startswith("Pairs below 9.0 may be misread: ")


def test_check_pairs_no_card_with_itself_turned_round(coyote: Coyote) -> None:
    duke, other = (cv2.resize(faces_of("coup")(face), (252, 352)) for face in ("duke", "captain"))
    # as on playing cards, the lower half is the upper one turned round
    duke[176:] = duke[175::-1, ::-1]
    pictures = {"duke": (duke,), "captain": (other,)}
    deck = bare_deck("mine", (63.0, 88.0), dict.fromkeys(pictures, 1), pictures)
    save_deck(deck, state_directory() / DECKS / "mine")
    result = coyote("cards check mine --json")
    assert {tuple(pair["faces"]) for pair in json.loads(result.out)["pairs"]} == {("duke", "captain")}
    assert result.code == 0


def test_taught_deck_is_checked_by_name_and_by_folder(coyote: Coyote) -> None:
    home = state_directory() / DECKS / "mine"
    duke, other = (cv2.resize(faces_of("coup")(face), (252, 352)) for face in ("duke", "captain"))
    counts = {"duke": 1, "twin": 1, "captain": 1}
    save_deck(
        bare_deck("mine", (63.0, 88.0), counts, {"duke": (duke,), "twin": (duke,), "captain": (other,)}), home
    )
    for name in ("mine", home):
        result = coyote(f"cards check {name}")
        assert (result.code, result.err) == (1, "")
        assert result.out.splitlines()[1].split()[-3:] == ["twin", "TOO", "CLOSE"]
    (home / DECK).write_text("{")
    assert coyote("cards check mine").err.count("\n") == 1


# output


def test_match_is_never_saved_over_the_journal(coyote: Coyote, tmp_path: Path) -> None:
    coyote("play --seats Ana,Bo", "Ana\n7\n")
    journal = tmp_path / "journal.sqlite3"
    (tmp_path / "link").symlink_to(journal)
    before = journal.read_bytes()
    for name in ("journal.sqlite3", "link", "journal.sqlite3-wal"):
        result = coyote(f"record save -o {tmp_path / name}")
        assert result.code == 2
        assert "journal itself" in result.err
    assert journal.read_bytes() == before


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("run --config /nothing/there.toml", "File '/nothing/there.toml' does not exist."),
        ("run --port abc", "'abc' is not a valid integer. "),
        ("record save abc", "'abc' is not a valid integer. "),
        ("play coup --house window_seconds=99999999999", "Possible values: 0, 1, 2, …, 999."),
        (f"play --seats Ana,{'o' * 500}", f"not “{'o' * 40}…”"),
    ],
)
def test_bad_argument_gets_one_short_line(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch, typed: str, why: str
) -> None:
    # as the supervised process
    monkeypatch.setenv("NOTIFY_SOCKET", "nowhere")
    result = coyote(typed)
    assert (result.code, why in result.err, result.err.count("\n"), len(result.err) < 250) == (
        2,
        True,
        1,
        True,
    ), result.err


def test_without_command_the_table_runs(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Supervisor, "run", lambda _supervisor: 7)
    assert coyote("").code == coyote("run").code == 7
