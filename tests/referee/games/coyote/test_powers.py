"""The optional rules of the three boxes, sentence by sentence, and the rulings where they are silent."""

from typing import Any

import pytest

from referee.contract import DISCARD, TABLE, Option, Reason, before_seat
from referee.games.coyote.house import Power
from tests.referee.games.coyote.script import CRY, Script, opened
from tests.referee.games.coyote.second_scorer import CARDS, Edition

SIX: tuple[Power, ...] = ("approve", "double", "reverse", "extra", "restart", "next")
ON_TURN = {"approve", "reverse", "restart"}
AFTER = {"double", "extra", "next"}
SIX_BOXES: tuple[Edition, ...] = ("kidult", "gigamic")


def kidult(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Kidult's special rules."""
    return opened(seats, opener, edition="kidult", **{"powers": SIX, **house})


def gigamic(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Gigamic's variants."""
    return opened(seats, opener, edition="gigamic", **{"powers": SIX, **house})


def either(edition: Edition, seats: int = 4, opener: int = 0) -> Script:
    """Play with the six of a box; what follows is the same for both."""
    return opened(seats, opener, edition=edition, powers=SIX)


# What Kidult's special rules and Gigamic's variants have in common.


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_none_unless_agreed(edition: Edition) -> None:
    """The special rules are optional: nothing is offered without an agreement."""
    script = opened(3, edition=edition)
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
    script = opened(4, edition=edition, powers=(power,)).says(0, 5)
    assert (script.words() - {"coyote"}) | script.words("after") == {power}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_too_late_once_somebody_reacted(edition: Edition) -> None:
    """After one's own number means before the next one speaks."""
    script = either(edition).says(0, 5).says(1, 6)
    assert script.ask("after").seats == (1,)
    assert script.refusal("after", Option("double"), 0) == ("not-you", {"seats": (1,)})


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_turn_of_somebody_else(edition: Edition) -> None:
    script = either(edition).says(0, 5)
    for seat in (0, 2, 3):
        assert script.refusal("turn", Option("approve"), seat)[0] == Reason.NOT_YOU


# "J'approuve", "Idem".


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_approve_takes_the_number_over(edition: Edition) -> None:
    """The number stands as if the approver had said it; the turn goes on."""
    script = either(edition).says(0, 14).uses(1, "approve")
    assert script.told("approved") == {"seat": 1, "number": 14}
    assert (script.turn, script.least) == (2, 15)


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("cards", "loser"), [("5 4 4 1", 2), ("5 4 3 1", 1)])
def test_approver_is_contested(edition: Edition, cards: str, loser: int) -> None:
    """Whoever contests an approved number fights with the approver."""
    called = either(edition).says(0, 14).uses(1, "approve").coyote(2)
    assert called.told("called") == {"seat": 2, "bidder": 1, "number": 14, "stake": 1}
    assert called.shows(cards).told("mark")["seat"] == loser


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


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("reaction", "cards", "loser", "marks"), DOUBLED)
def test_double(edition: Edition, reaction: str, cards: str, loser: int, marks: int) -> None:
    """Only if the very next player contests, the loser takes two; else the game goes on as ever."""
    script = either(edition).says(0, 14).adds(0, "double")
    assert script.told("doubled") == {"seat": 0}
    match reaction:
        case "raise":
            script = script.says(1, 15)
        case "approve":
            script = script.uses(1, "approve")
    called = script.coyote(script.turn)
    assert called.tells("called-double") == (marks == 2)
    assert called.shows(cards).state.marks[loser] == marks


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_with_two_marks(edition: Edition) -> None:
    """CY-33, ruling 14: three are enough to be out, the fourth is not hung on."""
    script = either(edition, 3).loses(1).loses(1).climbs_to(1)
    played = script.says(1, 5000).adds(1, "double").coyote(2).lays()
    assert played.told("mark") == {"seat": 1, "taken": 1, "marks": 3, "limit": 3}
    assert played.told("out") == {"seat": 1}
    assert played.turn == 2


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_with_one_mark(edition: Edition) -> None:
    played = either(edition, 3).loses(1).climbs_to(1).says(1, 5000).adds(1, "double").coyote(2).lays()
    assert played.told("mark") == {"seat": 1, "taken": 2, "marks": 3, "limit": 3}
    assert played.told("out") == {"seat": 1}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_double_is_for_the_next_player_only(edition: Edition) -> None:
    """With the house rule that anyone may contest, somebody else's contest is for one mark."""
    script = opened(4, edition=edition, powers=SIX, anyone_may_contest=True).says(0, 14).adds(0, "double")
    assert script.answers("contest", CRY, 2).told("called")["stake"] == 1
    assert script.coyote(1).told("called-double")["stake"] == 2


# "Une carte de plus", "plume supplémentaire".


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize("target", [1, 2, 3])
def test_extra_card(edition: Edition, target: int) -> None:
    """Another player draws one more card, unseen; it counts with the others."""
    script = either(edition).says(0, 14).adds(0, "extra", target)
    assert script.told("extra") == {"seat": 0, "target": target}
    assert script.turn == 1
    called = script.coyote(1)
    assert called.show.count == 5
    assert called.refusal("reveal", ("1", "2", "3", "4"))[0] == Reason.CARD_COUNT
    assert called.shows("1 2 3 4 5").told("enough")["total"] == 15


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_extra_card_for_another(edition: Edition) -> None:
    """An opponent: not oneself, and nobody who is out."""
    script = either(edition).loses(3).loses(3).loses(3).climbs_to(1).says(1, 14)
    aims = {option.seat for option in script.options("after") if option.word == "extra"}
    assert aims == {0, 2}


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_extra_card_for_the_whole_table_once(edition: Edition) -> None:
    """By one player only in each round; so nobody ever wears more than two."""
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


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("numbers", "number", "reason"), RESTARTS)
def test_restart(edition: Edition, numbers: tuple[int, ...], number: int, reason: str | None) -> None:
    """A new number, higher or lower, but above the one before; not the same again. Then the caller's turn."""
    script = either(edition)
    for seat, said in enumerate(numbers):
        script = script.says(seat, said)
    author, caller = len(numbers) - 1, len(numbers)
    script = script.uses(caller, "restart")
    assert script.told("restarted") == {"seat": caller, "target": author, "number": numbers[-1]}
    assert script.keys() == {"announce"}
    assert script.turn == author
    if reason is None:
        script = script.says(author, number)
        assert (script.turn, script.least) == (caller, number + 1)
        assert script.coyote(caller).told("called")["bidder"] == author
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
    """While a new number is awaited nobody can contest, even where anyone may."""
    script = opened(4, edition=edition, powers=SIX, anyone_may_contest=True).says(0, 5).says(1, 14)
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


@pytest.mark.parametrize("edition", SIX_BOXES)
@pytest.mark.parametrize(("target", "after"), [(1, 2), (2, 3), (3, 0)])
def test_next_is(edition: Edition, target: int, after: int) -> None:
    """The chosen one says a number or contests; then the turn goes on from there."""
    script = either(edition).says(0, 14).adds(0, "next", target)
    assert script.told("next") == {"seat": 0, "target": target}
    assert (script.turn, script.least) == (target, 15)
    assert script.coyote(target).told("called")["bidder"] == 0
    assert script.says(target, 15).turn == after


@pytest.mark.parametrize("edition", SIX_BOXES)
def test_next_is_somebody_else(edition: Edition) -> None:
    """Not oneself, and nobody who is out."""
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


# Kidult alone: one use a player in each round, and "demi-tour".


def used(script: Script, power: str) -> Script:
    """Let seat 0 say 5 and seat 1 use one of the six, with the number that it wants, if any."""
    script = script.says(0, 5)
    if power in AFTER:
        return script.says(1, 6).adds(1, power, None if power == "double" else 2)
    script = script.uses(1, power)
    return script if power == "approve" else script.says(script.turn, 6)


@pytest.mark.parametrize("power", SIX)
def test_kidult_one_use_a_player_and_round(power: Power) -> None:
    """Each player may use one special rule a round; all have theirs back for the next round."""
    script = used(kidult(3), power)
    assert script.words("after") == set() or script.ask("after").seats != (1,)
    script = script.says(script.turn, script.least).climbs_to(1)
    assert script.words() == {"coyote"}
    script = script.says(1, script.least)
    assert script.words("after") == set()
    again = script.overbids().lays().climbs_to(0)
    again = again.says(0, again.least)
    assert again.words() == {"coyote"} | ON_TURN
    assert again.says(1, again.least).words("after") == AFTER


@pytest.mark.parametrize("power", SIX)
def test_kidult_each_player_for_himself(power: Power) -> None:
    """What one has used the others still may; only one more card is for the whole table once."""
    script = used(kidult(3), power)
    script = script.says(script.turn, script.least)
    script = script.climbs_to(2) if power != "reverse" else script.climbs_to(0)
    assert script.words() == {"coyote"} | ON_TURN
    script = script.says(script.turn, script.least)
    assert script.words("after") == (AFTER - {"extra"} if power == "extra" else AFTER)


def test_kidult_reverse_then_a_number() -> None:
    """Before announcing: so a number has to follow, and nothing else; then the right-hand neighbour."""
    script = kidult().says(0, 5).says(1, 6).uses(2, "reverse")
    assert script.told("reversed") == {"seat": 2}
    assert script.keys() == {"announce"}
    assert (script.turn, script.least) == (2, 7)
    assert script.refusal("turn", CRY, 2)[0] == Reason.NOT_ASKED
    turns = []
    for number in range(7, 12):
        turns.append(script.turn)
        script = script.says(script.turn, number)
    assert turns == [2, 1, 0, 3, 2]


def test_kidult_reverse_of_the_opener() -> None:
    assert kidult().uses(0, "reverse").says(0, 5).turn == 3


def test_kidult_reverse_and_back() -> None:
    """From clockwise to the other way, and vice versa."""
    script = kidult().uses(0, "reverse").says(0, 5).uses(3, "reverse").says(3, 6)
    assert script.turn == 0


def test_kidult_reverse_ends_with_the_round() -> None:
    """Ruling 5."""
    script = kidult().uses(0, "reverse").says(0, 5000).coyote(3).lays()
    assert script.turn == 0
    assert script.says(0, 1).turn == 1


def test_kidult_with_two_players() -> None:
    """Ruling 13: allowed."""
    script = kidult(2).says(0, 5)
    assert script.words() == {"coyote"} | ON_TURN
    assert script.uses(1, "restart").says(0, 3).coyote(1).told("called")["bidder"] == 0


# Gigamic alone: each once a round for the whole table, several in a turn, and "changement de sens".


@pytest.mark.parametrize("power", SIX)
def test_gigamic_each_once_a_round_for_the_table(power: Power) -> None:
    """Each of the six once in a round, whoever does it; the others stay."""
    script = used(gigamic(3), power)
    for _ in range(4):
        before = script
        script = script.says(script.turn, script.least)
        assert power not in before.words() | script.words("after")
    assert script.words() | script.words("after") == {"coyote", *SIX} - {power}
    again = script.overbids().lays()
    again = again.says(again.turn, 1)
    assert again.words() | again.words("after") == {"coyote", *SIX}


def test_gigamic_several_in_one_turn() -> None:
    """Ruling 12: double, one more feather and the choice of the next, all on one number."""
    script = gigamic().says(0, 14).adds(0, "double").adds(0, "extra", 3).adds(0, "next", 2)
    assert script.words("after") == set()
    assert script.turn == 2
    called = script.coyote(2)
    assert called.told("called-double") == {"seat": 2, "bidder": 0, "number": 14, "stake": 2}
    assert called.shows("1 2 3 4 5").told("mark") == {"seat": 2, "taken": 2, "marks": 2, "limit": 3}


@pytest.mark.parametrize("first", sorted(AFTER))
def test_gigamic_in_any_order(first: str) -> None:
    script = gigamic().says(0, 14).adds(0, first, None if first == "double" else 2)
    assert script.words("after") == AFTER - {first}


@pytest.mark.parametrize("first", sorted(AFTER))
def test_gigamic_one_in_a_turn(first: str) -> None:
    """Ruling 12, the other way: one action in a turn. The others are there for the next player."""
    script = gigamic(t_multi=False).says(0, 14).adds(0, first, None if first == "double" else 1)
    assert script.words("after") == set()
    assert script.words() == {"coyote"} | ON_TURN
    assert script.says(1, 15).words("after") == AFTER - {first}


def test_gigamic_one_in_a_turn_with_restart() -> None:
    """Who makes the other restart has acted: a number without anything added, or "Coyote!"."""
    script = gigamic(t_multi=False).says(0, 14).uses(1, "restart").says(0, 10)
    assert script.words() == {"coyote"}
    assert script.says(1, 11).words("after") == set()


def test_gigamic_one_in_a_turn_is_not_one_in_a_round() -> None:
    """Two players: seat 0 doubles, seat 1 says "idem". Seat 0 is in turn again, and may act again."""
    script = gigamic(2, t_multi=False).says(0, 14).adds(0, "double").uses(1, "approve")
    assert script.turn == 0
    assert script.words() == {"coyote", "reverse", "restart"}


def test_gigamic_one_in_a_turn_after_a_restart() -> None:
    """Seat 1 said "idem" in an earlier turn; asked for a new number, it is in turn again and may double."""
    script = gigamic(t_multi=False).says(0, 14).uses(1, "approve").uses(2, "restart").says(1, 20)
    assert script.words("after") == {"double", "extra"}


def test_gigamic_one_in_a_turn_after_a_reverse() -> None:
    """Seat 0 doubled, and has to announce again: that is another turn, with another action."""
    script = gigamic(t_multi=False).says(0, 14).adds(0, "double").uses(1, "reverse")
    assert script.words() == {"approve"}
    assert script.says(0, 15).words("after") == {"extra", "next"}


def test_gigamic_reverse_instead_of_a_number() -> None:
    """The one before has to announce again, above his own number; then the other way round."""
    script = gigamic().says(0, 5).says(1, 14).uses(2, "reverse")
    assert script.told("reversed") == {"seat": 2}
    assert (script.turn, script.least) == (1, 15)
    assert "coyote" not in script.words()
    assert "reverse" not in script.words()
    assert "restart" not in script.words()
    assert script.words("after") == set()
    script = script.says(1, 15)
    assert script.turn == 0
    assert script.says(0, 16).turn == 3


def test_gigamic_reverse_then_idem_if_unused() -> None:
    """Ruling 6: the one who has to announce again may use what is unused, "idem" too."""
    script = gigamic().says(0, 14).uses(1, "reverse")
    assert script.words() == {"approve"}
    idem = script.uses(0, "approve")
    assert (idem.turn, idem.least) == (3, 15)
    spent = gigamic().says(0, 14).uses(1, "approve").says(2, 15).uses(3, "reverse")
    assert spent.words() == set()


def test_gigamic_reverse_as_first_action() -> None:
    """Ruling 6: the right-hand neighbour opens, and it goes on that way."""
    script = gigamic(4, 2).uses(2, "reverse")
    assert (script.turn, script.least) == (1, 1)
    assert script.words() == set()
    assert script.says(1, 5).turn == 0


def test_gigamic_reverse_as_first_action_passes_over_who_is_out() -> None:
    script = gigamic().loses(1).loses(1).loses(1)
    assert script.turn == 2
    assert script.uses(2, "reverse").turn == 0


def test_gigamic_reverse_of_who_was_chosen() -> None:
    """The one before is the one who announced, not the neighbour."""
    script = gigamic().says(0, 14).adds(0, "next", 2).uses(2, "reverse")
    assert (script.turn, script.least) == (0, 15)
    assert script.says(0, 15).turn == 3


def test_gigamic_reverse_of_an_approved_number() -> None:
    """The one before is who took the number over."""
    script = gigamic().says(0, 14).uses(1, "approve").uses(2, "reverse")
    assert (script.turn, script.least) == (1, 15)


def test_gigamic_reverse_ends_with_the_round() -> None:
    """Ruling 5."""
    script = gigamic().says(0, 5).uses(1, "reverse").says(0, 5000).coyote(3).lays()
    assert script.says(0, 1).turn == 1


def test_gigamic_double_lost_by_reverse() -> None:
    """The next player didn't contest, so the new number counts as any other."""
    script = gigamic().says(0, 14).adds(0, "double").uses(1, "reverse").says(0, 15)
    assert script.coyote(3).told("called")["stake"] == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_gigamic_reverse_in_a_later_turn(seats: int) -> None:
    """Seat 0 doubled in an earlier turn; "changement de sens" is unused, so seat 0 may use it now."""
    script = gigamic(seats).says(0, 14).adds(0, "double").uses(1, "approve")
    script = script if seats == 2 else script.adds(1, "next", 0)
    assert script.turn == 0
    assert script.words() == {"coyote", "reverse", "restart"}


def test_gigamic_restart_then_accept_or_denounce() -> None:
    """The new number must be accepted or denounced: no way back by "changement de sens"."""
    script = gigamic().says(0, 14).uses(1, "restart").says(0, 10)
    assert script.words() == {"coyote", "approve"}
    assert script.least == 11
    assert script.uses(1, "approve").turn == 2


# Oliphante: eight tokens on the table.

FIVE: tuple[Power, ...] = ("extra", "reverse", "skip", "replace", "guess")
TOKENS = {"extra": 2, "skip": 2, "replace": 2, "reverse": 1, "guess": 1}
"""Eight tokens with five pictures; how many of each is not known, and may be set."""


def oliphante(seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play with Oliphante's tokens."""
    return opened(seats, opener, edition="oliphante", **{"powers": FIVE, **house})


def flips(script: Script, word: str) -> Script:
    """Let the one in turn flip a token, and do all that it wants, a number included."""
    seat = script.turn
    if word == "guess":
        return script.uses(seat, "guess", "7").shows("7")
    script = script.uses(seat, word)
    script = script.shows("10") if word == "extra" else script
    return script if word == "skip" else script.says(seat, script.least)


def test_tokens_only_if_agreed() -> None:
    script = opened(4, edition="oliphante")
    assert script.keys() == {"announce"}
    assert script.says(0, 5).words() == {"coyote"}


@pytest.mark.parametrize("word", FIVE)
def test_each_token_alone(word: Power) -> None:
    assert oliphante(powers=(word,)).words() == {word}


def test_tokens_before_the_number() -> None:
    """In one's turn, before the declaration, the opener too; nothing may be added after it."""
    script = oliphante()
    assert script.words() == set(FIVE)
    script = script.says(0, 5)
    assert script.words() == {"coyote", *FIVE}
    assert script.ask("turn").seats == (1,)
    assert script.keys() == {"announce", "turn"}


@pytest.mark.parametrize(("word", "tokens"), TOKENS.items())
def test_flipped_tokens_are_gone(word: str, tokens: int) -> None:
    """Flipped ones can't be used again in the same round; all are turned back for the next."""
    script = oliphante(6)
    for _ in range(tokens):
        assert word in script.words()
        script = flips(script, word) if word != "extra" else _extra(script)
    assert script.words() - {"coyote"} == set(FIVE) - {word}
    over = script.overbids().lays()
    again = over.lays() if word == "replace" else over
    assert again.words() == set(FIVE)


def _extra(script: Script) -> Script:
    """Flip an extra feather, and show one that doesn't lie there yet."""
    seat = script.turn
    cards = ("10", "9")[script.round.turned]
    return script.uses(seat, "extra").shows(cards).says(seat, script.least)


@pytest.mark.parametrize(("word", "tokens"), [("skip", 0), ("skip", 4), ("reverse", 3)])
def test_number_of_tokens_may_be_set(word: str, tokens: int) -> None:
    script = oliphante(5, **{f"{word}_tokens": tokens})
    for _ in range(tokens):
        script = flips(script, word)
    assert script.words() - {"coyote"} == set(FIVE) - {word}


@pytest.mark.parametrize("word", ["extra", "reverse", "replace"])
def test_one_token_a_turn_and_then_a_number(word: str) -> None:
    """He may flip one; then he has to declare: he can neither contest nor flip another (ruling 10)."""
    script = oliphante().says(0, 5).uses(1, word)
    script = script.shows("10") if word == "extra" else script
    assert script.keys() == {"announce"}
    assert (script.turn, script.least) == (1, 6)
    assert script.refusal("turn", CRY, 1)[0] == Reason.NOT_ASKED


@pytest.mark.parametrize("word", ["reverse", "replace"])
def test_nobody_contests_between_token_and_number(word: str) -> None:
    """The one who flipped a token is about to declare; that is waited for, even where anyone may contest."""
    assert oliphante(anyone_may_contest=True).says(0, 5).uses(1, word).keys() == {"announce"}


@pytest.mark.parametrize("word", ["extra", "reverse", "replace"])
def test_contest_after_a_token(word: str) -> None:
    """Ruling 10 as a house rule: contest after a token; another token all the same not."""
    script = oliphante(o_contest_after_token=True).says(0, 5).uses(1, word)
    script = script.shows("10") if word == "extra" else script
    assert script.words() == {"coyote"}
    assert script.least == 6
    called = script.coyote(1)
    assert called.told("called")["bidder"] == 0
    assert called.show.count == (5 if word == "extra" else 4)


def test_no_tokens_with_two_players_left() -> None:
    """With two left the game ends by the basic rules."""
    script = oliphante(3)
    for _ in range(2):
        script = script.loses(2)
    assert script.words() == set(FIVE)
    script = script.loses(2)
    assert script.words() == set()
    script = script.says(script.turn, 5)
    assert script.words() == {"coyote"}


# The extra feather.


def test_extra_feather_lies_open() -> None:
    """The first feather of the pile is turned up before him, for all to see, and he declares."""
    script = oliphante().says(0, 5).uses(1, "extra")
    assert script.show.key == "extra"
    assert (script.show.count, script.show.zone, script.show.seats) == (1, before_seat(1), (1,))
    script = script.shows("15")
    assert script.told("opened") == {"seat": 1, "card": "15"}
    assert script.round.opened == ("15",)
    assert (script.turn, script.least) == (1, 6)
    assert script.says(1, 20).turn == 2


def test_extra_feather_counts() -> None:
    """It is added at the end to those of the players."""
    called = oliphante().uses(0, "extra").shows("15").says(0, 20).coyote(1)
    assert called.show.count == 5
    assert called.show.must == ("15",)
    assert called.shows("1 2 3 4 15").told("enough")["total"] == 25


def test_two_extra_feathers() -> None:
    """The second can't be the first again; both have to be counted."""
    script = oliphante().uses(0, "extra").shows("15").says(0, 20).uses(1, "extra")
    assert script.refusal("extra", ("15",)) == ("already-seen", {"card": "15", "left": 0})
    called = script.shows("x2").says(1, 21).coyote(2)
    assert called.show.count == 6
    assert called.refusal("reveal", ("15", "1", "2", "3", "4", "5")) == ("card-missing", {"card": "x2"})
    assert called.shows("15 x2 1 2 3 4").told("enough")["total"] == 50


def test_extra_feather_that_is_special() -> None:
    """An open "?" draws at the end like any other, and an open 0 has all shuffled."""
    called = oliphante().uses(0, "extra").shows("?").says(0, 20).coyote(1)
    assert called.shows("1 2 3 4 ?").shows("15").told("enough")["total"] == 25
    called = oliphante().uses(0, "extra").shows("night").says(0, 20).coyote(1)
    assert called.shows("1 2 3 4 night").tells("shuffle")


def test_extra_feather_from_an_empty_pile() -> None:
    """Ruling 3 in the same spirit: the discards are shuffled, what is worn stays out."""
    script = oliphante(6)
    box = [card for card in CARDS["oliphante"] if card not in {"?", "night"}]
    for place in range(0, 24, 6):
        script = script.says(script.turn, 1).overbids().shows(" ".join(box[place : place + 6]))
    script = script.uses(script.turn, "extra")
    assert script.tells("pile-renewed")
    assert script.show.among["20"] == 1
    assert not script.shows("20").tells("shuffle")


# Reverse.


def test_token_reverse() -> None:
    """After him the player to his right, and on in this direction until the end of the round."""
    script = oliphante().says(0, 5).uses(1, "reverse")
    assert script.told("reversed") == {"seat": 1}
    script = script.says(1, 6)
    turns = []
    for _ in range(5):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [0, 3, 2, 1, 0]
    again = script.overbids().lays()
    assert again.says(again.turn, 1).turn == (again.turn + 1) % 4


# Skip.


def test_skip() -> None:
    """No declaration; the next player's turn, with the number that stands and who said it."""
    script = oliphante().says(0, 5).uses(1, "skip")
    assert script.told("skipped") == {"seat": 1}
    assert (script.turn, script.least) == (2, 6)
    assert script.says(2, 6).turn == 3
    called = script.coyote(2)
    assert called.told("called") == {"seat": 2, "bidder": 0, "number": 5, "stake": 1}


def test_skip_of_the_opener() -> None:
    """The next one opens then, with any number, and has nothing to contest."""
    script = oliphante().uses(0, "skip")
    assert (script.turn, script.least) == (1, 1)
    assert "coyote" not in script.words()


def test_skipped_round_to_the_bidder() -> None:
    """Nobody contests his own number: who is in turn again has to raise it, or flip a token."""
    script = oliphante(3).says(0, 5).uses(1, "skip").uses(2, "skip")
    assert (script.turn, script.least) == (0, 6)
    assert script.words() == set(FIVE) - {"skip"}


def test_each_may_skip_in_his_own_turn() -> None:
    """A token a turn, not a round: who skipped may flip another when in turn again."""
    script = oliphante(3).says(0, 5).uses(1, "skip").says(2, 6).says(0, 7)
    assert script.uses(1, "skip").turn == 2


# Replace.


def test_replaced_feather_does_not_count() -> None:
    """The new one is put in front of it; at the end only the new one counts, the old one is put away."""
    script = oliphante().says(0, 5).uses(1, "replace")
    assert script.told("replaced") == {"seat": 1}
    called = script.says(1, 10).coyote(2)
    assert called.show.count == 4
    covered = called.shows("1 2 3 4")
    assert covered.show.key == "aside"
    assert (covered.show.count, covered.show.zone, covered.show.seats) == (1, DISCARD, TABLE)
    assert covered.refusal("aside", ("night", "20"))[0] == Reason.CARD_COUNT
    played = covered.shows("20")
    assert played.told("enough")["total"] == 10
    assert sorted(played.state.discard) == ["1", "2", "20", "3", "4"]
    assert not played.tells("shuffle")


@pytest.mark.parametrize("card", ["?", "x2", "max0", "max-", "-10"])
def test_replaced_special_does_nothing(card: str) -> None:
    """Whatever was covered: no draw, no doubling."""
    script = oliphante().uses(0, "replace").says(0, 10).coyote(1).shows("1 2 3 4").shows(card)
    assert script.told("enough")["total"] == 10


def test_replaced_night_shuffles() -> None:
    """Except a blue zero: then all feathers are shuffled all the same (ruling 15)."""
    script = oliphante().uses(0, "replace").says(0, 10).coyote(1).shows("1 2 3 4").shows("night")
    assert script.tells("shuffle")
    assert script.state.discard == ()


def test_replaced_card_is_one_of_the_box() -> None:
    """What was covered can't lie among those that count too, and is known to be gone afterwards."""
    covered = oliphante().uses(0, "replace").says(0, 30).coyote(1).shows("20 2 3 4")
    assert covered.refusal("aside", ("20",)) == ("already-seen", {"card": "20", "left": 0})
    called = covered.shows("15").overbids()
    assert called.refusal("reveal", ("15", "1", "1", "2")) == ("already-seen", {"card": "15", "left": 0})


def test_two_replaced() -> None:
    """Both covered feathers are put away, and a "?" among those that count draws after that."""
    script = oliphante().uses(0, "replace").says(0, 10).uses(1, "replace").says(1, 11)
    covered = script.coyote(2).shows("1 2 3 ?")
    assert (covered.show.key, covered.show.count) == ("aside", 2)
    drawing = covered.shows("20 15")
    assert drawing.show.key == "draw"
    assert drawing.refusal("draw", ("20",))[0] == Reason.ALREADY_SEEN
    assert drawing.shows("5").told("enough")["total"] == 11


def test_replaced_feathers_are_gone_from_the_pile() -> None:
    """Twelve players leave six feathers after a round; the seventh replacement needs the discards."""
    script = oliphante(12, boxes=2, replace_tokens=8).overbids().lays()
    for _ in range(6):
        script = script.uses(script.turn, "replace")
        assert not script.tells("pile-renewed")
        script = script.says(script.turn, script.least)
    assert script.uses(script.turn, "replace").tells("pile-renewed")


# Guess.


def test_guess_names_a_card_and_looks() -> None:
    """He says what it is, any feather of the box, then takes it and looks: it lies before him."""
    script = oliphante().says(0, 5)
    faces = [option.face for option in script.options() if option.word == "guess"]
    assert sorted(map(str, faces)) == sorted(set(CARDS["oliphante"]))
    script = script.uses(1, "guess", "20")
    assert script.told("guessed") == {"seat": 1, "card": "20"}
    assert script.show.key == "own"
    assert (script.show.count, script.show.zone, script.show.seats) == (1, before_seat(1), (1,))


def test_guess_right() -> None:
    """He is out of the round and passed over; nobody declares for him; his feather stays and counts."""
    script = oliphante().says(0, 5).uses(1, "guess", "20").shows("20")
    assert script.told("guess-right") == {"seat": 1, "card": "20"}
    assert script.state.marks == (0, 0, 0, 0)
    turns = []
    for _ in range(5):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [2, 3, 0, 2, 3]
    assert script.refusal("turn", CRY, 1)[0] == Reason.NOT_YOU
    called = script.coyote(0)
    assert called.show.count == 4
    assert called.refusal("reveal", ("1", "2", "3", "4")) == ("card-missing", {"card": "20"})
    played = called.shows("20 1 2 3")
    assert played.told("enough")["total"] == 26
    assert played.told("round")["cards"] == 4


def test_guess_right_is_for_one_round() -> None:
    script = oliphante().says(0, 5).uses(1, "guess", "20").shows("20").overbids().shows("20 1 2 3")
    assert script.turn == 3
    assert script.says(3, 1).says(0, 2).turn == 1


def test_guess_right_of_the_opener() -> None:
    script = oliphante().uses(0, "guess", "20").shows("20")
    assert (script.turn, script.least) == (1, 1)
    assert "coyote" not in script.words()


def test_guesser_has_no_voice() -> None:
    """Out of the round means that he can't contest either, whoever else may."""
    script = oliphante(anyone_may_contest=True).says(0, 5).uses(1, "guess", "20").shows("20")
    assert script.ask("contest").seats == (3,)


def test_guess_of_a_number_that_stands() -> None:
    """All the others skipped: the bidder guesses and is out, but his number can still be contested."""
    script = oliphante(3).says(0, 5).uses(1, "skip").uses(2, "skip").uses(0, "guess", "1").shows("1")
    assert script.turn == 1
    called = script.coyote(1)
    assert called.told("called")["bidder"] == 0
    assert called.shows("1 1 2").told("mark")["seat"] == 0


def test_guess_wrong() -> None:
    """A mark at once and the round is over, without any count; he opens the next."""
    script = oliphante().says(0, 5).says(1, 6).uses(2, "guess", "20").shows("7")
    assert script.told("guess-wrong") == {"seat": 2, "card": "7", "said": "20"}
    assert script.told("mark") == {"seat": 2, "taken": 1, "marks": 1, "limit": 3}
    assert script.show.key == "reveal"
    assert script.show.must == ("7",)
    played = script.shows("7 1 2 3")
    assert played.state.marks == (0, 0, 1, 0)
    assert not played.tells("enough")
    assert not played.tells("short")
    assert played.turn == 2
    assert sorted(played.state.discard) == ["1", "2", "3", "7"]


@pytest.mark.parametrize(("cards", "shuffled"), [("7 1 2 night", True), ("7 1 2 ?", False)])
def test_guess_wrong_puts_all_away(cards: str, shuffled: bool) -> None:
    """The feathers that come to light are put aside: a blue 0 among them shuffles, a "?" draws nothing."""
    played = oliphante().uses(0, "guess", "20").shows("7").shows(cards)
    assert played.tells("round")
    assert played.tells("shuffle") == shuffled


def test_guess_wrong_and_out() -> None:
    """CY-37, ruling 8: the guesser with two marks is out; the next living player in turn opens."""
    script = oliphante().loses(1).loses(1).climbs_to(1).uses(1, "guess", "20").shows("7")
    assert script.told("mark")["marks"] == 3
    assert script.told("out") == {"seat": 1}
    assert script.show.count == 4
    played = script.lays()
    assert played.told("round") == {"number": 4, "opener": 2, "cards": 3}
    assert played.turn == 2


def test_guess_of_a_replaced_feather() -> None:
    """He looks at the one in front; the covered one is put away with the others."""
    script = oliphante(3).says(0, 1).uses(1, "replace").says(1, 2).says(2, 3).says(0, 4)
    script = script.uses(1, "guess", "20").shows("7").shows("7 1 2")
    assert script.show.key == "aside"
    assert script.shows("night").tells("shuffle")


# Only one left in the round (ruling 11).


def test_void_when_only_the_bidder_is_left() -> None:
    """All others have guessed right: nobody can contest, so the round is void and he opens the next."""
    script = oliphante(3, guess_tokens=2).says(0, 5)
    script = script.uses(1, "guess", "20").shows("20").uses(2, "guess", "15").shows("15")
    assert script.told("void") == {"seat": 0}
    assert script.show.must == ("20", "15")
    played = script.shows("20 15 1")
    assert played.state.marks == (0, 0, 0)
    assert played.told("round") == {"number": 2, "opener": 0, "cards": 3}


def test_void_before_any_number() -> None:
    """The last one would speak to nobody."""
    script = oliphante(3, guess_tokens=2).uses(0, "guess", "20").shows("20")
    script = script.uses(1, "guess", "15").shows("15")
    assert script.told("void") == {"seat": 2}
    assert script.shows("20 15 1").turn == 2


def last_against_a_number() -> Script:
    """Bring seat 2 to face, alone, the number of seat 0, who has guessed right since; so has seat 1."""
    script = oliphante(3, guess_tokens=3).says(0, 5).uses(1, "skip").uses(2, "skip")
    script = script.uses(0, "guess", "20").shows("20")
    return script.uses(1, "guess", "15").shows("15")


def test_last_one_may_contest_a_number_that_stands() -> None:
    script = last_against_a_number()
    assert script.turn == 2
    assert script.coyote(2).shows("20 15 -10").told("mark")["seat"] == 2


def test_void_when_the_last_one_raises() -> None:
    """Nobody is left to answer the new number."""
    script = last_against_a_number().says(2, 6)
    assert script.told("void") == {"seat": 2}
    assert script.shows("20 15 1").turn == 2


def test_void_when_everybody_guessed_right() -> None:
    """The last one guesses right too: nobody is left in the round, so nobody may be asked for a number."""
    script = last_against_a_number().uses(2, "guess", "10").shows("10")
    assert script.tells("void")
    assert script.keys() == {"reveal"}
