"""The optional rules of Kidult's and Gigamic's boxes: lines of play, and what is asked after each of them."""

from typing import Any

import pytest

from referee.contract import Option, Reason
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coyote.script import CRY, play, play_with_powers
from tests.referee.games.coyote.second_scorer import Edition
from tests.referee.games.lines import read_lines

each_box = pytest.mark.parametrize("edition", ["kidult", "gigamic"])


@each_box
@pytest.mark.parametrize("power", ["approve", "double", "reverse", "extra", "restart", "next", None])
def test_none_is_offered_unless_it_is_agreed(edition: Edition, power: str | None) -> None:
    script = play("5", edition=edition, powers=(power,) if power else ())
    assert script.words() | script.words("after") == {"coyote"} | ({power} if power else set())


@on_both_sides_of("approve", "next-is", "second-card", "restart", "once/table", "once/turn", "reverse/instead")
@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "powers"))
def test_what_is_asked_after_a_line(house: dict[str, Any], line: str, stands: str) -> None:
    """Kidult: one use a player and round. Gigamic: each once for the table, several in a turn (ruling 12)."""
    box, agreed = house["box"], {rule: value for rule, value in house.items() if rule != "box"}
    for edition in ("kidult", "gigamic") if box == "both" else (box,):
        assert play_with_powers(edition, line, **agreed).stands == stands


DUELS = [
    ("14 approve coyote", (2, 1, 14, 1), "5 4 4 1", (0, 0, 1, 0)),
    ("14 approve coyote", (2, 1, 14, 1), "5 4 3 1", (0, 1, 0, 0)),
    # only if the very next one contests, the loser takes two
    ("14 +double coyote", (1, 0, 14, 2), "5 5 4 1", (0, 2, 0, 0)),
    ("14 +double coyote", (1, 0, 14, 2), "1 1 2 3", (2, 0, 0, 0)),
    ("14 +double 15 coyote", (2, 1, 15, 1), "5 5 4 1", (0, 0, 1, 0)),
    ("14 +double approve coyote", (2, 1, 14, 1), "1 1 2 3", (0, 1, 0, 0)),
    # three are enough to be out, the fourth is not hung on (CY-33, ruling 14)
    ("loses:1 5000 +double coyote", (2, 1, 5000, 2), "1 2 3 4", (0, 3, 0, 0)),
    ("loses:1 loses:1 5000 +double coyote", (2, 1, 5000, 2), "1 2 3 4", (0, 3, 0, 0)),
    # another draws one more card, which counts with the others
    ("14 +extra:3 coyote", (1, 0, 14, 1), "1 2 3 4 5", (0, 1, 0, 0)),
    ("14 +next:3 coyote", (3, 0, 14, 1), "1 2 3 4", (1, 0, 0, 0)),
    ("5 14 restart 6 coyote", (2, 1, 6, 1), "1 2 3 1", (0, 0, 1, 0)),
]


@on_both_sides_of("double", "doubled-marks")
@each_box
@pytest.mark.parametrize(("line", "called", "cards", "marks"), DUELS)
def test_duels_with_powers(
    edition: Edition, line: str, called: tuple[int, ...], cards: str, marks: tuple[int, ...]
) -> None:
    script = play_with_powers(edition, line)
    told = script.ruling("called-double" if called[3] == 2 else "called")
    assert told == dict(zip(("seat", "bidder", "number", "stake"), called, strict=True))
    over = script.shows(cards)
    assert over.marks == marks
    assert over.ruling("mark")["taken"] == sum(marks) - sum(script.marks)
    assert over.tells("out") == (max(marks) == 3)


def test_gigamic_s_double_is_lost_when_the_other_way_is_called() -> None:
    assert play_with_powers("gigamic", "14 +double reverse 15 coyote").ruling("called")["stake"] == 1


@each_box
def test_where_anyone_may_contest(edition: Edition) -> None:
    """A doubled number is doubled for the next one only; while a new one is awaited none can be contested."""
    script = play_with_powers(edition, "14 +double", anyone_may_contest=True)
    assert script.plays("contest:2").ruling("called")["stake"] == 1
    assert script.plays("coyote").ruling("called-double")["stake"] == 2
    assert play_with_powers(edition, "5 14 restart", anyone_may_contest=True).ask_keys == ["announce"]


@each_box
def test_at_whom_one_aims(edition: Edition) -> None:
    """Not at oneself, and at none who is out."""
    options = play_with_powers(edition, "loses:3 loses:3 loses:3 1 14").options("after")
    assert {(option.word, option.seat) for option in options if option.seat is not None} == {
        ("extra", 0), ("extra", 2), ("next", 0), ("next", 2)
    }  # fmt: skip


RESTARTS = [
    ("14", 13, None),
    ("14", 1, None),
    ("14", 15, None),
    ("14", 14, "barred"),
    ("14", 0, "too-low"),
    ("5 14", 13, None),
    ("5 14", 6, None),
    ("5 14", 14, "barred"),
    ("5 14", 5, "too-low"),
    ("5 6", 6, "barred"),
    ("5 6", 7, None),
    ("14 approve", 14, "too-low"),
    ("14 approve", 15, None),
]
"""Numbers said, the new one, and why not."""


@on_both_sides_of("restart")
@each_box
@pytest.mark.parametrize(("line", "number", "reason"), RESTARTS)
def test_a_new_number_is_above_the_one_before_and_not_the_same(
    edition: Edition, line: str, number: int, reason: str | None
) -> None:
    script = play_with_powers(edition, f"{line} restart")
    caller, author = script.ruling("restarted")["seat"], script.ruling("restarted")["target"]
    assert (script.turn, author) == (author, caller - 1)
    if reason is None:
        again = script.says(author, number)
        assert (again.turn, again.least) == (caller, number + 1)
        assert again.plays("coyote").ruling("called")["bidder"] == author
    else:
        assert script.refusal("announce", number, author)[0] == reason


@on_both_sides_of("double", "second-card", "next-is", "approve")
@each_box
def test_what_is_refused(edition: Edition) -> None:
    """Others are not in turn; after the next number it is too late; no number is approved twice in a row."""
    script = play_with_powers(edition, "5")
    for seat in (0, 2, 3):
        assert script.refusal("turn", Option("approve"), seat)[0] == Reason.NOT_YOU
    for word, aim in (("double", None), ("extra", 2), ("next", 2)):
        assert script.adds(0, word, aim).tells("doubled" if word == "double" else word)
        late = script.plays("6").refusal("after", Option(word, seat=aim), 0)
        assert late == ("not-you", {"seats": (1,)})
    approved = script.plays("approve")
    assert approved.refusal("turn", Option("approve"), 2)[0] == Reason.NO_SUCH_OPTION
    chosen = script.plays("+next:2")
    assert chosen.refusal("turn", CRY, 1) == ("not-you", {"seats": (2,)})
