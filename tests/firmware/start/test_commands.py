"""The command itself: help that needs no manual, errors in one line, figures that anybody can print."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.language.catalogues import preferred_language
from firmware.start.commands import SUBCOMMANDS
from firmware.storage.places import journal_path
from referee.games.catalogue import GAMES
from tests.firmware.conftest import Coyote


@pytest.mark.parametrize("line", ["", "--help"])
def test_help_lists_the_commands(coyote: Coyote, line: str) -> None:
    said = coyote(line)
    assert (said.code, said.err) == (0, "")
    assert all(name in said.out for name in SUBCOMMANDS)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_command_has_help(coyote: Coyote, name: str) -> None:
    said = coyote(f"{name} --help")
    assert (said.code, said.err) == (0, "")
    assert len(said.out.splitlines()) > 4


@pytest.mark.parametrize("group", ["bench", "decks", "print"])
def test_a_group_alone_says_what_it_has(coyote: Coyote, group: str) -> None:
    said = coyote(group)
    assert said.err == ""
    assert said.out.startswith(f"Usage: coyote {group}")
    assert len(said.out.splitlines()) > 6


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full disk to print to")
def test_a_full_disk_is_one_line() -> None:
    command = [sys.executable, "-c", "from firmware.start.program import main; main()", "count", "kidult", "5"]
    with FULL.open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("coyote: ")
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_gone_is_no_failure() -> None:
    command = [sys.executable, "-c", "from firmware.start.program import main; main()", "play", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == ""


def test_a_match_whose_reader_has_gone_is_no_failure(tmp_path: Path) -> None:
    program = "from firmware.start.program import main; main()"
    journal = f"--journal={tmp_path / 'journal.sqlite3'}"
    command = [sys.executable, "-c", program, "play", "--seats=Ana,Bo", journal]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.close()
        assert process.wait() == 141
        assert process.stderr.read() == ""


@pytest.mark.parametrize("line", ["", "count --help", "count", "count tilsit 3", "nope", "bench --help"])
def test_french_is_french_to_the_last_word(line: str) -> None:
    program = (
        "import sys\nfrom firmware.start.program import main\nsys.argv = ['coyote', *sys.argv[1:]]\nmain()"
    )
    command = [sys.executable, "-c", program, *line.split()]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "LANGUAGE": "fr"}
    )
    told = done.stdout + done.stderr
    for english in (
        "Usage",
        "Options:\n  --help  Show",
        "Missing",
        "Invalid",
        "No such",
        "Show this",
        "Commands",
    ):
        assert english not in told


def test_help_of_play_lists_the_house_rules(coyote: Coyote) -> None:
    out = coyote("play --help").out
    assert "  limit=3|4|5\n      marks that put a player out" in out
    assert "  edition=kidult|gigamic|oliphante\n" in out


@pytest.mark.parametrize("line", ["nope", "--nope", "bench nope", "play --nope", "replay"])
def test_a_slip_is_one_line(coyote: Coyote, line: str) -> None:
    said = coyote(line)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("coyote: ")
    assert said.err.count("\n") == 1


def test_version(coyote: Coyote) -> None:
    assert coyote("--version").out.startswith("coyote, version ")


def test_bench_prints_every_game_and_setting(coyote: Coyote) -> None:
    told = json.loads(coyote("bench referee --seconds 0.05 --json").out)
    assert told["bench"] == "referee"
    rules = {(row["game"], row["rules"]) for row in told["throughput"]}
    assert {("coyote", "kidult"), ("coyote", "gigamic"), ("coyote", "oliphante, all powers")} <= rules
    assert all(row["answers"] > row["matches"] > 0 for row in told["throughput"])
    assert all(row["answers_per_second"] > 0 < row["player"] for row in told["throughput"])
    assert all(chore["milliseconds"] >= 0 for chore in told["chores"])
    assert told["coupml"]["ours"] > 0 < told["coupml"]["theirs"]
    assert "answers/s" in coyote("bench referee --seconds 0.05").out


def test_bench_says_in_one_line_that_the_other_engine_is_missing(
    coyote: Coyote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "coupml", None)
    monkeypatch.setattr("firmware.benches.referee.GAMES", {"coup": GAMES["coup"]})
    monkeypatch.setattr("firmware.benches.referee.DECKS", {})
    monkeypatch.setattr("firmware.benches.referee.IMPORTS", 1)
    out = coyote("bench referee --seconds 0.05").out
    assert [line for line in out.splitlines() if "coupml" in line] == [
        "Coup against coupml: not measured, because coupml isn't installed here"
    ]


LANGUAGES = [
    ({}, "en"),
    ({"LANG": "fr_FR.UTF-8"}, "fr"),
    ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LANGUAGE": "de:fr:en", "LANG": "en_GB.UTF-8"}, "fr"),
    ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
    ({"LC_MESSAGES": "fr", "LANG": "en_US"}, "fr"),
    ({"LANG": "C.UTF-8"}, "en"),
    ({"LANG": "../../etc"}, "en"),
]


@pytest.mark.parametrize(("environ", "code"), LANGUAGES)
def test_the_language_is_what_the_environment_asks_for(environ: dict[str, str], code: str) -> None:
    assert preferred_language(environ) == code


def test_the_journal_is_where_the_service_keeps_its_state() -> None:
    assert str(journal_path({"STATE_DIRECTORY": "/var/lib/coyote:/other"})) == "/var/lib/coyote/journal.sqlite3"
    assert journal_path({}).name == "journal.sqlite3"
