"""`coyote play`, `matches`, `save` and `replay`: whole matches as typed."""

import json
from pathlib import Path

import pytest

from firmware.storage.journal import open_journal
from referee.match import EndMatch
from tests.firmware.conftest import Coyote

PLAY = "play coyote --seats Ana,Bo,Chloé"
HOUSES = ("powers=all --house LIMIT=4", "coyote.limit=5", "powers=approve,double --edition gigamic")
NESTED_NAMES = "opens Ana Maria\n9\nAna coyote\n"
ROUND = "opens Ana\n14\n15\ncoyote\n15 5 ?\n3\n"


TYPED = [
    ("opens Bo\n0\nwhy\n", "0 is too low: say 1 or more.\n      The first"),
    ("opens Bo\ncoyote\n", "That is no answer to this: a number is asked for."),
    ("opens Bo\nxyzzy\n", "Not understood. Type a number; help shows more."),
    ("opens Bo\n7\nBo coyote\n", "It is Chloé's turn."),
    ("opens Bo\n7\ncoyote\n20 foo 3\n", "The deck coyote-kidult has no card “foo”."),
    ("opens Bo\n7\ncoyote\nAna=20 Zoe=5 Bo=3\n", "The deck coyote-kidult has no card “zoe=5”."),
    ("opens Bo\n7\ncoyote\nAna=fox 5 Bo=3\n", "Who wore what: Ana Fox MAX 0, Bo 3, Chloé 5."),
    ("opens Bo\n7\ncoyote\nback\n", "The last answer is taken back."),
    ("back\n", "There is nothing to take back."),
    ("opens Bo\n7\nlog\n", "   1  Bo: 7"),
    ("opens Bo\n7\nscore\n", "1. Ana: 0 paws"),
    ("opens Bo\n7\ncorrect 1 9\n", "The record is corrected."),
    ("opens Bo\n7\ncoyote\nAna=20 5 3\ncorrect 3 20 5 3\n", "The record is corrected."),
    ("opens Bo\n7\n8\ncorrect 1\n", "The last 2 answers are struck from the record."),
    ("opens Bo\n7\ncorrect\n", "Name the answer to correct by its number"),
    ("opens Bo\n7\ncorrect 1 foo\n", "That doesn't answer the question of that time"),
    ("opens Ana\nQuit\n", "The match is stored"),
    ("HELP\n", "take the last answer back"),
    ("opens Bo\n13\n", "Bo's 13?\n  14 to 9999\n  coyote"),
    ("opens   BO \n bo:  7\n", "Bo says 7."),
    ("\n\nbo\n7\n", "Bo says 7."),
    ("Bo opens\n7\nCOYOTE !\n", "Chloé calls Coyote!"),
]
COUP = [
    ("tax\nDan pass\nBo challenge\nduke\ncontessa\n", "Still hidden: Duke 3"),
    ("steal Dan\npass\n", "Whose answer is this? Put the name first."),
    ("steal Dan\nDan pass\npass\n", "Ana takes 2 coins from Dan."),
    ("steal Dan\nDan block captain\n", "unless another player comes first."),
    ("tax\nDan challenge\nconcede\n", "Ana doesn't show the Duke: the challenge was right."),
    ("tax\nDan challenge\nduc\n", "Ana shows the Duke: the challenge was wrong."),
    (
        "help\n",
        "  duke assassin  cards; Ana=duke Bo=assassin also names their owners\n  Dan opens      a name first",
    ),
    ("exchange\nDan pass\nBo pass\ndone\n", "Ana has put two cards back into the Court."),
    ("Foreign Aid\n", "Ana asks for foreign aid: 2 coins."),
    ("steal\n", "Which one? steal Bo, steal Dan"),
    ("challenge\n", "“challenge” can't be chosen now. Possible: income, foreign-aid, tax, steal, exchange."),
    ("foreign-aid\nobjections\n", "  NAME block duke  I block as the Duke"),
]
OGALLALA = [
    ("empty bow\nput 3 1\n", "put COLUMN ROW  1, 2, 3 in row 1; 1, 3 in row 2; 1, 2, 3 in row 3"),
    ("empty bow\nput 3 1\ntable\n", "     1  2  3  4\n  1  ·  ·  ·  ·\n  2  ·  ·  A  ·\n  3  ·  B  ·  ·\n"),
    ("empty bow\nput 40 2\n", "That row would get too long"),
]


@pytest.mark.parametrize(
    ("line", "typed", "expected"),
    [
        *((PLAY, typed, told) for typed, told in TYPED),
        *(("play coup --seats Ana,Bo,Dan", f"opens Ana\n{typed}", told) for typed, told in COUP),
        *(
            ("play ogallala --seats Ana,Bo", f"opens Bo\nempty stern\nfirst 1 1\n{typed}", told)
            for typed, told in OGALLALA
        ),
        *((f"{PLAY} --house {house}", "quit\n", "Who opens the first round?") for house in HOUSES),
        # names within names
        (
            "play --seats 'Ana,Ana Maria'",
            f"{NESTED_NAMES}Ana Maria=20 Ana=5\n",
            "Who wore what: Ana 5, Ana Maria 20.",
        ),
    ],
)
def test_typed_answers(coyote: Coyote, line: str, typed: str, expected: str) -> None:
    result = coyote(line, typed)
    assert (result.code, result.err) == (0, "")
    assert expected in result.out


def test_other_table_starts_another_match(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    for other in ("play --seats Dan,Eve", f"{PLAY} --edition gigamic", f"{PLAY} --new"):
        result = coyote(other, "1\nquit\n")
        assert "Who opens the first round?" in result.out
        assert "Match 1 is also open: coyote play --match 1 resumes it." in result.out
    assert len(coyote("record list").out.splitlines()) == 1, "a match without an answer is none"
    assert "Ana says 14." in coyote("play --match 1").out


def test_chosen_match_continues_despite_newer_one(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    coyote("play --seats Dan,Eve", "opens Eve\n3\n")
    output = coyote("play --seats ana,BO,chloé", "15\n").out
    assert all(told in output for told in ("The match goes on: Ana, Bo, Chloé.", "Ana says 14.", "Bo says 15."))
    # without names the last played match continues
    assert "Bo says 15." in coyote("play").out
    assert "Eve says 3." in coyote("play --seats Dan,Eve").out
    assert coyote(f"{PLAY} --match 9").err == "coyote: there is no such match; coyote record list lists them\n"


def test_finished_match_can_be_corrected(coyote: Coyote) -> None:
    over = "opens Ana\n9\ncoyote\n1 2\n9\ncoyote\n1 2\n8\ncoyote\n3 4\n"
    result = coyote("play --seats Ana,Bo", over + "correct 9 20 5\nquit\n")
    assert "Bo wins the match." in result.out
    assert "The record is corrected." in result.out
    assert "Bo takes a paw: 1 of 3." in result.out
    result = coyote("play --match 1", "correct 9 3 4\nno\n")
    assert result.out.count("Bo wins the match.") == 1
    assert "goes on" in result.out
    assert "goes on" not in coyote("play --match 1", "no\n").out


def test_match_of_other_game_is_not_opened(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    result = coyote("play coup --match 1")
    assert (result.code, result.out) == (2, "")
    assert "this match is one of another game: coyote play coyote --match 1" in result.err
    assert all("The match goes on" in coyote(f"play {game} --match 1").out for game in ("", "coyote"))


def test_names_are_asked_for(coyote: Coyote) -> None:
    result = coyote("play", "Ana, Bo\nquit\n")
    # nothing is stored before the first answer
    assert ("Who opens the first round?" in result.out, "is kept" in result.out) == (True, False)
    assert "No match has been played yet." in coyote("record list").out
    result = coyote("play --new", "")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "name the players: --seats Ana,Bo,Chloé" in result.err


def test_whole_match_and_another(coyote: Coyote, tmp_path: Path) -> None:
    typed = "opens Ana\n99\ncoyote\n1 2\n" + "99\ncoyote\n1 2\n98\ncoyote\n3 4\n"
    result = coyote("play --seats Ana,Bo", typed + "yes\nopens Ana\nquit\n")
    assert "Ana is out." in result.out
    assert "Bo wins the match." in result.out
    assert "1. Bo: 0 paws\n2. Ana: 3 paws (out)" in result.out
    assert result.out.count("Who opens the first round?") == 2
    listed = coyote("record list").out.splitlines()
    assert "(won by Bo)" in listed[0]
    assert "(open)" in listed[1]
    file = tmp_path / "match.jsonl"
    assert coyote(f"record save 1 -o {file}").code == 0
    replayed = json.loads(coyote(f"record replay {file} --json").out)
    assert replayed["outcome"] == {"reason": "last-standing", "winners": [1]}
    assert [row["seat"] for row in replayed["standings"]] == [1, 0]
    assert replayed["fault"] is None
    assert coyote("record save 1").out == file.read_text(encoding="utf-8")


def test_ended_match_is_listed_and_another_starts(coyote: Coyote, tmp_path: Path) -> None:
    coyote(PLAY, ROUND)
    with open_journal(tmp_path / "journal.sqlite3") as opened:
        number = len(opened.journal.lines(1)) - 1
        opened.journal.append(1, number + 1, EndMatch(number))
    assert "(ended early)" in coyote("record list").out
    assert "The host has ended the match: nobody wins it." in coyote("record replay 1").out
    assert "Who opens the first round?" in coyote(PLAY, "quit\n").out


def test_replay_reports_first_bad_line(coyote: Coyote, tmp_path: Path) -> None:
    coyote(PLAY, ROUND)
    lines, file = coyote("record save").out.splitlines(), tmp_path / "match.jsonl"
    for damaged, number in (
        ([*lines[:2], lines[2].replace("14", "0"), *lines[3:]], 3),
        ([*lines[:4], lines[4][:30]], 5),
        (["{}", *lines[1:]], 1),
    ):
        file.write_text("\n".join(damaged), encoding="utf-8")
        result = coyote(f"record replay {file}")
        assert (result.code, result.err.count("\n")) == (1, 1)
        assert f"{file}: line {number}: " in result.err
        report = json.loads(coyote(f"record replay {file} --json").out)
        assert report["fault"]["line"] == number
        assert len(report["moments"]) == max(0, number - 1) + len(report["gaps"])


def test_damaged_journal_is_moved_aside_and_reported(coyote: Coyote, tmp_path: Path) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    journal = tmp_path / "journal.sqlite3"
    journal.write_bytes(b"x" * 100 + journal.read_bytes()[100:])
    result = coyote("play", "15\n")
    assert result.code == 0
    assert "The journal was damaged" in result.err
    assert "Bo says 15." in result.out
    assert list(tmp_path.glob("journal.sqlite3.damaged-*"))
