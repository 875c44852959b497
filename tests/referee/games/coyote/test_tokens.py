"""Oliphante's tokens: lines of play, what is asked after each, and rulings where the rule book is silent."""

from typing import Any

import pytest

from referee.contract import DISCARD, TABLE, Option, Reason, before_seat
from tests.referee.boundaries import on_both_sides_of, within
from tests.referee.games.coyote.script import CRY, Script, play_with_powers
from tests.referee.games.coyote.second_scorer import CARDS
from tests.referee.games.lines import read_lines


def oliphante(line: str, seats: int = 4, **house: Any) -> Script:
    """Play a line with Oliphante's tokens."""
    return play_with_powers("oliphante", line, seats, **house)


@on_both_sides_of("token-extra", "token-reverse", "token-skip", "token-replace", "token-guess/out")
@on_both_sides_of("one-token-a-turn", "wrong-guess-opens", "after-token/call", "after-token/number")
@on_both_sides_of("token-guess/may-leave")
@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "tokens"))
def test_what_is_asked_after_a_line(house: dict[str, Any], line: str, stands: str) -> None:
    assert oliphante(line, **house).stands == stands


COUNTS = [
    # an extra feather is added at the end; an open "?" draws like any other, an open 0 shuffles
    ("extra [15] 20 coyote [1 2 3 4 15]", 25, False),
    ("extra [15] 20 extra [x2] 21 coyote [15 x2 1 2 3 4]", 50, False),
    ("extra [?] 20 coyote [1 2 3 4 ?] [15]", 25, False),
    ("extra [night] 20 coyote [1 2 3 4 night]", 10, True),
    # one that was covered does nothing, but a 0 shuffles all the same (ruling 15)
    ("replace 10 coyote [1 2 3 4] [20]", 10, False),
    ("replace 10 coyote [1 2 3 4] [?]", 10, False),
    ("replace 10 coyote [1 2 3 4] [x2]", 10, False),
    ("replace 10 coyote [1 2 3 4] [max0]", 10, False),
    ("replace 10 coyote [1 2 3 4] [-10]", 10, False),
    ("replace 10 coyote [1 2 3 4] [night]", 10, True),
    ("replace 10 replace 11 coyote [1 2 3 ?] [20 15] [5]", 11, False),
    # the feather of one who guessed right counts
    ("5 guess:20 [20] 6 7 8 coyote [20 1 2 3]", 26, False),
    # a wrong guess has nothing counted: a "?" draws nothing
    ("guess:20 [7] [7 1 2 night]", None, True),
    ("guess:20 [7] [7 1 2 ?]", None, False),
    ("5 replace 6 7 8 guess:20 [7] [7 1 2 3] [night]", None, True),
]


@pytest.mark.parametrize(("line", "total", "shuffled"), COUNTS)
def test_what_counts(line: str, total: int | None, shuffled: bool) -> None:
    script = oliphante(line)
    told = [ruling.values["total"] for ruling in script.match.rulings if ruling.key in {"enough", "short"}]
    assert told == [total] * (total is not None)
    assert script.tells("shuffle") == shuffled
    assert script.tells("round")


REFUSED = [
    ("extra [15] 20 extra", "extra", "15", ("already-seen", {"card": "15", "left": 0})),
    ("extra [15] 20 extra [x2] 21 coyote", "reveal", "15 1 2 3 4 5", ("card-missing", {"card": "x2"})),
    ("5 guess:20 [20] 6 coyote", "reveal", "1 2 3 4", ("card-missing", {"card": "20"})),
    ("replace 9 coyote [1 2 3 4]", "aside", "night 20", ("card-count", {"shown": 2, "wanted": 1})),
    ("replace 30 coyote [20 2 3 4]", "aside", "20", ("already-seen", {"card": "20", "left": 0})),
    (
        "replace 30 coyote [20 2 3 4] [15] 5 coyote",
        "reveal",
        "15 1 1 5",
        ("already-seen", {"card": "15", "left": 0}),
    ),
    (
        "replace 10 replace 11 coyote [1 2 3 ?] [20 15]",
        "draw",
        "20",
        ("already-seen", {"card": "20", "left": 0}),
    ),
]


@pytest.mark.parametrize(("line", "ask", "cards", "refused"), REFUSED)
def test_cards_that_can_t_lie_there(line: str, ask: str, cards: str, refused: tuple[str, object]) -> None:
    assert oliphante(line).refusal(ask, tuple(cards.split())) == refused


def test_where_feathers_lie() -> None:
    for line, zone, seats in (
        ("5 extra", before_seat(1), (1,)),
        ("5 guess:20", before_seat(1), (1,)),
        ("replace 10 coyote [1 2 3 4]", DISCARD, TABLE),
    ):
        show = oliphante(line).show
        assert (show.count, show.zone, show.seats) == (1, zone, seats)
    faces = {option.face for option in oliphante("").options("turn") if option.word == "guess"}
    assert faces == set(CARDS["oliphante"])


def test_what_a_guess_costs() -> None:
    """CY-37: a mark at once, which may be the last one; a right guess costs nothing."""
    wrong = oliphante("5 6 guess:20 [7]")
    assert wrong.ruling("guess-wrong") == {"seat": 2, "card": "7", "said": "20"}
    assert wrong.ruling("mark") == {"seat": 2, "taken": 1, "marks": 1, "limit": 3}
    out = oliphante("loses:1 loses:1").climbs_to(1).plays("guess:20 [7]")
    assert (out.ruling("mark")["marks"], out.ruling("out")) == (3, {"seat": 1})
    assert out.plays("lay").ruling("round") == {"number": 4, "opener": 2, "cards": 3}
    assert oliphante("5 guess:20 [20]").marks == (0, 0, 0, 0)


def test_a_number_stands_though_its_bidder_has_left() -> None:
    script = oliphante("5 skip skip guess:1 [1] coyote", 3)
    assert script.ruling("called") == {"seat": 1, "bidder": 0, "number": 5, "stake": 1}
    assert script.plays("[1 1 2]").marks == (1, 0, 0)


def test_who_may_contest_where_anyone_may() -> None:
    """Nobody before a number that has to follow a token, and nobody who has left the round."""
    for word in ("reverse", "replace"):
        assert oliphante(f"5 {word}", anyone_may_contest=True).ask_keys == ["announce"]
    guessed = oliphante("5 guess:20 [20]", anyone_may_contest=True)
    assert guessed.ask("contest").seats == (3,)
    assert guessed.refusal("turn", CRY, 1)[0] == Reason.NOT_YOU


def test_a_round_is_void_without_marks() -> None:
    void = oliphante("5 guess:20 [20] guess:15 [15]", 3, guess_tokens=2)
    assert void.ruling("void") == {"seat": 0}
    again = void.plays("[20 15 1]")
    assert (again.marks, again.turn) == ((0, 0, 0), 0)


# The pile.


def test_an_extra_feather_from_an_empty_pile() -> None:
    """Ruling 3 in the same spirit: the discards are shuffled, what is worn stays out."""
    box = [card for card in CARDS["oliphante"] if card not in {"?", "night"}]
    rounds = " ".join(f"1 5000 coyote [{' '.join(box[place : place + 6])}]" for place in range(0, 24, 6))
    script = oliphante(f"{rounds} extra", 6)
    assert script.tells("pile-renewed")
    assert script.show.among["20"] == 1
    assert not script.shows("20").tells("shuffle")


def test_a_card_is_drawn_as_long_as_the_pile_has_one() -> None:
    """Twelve of thirty are dealt twice; six are left before the discards are needed."""
    script = oliphante("5000 coyote lay", 12, boxes=2, replace_tokens=8)
    for _ in range(6):
        script = script.plays("replace")
        assert not script.tells("pile-renewed")
        script = script.says(script.turn, script.least)
    assert script.plays("replace").tells("pile-renewed")


# As a house rule, one who guessed right leaves the round, or goes on with an open card.


def staying(line: str, seats: int = 4, **house: Any) -> Script:
    """Play a line where that is agreed."""
    return oliphante(line, seats, **{"o_guess_stays": True, "guess_tokens": 3, **house})


@within("token-guess/may-leave")
def test_a_right_guess_is_asked_about() -> None:
    asked = staying("5 guess:20 [20]")
    assert asked.ruling("guess-right-open") == {"seat": 1, "card": "20"}
    assert (asked.ask_keys, asked.ask("leave").seats) == (["leave"], (1,))
    assert asked.words("leave") == {"leave", "stay"}
    assert asked.refusal("leave", Option("stay"), 2)[0] == Reason.NOT_YOU
    usual = oliphante("5 guess:20 [20]", guess_tokens=3)
    assert asked.plays("leave").match.asks == usual.match.asks
    lost = asked.plays("stay 6 7 8 9 coyote [20 1 2 3]")
    assert lost.ruling("mark")["seat"] == 1
    assert asked.plays("stay 30 coyote [20 1 2 3]").ruling("short")["total"] == 26
    assert staying("5 guess:20 [20] stay", o_contest_after_token=True).words() == {"coyote"}
