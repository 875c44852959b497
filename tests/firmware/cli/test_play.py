"""`coyote play`, `matches`, `save` and `replay`: a match from end to end, as typed."""

import json
from pathlib import Path

import pytest

from tests.firmware.conftest import Coyote

PLAY = "play coyote --seats Ana,Bo,Chloé"

ROUND = "opens Ana\n14\n15\ncoyote\n15 5 ?\n3\n"


def test_a_round(coyote: Coyote) -> None:
    said = coyote(PLAY, ROUND)
    assert said.code == 0
    assert said.err == ""
    for sentence in (
        "Who opens the first round?",
        "Round 1. Everybody draws a card and wears it unseen. Ana opens.",
        "Will Bo say 15 or more, or call Coyote on Ana's 14?",
        "Chloé calls Coyote! Bo said 15.",
        "Lay 3 cards face up in the middle.",
        "Turn up the top card for the cave. Which one counts for Bo's 15?",
        "15 + 5 + 3 = 23",
        "The total is 23, 15 is reached: Bo wins the duel.",
        "Chloé takes a mark: 1 of 3.",
        "When Ana said 14, the cards in sight gave it about 70.9 % (whose card was whose isn't known).",
        "The match is kept; the same command goes on with it.",
    ):
        assert sentence in said.out


def test_whose_card_was_whose_makes_the_odds_exact(coyote: Coyote) -> None:
    said = coyote(PLAY, "opens Ana\n14\n15\ncoyote\nAna=15 Bo=5 Chloé=?\n3\n")
    assert "When Bo said 15, the cards in sight gave it" in said.out
    assert "about" not in said.out


TYPED = [
    ("opens Bo\n0\n", "0 is too low: say 1 or more."),
    ("opens Bo\n10000\n", "10000 is too high: say 9999 or less."),
    ("opens Bo\ncoyote\n", "That is no answer to this: a number is asked for."),
    ("opens Bo\nxyzzy\n", "That isn't understood. Type a number; help says more."),
    ("opens Bo\n7\nBo coyote\n", "It is the turn of Chloé."),
    ("opens Bo\n7\nCoyote!\n15 5\n", "3 cards should lie there, not 2."),
    ("opens Bo\n7\ncoyote\n20 20 3\n", "2 times 20? The deck has 1."),
    ("opens Bo\n7\ncoyote\n20 foo 3\n", "The deck coyote-kidult has no card “foo”."),
    ("opens Bo\n7\ncoyote\n20 5 3\n3\ncoyote\n20 4 4\n", "20 can't lie here: it has been seen elsewhere"),
    ("opens Bo\n7\ncoyote\nAna=20 Zoe=5 Bo=3\n", "Say whose each card was, or of none: Ana, Bo, Chloé"),
    ("opens Bo\n7\ncoyote\nback\n", "The last answer is taken back."),
    ("opens Bo\n7\ncoyote\n20 5 3\nback\n", "Cards have come to light since: only the host can correct that."),
    ("back\n", "There is nothing to take back."),
    ("opens Bo\n7\nhelp\n", "back             take the last answer back"),
    ("opens Bo\n7\nlog\n", "   1  Bo: 7"),
    ("opens Bo\n7\nscore\n", "1. Ana: 0 marks"),
    ("opens Bo\n7\ncorrect 1 9\n", "The record is corrected."),
    ("opens Bo\n7\n8\ncorrect 1\n", "The last 2 answers are struck from the record."),
    ("opens Bo\n7\ncorrect\n", "Say which answer to correct by its number"),
    ("opens Bo\n7\ncorrect 1 foo\n", "That is no answer to what was asked then"),
    ("opens Bo\n7\ncorrect 1 0\n", "0 is too low"),
    ("Quit\n", "The match is kept"),
    ("HELP\n", "take the last answer back"),
    ("opens Bo\n\n\n7\n", "Bo says 7."),
    ("opens   BO \n bo:  7\n", "Bo says 7."),
    ("bo\n7\n", "Bo says 7."),
    ("Bo opens\n7\nCOYOTE !\n", "Chloé calls Coyote!"),
]


@pytest.mark.parametrize(("typed", "told"), TYPED)
def test_what_is_typed_is_answered(coyote: Coyote, typed: str, told: str) -> None:
    said = coyote(PLAY, typed)
    assert (said.code, said.err) == (0, "")
    assert told in said.out


def test_a_match_goes_on_where_it_was(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    said = coyote("play", "15\n")
    assert "The match goes on: Ana, Bo, Chloé." in said.out
    assert "Bo says 15." in said.out
    assert "Will Chloé say 16 or more, or call Coyote on Bo's 15?" in coyote(PLAY).out


def test_another_table_begins_another_match(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    for other in ("play --seats Dan,Eve", f"{PLAY} --edition gigamic", f"{PLAY} --new"):
        said = coyote(other, "1\nquit\n")
        assert "Who opens the first round?" in said.out
        assert "Match 1 is open, too: coyote play --match 1 goes on with it." in said.out
    assert len(coyote("matches").out.splitlines()) == 1, "a match without an answer is none"
    assert "Ana says 14." in coyote("play --match 1").out


def test_the_match_that_is_wished_for_goes_on_though_another_is_newer(coyote: Coyote) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    coyote("play --seats Dan,Eve", "opens Eve\n3\n")
    assert "Ana says 14." in coyote("play --seats ana,BO,chloé").out
    assert "Eve says 3." in coyote("play").out
    assert coyote(f"{PLAY} --match 9").err == "coyote: there is no such match; coyote matches lists them\n"


def test_a_match_that_is_over_can_be_corrected(coyote: Coyote) -> None:
    over = "opens Ana\n9\ncoyote\n1 2\n9\ncoyote\n1 2\n8\ncoyote\n3 4\n"
    said = coyote("play --seats Ana,Bo", over + "correct 9 20 5\nquit\n")
    assert "Bo wins the match." in said.out
    assert "The record is corrected." in said.out
    assert "Bo takes a mark: 1 of 3." in said.out
    said = coyote("play --match 1", "correct 9 3 4\nno\n")
    assert said.out.count("Bo wins the match.") == 1


def test_names_with_spaces_and_names_within_names(coyote: Coyote) -> None:
    typed = "opens Ana Maria\n9\nAna coyote\nAna Maria=20 Ana=5\n"
    said = coyote("play --seats 'Ana,Ana Maria'", typed)
    assert "Ana calls Coyote! Ana Maria said 9." in said.out
    assert "When Ana Maria said 9, the cards in sight gave it" in said.out
    assert "about" not in said.out


def test_a_guess_as_people_write_it(coyote: Coyote) -> None:
    play = f"{PLAY} --edition oliphante --house powers=all"
    for written, told in (("0", "Night 0"), ("−5", "−5"), ("CAVE", "Cave ?"), ("max-", "MAX −")):
        assert f"Ana says: my card is {told}." in coyote(f"{play} --new", f"Ana\nguess {written}\n").out


def test_names_are_asked_for(coyote: Coyote) -> None:
    assert "Who opens the first round?" in coyote("play", "Ana, Bo\nquit\n").out
    said = coyote("play --new", "")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "say who plays: --seats Ana,Bo,Chloé" in said.err


WRONG = [
    ("play poker", "poker"),
    ("play --seats Ana", "2 to 6 can play this, not 1."),
    ("play --seats A,B,C,D,E,F,G", "2 to 6 can play this, not 7."),
    ("play --seats Ana,ana", "that no other has, not “Ana”"),
    ("play --seats Ana,,Bo", "needs a name"),
    ("play --seats Ana,Back", "Back is a command here"),
    (f"{PLAY} --edition kidult --house edition=gigamic", "edition is said twice"),
    (f"play --seats Ana,{'B' * 41}", "needs a name"),
    (f"{PLAY} --edition tilsit", "edition can't be “tilsit”"),
    (f"{PLAY} --house limit=9", "limit can't be “9”. It takes: 3, 4, 5."),
    (f"{PLAY} --house limt=4", "no house rule “limt”"),
    (f"{PLAY} --house limit", "key=value"),
    ("play --seats A,B,C,D,E --house limit=4", "with 5 players, 3 marks at most"),
    (f"{PLAY} --house powers=skip", "this edition has no power skip"),
    (f"{PLAY} --house boxes=2", "two boxes"),
    (f"{PLAY} --house extra_tokens=9", "0 to 8 tokens"),
    ("play --edition oliphante --seats A,B", "3 to 6 can play this, not 2."),
]


@pytest.mark.parametrize(("line", "names"), WRONG)
def test_what_is_wrong_is_one_line_and_2(coyote: Coyote, line: str, names: str) -> None:
    said = coyote(line)
    assert (said.code, said.out) == (2, "")
    assert names in said.err
    assert said.err.count("\n") == 1


HOUSES = [
    "--house coyote.limit=5",
    "--house powers=all --house LIMIT=4",
    "--edition gigamic --house powers=approve,double --house t_multi=false",
    "--edition oliphante --house O_contest_after_token=true --house powers=all",
]


@pytest.mark.parametrize("house", HOUSES)
def test_house_rules_are_agreed_on(coyote: Coyote, house: str) -> None:
    assert "Who opens the first round?" in coyote(f"{PLAY} {house}", "quit\n").out


def test_a_whole_match_and_another(coyote: Coyote, tmp_path: Path) -> None:
    typed = "opens Ana\n99\ncoyote\n1 2\n" + "99\ncoyote\n1 2\n98\ncoyote\n3 4\n"
    said = coyote("play --seats Ana,Bo", typed + "yes\nopens Ana\nquit\n")
    assert "Ana is out." in said.out
    assert "Bo wins the match." in said.out
    assert "1. Bo: 0 marks\n2. Ana: 3 marks (out)" in said.out
    assert said.out.count("Who opens the first round?") == 2
    listed = coyote("matches").out.splitlines()
    assert "(won by Bo)" in listed[0]
    assert "(open)" in listed[1]
    file = tmp_path / "match.jsonl"
    assert coyote(f"save 1 -o {file}").code == 0
    replayed = json.loads(coyote(f"replay {file} --json").out)
    assert replayed["outcome"] == {"reason": "last-standing", "winners": [1]}
    assert [row["seat"] for row in replayed["standings"]] == [1, 0]
    assert replayed["fault"] is None
    assert coyote("save 1").out == file.read_text(encoding="utf-8")


def test_a_replay_tells_all_of_it(coyote: Coyote, tmp_path: Path) -> None:
    coyote(PLAY, ROUND + "5\nback\ncorrect 1 13\n")
    file = tmp_path / "match.jsonl"
    coyote(f"save -o {file}")
    said = coyote(f"replay {file}")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Coyote (Kidult): Ana, Bo, Chloé\n")
    assert "The last answer is taken back." in said.out
    assert said.out.endswith("1. Ana: 0 marks\n1. Bo: 0 marks\n3. Chloé: 1 mark\n")


def damage_record(lines: list[str], how: str) -> tuple[list[str], int]:
    """Damage a record, and say which line has to be named."""
    changes = {
        "not legal": ([*lines[:2], lines[2].replace("14", "0"), *lines[3:]], 3),
        "truncated": ([*lines[:4], lines[4][:30]], 5),
        "no json": ([*lines[:3], "hello", *lines[3:]], 4),
        "head": (["{}", *lines[1:]], 1),
        "newer": ([lines[0].replace('"coyote_table":1', '"coyote_table":2'), *lines[1:]], 1),
        "out of order": ([lines[0], lines[2], lines[1], *lines[3:]], 3),
    }
    return changes[how]


@pytest.mark.parametrize("how", ["not legal", "truncated", "no json", "head", "newer", "out of order"])
def test_a_replay_names_the_first_bad_line(coyote: Coyote, tmp_path: Path, how: str) -> None:
    coyote(PLAY, ROUND)
    lines, number = damage_record(coyote("save").out.splitlines(), how)
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    said = coyote(f"replay {file}")
    assert said.code == 1
    assert f"{file}: line {number}: " in said.err
    assert said.err.count("\n") == 1
    told = json.loads(coyote(f"replay {file} --json").out)
    assert told["fault"]["line"] == number
    assert len(told["moments"]) == max(0, number - 1) + len(told["gaps"])


def test_a_replay_says_why_a_match_can_not_begin(coyote: Coyote, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    head = '{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limit":5}}'
    file.write_text(head, encoding="utf-8")
    said = coyote(f"replay {file}")
    assert said.code == 1
    assert "line 1: not legal: with 2 players, 3 marks at most may put one out, not 5" in said.err


@pytest.mark.parametrize("name", ["missing", "folder", "empty", "bytes"])
def test_a_replay_of_no_match(coyote: Coyote, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "bytes").write_bytes(bytes(range(256)))
    said = coyote(f"replay {tmp_path / name}")
    assert said.code in {1, 2}
    assert said.err.startswith("coyote: ")
    assert said.err.count("\n") == 1


def test_saving_what_is_not_there(coyote: Coyote, tmp_path: Path) -> None:
    assert "no journal yet" in coyote("save").err
    assert "no journal yet" in coyote("matches").err
    coyote(PLAY, "Ana\nquit\n")
    assert "no such match" in coyote("save 7").err
    assert coyote("save 99999999999999999999").code == 2
    assert "No such file" in coyote(f"save -o {tmp_path / 'nowhere' / 'file'}").err


def test_a_damaged_journal_is_moved_aside_and_told(coyote: Coyote, tmp_path: Path) -> None:
    coyote(PLAY, "opens Ana\n14\n")
    journal = tmp_path / "journal.sqlite3"
    journal.write_bytes(b"x" * 100 + journal.read_bytes()[100:])
    said = coyote("play", "15\n")
    assert said.code == 0
    assert "The journal was damaged" in said.err
    assert "Bo says 15." in said.out
    assert list(tmp_path.glob("journal.sqlite3.damaged-*"))
