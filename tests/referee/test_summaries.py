"""Looking back: matches summed up, told round by round, and counted a second way."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.twin.player import play_on
from referee.contract import Answer, Game, Option, Ruling, Stretch, make_ruling
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.counting import feats
from referee.games.coyote.house import House
from referee.match import Correct, Match, Setup, begin, correct, enter, standing_answers
from referee.record import names_in, read_record, record_lines, with_names
from referee.summaries import Summary, newest_rounds, rates_of, rounds_of, statistics, summary_of
from tests.referee.tables import NAMES, OUTER, new_match

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_table = pytest.mark.parametrize(
    ("game", "rules", "seats"), [table for table in OUTER if table.values[0].counting.score]
)
"""Every way to play the games that say what counts."""


def play_to_end(game: Game, rules: str, seats: int, seed: int = 0) -> Match:
    return play_on(new_match(game, rules, seats), Random(f"{rules} {seats} {seed}"))


def rulings_of(match: Match) -> list[Ruling]:
    """List all that was ruled by the answers that stand."""
    first = standing_answers(match)[0].before.rulings
    positions = [step.before for step in standing_answers(match)[1:]] + [match.position]
    return [*first, *(ruling for position in positions for ruling in position.rulings)]


# vectors


def play_some(*answers: Answer, names: int = 3) -> Match:
    match = begin(Setup(COYOTE, House(), NAMES[:names], begun="2026-01-02T20:00:00+01:00"))
    assert isinstance(match, Match)
    for answer in answers:
        after = enter(match, answer)
        assert isinstance(after, Match), after
        match = after
    return match


def one_round() -> Match:
    """Ana says 4, Bo 9; Chloé contests, and the total is 10."""
    return play_some(
        Answer(0, "opener", Option("opens", 0)),
        Answer(1, "announce", 4, 0),
        Answer(2, "announce", 9, 1),
        Answer(3, "turn", Option("coyote"), 2),
        Answer(4, "reveal", ("5", "5", "0"), at="2026-01-02T20:03:00+01:00"),
    )


def test_a_round_of_coyote_is_counted() -> None:
    summary = summary_of(one_round())
    assert summary.feats == (
        {"rounds": 1, "numbers": 1, "announced": 4, "totals": 10},
        {"rounds": 1, "contested": 1, "stood": 1, "numbers": 1, "announced": 9, "totals": 10},
        {"rounds": 1, "calls": 1, "marks": 1},
    )
    assert (summary.rounds, summary.starter, summary.winners) == (1, 0, None)
    assert (summary.edition, summary.house, summary.ended) == ("kidult", {}, "2026-01-02T20:03:00+01:00")
    first, second = rounds_of(one_round())
    assert (first.points, first.counts) == (
        {"number": 9, "total": 10},
        ({"marks": 0}, {"marks": 0}, {"marks": 1}),
    )
    assert first.is_over
    assert not second.is_over
    assert [ruling.key for ruling in second.rulings] == ["round"]


def test_a_number_that_had_to_be_said_again_is_not_counted() -> None:
    told = (
        make_ruling("announced", seat=0, number=30),
        make_ruling("restarted", seat=1, target=0, number=30),
        make_ruling("announced", seat=0, number=5),
        make_ruling("short", total=3, number=5, bidder=0, contester=1),
    )
    view = COYOTE.view(one_round().state, None)
    counted = [feat for feat in feats(Stretch(view, told, view)) if feat.key == "announced"]
    assert [(feat.seat, feat.count) for feat in counted] == [(0, 5)]


def test_only_the_answers_that_stand_count() -> None:
    match = one_round()
    right = correct(match, Correct(match.number, 4, ("3", "3", "0")))
    assert isinstance(right, Match)
    assert summary_of(right).feats[2] == {"rounds": 1, "calls": 1, "calls-right": 1}
    assert summary_of(right).counts == ({"marks": 0}, {"marks": 1}, {"marks": 0})


def test_nothing_has_happened_in_a_match_that_has_just_begun() -> None:
    summary = summary_of(play_some())
    assert (summary.rounds, summary.starter, summary.feats, summary.ended) == (0, None, ({}, {}, {}), "")
    assert statistics([summary]) == ()


# any match


@every_table
def test_a_summary_fits_the_match_and_can_be_written_down(game: Game, rules: str, seats: int) -> None:
    match = play_to_end(game, rules, seats)
    summary = summary_of(match)
    assert msgspec.json.decode(msgspec.json.encode(summary), type=Summary) == summary
    assert summary == summary_of(again(match))
    assert summary.winners == (match.outcome.winners if match.outcome else None)
    assert set(summary.winners or ()) == {seat for seat, place in enumerate(summary.places) if place == 1}
    assert summary.starter in range(seats)
    assert summary.rounds > 0


def again(match: Match) -> Match:
    reading = read_record(record_lines(match))
    assert reading.match is not None
    return reading.match


@every_table
def test_the_rounds_are_the_whole_match(game: Game, rules: str, seats: int) -> None:
    match = play_to_end(game, rules, seats)
    rounds = rounds_of(match)
    assert [ruling for each in rounds for ruling in each.rulings] == rulings_of(match)
    assert newest_rounds(match, 2) == tuple(each.rulings for each in rounds[:-3:-1])
    assert all(each.is_over for each in rounds)
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))
    standings = {standing.seat: standing.counts for standing in game.standings(match.state)}
    assert rounds[-1].counts == tuple(standings[seat] for seat in range(seats))


@every_table
def test_what_is_counted_has_words(game: Game, rules: str, seats: int) -> None:
    match = play_to_end(game, rules, seats)
    words = game.words.statistics
    for each in rounds_of(match):
        assert {f"standing-{key}" for key in each.counts[0]} - words.keys() <= {
            "standing-owed",
            "standing-owing",
        }
        assert each.points.keys() <= words.keys()
    counted = {key for done in summary_of(match).feats for key in done}
    assert counted - words.keys() <= {rate.part for rate in game.counting.rates}
    assert {rate.key for rate in game.counting.rates} <= words.keys()
    assert game.counting.score in summary_of(match).counts[0]


# a second way of counting


def seats_that(match: Match, *keys: str, who: str = "seat") -> Counter[object]:
    return Counter(ruling.values[who] for ruling in rulings_of(match) if ruling.key in keys)


def feats_of(match: Match, key: str) -> Counter[object]:
    return Counter({seat: done.get(key, 0) for seat, done in enumerate(summary_of(match).feats)})


def tables_of(game: Game) -> Iterable[Match]:
    for rules, house in game.settings.items():
        seats = game.seats(house)
        for seed in range(3):
            yield play_to_end(game, rules, min(seats.start + 1 + seed, seats.stop - 1), seed)


def test_coyote_is_counted_the_same_from_its_rulings_alone() -> None:
    for match in tables_of(GAMES["coyote"]):
        assert feats_of(match, "calls") == seats_that(match, "called", "called-double")
        assert feats_of(match, "calls-right") == seats_that(match, "short", who="contester")
        assert feats_of(match, "stood") == seats_that(match, "enough", who="bidder")
        marks = {standing.seat: standing.counts["marks"] for standing in COYOTE.standings(match.state)}
        assert feats_of(match, "marks") == Counter(marks)


def test_coup_is_counted_the_same_from_its_rulings_alone() -> None:
    for match in tables_of(GAMES["coup"]):
        claims = ("claims-tax", "claims-assassin", "claims-captain", "claims-ambassador", "blocks")
        assert feats_of(match, "claims") == seats_that(match, *claims)
        assert feats_of(match, "caught") == seats_that(match, "concedes", "disproved")
        assert feats_of(match, "proven") == seats_that(match, "proved")
        assert feats_of(match, "challenges") == seats_that(match, "challenged")
        assert feats_of(match, "doubted") == seats_that(match, "challenged", who="claimant")
        right = feats_of(match, "challenges-right").total()
        assert right == feats_of(match, "caught").total()
        lost = {seat: 2 - counts["influence"] for seat, counts in enumerate(summary_of(match).counts)}
        assert feats_of(match, "lost") == Counter(lost)
        assert feats_of(match, "turns").total() == len(rounds_of(match))


def test_in_coup_d_etat_the_money_adds_up() -> None:
    for match in tables_of(GAMES["coup-d-etat"]):
        summary = summary_of(match)
        lent = Counter[object]()
        for ruling in rulings_of(match):
            if ruling.key in {"lends", "repays"}:
                lent[ruling.values["payee"]] += int(str(ruling.values["amount"]))
                lent[ruling.values["payer"]] -= int(str(ruling.values["amount"]))
        for seat, done in enumerate(summary.feats):
            gain = done["money-won"] - done["money-lost"] + lent[seat]
            assert summary.counts[seat]["money"] == 10_000 + gain
            assert done.get("contracts-made", 0) <= done.get("contracts", 0)
        assert feats_of(match, "coups") == seats_that(match, "attempts")
        chosen = feats_of(match, "contracts").total() + feats_of(match, "coups").total()
        assert chosen == summary.rounds == feats_of(match, "deals")[0]


# statistics

summaries = st.builds(
    Summary,
    game=st.sampled_from(list(GAMES)),
    names=st.just(("Ana", "bo", "Chloé")) | st.just(("BO", "Dan", "Eve")),
    feats=st.tuples(*[st.dictionaries(st.sampled_from("ab"), st.integers(0, 9)) for _seat in range(3)]),
    winners=st.none() | st.tuples(st.integers(0, 2)),
)


@settings(max_examples=60)
@given(st.lists(summaries, max_size=30))
def test_wins_add_up_to_the_matches_that_are_over(matches: list[Summary]) -> None:
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


@settings(max_examples=30)
@given(st.lists(summaries, max_size=30))
def test_a_name_is_the_same_however_it_is_written(matches: list[Summary]) -> None:
    over = sum(1 for match in matches if match.winners is not None)
    bo = [each for each in statistics(matches) if each.name in {"bo", "BO"} and not each.game]
    assert sum(each.played for each in bo) == over
    assert len(bo) <= 1


@every_game
def test_a_share_of_nothing_is_no_share(game: Game) -> None:
    assert rates_of(game, {}) == {}


# names in a record


@every_game
def test_other_names_leave_the_rest_of_a_first_line_as_it_is(game: Game) -> None:
    rules = next(iter(game.settings))
    match = play_to_end(game, rules, game.seats(game.settings[rules]).start)
    names = tuple(f"Player {number}" for number in range(len(match.setup.names)))
    head, *entries = record_lines(match)
    other = with_names(head, names)
    assert (names_in(head), names_in(other)) == (match.setup.names, names)
    assert with_names(other, match.setup.names) == head
    reading = read_record([other, *entries])
    assert reading.fault is None
    assert reading.match is not None
    assert reading.match.state == match.state


@pytest.mark.parametrize("head", ["", "{", '{"names":3}', "[" * 9000])
def test_a_first_line_that_cannot_be_read_has_no_names(head: str) -> None:
    assert names_in(head) == ()


@every_game
def test_a_share_is_a_part_of_a_whole_and_none_of_it_is_nought(game: Game) -> None:
    for rate in game.counting.rates:
        assert rates_of(game, {rate.whole: 4})[rate.key] == (1 if rate.part == rate.whole else 0)
        assert rates_of(game, {rate.whole: 4, rate.part: 3})[rate.key] == (
            1 if rate.part == rate.whole else 3 / 4
        )


def test_what_a_short_summary_leaves_out_is_nothing() -> None:
    short = msgspec.json.decode(b'{"game": "coup", "names": ["Ana", "Bo"]}', type=Summary)
    assert (short.rounds, short.starter, short.winners) == (0, None, None)
    assert msgspec.json.encode(short) == b'{"game":"coup","names":["Ana","Bo"]}'
