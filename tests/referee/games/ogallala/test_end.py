"""The piles and the end of a match: draws with few cards left, and the final count under the camera."""

import pytest

from referee.contract import Outcome, Span
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS, House
from referee.games.ogallala.final_count import audit_cards, audit_span
from referee.match import Match, Setup, begin
from tests.given import present
from tests.referee.games.ogallala.script import Script, begin_midway, sit_down

TWO = "B S B S"


def script_at_count() -> Script:
    """Return a match at the count of three canoes of one player and one of another."""
    return begin_midway(f"{TWO}\nB gold-left gold-right", "B keg S").draws("S").puts(3, 1).says("end", "end")


def test_canoes_are_counted_one_by_one_and_differences_recounted() -> None:
    script = script_at_count()
    assert script.ruling("count-canoe")["cards"] == ("empty-bow", "empty-stern")
    wrong = script.answers("count", ("empty-bow", "keg"))
    assert [(each.key, each.values["cards"]) for each in wrong.rulings] == [
        ("missing", ("empty-stern",)),
        ("extra", ("keg",)),
    ]
    assert wrong.ask_keys == ["record", "count"]
    script = wrong.answers("count", ("empty-stern", "empty-bow")).says("record", "as-recorded")
    assert script.ruling("count-canoe")["number"] == 3
    script = script.answers("count", ("empty-bow", "gold-left", "gold-right", "empty-stern"))
    assert (script.ruling("count-pair")["points"], script.ruling("count-canoe")["seat"]) == (40, 1)
    script = script.answers("count", ("empty-bow", "keg", "empty-stern"))
    assert (script.match.outcome is not None, script.ruling("won")["points"]) == (True, 2 + 2 + 44)
    standings = OGALLALA.rules.standings(script.state)
    assert [(each.seat, each.counts["points"]) for each in standings] == [(0, 48), (1, 13)]


def test_row_is_compared_with_the_record() -> None:
    state = script_at_count().state
    land = state.territories[0]
    left, top, row = land.left, land.top, land.rows[0]
    span, cards = Span(0, (left, top), len(row)), tuple(filter(None, row))
    assert [ruling.key for ruling in audit_span(state, span, cards[::-1])] == ["agrees"]
    differing = audit_span(state, span, (*cards[1:], "tent", "tent"))
    told = [(ruling.key, ruling.values["cards"]) for ruling in differing]
    assert told == [("missing", cards[:1]), ("extra", ("tent", "tent"))]
    assert audit_span(state, Span(0, (left, top + 9), 3), ())[0].key == "agrees"
    assert audit_cards(1, ("keg",), ())[0].values == {"seat": 1, "cards": ("keg",)}


# The open pile, and the end of the piles.


def small_box(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(card.replace("-", "_"), 0) for card in COUNTS)


def test_match_ends_without_cards_to_draw() -> None:
    script = sit_down(box=small_box(keg=1, fur=1)).draws("keg").says("place", "first").draws("fur").puts(1)
    assert script.match.outcome == Outcome("no-cards", (0, 1))


def test_open_pile_may_be_used_up() -> None:
    house = {"box": small_box(keg=1, fur=1, eagle=1), "end_of_piles": "all_piles"}
    script = sit_down(**house).draws("keg").says("place", "discard")
    script = script.draws("fur").says("place", "first").draws("eagle").puts(1)
    assert (script.ask_keys, script.words("turn")) == (["turn"], {"stop", "take"})
    assert script.says("turn", "take").says("place", "discard").match.outcome is not None
    taken = script.says("turn", "take").puts(2)
    assert (taken.match.outcome is None, taken.state.discard) == (False, ())


def test_empty_pile_reshuffles_discards() -> None:
    house = {"box": small_box(keg=1, fur=1), "discard": "recycle_when_pile_empty"}
    script = sit_down(**house).draws("keg").says("place", "first").draws("fur").says("place", "discard")
    assert script.ruling("refill")["count"] == 1
    script = script.draws("fur").says("place", "discard")
    assert script.match.outcome is not None, "nothing was laid since the discards were shuffled"
    script = sit_down(discard="recycle_when_pile_empty").draws("keg").says("place", "first")
    asked = script.draws("fur").says("place", "discard").says("turn", "refill")
    assert asked.state.discard == ()


def passes(script: Script, times: int) -> Script:
    """Take the open card and return it, one player after the other."""
    for _turn in range(times):
        script = script.says("turn", "take")
        script = script.says("place", "discard") if "place" in script.ask_keys else script
    return script


@pytest.mark.parametrize("open_word", ["xr", "keg"])
def test_standstill_allows_ending_the_match(open_word: str) -> None:
    script = begin_midway("B keg S" if open_word == "keg" else "keg", "fur").draws(open_word)
    script = script.says("place", "discard") if open_word == "keg" else script
    # one such round may be chance
    assert "end" not in passes(script, 5).words("turn")
    stood = passes(script, 6)
    assert "end" in stood.words("turn")
    assert "end" in passes(stood, 5).words("turn")
    ended = stood.says("turn", "end")
    assert ended.ruling_keys[:2] == ["standstill", "ends"]
    over = ended if ended.match.outcome else ended.says("record", "all-as-recorded")
    assert present(over.match.outcome).reason == "ended"
    # a card from a pile counts as a turn again
    moved = stood.draws("tent").says("place", "discard")
    assert "end" not in passes(moved, 5).words("turn")


@pytest.mark.parametrize(
    ("box", "may_be"),
    [
        ((1,) * len(COUNTS), True),
        ((1,) * (len(COUNTS) - 1), False),
        ((1,) * (len(COUNTS) + 1), False),
        ((1,) + (0,) * (len(COUNTS) - 1), True),
        ((0,) * len(COUNTS), False),
        ((5, -1) + (0,) * (len(COUNTS) - 2), False),
    ],
)
def test_box_has_at_least_one_of_every_card(box: tuple[int, ...], may_be: bool) -> None:
    assert isinstance(begin(Setup(OGALLALA, House(box=box), ("A", "B"))), Match) == may_be


def test_box_counts_can_be_customised() -> None:
    counts = {**COUNTS, "keg": 3, "fur": 0}
    assert OGALLALA.table.deck(OGALLALA.rules.boxed(House(), counts)).counts == counts
    assert OGALLALA.rules.boxed(House(), COUNTS) == House()


def test_odds_use_the_hidden_cards() -> None:
    script = begin_midway("keg 1r", "fur")
    (odds,) = OGALLALA.shown.insight(script.state)
    ends = 1 + 7 + 4 + 4 + 2  # a keg, paddlers of one, lassos, archers, saboteurs
    assert (odds.values["left"], odds.values["last"]) == (112 - 3, ends)
    assert OGALLALA.shown.insight(script.draws("fur").state) == ()


@pytest.mark.parametrize(("cards", "few"), [(7, False), (8, True), (9, True)])
def test_piles_may_be_declared_empty_at_a_quarter_of_the_deck(cards: int, few: bool) -> None:
    """Two cards are left of eight, or of nine with a third one gone; two of seven exceed a quarter."""
    faces = ["keg", "fur", "eagle", "tent", "dynamite", "tobacco", "companion", "soldier", "cowboy"][:cards]
    script = sit_down(box=tuple(int(face in faces) for face in COUNTS)).draws(faces[0]).says("place", "first")
    for column, face in enumerate(faces[1 : len(faces) - 2], start=1):
        script = script.draws(face).puts(column)
    assert ("empty" in script.words("turn")) == few
