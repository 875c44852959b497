"""How a match of Coyote goes, played through: numbers, contests, cards, marks and who opens next."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import CENTRE, PROOF, Answer, Reason, Refusal, Value
from referee.games.coyote import COYOTE
from referee.games.coyote.house import EDITIONS as BOXES
from referee.games.coyote.house import Power
from referee.games.coyote.state import Bid, Bidding
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coyote.script import CRY, Script, open_first_round, sit_down
from tests.referee.games.coyote.second_scorer import CARDS, EDITIONS, Doubles, Edition, count

# Opening and saying numbers.


@within("first-opener/best-laugh", "first-opener/youngest")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("opener", range(4))
def test_table_says_who_opens(edition: Edition, opener: int) -> None:
    """The youngest, or the best coyote laugh: the table knows. Everybody has a card then."""
    table = sit_down(4, edition=edition)
    assert table.ask("opener").seats == ()
    assert [option.seat for option in table.options("opener")] == [0, 1, 2, 3]
    begins = table.opens(opener)
    assert begins.turn == opener
    assert begins.ruling("round") == {"number": 1, "opener": opener, "cards": 4}


@pytest.mark.parametrize("edition", EDITIONS)
def test_turn_goes_clockwise(edition: Edition) -> None:
    script = open_first_round(4, 2, edition=edition)
    for number, seat in enumerate((2, 3, 0, 1, 2), 1):
        assert (script.turn, script.least) == (seat, number)
        script = script.says(seat, number)


NUMBERS = [
    (14, 15, None),
    (14, 100, None),
    (14, 14, ("too-low", {"number": 14, "least": 15})),
    (14, 13, ("too-low", {"number": 13, "least": 15})),
    (14, -3, ("too-low", {"number": -3, "least": 15})),
    (9998, 9999, None),
]
"""What was said, what is said next, and why not."""


@on_both_sides_of("higher")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("before", "number", "refused"), NUMBERS)
def test_higher_only(
    edition: Edition, before: int, number: int, refused: tuple[str, dict[str, Any]] | None
) -> None:
    """CY-34: an equal or lower number is refused."""
    script = open_first_round(3, edition=edition).says(0, before)
    if refused is None:
        assert script.says(1, number).ruling("announced") == {"seat": 1, "number": number}
    else:
        assert script.refusal("announce", number, 1) == refused


@on_both_sides_of("higher")
@pytest.mark.parametrize("edition", EDITIONS)
def test_first_number_is_positive(edition: Edition) -> None:
    """Free to say what he likes, but more than 0."""
    script = open_first_round(3, edition=edition)
    for number in (0, -5):
        assert script.refusal("announce", number, 0)[0] == Reason.TOO_LOW
    assert script.says(0, 1).turn == 1


@pytest.mark.parametrize("powers", [(), ("reverse",)])
def test_opener_cannot_contest(powers: tuple[Power, ...]) -> None:
    """CY-34: there is nothing yet to contest, also when something else may be chosen."""
    reason, _ = open_first_round(3, powers=powers).refusal("turn", CRY, 0)
    assert reason == (Reason.NO_SUCH_OPTION if powers else Reason.NOT_ASKED)


OUT_OF_TURN: list[tuple[str, Value, int | None]] = [
    ("turn", CRY, 2),
    ("turn", CRY, 0),
    ("turn", CRY, None),
    ("announce", 20, 2),
    ("announce", 20, 0),
    ("announce", 20, None),
]


@pytest.mark.parametrize(("ask", "value", "seat"), OUT_OF_TURN)
def test_out_of_turn(ask: str, value: Value, seat: int | None) -> None:
    """CY-34, ruling 16: only the one in turn may raise or contest; the refusal says who."""
    script = open_first_round(3).says(0, 14)
    assert script.refusal(ask, value, seat) == ("not-you", {"seats": (1,)})


WRONG_KINDS: list[tuple[str, Value, str]] = [
    ("announce", CRY, "number"),
    ("announce", ("14",), "number"),
    ("announce", None, "number"),
    ("announce", True, "number"),
    ("turn", 15, "choice"),
    ("turn", None, "choice"),
]


@pytest.mark.parametrize(("ask", "value", "wanted"), WRONG_KINDS)
def test_wrong_kind(ask: str, value: Value, wanted: str) -> None:
    """A number, a choice and cards are not taken for each other."""
    script = open_first_round(3).says(0, 14)
    assert script.refusal(ask, value, 1) == ("wrong-kind", {"wanted": wanted})


@pytest.mark.parametrize("value", [14, CRY, None])
def test_cards_are_wanted(value: Value) -> None:
    script = open_first_round(3).says(0, 14).coyote(1)
    assert script.refusal("reveal", value) == ("wrong-kind", {"wanted": "cards"})


def test_numbers_are_over_after_coyote() -> None:
    script = open_first_round(3).says(0, 14).coyote(1)
    assert script.keys() == {"reveal"}
    assert script.refusal("announce", 15, 2)[0] == Reason.NOT_ASKED


# The duel.

DUELS = [
    (14, "10 3 1", 1),
    (15, "10 3 1", 0),
    (1, "10 3 1", 1),
    (1, "5 -5 night", 0),
    (1, "-5 -10 3", 0),
    (1, "1 -5 5", 1),
    (40, "20 15 5", 1),
    (41, "20 15 5", 0),
]
"""CY-30: seat 0 says a number, seat 1 contests, three cards: who loses."""


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("number", "cards", "loser"), DUELS)
def test_duel(edition: Edition, number: int, cards: str, loser: int) -> None:
    """Equal or above: the contester gets the mark. Below: the bidder."""
    script = open_first_round(3, edition=edition).says(0, number).coyote(1).shows(cards)
    assert script.ruling("mark") == {"seat": loser, "taken": 1, "marks": 1, "limit": 3}
    assert script.state.marks == tuple(int(seat == loser) for seat in range(3))
    verdict = script.ruling("enough" if loser == 1 else "short")
    assert (verdict["number"], verdict["bidder"], verdict["contester"]) == (number, 0, 1)
    assert verdict["total"] == count(edition, tuple(cards.split()))[0]


@pytest.mark.parametrize(("cards", "total", "loser"), [("3 4 5 1 1", 14, 3), ("3 4 5 2 2", 16, 4)])
def test_example_of_oliphante(cards: str, total: int, loser: int) -> None:
    """CY-02: A 8, B 13, C 14, D 16, E contests. With 14, D takes the mark; with 16 or more, E does."""
    script = open_first_round(5, edition="oliphante").says(0, 8).says(1, 13).says(2, 14).says(3, 16)
    called = script.coyote(4)
    assert called.ruling("called") == {"seat": 4, "bidder": 3, "number": 16, "stake": 1}
    played = called.shows(cards)
    assert played.ruling("mark")["seat"] == loser
    assert played.ruling("enough" if loser == 4 else "short")["total"] == total


@pytest.mark.parametrize(
    ("edition", "x2", "loser"),
    [
        ("kidult", "by_edition", 1),
        ("kidult", "total", 0),
        ("gigamic", "by_edition", 0),
        ("gigamic", "greens", 1),
        ("oliphante", "by_edition", 1),
        ("oliphante", "total", 0),
    ],
)
def test_x2_decides_a_duel(edition: Edition, x2: Doubles, loser: int) -> None:
    """CY-10: 10 5 -10 X2 make 20 or 10, by the box or as agreed (ruling 1); 15 was said."""
    script = open_first_round(4, edition=edition, x2=x2).says(0, 15).coyote(1).shows("10 5 -10 x2")
    assert script.ruling("mark")["seat"] == loser


# Who opens next.


@pytest.mark.parametrize(
    ("edition", "contester_lost", "opener"),
    [
        ("kidult", False, 1),
        ("gigamic", False, 1),
        ("oliphante", False, 2),
        ("kidult", True, 1),
        ("gigamic", True, 1),
        ("oliphante", True, 0),
    ],
)
def test_next_opener(edition: Edition, contester_lost: bool, opener: int) -> None:
    """CY-32: seat 1 loses its first duel. The loser opens; with Oliphante, the winner of the duel."""
    script = open_first_round(3, edition=edition)
    script = script.contests_in_vain(1) if contester_lost else script.loses(1)
    assert script.state.marks == (0, 1, 0)
    assert script.ruling("round") == {"number": 2, "opener": opener, "cards": 3}
    assert script.turn == opener


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("contester_lost", [False, True])
def test_opener_after_elimination(edition: Edition, contester_lost: bool) -> None:
    """CY-31: seat 1 has two marks and loses; the one who beat it opens, in all boxes."""
    script = open_first_round(4, edition=edition).loses(1).loses(1)
    assert script.state.marks == (0, 2, 0, 0)
    script = script.contests_in_vain(1) if contester_lost else script.loses(1)
    assert script.ruling("out") == {"seat": 1}
    assert script.turn == (0 if contester_lost else 2)
    assert script.ruling("round")["cards"] == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_eliminated_are_passed_over(edition: Edition) -> None:
    """The game goes on without them: no turn, no card, no voice."""
    script = open_first_round(4, edition=edition)
    for _ in range(3):
        script = script.loses(1)
    turns = []
    for _ in range(6):
        turns.append(script.turn)
        script = script.says(script.turn, script.least)
    assert turns == [2, 3, 0, 2, 3, 0]
    assert script.refusal("turn", CRY, 1)[0] == Reason.NOT_YOU
    assert script.coyote(2).show.count == 3


@on_both_sides_of("out")
@pytest.mark.parametrize("limit", [3, 4, 5])
def test_elimination_limit(limit: int) -> None:
    """Out with the third mark, or with the fourth or fifth where that is agreed."""
    script = open_first_round(3, limit=limit)
    for marks in range(1, limit):
        script = script.loses(1)
        assert not script.tells("out")
        assert script.ruling("mark") == {"seat": 1, "taken": 1, "marks": marks, "limit": limit}
    assert script.loses(1).ruling("out") == {"seat": 1}


# The end.


@on_both_sides_of("last-one")
@pytest.mark.parametrize("edition", EDITIONS)
def test_last_one_wins(edition: Edition) -> None:
    """The last one in the match has won, and nothing is asked any more."""
    script = open_first_round(3, edition=edition)
    for seat in (2, 2, 2, 0, 0):
        script = script.loses(seat)
    assert script.match.outcome is None
    script = script.loses(0)
    assert script.ruling("won") == {"seat": 1}
    assert not script.tells("round")
    assert script.match.asks == ()
    assert script.match.outcome is not None
    assert script.match.outcome.winners == (1,)
    assert script.refusal("announce", 5, 1)[0] == Reason.OVER


def places(script: Script) -> list[tuple[int, int, int, bool]]:
    """List seat, place, marks and whether it is out, from the first place down."""
    standings = COYOTE.standings(script.state)
    return [(each.seat, each.place, each.counts["marks"], each.out) for each in standings]


def test_standings() -> None:
    """Fewer marks stand higher, equal ones share a place; the first to fall is last."""
    script = open_first_round(4).loses(2)
    assert places(script) == [(0, 1, 0, False), (1, 1, 0, False), (3, 1, 0, False), (2, 4, 1, False)]
    script = script.loses(2).loses(0).loses(2)
    assert places(script) == [(1, 1, 0, False), (3, 1, 0, False), (0, 3, 1, False), (2, 4, 3, True)]
    for seat in (0, 0, 3, 3, 3):
        script = script.loses(seat)
    assert places(script) == [(1, 1, 0, False), (3, 2, 3, True), (0, 3, 3, True), (2, 4, 3, True)]


# The pile.


@beyond("night")
@pytest.mark.parametrize("edition", EDITIONS)
def test_discards_stay_out(edition: Edition) -> None:
    """What was shown is put aside, and can't be shown in the next round."""
    script = open_first_round(3, edition=edition).overbids().shows("20 15 5")
    assert not script.tells("shuffle")
    called = script.overbids()
    assert called.refusal("reveal", ("20", "1", "2")) == ("already-seen", {"card": "20", "left": 0})
    assert called.show.among["15"] == (1 if edition == "kidult" else 0)


@within("night")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("cards", "drawn"), [("20 3 night", ""), ("20 3 ?", "night")])
def test_night_shuffles_all(edition: Edition, cards: str, drawn: str) -> None:
    """After the 0, worn or drawn, all cards are shuffled: any may come again."""
    script = open_first_round(3, edition=edition).loses(0)
    script = script.overbids().shows(cards)
    script = script.shows(drawn) if drawn else script
    assert script.tells("shuffle")
    assert script.state.discard == ()
    assert script.overbids().show.among == BOXES[edition].deck.counts


def rounds_of_six(edition: Edition, rounds: list[tuple[str, ...]], drawn: str = "") -> Script:
    """Play rounds of six players; the second to speak always loses, so that the marks are spread."""
    script = open_first_round(6, edition=edition)
    for cards in rounds:
        script = script.says(script.turn, 1).overbids().shows(" ".join(cards))
        if "?" in cards:
            script = script.shows(drawn)
    return script


def deal_box(edition: Edition, last: str) -> list[tuple[str, ...]]:
    """Deal a whole box to six players; some cards stay for the last round."""
    box = [card for card in CARDS[edition] if card not in last.split()] + last.split()
    return [tuple(box[place : place + 6]) for place in range(0, len(box), 6)]


@pytest.mark.parametrize(("edition", "rounds"), [("kidult", 6), ("gigamic", 5), ("oliphante", 5)])
def test_how_long_the_box_lasts(edition: Edition, rounds: int) -> None:
    """CY-38: six players have cards for six rounds, or five; only then all is shuffled."""
    deal = deal_box(edition, "? night")
    assert len(deal) == rounds
    before = rounds_of_six(edition, deal[:-1])
    assert not before.tells("shuffle")
    assert len(before.state.discard) == 6 * (rounds - 1)
    after = rounds_of_six(edition, deal, drawn="1")
    assert after.tells("shuffle")


@within("pile-too-short")
@pytest.mark.parametrize(("edition", "rounds"), [("kidult", 5), ("gigamic", 4), ("oliphante", 4)])
def test_too_few_cards_for_the_deal(edition: Edition, rounds: int) -> None:
    """With what "?" drew gone too, a round less: five cards are too few for six players, so shuffle all."""
    box = [card for card in CARDS[edition] if card not in {"?", "night", "20"}]
    deal = [("?", *box[:5]), *[tuple(box[place : place + 6]) for place in range(5, len(box), 6)]][:rounds]
    before = rounds_of_six(edition, deal[:-1], drawn="20")
    assert not before.tells("shuffle")
    after = rounds_of_six(edition, deal, drawn="20")
    assert after.tells("shuffle")
    assert after.ruling("round")["cards"] == 6
    assert after.state.discard == ()


@beyond("pile-too-short")
@pytest.mark.parametrize("edition", EDITIONS)
def test_enough_cards_for_the_deal(edition: Edition) -> None:
    """Exactly as many cards as players are enough."""
    called = rounds_of_six(edition, deal_box(edition, "? night")[:-1]).overbids()
    assert sum(called.show.among.values()) == 6


# What "?" draws.


@pytest.mark.parametrize("edition", EDITIONS)
def test_cave_asks_for_the_next_card(edition: Edition) -> None:
    """The top card of the pile is turned up beside the others, and counts; then it is discarded too."""
    script = open_first_round(3, edition=edition).says(0, 15).coyote(1).shows("? 10 2")
    assert script.show.key == "draw"
    assert (script.show.count, script.show.zone, script.show.seats) == (1, PROOF, ())
    assert script.show.among["10"] == BOXES[edition].deck.counts["10"] - 1
    assert script.show.among["?"] == 0
    assert not script.tells("mark")
    played = script.shows("3")
    assert played.ruling("enough")["total"] == 15
    assert sorted(played.state.discard) == sorted(("?", "10", "2", "3"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_board_has_places_for_cards_that_are_still_to_be_laid(edition: Edition) -> None:
    def places(script: Script) -> list[int]:
        board = COYOTE.board(COYOTE.view(script.state, None))
        return [row.places for row in board.cards if row.key == "reveal"]

    called = open_first_round(3, edition=edition).says(0, 15).coyote(1)
    assert places(called) == [3]
    assert places(called.shows("? 10 2")) == []


CAVES = [
    ("? 10 5", "max0", (5, 5, 5)),
    ("? 20 1", "night", (21, 21, 21)),
    ("? 10 x2", "-10", (10, 0, 10)),
    ("? 10 5", "x2", (30, 30, 30)),
    ("? 10 5", "max-", (None, -5, -5)),
    ("? 10 5", "-5", (10, 10, 10)),
]
"""Cards, what "?" draws, and the total in each box."""


@pytest.mark.parametrize("column", range(3), ids=EDITIONS)
@pytest.mark.parametrize(("cards", "drawn", "totals"), CAVES)
def test_drawn_special_works(cards: str, drawn: str, totals: tuple[int | None, int, int], column: int) -> None:
    """Ruling 2: a special card that "?" draws takes effect."""
    total, called = (
        totals[column],
        open_first_round(3, edition=EDITIONS[column]).says(0, 500).coyote(1).shows(cards),
    )
    if total is None:
        assert called.refusal("draw", (drawn,))[0] == Reason.UNKNOWN_CARD
    else:
        assert called.shows(drawn).ruling("short")["total"] == total


@pytest.mark.parametrize("edition", EDITIONS)
def test_cave_with_an_empty_pile(edition: Edition) -> None:
    """Ruling 3: the discards are shuffled, not the cards in play, and "?" draws one of them."""
    deal = deal_box(edition, "? night")
    script = rounds_of_six(edition, deal[:-1])
    script = script.says(script.turn, 1)
    script = script.coyote(script.turn).shows(" ".join(deal[-1]))
    assert script.tells("pile-renewed")
    assert script.show.key == "draw"
    assert script.refusal("draw", ("night",)) == ("already-seen", {"card": "night", "left": 0})
    assert sum(script.show.among.values()) == 6 * (len(deal) - 1)
    drawn = deal[0][0]
    expected, _ = count(edition, deal[-1], drawn)
    played = script.shows(drawn)
    assert played.ruling("enough" if expected >= 1 else "short")["total"] == expected


def test_cave_with_nothing_left() -> None:
    """Ruling 3: every feather is out and nothing is discarded, so "?" counts 0.

    Greens 145 - 20 - 15 = 110, less 15 and the reds' 20: 75, doubled 150.
    """
    table = open_first_round(6, edition="gigamic").state
    bidding = Bidding(turn=1, bids=(Bid(0, 150),), turned=24)
    called = COYOTE.hear(replace(table, stage=bidding), Answer(1, "turn", CRY, 1))
    assert not isinstance(called, Refusal)
    heard = COYOTE.hear(called.state, Answer(2, "reveal", CARDS["gigamic"]))
    assert not isinstance(heard, Refusal)
    rulings = {ruling.key: ruling.values for ruling in heard.rulings}
    assert "no-draw" in rulings
    assert rulings["enough"]["total"] == 150


# Cards that can't lie there.

IMPOSSIBLE: list[tuple[Edition, str, str, dict[str, Any]]] = [
    ("kidult", "20 20 1", "more-than-deck", {"card": "20", "shown": 2, "have": 1}),
    ("gigamic", "9 9 9", "more-than-deck", {"card": "9", "shown": 3, "have": 2}),
    ("oliphante", "1 ? ?", "more-than-deck", {"card": "?", "shown": 2, "have": 1}),
    ("kidult", "1 2 joker", "unknown-card", {"card": "joker", "deck": "coyote-kidult"}),
    ("kidult", "1 2 max-", "unknown-card", {"card": "max-", "deck": "coyote-kidult"}),
    ("kidult", "1 2 7", "unknown-card", {"card": "7", "deck": "coyote-kidult"}),
    ("gigamic", "1 2 0", "unknown-card", {"card": "0", "deck": "coyote-gigamic"}),
    ("kidult", "1 2", "card-count", {"shown": 2, "wanted": 3}),
    ("kidult", "1 2 3 4", "card-count", {"shown": 4, "wanted": 3}),
    ("kidult", "", "card-count", {"shown": 0, "wanted": 3}),
]
"""Three cards are wanted; which are shown, and what the refusal names."""


@pytest.mark.parametrize(("edition", "cards", "reason", "values"), IMPOSSIBLE)
def test_impossible_cards(edition: Edition, cards: str, reason: str, values: dict[str, Any]) -> None:
    called = open_first_round(3, edition=edition).says(0, 14).coyote(1)
    assert called.show.zone == CENTRE
    assert called.refusal("reveal", tuple(cards.split())) == (reason, values)
    assert called.shows("1 2 3").tells("short")


@pytest.mark.parametrize(
    ("cards", "card", "left"),
    [("20 2 3", "20", 0), ("1 1 1", "1", 2), ("1 1 10", None, None), ("10 10 10", None, None)],
)
def test_card_in_the_discard(cards: str, card: str | None, left: int | None) -> None:
    """The first round took 20, 1 and 1; two of the four ones may still come."""
    called = open_first_round(3).says(0, 500).coyote(1).shows("20 1 1").says(0, 14).coyote(1)
    if card is None:
        assert called.shows(cards).tells("round")
    else:
        assert called.refusal("reveal", tuple(cards.split())) == ("already-seen", {"card": card, "left": left})


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [("20", "already-seen"), ("?", "already-seen"), ("joker", "unknown-card"), ("1 2", "card-count")],
)
def test_impossible_draw(drawn: str, reason: str) -> None:
    """What "?" draws can't lie in the middle already."""
    called = open_first_round(3).says(0, 14).coyote(1).shows("? 20 1")
    assert called.refusal("draw", tuple(drawn.split()))[0] == reason


def test_open_card_must_be_shown() -> None:
    """A card that was turned up before all eyes has to be among those that are counted."""
    script = open_first_round(3, edition="oliphante", powers=("extra",)).uses(0, "extra").shows("15")
    called = script.says(0, 14).coyote(1)
    assert called.refusal("reveal", ("1", "2", "3", "4")) == ("card-missing", {"card": "15"})
    assert called.shows("1 2 3 15").ruling("enough")["total"] == 21


@pytest.mark.parametrize("owners", [(0,), (0, 1, 2, 2)])
def test_owners_of_each_card(owners: tuple[int, ...]) -> None:
    """Telling whose the cards were means telling it of each."""
    called = open_first_round(3).says(0, 14).coyote(1)
    assert called.refusal("reveal", ("1", "2", "3"), owners=owners)[0] == Reason.OWNERS
    assert called.shows("1 2 3", (0, 1, 2)).tells("round")


# Whole matches at random, each count made a second time.


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_count_of_random_matches(edition: Edition) -> None:
    """Random legal players come to an end, and the second scorer agrees with every verdict."""
    rng = Random(f"matches {edition}")
    for number in range(60):
        seats = rng.randint(BOXES[edition].least_seats, 6)
        powers = BOXES[edition].powers if number % 3 else ()
        script = sit_down(seats, edition=edition, powers=powers)
        shown: Value = ()
        while script.match.asks:
            answer = any_answer(script.match.asks, script.match.number, rng)
            script = script.answers(answer.ask, answer.value, answer.seat)
            shown = answer.value if answer.ask == "reveal" else shown
            check_count(edition, script, shown, answer)
        assert script.match.outcome is not None


def check_count(edition: Edition, script: Script, shown: Value, answer: Answer) -> None:
    """Count a reveal again, when a duel has just been decided."""
    for key in ("enough", "short"):
        if script.tells(key):
            assert isinstance(shown, tuple)
            drawn = answer.value[0] if answer.ask == "draw" and isinstance(answer.value, tuple) else None
            verdict = script.ruling(key)
            assert verdict["total"] == count(edition, shown, drawn)[0]
            assert (key == "enough") == (verdict["total"] >= verdict["number"])
