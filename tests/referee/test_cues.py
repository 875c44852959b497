"""Moods of the table and of the seats concerned, and texts about challenges."""

from random import Random

from msgspec.structs import replace

from referee.contract import Answer, Cue, Game, Mood, Option, Ruling, Value, Verdict
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, TakeBack, begin, hear
from referee.showing import moods_at, moods_of
from referee.verdicts import last_verdict, reveal_of
from tests.given import allowed, altered, present
from tests.referee.tables import after_any, new_match

CUES = {"one": Cue(Mood.TRICK), "all": Cue(Mood.WIN, ""), "several": Cue(Mood.LOSS, "seats")}
GAME = altered(COYOTE, cues=CUES)


def ruled(*rulings: Ruling) -> Match:
    match = allowed(begin(Setup(GAME, COYOTE.rules.house(), ("Ana", "Bo"))))
    return replace(match, rulings=rulings)


def test_moods_belong_to_the_seats_concerned() -> None:
    rulings = (Ruling("one", {"seat": 1}), Ruling("quiet", {}), Ruling("several", {"seats": (0, 1)}))
    match = ruled(*rulings, Ruling("all", {"seat": 0}))
    assert moods_of(match) == {Mood.TRICK, Mood.LOSS, Mood.WIN}
    assert [moods_at(match, seat) for seat in range(3)] == [{Mood.LOSS}, {Mood.TRICK, Mood.LOSS}, set()]
    assert moods_of(ruled(Ruling("quiet", {}))) == frozenset()


def test_take_back_concerns_no_seat() -> None:
    match = allowed(hear(after_any(ruled(), Random(1)), TakeBack(1, 0)))
    assert moods_of(match) == {Mood.REVERSAL}
    assert moods_at(match, 0) == frozenset()


def after_doubt(game: Game, *answers: tuple[str, Value]) -> Match:
    """Let Ana claim the Duke and Bo challenge it; return the match after Ana's answers."""
    match = new_match(game, "rule text", 3)
    begun = (("opener", Option("opens", 0), None), ("action", Option("tax"), 0))
    said = (*begun, ("challenge", Option("challenge"), 1), *((ask, value, 0) for ask, value in answers))
    for ask, value, seat in said:
        match = allowed(hear(match, Answer(match.number, ask, value, seat)))
    return match


def test_verdicts_default_to_cues() -> None:
    match = after_doubt(altered(COUP, verdicts=None), ("concede", Option("concede")), ("lose", ("contessa",)))
    verdict = last_verdict(match)
    assert verdict == Verdict("loses", {"seat": 0, "card": "contessa"}, is_good=False, face="contessa")
    assert COUP.feel.cues[verdict.key].mood is Mood.LOSS


def test_asides_use_public_facts() -> None:
    shown = present(reveal_of(after_doubt(COUP, ("prove", ("duke",)))))
    given_in = present(reveal_of(after_doubt(COUP, ("concede", Option("concede")))))
    assert [(each.seat, each.key) for each in shown.asides] == [(0, "true"), (1, "unbelieving")]
    assert [(each.seat, each.key) for each in given_in.asides] == [(0, "dared"), (1, "unbelieving")]
