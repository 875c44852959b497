"""Round 12: what begins now and can't come home any more is told beside it, and never hidden."""

from gettext import NullTranslations

from referee.contract import Effect, Option
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.state import Raid
from referee.telling import Listener, tell, tell_effect
from tests.referee.boundaries import beyond, on_both_sides_of
from tests.referee.games.plenty_coups.script import NAMES, Script, table, with_state

LISTENER = Listener(PLENTY_COUPS.words, NAMES, NullTranslations())


def effect(script: Script, word: str, target: int | None = None) -> str:
    """Tell what an option brings the clan in turn."""
    found = PLENTY_COUPS.effect(script.state, script.turn.seat, Option(word, seat=target))
    assert isinstance(found, Effect)
    return tell_effect(LISTENER, found)


def insight(script: Script) -> list[str]:
    """Tell what all may know."""
    return [tell(LISTENER, ruling) for ruling in PLENTY_COUPS.insight(script.state)]


@on_both_sides_of("what-is-too-late")
def test_a_raid_of_round_twelve_comes_home_too_late() -> None:
    for rnd in (9, 11):
        assert effect(table(4, rnd=rnd), "raid", 1) == "A horse of theirs, unless they repel it."
    last = table(4, rnd=12)
    assert last.options("raid") == [1, 2, 3]
    assert effect(last, "raid", 1) == "The match ends before it comes home: no horse, no feat."
    assert effect(last, "raid") == effect(last, "raid", 1)


def test_a_late_raid_can_still_chase_another_one() -> None:
    last = with_state(table(4, rnd=12), raids=(Raid(3, 1, ("yellow-1",), 1),))
    assert effect(last, "raid", 1) == "It chases the raid there, but doesn't come home before the end."
    assert effect(last, "raid", 2) == "The match ends before it comes home: no horse, no feat."


@beyond("round")
def test_it_is_as_told() -> None:
    """The warning is true: the raid is lost when the match ends, and no horse is taken."""
    last = table(4, turn=1, rnd=12)
    over = last.does("raid", 2, "red-2")
    assert over.match.outcome is not None
    assert "too-late" in over.keys
    assert (over.clan(1).herd, over.clan(2).herd) == (last.clan(1).herd, last.clan(2).herd)


IN_VAIN = "They have no turn left to accept it."
USUAL = "You lay a rider of their clan."


def test_a_proposal_of_round_twelve_needs_a_turn_to_accept_it() -> None:
    """Clans that come later in the round may accept it; those that have had their last turn can't."""
    middle = table(4, turn=2, rnd=12)
    assert middle.options("propose") == [0, 1, 3]
    assert [effect(middle, "propose", target) for target in (1, 0, 3)] == [USUAL, IN_VAIN, IN_VAIN]
    assert effect(table(4, turn=2, rnd=11), "propose", 0) == USUAL


def test_turns_are_counted_from_the_elder_to_the_right() -> None:
    script = with_state(table(4, turn=0, rnd=12), elder=2)
    assert [effect(script, "propose", target) for target in (3, 2, 1)] == [USUAL, IN_VAIN, IN_VAIN]


def test_all_are_told_at_the_turn() -> None:
    assert insight(table(4, turn=2, rnd=11)) == []
    assert insight(table(4, turn=0, rnd=12)) == [raid_of("A")]
    assert insight(table(4, turn=3, rnd=12)) == [
        raid_of("D"),
        "A has no turn left to accept a proposal of D.",
    ]
    assert insight(table(4, turn=1, rnd=12)) == [
        raid_of("B"),
        "A, C, D have no turn left to accept a proposal of B.",
    ]


def raid_of(name: str) -> str:
    """Say what all are told of a late raid."""
    return f"A raid of {name} that sets out now doesn't come home before the end."


def test_what_repels_a_raid_is_told_first() -> None:
    script = with_state(table(4, turn=0, rnd=12), raids=(Raid(1, 0, ("yellow-3",), 4),))
    assert [ruling.key for ruling in PLENTY_COUPS.insight(script.state)] == ["may-repel", "late-raid"]
