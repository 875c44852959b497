"""The optional rules that Kidult's and Gigamic's boxes share, sentence by sentence."""

import pytest

from referee.contract import Option, Reason
from referee.games.coyote.house import Power
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coyote.boxes import AFTER, ON_TURN, SIX, SIX_BOXES, either, gigamic, kidult
from tests.referee.games.coyote.script import CRY, open_first_round
from tests.referee.games.coyote.second_scorer import Edition

# What Kidult's special rules and Gigamic's variants have in common.


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_none_unless_agreed(edition: Edition) -> None:
    """The special rules are optional: nothing is offered without an agreement."""
    script = open_first_round(3, edition=edition)
    assert script.keys() == {"announce"}
    assert script.says(0, 5).words() == {"coyote"}
    assert script.says(0, 5).keys() == {"announce", "turn"}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_when_each_may_be_used(edition: Edition) -> None:
    """The opener may only turn the way round; on a number, three; after one's own number, three others."""
    script = either(edition)
    assert script.words() == {"reverse"}
    assert script.words("after") == set()
    script = script.says(0, 5)
    assert script.words() == {"coyote"} | ON_TURN
    assert script.words("after") == AFTER
    assert script.ask("after").seats == (0,)
    assert script.ask("turn").seats == (1,)


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize("power", SIX)
def test_any_subset(edition: Edition, power: Power) -> None:
    """All or part of these variants may be agreed on: here one alone is offered."""
    script = open_first_round(4, edition=edition, powers=(power,)).says(0, 5)
    assert (script.words() - {"coyote"}) | script.words("after") == {power}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_too_late_once_a_player_has_reacted(edition: Edition) -> None:
    """After one's own number means before the next one speaks."""
    script = either(edition).says(0, 5).says(1, 6)
    assert script.ask("after").seats == (1,)
    assert script.refusal("after", Option("double"), 0) == ("not-you", {"seats": (1,)})


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_turn_of_another_player(edition: Edition) -> None:
    script = either(edition).says(0, 5)
    for seat in (0, 2, 3):
        assert script.refusal("turn", Option("approve"), seat)[0] == Reason.NOT_YOU


# "J'approuve", "Idem".


@within("approve")
@pytest.mark.parametrize("edition", SIX_BOXES)
def test_approve_takes_the_number_over(edition: Edition) -> None:
    """The number stands as if the approver had said it; the turn goes on."""
    script = either(edition).says(0, 14).uses(1, "approve")
    assert script.ruling("approved") == {"seat": 1, "number": 14}
    assert (script.turn, script.least) == (2, 15)


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("cards", "loser"), [("5 4 4 1", 2), ("5 4 3 1", 1)])
def test_approver_is_contested(edition: Edition, cards: str, loser: int) -> None:
    """A player who contests an approved number fights with the approver."""
    called = either(edition).says(0, 14).uses(1, "approve").coyote(2)
    assert called.ruling("called") == {"seat": 2, "bidder": 1, "number": 14, "stake": 1}
    assert called.shows(cards).ruling("mark")["seat"] == loser


@beyond("approve")
@pytest.mark.parametrize("edition", SIX_BOXES)
def test_approve_not_twice_in_a_row(edition: Edition) -> None:
    """The next player can't approve in turn."""
    script = either(edition).says(0, 14).uses(1, "approve")
    assert "approve" not in script.words()
    assert script.refusal("turn", Option("approve"), 2)[0] == Reason.NO_SUCH_OPTION


def test_kidult_approve_again_later() -> None:
    """But he may do it later in the game: the next number may be approved again."""
    script = kidult().says(0, 14).uses(1, "approve").says(2, 15)
    assert "approve" in script.words()
    assert script.uses(3, "approve").turn == 0


# "Je double", "double tomahawk".

DOUBLED = [
    ("coyote", "5 5 4 1", 1, 2),
    ("coyote", "1 1 2 3", 0, 2),
    ("raise", "5 5 4 1", 2, 1),
    ("raise", "1 1 2 3", 1, 1),
    ("approve", "5 5 4 1", 2, 1),
    ("approve", "1 1 2 3", 1, 1),
]
"""What the very next player does, the cards, who loses in the end, and how many marks."""


@on_both_sides_of("double")
@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("reaction", "cards", "loser", "marks"), DOUBLED)
def test_double(edition: Edition, reaction: str, cards: str, loser: int, marks: int) -> None:
    """Only if the very next player contests, the loser takes two; else the game goes on as ever."""
    script = either(edition).says(0, 14).adds(0, "double")
    assert script.ruling("doubled") == {"seat": 0}
    match reaction:
        case "raise":
            script = script.says(1, 15)
        case "approve":
            script = script.uses(1, "approve")
    called = script.coyote(script.turn)
    assert called.tells("called-double") == (marks == 2)
    assert called.shows(cards).state.marks[loser] == marks


@beyond("doubled-marks")
@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_with_two_marks(edition: Edition) -> None:
    """CY-33, ruling 14: three are enough to be out, the fourth is not hung on."""
    script = either(edition, 3).loses(1).loses(1).climbs_to(1)
    played = script.says(1, 5000).adds(1, "double").coyote(2).lays()
    assert played.ruling("mark") == {"seat": 1, "taken": 1, "marks": 3, "limit": 3}
    assert played.ruling("out") == {"seat": 1}
    assert played.turn == 2


@within("doubled-marks")
@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_with_one_mark(edition: Edition) -> None:
    played = either(edition, 3).loses(1).climbs_to(1).says(1, 5000).adds(1, "double").coyote(2).lays()
    assert played.ruling("mark") == {"seat": 1, "taken": 2, "marks": 3, "limit": 3}
    assert played.ruling("out") == {"seat": 1}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_is_for_the_next_player_only(edition: Edition) -> None:
    """With the house rule that anyone may contest, another player's contest is for one mark."""
    script = (
        open_first_round(4, edition=edition, powers=SIX, anyone_may_contest=True).says(0, 14).adds(0, "double")
    )
    assert script.answers("contest", CRY, 2).ruling("called")["stake"] == 1
    assert script.coyote(1).ruling("called-double")["stake"] == 2


# "Une carte de plus", "plume supplémentaire".


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize("target", [1, 2, 3])
def test_extra_card(edition: Edition, target: int) -> None:
    """Another player draws one more card, unseen; it counts with the others."""
    script = either(edition).says(0, 14).adds(0, "extra", target)
    assert script.ruling("extra") == {"seat": 0, "target": target}
    assert script.turn == 1
    called = script.coyote(1)
    assert called.show.count == 5
    assert called.refusal("reveal", ("1", "2", "3", "4"))[0] == Reason.CARD_COUNT
    assert called.shows("1 2 3 4 5").ruling("enough")["total"] == 15


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_extra_card_for_another(edition: Edition) -> None:
    """An opponent: not oneself, and no player who is out."""
    script = either(edition).loses(3).loses(3).loses(3).climbs_to(1).says(1, 14)
    aims = {option.seat for option in script.options("after") if option.word == "extra"}
    assert aims == {0, 2}


@on_both_sides_of("second-card")
@pytest.mark.parametrize("edition", SIX_BOXES)
def test_extra_card_for_the_whole_table_once(edition: Edition) -> None:
    """By one player only in each round; so no player ever wears more than two."""
    script = either(edition).says(0, 14).adds(0, "extra", 2).says(1, 15)
    assert script.words("after") == {"double", "next"}
    again = script.overbids().lays()
    assert again.says(again.turn, 1).words("after") == AFTER


# "Recommence".

RESTARTS = [
    ((14,), 13, None),
    ((14,), 1, None),
    ((14,), 15, None),
    ((14,), 14, "barred"),
    ((14,), 0, "too-low"),
    ((5, 14), 13, None),
    ((5, 14), 6, None),
    ((5, 14), 15, None),
    ((5, 14), 14, "barred"),
    ((5, 14), 5, "too-low"),
    ((5, 14), 4, "too-low"),
    ((5, 6), 6, "barred"),
    ((5, 6), 7, None),
]
"""Numbers said, the new one, and why not."""


@on_both_sides_of("restart")
@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("numbers", "number", "reason"), RESTARTS)
def test_restart(edition: Edition, numbers: tuple[int, ...], number: int, reason: str | None) -> None:
    """A new number, higher or lower, but above the one before; not the same again. Then the caller's turn."""
    script = either(edition)
    for seat, said in enumerate(numbers):
        script = script.says(seat, said)
    author, caller = len(numbers) - 1, len(numbers)
    script = script.uses(caller, "restart")
    assert script.ruling("restarted") == {"seat": caller, "target": author, "number": numbers[-1]}
    assert script.keys() == {"announce"}
    assert script.turn == author
    if reason is None:
        script = script.says(author, number)
        assert (script.turn, script.least) == (caller, number + 1)
        assert script.coyote(caller).ruling("called")["bidder"] == author
        assert script.says(caller, number + 1).turn == caller + 1
    else:
        assert script.refusal("announce", number, author)[0] == reason


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("number", "reason"), [(14, "too-low"), (13, "too-low"), (15, None), (30, None)])
def test_restart_of_an_approved_number(edition: Edition, number: int, reason: str | None) -> None:
    """Ruling 7: who took a number over must say one strictly above it."""
    script = either(edition).says(0, 14).uses(1, "approve").uses(2, "restart")
    assert (script.turn, script.least) == (1, 15)
    if reason is None:
        assert script.says(1, number).turn == 2
    else:
        assert script.refusal("announce", number, 1)[0] == reason


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_restart_keeps_the_answer_for_the_caller(edition: Edition) -> None:
    """The new number is offered to the caller, so its author can't choose another to answer."""
    script = either(edition).says(0, 14).uses(1, "restart").says(0, 20)
    assert script.words("after") == {"double", "extra"}
    assert script.turn == 1


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_restart_leaves_nothing_to_contest(edition: Edition) -> None:
    """While a new number is awaited no player can contest, even where anyone may."""
    script = open_first_round(4, edition=edition, powers=SIX, anyone_may_contest=True).says(0, 5).says(1, 14)
    assert script.uses(2, "restart").keys() == {"announce"}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_restart_needs_a_number_of_another(edition: Edition) -> None:
    assert "restart" not in either(edition).words()


def test_restart_of_who_was_chosen() -> None:
    """The one who was chosen to answer calls it; the turn comes back there and goes on from there."""
    for script in (kidult(), gigamic()):
        chosen = script.says(0, 14).adds(0, "next", 2).uses(2, "restart").says(0, 9)
        assert chosen.turn == 2
        assert chosen.says(2, 10).turn == 3


# "Le suivant est..."


@on_both_sides_of("next-is")
@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("target", "after"), [(1, 2), (2, 3), (3, 0)])
def test_next_is(edition: Edition, target: int, after: int) -> None:
    """The chosen one says a number or contests; then the turn goes on from there."""
    script = either(edition).says(0, 14).adds(0, "next", target)
    assert script.ruling("next") == {"seat": 0, "target": target}
    assert (script.turn, script.least) == (target, 15)
    assert script.coyote(target).ruling("called")["bidder"] == 0
    assert script.says(target, 15).turn == after


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_next_is_another_player(edition: Edition) -> None:
    """Not oneself, and no player who is out."""
    script = either(edition).loses(3).loses(3).loses(3).climbs_to(1).says(1, 14)
    aims = {option.seat for option in script.options("after") if option.word == "next"}
    assert aims == {0, 2}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_next_is_and_who_is_passed_over(edition: Edition) -> None:
    """Who was passed over has no say."""
    script = either(edition).says(0, 14).adds(0, "next", 2)
    assert script.refusal("turn", CRY, 1) == ("not-you", {"seats": (2,)})


def test_kidult_next_is_in_the_current_direction() -> None:
    """The game then goes on in the current order: the other way, where it was turned."""
    script = kidult().uses(0, "reverse").says(0, 5)
    assert script.turn == 3
    script = script.says(3, 6).adds(3, "next", 1)
    assert script.turn == 1
    assert script.says(1, 7).turn == 0
