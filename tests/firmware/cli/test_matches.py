"""`coyote table forget` and `record add`: names are erased, and match files are imported."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.cli.plain_stream import PlainStream
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from referee.match import seat_person
from referee.record import record_lines
from tests.firmware.board.inputs.matches import begun_at, bidden
from tests.firmware.conftest import Coyote
from tests.given import allowed


def test_exported_match_is_imported(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    lines = record_lines(bidden(3, 5))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = coyote(f"record add {file}")
    assert (result.code, result.out) == (0, f"Lines added: {len(lines)}.\n")
    assert coyote("record save").out == file.read_text(encoding="utf-8")
    assert coyote(f"record add {file}").err == "coyote: this match is stored already\n"
    file.write_text("nonsense\n", encoding="utf-8")
    assert "match.jsonl: line 1" in coyote(f"record add {file}").err
    file.write_text("", encoding="utf-8")
    assert coyote(f"record add {file}").code == 1


def test_match_with_missing_line_is_imported_and_completed_later(coyote: Coyote, tmp_path: Path) -> None:
    lines, damaged = record_lines(bidden(3, 5)), tmp_path / "damaged.jsonl"
    whole = tmp_path / "whole.jsonl"
    whole.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    damaged.write_text("".join(f"{line}\n" for line in [lines[0], "", *lines[2:]]), encoding="utf-8")
    result = coyote(f"record add {damaged}")
    assert (result.code, result.out) == (0, f"Lines added: {len(lines) - 1}.\n")
    assert "Line 2 is missing" in result.err
    assert coyote("record save").out == damaged.read_text(encoding="utf-8")
    assert coyote(f"record add {whole}").out == "Lines added: 1.\n"
    assert coyote("record save").out == whole.read_text(encoding="utf-8")


HOSTILE = "\x1b]0;a\x07\x9b\x7f\r\x1b[31m\u202e"
"""Codes for terminals: a window's title, a moved cursor, a colour and another direction."""


@pytest.mark.parametrize("game", ["coyote", HOSTILE], ids=["known", "hostile"])
def test_match_file_cannot_control_the_terminal(coyote: Coyote, tmp_path: Path, game: str) -> None:
    first, *rest = record_lines(begun_at(bidden(3), HOSTILE))
    head = json.dumps({**json.loads(first), "game": game})
    file = tmp_path / f"{HOSTILE}.jsonl"
    file.write_text("\n".join((head, *rest)), encoding="utf-8")
    film = f"film '{file}' -o '{file}.html'"
    for line in (f"replay '{file}'", f"replay '{file}x'", f"add '{file}'", film, "list", f"no-{HOSTILE}"):
        result = coyote(f"record {line}")
        assert (result.out + result.err).replace("\n", "").isprintable(), line
    assert ("\\u001b" in coyote("record list").out) is (game == "coyote")


def test_output_keeps_its_own_lines_and_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    own = "a\tb\n\N{NO-BREAK SPACE}\N{FIRST STRONG ISOLATE}\u05d0\N{POP DIRECTIONAL ISOLATE}\u2764\ufe0f\n"
    PlainStream(sys.stdout).write(own + json.dumps(HOSTILE, ensure_ascii=False))
    lines = capsys.readouterr().out
    assert lines.startswith(own)
    assert json.loads(lines.removeprefix(own)) == HOSTILE


def test_list_and_replay_name_a_player_who_left(coyote: Coyote, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(allowed(seat_person(bidden(3, 5), 1, "Dora")))
    assert "Coyote: Ana, Bo, Dora, Chloé, Dan (open)" in coyote("record list").out
    first, *rest = coyote("record replay 1").out.splitlines()
    assert first.endswith("Ana, Bo, Dora, Chloé, Dan")
    assert "1. Bo, Dora: 0 paws" in rest


@pytest.mark.parametrize(
    "line", ["record list", "record statistics", "record save 1", "play coyote", "table forget Ana"]
)
@pytest.mark.parametrize("put", [os.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_other_file_is_not_a_journal(
    coyote: Coyote, tmp_path: Path, line: str, put: Callable[[Path], None]
) -> None:
    put(tmp_path / "journal.sqlite3")
    result = coyote(line)
    assert result.code == 1
    assert result.err.endswith("journal.sqlite3: this is no file; name another one, or move it away\n")
    assert result.err.count("\n") == 1


def test_name_is_forgotten_after_confirmation(coyote: Coyote, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        opened.journal.begin(bidden(3, 5))
    assert coyote("table forget ana", typed="n\n").code != 0
    assert "Coyote: Ana, Bo" in coyote("record list").out
    result = coyote("table forget ana", typed="y\n")
    assert (result.code, "Replace the name Ana everywhere, permanently?" in result.out) == (0, True)
    assert coyote("table forget Bo --yes").code == 0
    assert "Coyote: Player 1, Player 2, Chloé" in coyote("record list").out


def test_evening_is_forgotten_after_two_confirmations(coyote: Coyote, tmp_path: Path) -> None:
    journal, file = tmp_path / "journal.sqlite3", tmp_path / "match.jsonl"
    file.write_text("".join(f"{line}\n" for line in record_lines(bidden(3, 5))), encoding="utf-8")
    with open_journal(journal) as opened:
        for begun in ("2026-11-21T20:15:00", "2026-11-14T20:15:00", ""):
            opened.journal.begin(begun_at(bidden(3), begun))
        for line in (
            "table forget --evening 2026-11-14 --yes",
            f"record add {file}",
            "play coyote --seats Ana,Bo",
        ):
            assert (
                coyote(line).err
                == f"coyote: a table is running here: end it first, then try again ({journal})\n"
            )
    assert not (tmp_path / "state" / "forgetting.json").exists()
    assert "stored evenings: 2026-11-21, 2026-11-14, undated" in coyote("table forget --evening 2026-11-20").err
    assert coyote("table forget --evening 2026-11-21", typed="n\n").code != 0
    assert len(History(journal).all()) == 3
    result = coyote("table forget --evening 2026-11-21", typed="y\n")
    assert (result.code, result.out.endswith("Deleted: 2026-11-21. Matches: 1.\n")) == (0, True)
    assert coyote("table forget --yes --evening undated").out.endswith("Deleted: undated. Matches: 1.\n")
    assert [entry.summary.begun[:10] for entry in History(journal).all() if entry.summary] == ["2026-11-14"]
    assert not any(b"2026-11-21T" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
