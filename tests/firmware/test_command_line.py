"""The command itself: help that needs no manual, errors in one line, figures that anybody can print."""

import json

import pytest

from firmware.command_line import SUBCOMMANDS
from firmware.languages import preferred
from firmware.places import journal_path
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
    assert all(chore["milliseconds"] >= 0 for chore in told["chores"])
    assert "answers/s" in coyote("bench referee --seconds 0.05").out


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
    assert preferred(environ) == code


def test_the_journal_is_where_the_service_keeps_its_state() -> None:
    assert str(journal_path({"STATE_DIRECTORY": "/var/lib/coyote:/other"})) == "/var/lib/coyote/journal.sqlite3"
    assert journal_path({}).name == "journal.sqlite3"
