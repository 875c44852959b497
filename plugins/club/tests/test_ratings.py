"""Incremental ratings match a full computation, in whatever batches matches arrive."""

from hypothesis import given, settings
from hypothesis import strategies as st

from club.ratings import NEWCOMER, NO_RATINGS, RatedMatch, RatingBook, rate
from tests.tiers import tiered

people = st.lists(
    st.one_of(st.none(), st.integers(1, 9)), min_size=2, max_size=6, unique_by=lambda who: who or object()
)


@st.composite
def matches(draw: st.DrawFn) -> list[RatedMatch]:
    return [
        RatedMatch(
            number,
            draw(st.sampled_from(("coyote", "coup"))),
            draw(st.sampled_from(("", "Kidult"))),
            tuple(seats),
            tuple(draw(st.permutations(range(1, len(seats) + 1)))),
        )
        for number, seats in enumerate(draw(st.lists(people, max_size=12)), 1)
    ]


@settings(max_examples=tiered(15, 100))
@given(first=matches(), second=matches())
def test_incremental_ratings_match_a_full_computation(
    first: list[RatedMatch], second: list[RatedMatch]
) -> None:
    book = RatingBook()
    for history in (first, [*first, *second], second, first):
        assert book.ratings(history) == rate(NO_RATINGS, history)


def test_winners_gain_rating_separately_per_game() -> None:
    won = rate(NO_RATINGS, [RatedMatch(1, "coyote", "", (1, 2, 3), (1, 2, 3))])
    kind = ("coyote", "")
    assert won[kind, 1].mean > won[kind, 2].mean > won[kind, 3].mean
    assert won[kind, 1].spread < NEWCOMER.spread
    assert (won[kind, 1].matches, won[kind, 1].won, won[kind, 2].won) == (1, 1, 0)
    assert (("coup", ""), 1) not in won


def test_unknown_people_count_as_unrated_newcomers() -> None:
    alone = rate(NO_RATINGS, [RatedMatch(1, "coyote", "", (1, None), (1, 2))])
    assert [who for _kind, who in alone] == [1]
    both = rate(NO_RATINGS, [RatedMatch(1, "coyote", "", (1, 2), (1, 2))])
    assert alone[("coyote", ""), 1] == both[("coyote", ""), 1]
    assert rate(NO_RATINGS, [RatedMatch(1, "coyote", "", (None, None), (1, 2))]) == {}
