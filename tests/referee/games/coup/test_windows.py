"""Who may react, who was first, and until when."""

import pytest

from referee.contract import Answer, Choice, Deadline, Option, Outcome, Reason, Refusal
from referee.games.coup import COUP
from referee.games.coup.house import House
from referee.games.coup.state import Window
from referee.match import Correct, Match, Setup, TakeBack, begin, correct, hear, rematch, take_back
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup.script import CHALLENGE, PASS, Script, sit_down, table

A, B, C, D = range(4)
FOUR = ("3:2", "3:2", "3:2", "3:2")


def test_everybody_may_challenge_and_only_the_target_may_block() -> None:
    script = table(*FOUR).does("assassinate", C)
    asked = {ask.key: ask.seats for ask in script.match.asks}
    assert asked == {"challenge": (B, D), "challenge-or-block": (C,), "objections": (A,)}
    assert {ask.window for ask in script.match.asks if isinstance(ask, Choice)} == {1}


def test_all_may_block_foreign_aid_and_none_may_challenge_it() -> None:
    script = table(*FOUR, turn=B).does("foreign-aid")
    assert script.ask("block").seats == (C, D, A)
    assert script.words("block") == {"block", "pass"}


def test_all_but_the_blocker_may_challenge_a_block() -> None:
    script = table(*FOUR).does("foreign-aid").blocks(C, "duke")
    assert script.waiting_seats == [A, B, D]
    assert script.words("challenge") == {"challenge", "pass"}


def test_the_first_button_counts() -> None:
    script = table(*FOUR).does("tax").passes(B).challenges(D)
    assert script.ruling("challenged") == {"seat": D, "claimant": A, "face": "duke"}


@within("chance-to-object")
def test_a_late_button_of_the_same_window_counts() -> None:
    script = table(*FOUR).does("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, D)
    assert isinstance(hear(script.passes(B, C).match, late), Match)


@beyond("chance-to-object")
def test_a_late_button_of_a_closed_window_is_stale() -> None:
    """B lets the tax pass and takes tax itself: C's challenge was meant for A."""
    script = table("3:2", "3:2", "3:2").does("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, C)
    refusal = hear(script.passes().does("tax").match, late)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.STALE


def test_a_late_button_for_an_action_that_was_taken_back_is_stale() -> None:
    """The windows of both actions have the same number; a take-back lies between them."""
    script = table("3:2", "3:2", "3:2").does("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, C)
    undone = take_back(script.match, TakeBack(script.match.number, A))
    assert isinstance(undone, Match)
    other = Script(undone).does("exchange")
    refusal = hear(other.match, late)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.STALE


def test_a_late_button_for_an_action_that_was_corrected_is_stale() -> None:
    """The host says that A took something else: the window has the same number, and another meaning."""
    script = table("3:2", "3:2", "3:2").does("tax")
    late = Answer(script.match.number, "challenge", CHALLENGE, C)
    right = correct(script.match, Correct(script.match.number, 0, Option("exchange")))
    assert isinstance(right, Match)
    assert right.asks[0].key == "challenge"
    refusal = hear(right, late)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.STALE


@on_both_sides_of("challenges-first")
def test_a_block_waits_for_those_who_may_challenge() -> None:
    """The rule text: challenges are settled before any other action or block."""
    script = table(*FOUR).does("assassinate", B).blocks(B, "contessa")
    assert script.ruling_keys == ["means-to-block"]
    assert script.waiting_seats == [C, D]
    challenged = script.challenges(D).shows("assassin").shows("duke")
    assert challenged.waiting_seats == [B]
    assert script.passes().ruling_keys == ["blocks"]


def same_instant(script: Script, *said: tuple[int, Option]) -> list[tuple[int | None, tuple[int, ...]]]:
    """Order what is said in the same instant: who comes, and before whom."""
    keys = {seat: ask.key for ask in script.match.asks for seat in ask.seats}
    answers = tuple(Answer(script.match.number, keys[seat], option, seat) for seat, option in said)
    return [(answer.seat, answer.tied) for answer in COUP.in_order(script.state, answers)]


def test_in_the_same_instant_the_target_comes_first_then_clockwise() -> None:
    script = table(*FOUR, turn=B).does("steal", A)
    calls = ((D, CHALLENGE), (C, CHALLENGE), (A, CHALLENGE))
    assert same_instant(script, *calls) == [(A, (C, D)), (C, ()), (D, ())]
    assert same_instant(script, *calls[:2]) == [(C, (D,)), (D, ())]


@on_both_sides_of("priority/button")
def test_in_the_same_instant_a_challenge_comes_before_a_block_and_a_pass() -> None:
    script = table(*FOUR).does("steal", B)
    block = Option("block", face="captain")
    assert same_instant(script, (D, PASS), (B, block), (C, CHALLENGE)) == [(C, ()), (B, ()), (D, ())]
    assert same_instant(script, (D, PASS), (C, PASS)) == [(C, ()), (D, ())]
    assert same_instant(script, (A, Option("objections")), (D, PASS)) == [(D, ()), (A, ())]


def test_a_tie_is_told() -> None:
    script = table(*FOUR).does("tax")
    tied = hear(script.match, Answer(script.match.number, "challenge", CHALLENGE, B, tied=(C, D)))
    assert isinstance(tied, Match)
    assert Script(tied).ruling("tie") == {"seat": B, "others": (C, D)}
    assert Script(tied).ruling("challenged") == script.challenges(B).ruling("challenged")


def test_a_seat_that_could_not_speak_does_not_give_way() -> None:
    """A record that says so doesn't make it so."""
    script = table(*FOUR).does("tax")
    for others in ((9,), (A,), (B,)):
        answer = Answer(script.match.number, "challenge", CHALLENGE, B, tied=others)
        after = hear(script.match, answer)
        assert isinstance(after, Match)
        assert Script(after).ruling_keys == ["challenged"]


def test_what_is_no_window_has_no_ties() -> None:
    script = table(*FOUR)
    answers = (Answer(0, "action", Option("tax"), A), Answer(0, "action", Option("income"), A))
    assert COUP.in_order(script.state, answers) == answers


def clockwise(turn: int = A) -> Script:
    """Sit down to a table where the next one clockwise comes first, however fast the others are."""
    return table(*FOUR, turn=turn, priority="clockwise")


@on_both_sides_of("priority/clockwise")
def test_clockwise_a_challenge_waits_for_those_before() -> None:
    script = clockwise(B).does("tax").challenges(A)
    assert script.ruling_keys == ["means-to-challenge"]
    assert script.waiting_seats == [C, D]
    assert script.passes(D).passes(C).ruling("challenged")["seat"] == A
    assert script.challenges(D).passes(C).ruling("challenged")["seat"] == D
    assert script.challenges(C).ruling("challenged")["seat"] == C


def test_clockwise_a_block_waits_for_those_before() -> None:
    script = clockwise().does("foreign-aid").blocks(C, "duke")
    assert script.ruling_keys == ["means-to-block"]
    assert script.passes(B).ruling("blocks") == {"seat": C, "face": "duke"}
    assert script.blocks(B, "duke").ruling("blocks")["seat"] == B


def test_clockwise_the_one_in_turn_comes_first_against_a_block() -> None:
    script = clockwise().does("foreign-aid").blocks(B, "duke").challenges(C)
    assert script.challenges(A).ruling("challenged")["seat"] == A


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
    assert isinstance(script.state.stage, Window)
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


def test_giving_in_may_cost_the_very_card() -> None:
    script = table(*FOUR).does("tax").challenges(B).concedes()
    assert script.shows("duke").state.lost[A] == ("duke",)


def test_without_giving_in_a_card_has_to_be_laid() -> None:
    script = table(*FOUR, may_concede=False).does("tax").challenges(B)
    assert script.ask_keys == {"prove"}
    assert script.shows("captain").state.lost[A] == ("captain",)


@on_both_sides_of("swap-first")
@beyond("wrong-card")
def test_the_shown_card_is_swapped_before_anything_else() -> None:
    script = table(*FOUR).does("exchange").challenges(B).shows("ambassador")
    assert script.ruling_keys == ["proved", "swaps"]
    assert script.show.seats == (B,)


@pytest.mark.parametrize(("word", "key"), [("swap", "swaps"), ("keep", "keeps")])
def test_the_shown_card_may_be_kept_if_so_agreed(word: str, key: str) -> None:
    script = table(*FOUR, swap_after_proof="optional").does("tax").challenges(B).shows("duke")
    assert script.words("swap") == {"swap", "keep"}
    after = script.answers("swap", Option(word), A)
    assert after.ruling(key) == {"seat": A, "card": "duke"}
    assert after.show.seats == (B,)


def test_an_open_card_is_nowhere_else() -> None:
    """Three of each: once all dukes lie open, no hand has one."""
    script = table("2:1", "2:1", "2:1", "2:2").does("tax").challenges(B)
    assert script.state.lost[:3] == (("duke",),) * 3
    assert script.refusal("prove", ("duke",), A) == Reason.ALREADY_SEEN
    assert script.show.among == {"duke": 0, "assassin": 3, "captain": 3, "ambassador": 3, "contessa": 3}


def test_the_treasury_gives_what_it_has() -> None:
    script = table("9:2", "9:2", "9:2", "8:2", "7:2", "7:2").does("tax").passes()
    assert script.state.coins[0] == 10
    assert script.ruling_keys == ["takes", "treasury-empty"]
    empty = script.does("income")
    assert empty.ruling("takes") == {"seat": 1, "coins": 0, "wanted": 1}
    assert empty.stands.endswith(" 0")


def test_the_treasury_gives_more_than_it_has_if_so_agreed() -> None:
    script = table("9:2", "9:2", "9:2", "8:2", "7:2", "7:2", bank_unlimited=True).does("tax").passes()
    assert script.state.coins[0] == 12


def test_the_first_of_two_may_begin_with_a_coin_less() -> None:
    assert sit_down(2, two_player_first_coin=1).opens(1).state.coins == (2, 1)
    assert sit_down(3, two_player_first_coin=1).opens(1).state.coins == (2, 2, 2)
    assert sit_down(2).opens(1).state.coins == (2, 2)


@beyond("first-opener")
@within("opener")
def test_the_winner_begins_the_next_match() -> None:
    over = table("2:1", "7:2", "2:0", turn=1).does("coup", 0).shows("captain")
    again = rematch(over.match)
    assert isinstance(again, Match)
    assert Script(again).turn == 1
    assert Script(again).stands == "2:2 2:2 2:2 44"
    assert Script(again).ruling_keys == ["dealt", "begins"]


@within("first-opener")
@beyond("opener")
def test_a_winner_who_does_not_sit_here_begins_nothing() -> None:
    match = begin(Setup(COUP, House(), ("A", "B"), Outcome("last-standing", (5,))))
    assert isinstance(match, Match)
    assert Script(match).ask_keys == {"opener"}


@beyond("clocks")
@pytest.mark.parametrize("rule", ["window_seconds", "proof_seconds"])
@pytest.mark.parametrize("seconds", [0, 121])
def test_a_clock_that_can_not_be(rule: str, seconds: int) -> None:
    refusal = begin(Setup(COUP, House(**{rule: seconds}), ("A", "B")))
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.HOUSE


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


def test_what_everybody_may_know() -> None:
    script = table("2:2", "2:1", "2:1", "2:2")
    assert [ruling.key for ruling in COUP.insight(script.state)] == ["still-hidden"]
    script = script.does("tax").challenges(D).shows("captain")
    assert COUP.insight(script.state)[0].values["captain"] == 2
    three = table("2:1", "2:1", "2:1", "2:2")
    still, gone = COUP.insight(three.state)
    assert still.values["duke"] == 0
    assert gone.values == {"faces": ("duke",)}
    assert COUP.insight(sit_down(3).state) == ()


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


def test_in_the_same_instant_a_block_comes_before_a_pass_wherever_they_sit() -> None:
    script = table(*FOUR).does("foreign-aid")
    block = Option("block", face="duke")
    assert same_instant(script, (B, PASS), (D, block)) == [(D, ()), (B, ())]
    assert same_instant(script, (D, block), (B, PASS)) == [(D, ()), (B, ())]
