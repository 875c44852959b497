"""Runners-up as corrections: what they offer, in which order, and never what isn't legal."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.start.pages.evidence_door import cards_read
from referee.contract import Answer
from referee.legal import refusal
from referee.match import Match, Step, enter, standing_answers
from tests.webui.coyote_round import READING, REVEAL, SHOWN, call_coyote, reveal_cards
from tests.webui.room import match_of
from webui.doors.companion import Guess, ReadCard
from webui.drawing.alternatives import MOST, alternatives, with_card_replaced

STEP = standing_answers(reveal_cards(match_of()))[-1]
FACES = sorted(STEP.before.asks[0].deck.counts)  # type: ignore[union-attr]


def revealed_step(*cards: str) -> Step:
    after = enter(call_coyote(match_of()), Answer(REVEAL, "reveal", cards, None, "camera"))
    assert isinstance(after, Match)
    return standing_answers(after)[-1]


def test_the_likeliest_come_first_and_what_is_no_card_never() -> None:
    offers = alternatives(STEP, cards_read(READING.cards))
    assert [(each.wrong, each.right, each.score) for each in offers] == [
        ("10", "15", 0.5),
        ("20", "10", 0.41),
        ("20", "2", 0.2),
        ("10", "1", 0.1),
    ]
    assert offers[0].cards == ("20", "15", "10")


def test_a_card_that_the_deck_has_no_more_of_is_not_offered() -> None:
    counts = STEP.before.asks[0].deck.counts  # type: ignore[union-attr]
    once = next(face for face, count in counts.items() if count == 1)
    step = revealed_step(once, "10", "10")
    cards = (ReadCard("10", True, True, True, 0.9, (Guess(once, 0.8), Guess("15", 0.1))),)
    assert [each.right for each in alternatives(step, cards)] == ["15"]


def test_an_answer_without_cards_has_none() -> None:
    assert alternatives(standing_answers(reveal_cards(match_of()))[1], cards_read(READING.cards)) == ()


@given(
    st.lists(
        st.builds(
            ReadCard,
            st.none() | st.sampled_from(FACES),
            st.booleans(),
            st.booleans(),
            st.booleans(),
            st.floats(0, 1),
            st.lists(st.builds(Guess, st.sampled_from([*FACES, "back", "?!"]), st.floats(0, 1))).map(tuple),
        ),
        max_size=8,
    )
)
def test_every_offer_is_legal_differs_in_one_card_and_comes_once(cards: list[ReadCard]) -> None:
    offers = alternatives(STEP, cards)
    assert len(offers) <= MOST
    assert len({(each.wrong, each.right) for each in offers}) == len(offers)
    for each in offers:
        assert sum(one != other for one, other in zip(SHOWN, each.cards, strict=True)) == 1
        answer = Answer(REVEAL, "reveal", each.cards, None, "camera")
        assert refusal(STEP.before.asks, answer) is None
    assert [each.score for each in offers] == sorted((each.score for each in offers), reverse=True)


def test_the_others_stay_where_they_are() -> None:
    assert with_card_replaced(("a", "b", "a"), "a", "c") == ("c", "b", "a")
