"""Who may react, who was first, and until when; what is sealed; what all may know; who wins."""

import pytest

from referee.contract import Answer, Deadline, Option, Outcome, Reason, Refusal
from referee.games.coup import COUP
from referee.games.coup.house import House
from referee.match import Correct, Match, Setup, TakeBack, begin, correct, hear, rematch, take_back
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup.script import CHALLENGE, PASS, Script, table

A, B, C, D = range(4)
FOUR = ("3:2", "3:2", "3:2", "3:2")


@within("chance-to-object")
def test_the_first_button_counts_and_a_late_one_of_the_same_window() -> None:
    script = table(*FOUR).plays("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, D)
    after = hear(script.passes(B, C).match, late)
    assert isinstance(after, Match)
    assert Script(after, after.rulings).ruling("challenged") == {"seat": D, "claimant": A, "face": "duke"}


@beyond("chance-to-object")
def test_a_late_button_of_another_window_is_stale() -> None:
    """C meant neither the next one's tax, nor an action after a take-back, nor what the host made of it."""
    script = table("3:2", "3:2", "3:2").plays("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, C)
    undone = take_back(script.match, TakeBack(script.match.number, A))
    right = correct(script.match, Correct(script.match.number, 0, Option("exchange")))
    assert isinstance(undone, Match)
    assert isinstance(right, Match)
    assert right.asks[0].key == "challenge"
    for match in (
        script.plays("pass tax").match,
        Script(undone, undone.rulings).plays("exchange").match,
        right,
    ):
        refusal = hear(match, late)
        assert isinstance(refusal, Refusal)
        assert refusal.reason is Reason.STALE


def same_instant(
    line: str, *said: tuple[int, Option], turn: int = A
) -> list[tuple[int | None, tuple[int, ...]]]:
    """Order what is said in the same instant: who comes, and before whom."""
    script = table(*FOUR, turn=turn).plays(line)
    keys = {seat: ask.key for ask in script.match.asks for seat in ask.seats}
    answers = tuple(Answer(script.match.number, keys[seat], option, seat) for seat, option in said)
    return [(answer.seat, answer.tied) for answer in COUP.in_order(script.match.state, answers)]


@on_both_sides_of("priority/button")
def test_in_the_same_instant() -> None:
    """The target comes first, then clockwise; challenges before blocks, passes, and calls for objections."""
    calls = ((D, CHALLENGE), (C, CHALLENGE), (A, CHALLENGE))
    assert same_instant("steal:0", *calls, turn=B) == [(A, (C, D)), (C, ()), (D, ())]
    assert same_instant("steal:0", *calls[:2], turn=B) == [(C, (D,)), (D, ())]
    block = Option("block", face="captain")
    three = same_instant("steal:1", (D, PASS), (B, block), (C, CHALLENGE))
    assert three == [(C, ()), (B, ()), (D, ())]
    assert same_instant("steal:1", (D, PASS), (C, PASS)) == [(C, ()), (D, ())]
    assert same_instant("steal:1", (A, Option("objections")), (D, PASS)) == [(D, ()), (A, ())]
    duke = (D, Option("block", face="duke"))
    for said in (((B, PASS), duke), (duke, (B, PASS))):
        assert same_instant("foreign-aid", *said) == [(D, ()), (B, ())]
    assert same_instant("", (A, Option("tax")), (A, Option("income"))) == [(A, ()), (A, ())]


def test_a_tie_is_told_of_those_who_could_have_spoken() -> None:
    script = table(*FOUR).plays("tax")

    def rulings(*tied: int) -> Script:
        after = hear(script.match, Answer(script.match.number, "challenge", CHALLENGE, B, tied=tied))
        assert isinstance(after, Match)
        return Script(after, after.rulings)

    assert rulings(C, D).ruling("tie") == {"seat": B, "others": (C, D)}
    for others in (9, A, B):
        assert rulings(others).ruling_keys == ["challenged"]


CLOCKWISE = [
    (B, "tax challenge:0", ("means-to-challenge", None)),
    (B, "tax challenge:0 pass:3 pass:2", ("challenged", A)),
    (B, "tax challenge:0 challenge:3 pass:2", ("challenged", D)),
    (B, "tax challenge:0 challenge:2", ("challenged", C)),
    (A, "foreign-aid block:2:duke", ("means-to-block", None)),
    (A, "foreign-aid block:2:duke pass:1", ("blocks", C)),
    (A, "foreign-aid block:2:duke block:1:duke", ("blocks", B)),
    # the one in turn comes first against a block
    (A, "foreign-aid block:1:duke challenge:2 challenge:0", ("challenged", A)),
]


@on_both_sides_of("priority/clockwise")
@pytest.mark.parametrize(("turn", "line", "ruled"), CLOCKWISE)
def test_clockwise_one_waits_for_those_before(turn: int, line: str, ruled: tuple[str, int | None]) -> None:
    script = table(*FOUR, turn=turn, priority="clockwise").plays(line)
    assert script.ruling_keys[-1] == ruled[0]
    assert ruled[1] is None or script.ruling(ruled[0])["seat"] == ruled[1]


def deadlines(script: Script) -> set[Deadline | None]:
    """Collect the clocks of those who may react."""
    return {ask.deadline for ask in script.match.asks if ask.key != "objections"}


@beyond("window/all-pass")
def test_without_a_clock_all_have_to_let_it_pass() -> None:
    script = table(*FOUR).does("tax")
    assert deadlines(script) == {None}
    assert script.passes(B, C).waiting_seats == [D]


@within("window/all-pass")
def test_the_claimant_may_ask_for_objections() -> None:
    script = table(*FOUR).does("tax").answers("objections", Option("objections"), A)
    assert script.ruling("objections") == {"seat": A, "seconds": 8}
    assert deadlines(script) == {Deadline(8.0, PASS)}
    assert "objections" not in script.ask_keys
    blocked = table(*FOUR).does("foreign-aid").blocks(B, "duke")
    assert blocked.ask("objections").seats == (B,)


@within("window/timer")
def test_the_clock_may_run_from_the_start() -> None:
    script = table(*FOUR, window="timer", window_seconds=5).does("steal", B)
    assert deadlines(script) == {Deadline(5.0, PASS)}
    assert "objections" not in script.ask_keys


@within("refuse/may")
def test_a_player_who_shows_nothing_in_time_has_given_in() -> None:
    script = table(*FOUR, proof_seconds=9).does("tax").challenges(B)
    assert script.ask("concede").deadline == Deadline(9.0, Option("concede"))
    assert script.show.deadline is None


def test_an_open_card_is_nowhere_else() -> None:
    """Three of each: once all dukes lie open, no hand has one."""
    script = table("2:1", "2:1", "2:1", "2:2").does("tax").challenges(B)
    assert script.refusal("prove", ("duke",), A)[0] == Reason.ALREADY_SEEN
    assert script.show.among == {"duke": 0, "assassin": 3, "captain": 3, "ambassador": 3, "contessa": 3}


@beyond("first-opener")
@within("opener")
def test_the_winner_begins_the_next_match() -> None:
    over = table("2:1", "7:2", "2:0", turn=1).does("coup", 0).shows("captain")
    again = rematch(over.match)
    assert isinstance(again, Match)
    assert Script(again, again.rulings).turn == 1
    assert Script(again, again.rulings).stands == "2:2 2:2 2:2 44"
    assert Script(again, again.rulings).ruling_keys == ["dealt", "begins"]


@within("first-opener")
@beyond("opener")
def test_a_winner_who_does_not_sit_here_begins_nothing() -> None:
    match = begin(Setup(COUP, House(), ("A", "B"), Outcome("last-standing", (5,))))
    assert isinstance(match, Match)
    assert Script(match, match.rulings).ask_keys == ["opener"]


def is_sealed(script: Script, seat: int) -> bool:
    """Tell whether a seat can't take the last answer back."""
    undone = take_back(script.match, TakeBack(script.match.number, seat))
    assert isinstance(undone, Match) or undone.reason is Reason.SEEN_BACK
    return isinstance(undone, Refusal)


def test_what_moved_hidden_cards_is_not_taken_back() -> None:
    """A pass is taken back, unless it let a player draw; so is giving in, but no swap and no exchange."""
    assert not is_sealed(table("3:2", "3:2").does("tax").passes(B), B)
    drawn = table("3:2", "3:2").does("exchange").passes(B)
    assert is_sealed(drawn, B)
    assert is_sealed(drawn.exchanges(), A)
    challenged = table("3:2", "3:2", swap_after_proof="optional").does("tax").challenges(B)
    assert not is_sealed(challenged, B)
    assert not is_sealed(challenged.concedes(), A)
    shown = challenged.shows("duke")
    assert is_sealed(shown.answers("swap", Option("swap"), A), A)
    assert not is_sealed(shown.answers("swap", Option("keep"), A), A)


def test_bluffs_and_challenges_are_counted() -> None:
    """A is caught with the tax by B; B blocks the foreign aid of A truly, and A doubts it in vain."""
    script = table("2:2", "2:1").does("tax").challenges(B).concedes().shows("captain")
    script = script.does("income").does("foreign-aid").blocks(B, "duke").challenges(A).shows("duke")
    script = script.shows("assassin")
    told = {ruling.values["seat"]: ruling.values for ruling in COUP.insight(script.state)}
    assert told[A] == {"seat": A, "claims": 1, "doubted": 1, "caught": 1, "challenges": 1, "right": 0}
    assert told[B] == {"seat": B, "claims": 1, "doubted": 1, "caught": 0, "challenges": 1, "right": 1}


def test_no_seat_is_second() -> None:
    script = table("7:2", "2:1", "2:0", "9:2").does("coup", B).shows("captain")
    places = {standing.seat: (standing.place, standing.out) for standing in COUP.standings(script.state)}
    assert places == {A: (1, False), D: (1, False), B: (3, True), C: (3, True)}
