"""The optional rules of Kidult's and of Gigamic's box alone, sentence by sentence."""

import pytest

from referee.contract import Reason
from referee.games.coyote.house import Power
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coyote.boxes import AFTER, ON_TURN, SIX, gigamic, kidult
from tests.referee.games.coyote.script import CRY, Script

# Kidult alone: one use a player in each round, and "demi-tour".


def use_power(script: Script, power: str) -> Script:
    """Let seat 0 say 5 and seat 1 use one of the six, with the number that it wants, if any."""
    script = script.says(0, 5)
    if power in AFTER:
        return script.says(1, 6).adds(1, power, None if power == "double" else 2)
    script = script.uses(1, power)
    return script if power == "approve" else script.says(script.turn, 6)


@pytest.mark.parametrize("power", SIX)
def test_kidult_one_use_a_player_and_round(power: Power) -> None:
    """Each player may use one special rule a round; all have theirs back for the next round."""
    script = use_power(kidult(3), power)
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
    script = use_power(kidult(3), power)
    script = script.says(script.turn, script.least)
    script = script.climbs_to(2) if power != "reverse" else script.climbs_to(0)
    assert script.words() == {"coyote"} | ON_TURN
    script = script.says(script.turn, script.least)
    assert script.words("after") == (AFTER - {"extra"} if power == "extra" else AFTER)


def test_kidult_reverse_then_a_number() -> None:
    """Before announcing: so a number has to follow, and nothing else; then the right-hand neighbour."""
    script = kidult().says(0, 5).says(1, 6).uses(2, "reverse")
    assert script.ruling("reversed") == {"seat": 2}
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
    assert script.uses(1, "restart").says(0, 3).coyote(1).ruling("called")["bidder"] == 0


# Gigamic alone: each once a round for the whole table, several in a turn, and "changement de sens".


@on_both_sides_of("once/table")
@pytest.mark.parametrize("power", SIX)
def test_gigamic_each_once_a_round_for_the_table(power: Power) -> None:
    """Each of the six once in a round, by any player; the others stay."""
    script = use_power(gigamic(3), power)
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
    assert called.ruling("called-double") == {"seat": 2, "bidder": 0, "number": 14, "stake": 2}
    assert called.shows("1 2 3 4 5").ruling("mark") == {"seat": 2, "taken": 2, "marks": 2, "limit": 3}


@pytest.mark.parametrize("first", sorted(AFTER))
def test_gigamic_in_any_order(first: str) -> None:
    script = gigamic().says(0, 14).adds(0, first, None if first == "double" else 2)
    assert script.words("after") == AFTER - {first}


@within("once/turn")
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


@beyond("once/turn")
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


@within("reverse/instead")
def test_gigamic_reverse_instead_of_a_number() -> None:
    """The one before has to announce again, above his own number; then the other way round."""
    script = gigamic().says(0, 5).says(1, 14).uses(2, "reverse")
    assert script.ruling("reversed") == {"seat": 2}
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


@beyond("reverse/instead")
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
    assert script.coyote(3).ruling("called")["stake"] == 1


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
