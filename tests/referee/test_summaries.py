"""Summaries of matches, by round and in total; the walks verify them by a second count."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.contract import Answer, Game, Stretch, make_ruling
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.hands import feats
from referee.match import Match, beginning_of, hear, seat_person
from referee.record import names_in, read_record, record_lines, with_names
from referee.summaries import Summary, rates_of, rounds_of, statistics, summary_of
from tests.given import allowed, present
from tests.referee.read_cards import READ, called_match
from tests.referee.tables import new_match

SHOWN_AT = "2026-01-02T20:03:00+01:00"


def one_round() -> Match:
    return called_match(Answer(4, "reveal", ("5", "5", "0"), at=SHOWN_AT))


def test_coyote_round_is_counted() -> None:
    summary = summary_of(one_round())
    assert summary.feats == (
        {"rounds": 1, "numbers": 1, "announced": 4, "totals": 10},
        {"rounds": 1, "contested": 1, "stood": 1, "numbers": 1, "announced": 9, "totals": 10},
        {"rounds": 1, "calls": 1, "marks": 1},
    )
    assert (summary.rounds, summary.starter, summary.winners) == (1, 0, None)
    assert (summary.edition, summary.house, summary.ended) == ("kidult", {}, SHOWN_AT)
    first, second = rounds_of(one_round())
    assert (first.points, first.counts) == (
        {"number": 9, "total": 10},
        ({"marks": 0}, {"marks": 0}, {"marks": 1}),
    )
    assert first.is_over
    assert not second.is_over
    assert [ruling.key for ruling in second.rulings] == ["round"]


def test_restarted_bid_is_not_counted() -> None:
    told = (
        make_ruling("announced", seat=0, number=30),
        make_ruling("restarted", seat=1, target=0, number=30),
        make_ruling("announced", seat=0, number=5),
        make_ruling("short", total=3, number=5, bidder=0, contester=1),
    )
    view = COYOTE.shown.view(one_round().state, None)
    counted = [feat for feat in feats(Stretch(view, told, view)) if feat.key == "announced"]
    assert [(feat.seat, feat.count) for feat in counted] == [(0, 5)]


def test_new_match_has_no_rounds() -> None:
    summary = summary_of(new_match(COYOTE, "kidult", 3))
    assert (summary.rounds, summary.starter, summary.feats, summary.ended) == (0, None, ({}, {}, {}), "")
    assert statistics([summary]) == ()


summaries = st.builds(
    Summary,
    game=st.sampled_from(list(GAMES)),
    names=st.just(("Ana", "bo", "Chloé")) | st.just(("BO", "Dan", "Eve")),
    feats=st.tuples(*[st.dictionaries(st.sampled_from("ab"), st.integers(0, 9)) for _seat in range(3)]),
    winners=st.none() | st.tuples(st.integers(0, 2)),
)


@given(st.lists(summaries, max_size=30))
def test_wins_sum_to_finished_matches(matches: list[Summary]) -> None:
    over = [match for match in matches if match.winners is not None]
    figures = statistics(matches)
    for game in ("", *GAMES):
        rows = [each for each in figures if each.game == game]
        count = sum(1 for match in over if game in ("", match.game))
        assert sum(each.won for each in rows) == count
        assert sum(each.played for each in rows) == 3 * count
    counted = Counter[str]()
    for each in figures:
        counted.update(each.feats)
    assert counted.total() == sum(sum(done.values()) for match in over for done in match.feats)


def test_only_the_first_line_names_arrivals() -> None:
    match = allowed(hear(allowed(seat_person(called_match(), 1, "Zoé")), replace(READ, moment=5)))
    head, *entries = record_lines(match)
    assert (names_in(head), any("Zoé" in line for line in entries)) == (("Ana", "Bo", "Chloé", "Zoé"), False)
    again = present(read_record([head, *entries]).match)
    assert (again.setup.names, again.setup.came, again.state) == (
        match.setup.names,
        match.setup.came,
        match.state,
    )
    other = with_names(head, ("Ana", "Bo", "Chloé", "Player 1"))
    assert present(read_record([other, *entries]).match).setup.names == ("Ana", "Player 1", "Chloé")
    assert with_names(other, names_in(head)) == head
    alone = record_lines(called_match())[0]
    assert names_in(with_names(alone, ("X", "Y", "Z"))) == ("X", "Y", "Z")
    assert with_names(head, ()) == with_names(record_lines(beginning_of(match))[0], ())


@pytest.mark.parametrize("head", ["", "{", '{"names":3}', "[" * 9000])
def test_unreadable_first_line_has_no_names(head: str) -> None:
    assert names_in(head) == ()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_rates_omit_zero_denominators(game: Game) -> None:
    assert rates_of(game, {}) == {}
    for rate in game.counting.rates:
        none, some = (1, 1) if rate.part == rate.whole else (0, 3 / 4)
        assert rates_of(game, {rate.whole: 4})[rate.key] == none
        assert rates_of(game, {rate.whole: 4, rate.part: 3})[rate.key] == some
