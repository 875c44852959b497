"""Every refusal of a card says how to put it right, in words of the game."""

from gettext import NullTranslations
from random import Random

import pytest

from hardware.twin.player import any_answer
from referee.contract import Answer, Reason, Refusal, Show
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.house import SETTINGS
from referee.match import Match, Setup, begin, hear
from referee.telling import Listener, tell_refusal
from tests.referee.games.coup_d_etat.script import NAMES, dealt

LISTENER = Listener(COUP_D_ETAT.words, NAMES, NullTranslations())


def refusal_text(match: Match, show: Show, *cards: str) -> str:
    """Lay cards that have to be refused, and hear why."""
    after = hear(match, Answer(match.number, show.key, cards))
    assert isinstance(after, Refusal)
    return tell_refusal(LISTENER, after)


@pytest.mark.parametrize("rules", SETTINGS)
def test_every_card_that_may_not_lie_there_is_told_why(rules: str) -> None:
    match = begin(Setup(COUP_D_ETAT, SETTINGS[rules], NAMES))
    assert isinstance(match, Match)
    rng, reasons = Random(rules), set[str]()
    for _answer in range(400):
        for show in (ask for ask in match.asks if isinstance(ask, Show)):
            assert set(show.barred.values()) <= set(COUP_D_ETAT.words.refusals)
            reasons |= set(show.barred.values())
            for card in (card for card, count in show.among.items() if not count):
                assert "{" not in refusal_text(match, show, card)
        after = hear(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after
    assert reasons >= {"no-fit", "coup-of-another", "lead-siege"}


def test_what_people_hear() -> None:
    script = dealt().declines(1, "barbu")
    assert refusal_text(script.match, script.show, "9h") == (
        "9 of hearts: in Barbu no heart may be led here."
        " Take it back, or say first that the hand has nothing else."
    )
    script = script.plays("7c 8c")
    assert refusal_text(script.match, script.show, "7c") == (
        "7 of clubs has been seen already: take it away. If it was misread then, correct that."
    )
    assert refusal_text(script.match, script.show, "9c", "10c") == (
        "One card at a time, not 2: leave the card of who is in turn, take the others back."
    )
    out_of_turn = hear(script.match, Answer(script.match.number, "card", ("9c",), owners=(3,)))
    assert isinstance(out_of_turn, Refusal)
    assert out_of_turn.reason is Reason.OUT_OF_TURN
    assert tell_refusal(LISTENER, out_of_turn) == (
        "That card was laid out of turn: take it back. It is the turn of Chloé."
    )
