"""The claim window, against what counts once all have spoken; and what hands do with a proof."""

import doctest
from itertools import permutations, product

import pytest

from referee.contract import PILE, PROOF, Answer, Choice, Deadline, Option, Show, hand_of
from referee.contract.cards import Deck
from referee.kit import claims
from referee.kit.claims import CHALLENGE, CONCEDE, OBJECTIONS, PASS, ClaimWindow, Objection, heard, objection

BLOCK = Option("block", face="duke")
DOUBT = Choice("doubt", (2, 3, 1), (CHALLENGE, BLOCK, PASS), window=7)
ORDER = (0, 1, 2, 3)


def test_the_page_of_use_runs() -> None:
    failed, tried = doctest.testmod(claims)
    assert (failed, tried > 3) == (0, True)


def what_counts(said: list[tuple[int, Option]], *, in_turn: bool) -> int | None:
    for word in (CHALLENGE, BLOCK):
        seats = [seat for seat, option in said if option == word]
        if seats:
            return min(seats) if in_turn else seats[0]
    return None


@pytest.mark.parametrize("in_turn", [False, True])
def test_an_objection_counts_as_soon_as_no_other_can_come_before_it(*, in_turn: bool) -> None:
    for seats, options in product(permutations((1, 2, 3)), product((CHALLENGE, BLOCK, PASS), repeat=3)):
        said = list(zip(seats, options, strict=True))
        window, found, left = ClaimWindow((DOUBT,)), None, list(said)
        while found is None and left:
            window = heard(window, *left.pop(0))
            found = objection(window, ORDER if in_turn else ())
        assert (found.seat if found else None) == what_counts(said, in_turn=in_turn)
        assert sorted(claims.waiting(window)) == sorted(seat for seat, _option in left)


def test_where_nothing_can_be_doubted_the_first_block_counts_at_once() -> None:
    window = ClaimWindow((Choice("block", (1, 2), (BLOCK, PASS), window=1),))
    assert objection(heard(window, 2, BLOCK)) == Objection(2, BLOCK)


def test_the_claimant_asks_for_objections_once_and_then_the_clock_runs() -> None:
    clock = Deadline(8.0, PASS)
    window = ClaimWindow((DOUBT,), claims.asking_for_objections(DOUBT, 0))
    assert window.beside == (Choice("objections", (0,), (OBJECTIONS,), 7),)
    running = claims.with_clock(window, clock)
    assert ([ask.deadline for ask in running.asks], running.beside) == ([clock], ())
    assert claims.asking_for_objections(running.asks[0], 0) == ()
    assert heard(running, 3, PASS).asks[0].deadline == clock


def test_at_the_same_instant_one_seat_comes_first_and_who_could_have_spoken_gives_way() -> None:
    calls = ((1, BLOCK), (3, CHALLENGE), (2, CHALLENGE))
    said = tuple(Answer(0, "doubt", option, seat) for seat, option in calls)
    ordered = claims.in_order(said, ORDER, first=3)
    assert [(answer.seat, answer.tied) for answer in ordered] == [(3, (2,)), (2, ()), (1, ())]
    assert claims.gave_way(ClaimWindow((DOUBT,)), ordered[0]) == (2,)
    assert claims.gave_way(heard(ClaimWindow((DOUBT,)), 2, PASS), ordered[0]) == ()


def test_a_proof_is_shown_or_given_up_and_its_card_swapped_or_kept() -> None:
    show = Show("prove", (2,), 1, PROOF, Deck("box", {"duke": 3}), {"duke": 3})
    assert claims.proof_asks(show, None) == (show,)
    concede = Choice("concede", (2,), (CONCEDE,), deadline=Deadline(20.0, CONCEDE))
    assert claims.proof_asks(show, 20.0) == (concede, show)
    hand = hand_of(2)
    for key, ways in (
        ("proved", [(hand, PROOF, ("duke",))]),
        ("swaps", [(PROOF, PILE, ("duke",)), (PILE, hand, ())]),
        ("keeps", [(PROOF, hand, ("duke",))]),
        ("loses", []),
    ):
        moves = claims.proof_moves(key, 2, ("duke",))
        assert [(move.source, move.target, move.faces) for move in moves] == ways
