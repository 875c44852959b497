"""What was decided last: `properties.py` says how long it stands, the golden playthroughs how it is told."""

from msgspec.structs import replace

from referee.contract import Answer, Mood, Option, Verdict
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, TakeBack, hear, moments
from referee.verdicts import last_verdict, reveal_of
from tests.given import allowed, altered, present
from tests.referee.read_cards import called_match
from tests.referee.tables import new_match

COUP = GAMES["coup"]


def plays(match: Match, *answers: tuple[str, object, int | None]) -> Match:
    for ask, value, seat in answers:
        match = allowed(hear(match, Answer(match.number, ask, value, seat)))  # type: ignore[arg-type]
    return match


def caught() -> Match:
    """Ana claims the Duke, Bo doubts it, Ana shows the Contessa: it is Bo's turn."""
    begun = plays(new_match(COUP, "rule text", 3), ("opener", Option("opens", 0), None))
    doubted = plays(begun, ("action", Option("tax"), 0), ("challenge", Option("challenge"), 1))
    assert last_verdict(doubted) is None
    conceded = plays(doubted, ("concede", Option("concede"), 0))
    claimed = {"seat": 0, "claimed": "duke"}
    assert last_verdict(conceded) == Verdict("not-shown", claimed, is_good=False, face="duke")
    return plays(conceded, ("lose", ("contessa",), 0))


def test_a_verdict_outlasts_the_turn_and_ends_with_the_next_claim() -> None:
    match = caught()
    lost = {"seat": 0, "claimed": "duke", "card": "contessa"}
    verdict = Verdict("not-shown-lost", lost, is_good=False, face="contessa")
    assert last_verdict(match) == verdict
    claimed = plays(match, ("action", Option("tax"), 1))
    assert last_verdict(claimed) is None
    undone = allowed(hear(claimed, TakeBack(claimed.number, 1)))
    assert last_verdict(undone) == verdict


def test_an_income_is_told_and_not_what_was_decided_before_it() -> None:
    """Income claims nothing, so that it belongs to no story before it."""
    doubted = plays(caught(), ("action", Option("income"), 1))
    verdict = present(last_verdict(doubted))
    assert (verdict.key, verdict.values["seat"]) == ("takes", 1)


def test_a_game_that_says_nothing_of_verdicts_has_those_of_its_cues() -> None:
    match = caught()
    plain = replace(match, setup=replace(match.setup, game=altered(COUP, verdicts=None)))
    verdict = last_verdict(plain)
    assert verdict == Verdict("loses", {"seat": 0, "card": "contessa"}, is_good=False, face="contessa")
    assert COUP.feel.cues[verdict.key].mood is Mood.LOSS


def test_moments_whose_answers_were_let_go_of_tell_what_they_know_alone() -> None:
    """After a correction, earlier moments are looked at in the film without what led to them."""
    match = caught()
    corrected = allowed(hear(match, Correct(match.number, match.number - 1, ("duke",))))
    lost = {"seat": 0, "claimed": "duke", "card": "duke"}
    assert last_verdict(corrected) == Verdict("not-shown-lost", lost, is_good=False, face="duke")
    old = [moment for moment in moments(corrected) if moment.rulings and moment.number < corrected.number]
    told = {moment.number: last_verdict(moment) for moment in old}
    assert [each.key for each in told.values() if each is not None] == ["loses", "void"]
    assert not any(map(reveal_of, old))


def test_what_a_player_says_of_a_doubt_is_what_all_have_seen() -> None:
    begun = plays(new_match(COUP, "rule text", 3), ("opener", Option("opens", 0), None))
    doubted = plays(begun, ("action", Option("tax"), 0), ("challenge", Option("challenge"), 1))
    shown = present(reveal_of(plays(doubted, ("prove", ("duke",), 0))))
    given_in = present(reveal_of(plays(doubted, ("concede", Option("concede"), 0))))
    assert [(each.seat, each.key) for each in shown.asides] == [(0, "true"), (1, "unbelieving")]
    assert [(each.seat, each.key) for each in given_in.asides] == [(0, "dared"), (1, "unbelieving")]


def test_bidder_and_caller_say_what_they_wore_where_that_is_known() -> None:
    called = called_match()
    cards = ("10", "5", "0")
    known = Answer(called.number, "reveal", cards, owners=(0, 1, 2))
    told = {each.seat: dict(each.values) for each in present(reveal_of(allowed(hear(called, known)))).asides}
    assert told == {seat: {"card": cards[seat], "number": number} for seat, number in ((1, 9), (2, 9))}
    unknown = present(reveal_of(allowed(hear(called, Answer(called.number, "reveal", cards)))))
    assert [each.key for each in unknown.asides] == ["dared", "doubted"]
