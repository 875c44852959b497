"""How a match of Coyote goes, played through: numbers, contests, cards, marks and who opens next."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import PROOF, Answer, Reason, Value
from referee.contract.cards import Deck
from referee.games.coyote import COYOTE, house, rules
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coyote.script import CRY, NAMES, Script, play, sit_down
from tests.referee.games.coyote.second_scorer import CARDS, EDITIONS, Edition, count
from tests.referee.legal_answers import leaves
from tests.tiers import tiered

each_box = pytest.mark.parametrize("edition", EDITIONS)

# Opening and saying numbers.


@on_both_sides_of("first-opener/best-laugh", "first-opener/youngest")
@each_box
def test_the_table_says_who_opens_the_first_round(edition: Edition) -> None:
    table = sit_down(4, edition=edition)
    assert table.ask("opener").seats == ()
    assert [option.seat for option in table.options("opener")] == [0, 1, 2, 3]
    begins = play("", 4, 2, edition=edition)
    assert begins.ruling("round") == {"number": 1, "opener": 2, "cards": 4}
    assert begins.stands == "2 from 1"
    assert begins.plays("7 8 9").stands == "1 from 10 coyote"
    assert begins.plays("loses:1").ask_keys == ["announce"]


@on_both_sides_of("higher", "four-digits")
@each_box
@pytest.mark.parametrize(
    ("before", "number", "refused"),
    [
        ("", 1, None),
        ("", 0, "too-low"),
        ("14", 15, None),
        ("14", 100, None),
        ("14", 14, "too-low"),
        ("14", -3, "too-low"),
        # a display bounds numbers until its last one is said
        ("", 9999, None),
        ("", 10000, "too-high"),
        ("9997", 9999, None),
        ("9997", 10000, "too-high"),
        ("9998", 10000, None),
        ("9999", 10001, None),
        ("9999", 10002, "too-high"),
    ],
)
def test_which_numbers_may_be_said(edition: Edition, before: str, number: int, refused: str | None) -> None:
    """CY-34."""
    script = play(before, edition=edition)
    if refused is None:
        said = script.says(script.turn, number)
        assert said.ruling("announced") == {"seat": script.turn, "number": number}
    else:
        reason, values = script.refusal("announce", number, script.turn)
        assert (reason, values["number"]) == (refused, number)


SAID: list[tuple[str, str, Value, int | None, tuple[str, dict[str, Any]]]] = [
    # only the one in turn raises or contests (CY-34, ruling 16); nobody contests before a number
    ("", "turn", CRY, 0, ("not-asked", {})),
    *(("14", "turn", CRY, seat, ("not-you", {"seats": (1,)})) for seat in (2, 0, None)),
    *(("14", "announce", 20, seat, ("not-you", {"seats": (1,)})) for seat in (2, 0, None)),
    ("14 coyote", "announce", 15, 2, ("not-asked", {})),
]


@pytest.mark.parametrize(("line", "ask", "value", "seat", "refused"), SAID)
def test_what_is_refused(
    line: str, ask: str, value: Value, seat: int | None, refused: tuple[str, dict[str, Any]]
) -> None:
    reason, values = play(line, 3).refusal(ask, value, seat)
    assert (reason, refused[1].items() <= values.items()) == (refused[0], True)


def test_an_opener_with_another_choice_can_t_contest() -> None:
    assert play("", powers=("reverse",)).refusal("turn", CRY, 0)[0] == Reason.NO_SUCH_OPTION


# The duel.

DUELS: list[tuple[str, str, str, int, int]] = [
    # a number, the cards, their total, and who loses (CY-30): seat 0 said it, or seat 1 contested
    ("14", "10 3 1", "", 14, 1),
    ("15", "10 3 1", "", 14, 0),
    ("1", "5 -5 night", "", 0, 0),
    ("1", "-5 -10 3", "", -12, 0),
    ("1", "1 -5 5", "", 1, 1),
    ("41", "20 15 5", "", 40, 0),
    ("15", "? 10 2", "3", 15, 1),
    # a special card that "?" draws takes effect (ruling 2)
    ("500", "? 10 5", "max0", 5, 0),
    ("500", "? 20 1", "night", 21, 0),
    ("500", "? 10 5", "x2", 30, 0),
]


@on_both_sides_of("all-shown")
@each_box
@pytest.mark.parametrize(("number", "cards", "drawn", "total", "loser"), DUELS)
def test_duel(edition: Edition, number: str, cards: str, drawn: str, total: int, loser: int) -> None:
    """Equal or above: the contester gets the mark. Below: the bidder. No card less or more than all counts."""
    called = play(f"{number} coyote", 3, edition=edition)
    assert called.refusal("reveal", ("10", "5"))[0] == Reason.CARD_COUNT
    assert called.refusal("reveal", ("10", "5", "3", "1"))[0] == Reason.CARD_COUNT
    script = called.shows(cards)
    if drawn:
        assert not script.tells("mark")
        assert (script.stands, script.show.zone, script.show.seats) == ("draw 1", PROOF, ())
        script = script.shows(drawn)
    assert script.ruling("mark") == {"seat": loser, "taken": 1, "marks": 1, "limit": 3}
    assert script.marks == tuple(int(seat == loser) for seat in range(3))
    verdict = script.ruling("enough" if loser == 1 else "short")
    assert (verdict["number"], verdict["bidder"], verdict["contester"]) == (int(number), 0, 1)
    assert verdict["total"] == total == count(edition, tuple(cards.split()), drawn or None)[0]


@pytest.mark.parametrize(("cards", "total", "loser"), [("3 4 5 1 1", 14, 3), ("3 4 5 2 2", 16, 4)])
def test_example_of_oliphante(cards: str, total: int, loser: int) -> None:
    """CY-02: A 8, B 13, C 14, D 16, E contests. With 14, D takes the mark; with 16 or more, E does."""
    called = play("8 13 14 16 coyote", 5, edition="oliphante")
    assert called.ruling("called") == {"seat": 4, "bidder": 3, "number": 16, "stake": 1}
    played = called.shows(cards)
    assert played.ruling("mark")["seat"] == loser
    assert played.ruling("enough" if loser == 4 else "short")["total"] == total


# Who opens next, who is out, who wins.


@each_box
def test_who_opens_next(edition: Edition) -> None:
    """CY-32: the loser; with Oliphante the winner of the duel. CY-31: in all boxes, if the loser is out."""
    for start, lost in (("", 0), ("loses:1 loses:1", 2)):
        before = play(start, edition=edition)
        bid, said = before.climbs_to(1).plays("5000 coyote lay"), before.climbs_to(0)
        contested = said.says(0, said.least).plays("coyote lay")
        for script, winner in ((bid, 2), (contested, 0)):
            assert script.marks == (0, lost + 1, 0, 0)
            assert script.tells("out") == bool(lost)
            opener = winner if lost or edition == "oliphante" else 1
            assert script.ruling("round") == {"number": lost + 2, "opener": opener, "cards": 3 if lost else 4}
            assert script.turn == opener


@each_box
def test_eliminated_are_passed_over(edition: Edition) -> None:
    """The game goes on without them: no turn, no card, no voice."""
    script = play("loses:1 loses:1 loses:1", edition=edition)
    assert script.plays("1 2").stands == "0 from 3 coyote"
    again = script.plays("1 2 3")
    assert again.stands == "2 from 4 coyote"
    assert again.refusal("turn", CRY, 1)[0] == Reason.NOT_YOU
    assert again.plays("coyote").stands == "reveal 3"


@on_both_sides_of("out")
@pytest.mark.parametrize("limit", [3, 4, 5])
def test_elimination_limit(limit: int) -> None:
    script = play("", 3, limit=limit)
    for marks in range(1, limit):
        script = script.loses(1)
        assert not script.tells("out")
        assert script.ruling("mark") == {"seat": 1, "taken": 1, "marks": marks, "limit": limit}
    assert script.loses(1).ruling("out") == {"seat": 1}


@on_both_sides_of("last-one")
@each_box
def test_last_one_wins(edition: Edition) -> None:
    script = play("loses:2 loses:2 loses:2 loses:0 loses:0", 3, edition=edition)
    assert script.match.outcome is None
    over = script.loses(0)
    assert (over.ruling("won"), over.tells("round"), over.match.asks) == ({"seat": 1}, False, ())
    assert over.match.outcome is not None
    assert over.match.outcome.winners == (1,)
    assert over.refusal("announce", 5, 1)[0] == Reason.OVER


def test_standings() -> None:
    """Fewer marks stand higher, equal ones share a place; the first to fall is last."""
    even = [(1, 1, 0, False), (3, 1, 0, False), (0, 3, 1, False), (2, 4, 3, True)]
    late = [(1, 1, 0, False), (3, 2, 3, True), (0, 3, 3, True), (2, 4, 3, True)]
    line = "loses:2 loses:2 loses:0 loses:2"
    for played, places in ((line, even), (f"{line} loses:0 loses:0 loses:3 loses:3 loses:3", late)):
        standings = COYOTE.standings(play(played).match.state)
        assert [(each.seat, each.place, each.counts["marks"], each.out) for each in standings] == places


# The pile.


@beyond("night")
@each_box
def test_discards_stay_out(edition: Edition) -> None:
    script = play("1 5000 coyote [20 15 5]", 3, edition=edition)
    assert not script.tells("shuffle")
    called = script.plays("1 5000 coyote")
    assert called.refusal("reveal", ("20", "1", "2")) == ("already-seen", {"card": "20", "left": 0})
    assert called.show.among["15"] == (1 if edition == "kidult" else 0)


@within("night")
@each_box
@pytest.mark.parametrize("cards", ["[20 3 night]", "[20 3 ?] [night]"])
def test_night_shuffles_all(edition: Edition, cards: str) -> None:
    """After the 0, worn or drawn, all cards are shuffled: any may come again."""
    script = play(f"loses:0 1 5000 coyote {cards}", 3, edition=edition)
    assert script.tells("shuffle")
    assert sum(script.plays("1 5000 coyote").show.among.values()) == len(CARDS[edition])


def rounds_of_six(edition: Edition, deal: list[tuple[str, ...]], drawn: str = "") -> Script:
    """Play rounds of six players; the second to speak always loses, so that the marks are spread."""
    words = (f"1 5000 coyote [{' '.join(cards)}] {f'[{drawn}]' if '?' in cards else ''}" for cards in deal)
    return play(" ".join(words), 6, edition=edition)


def deal_box(edition: Edition) -> list[tuple[str, ...]]:
    """Deal a whole box to six players; the cards that shuffle or draw come last."""
    box = [card for card in CARDS[edition] if card not in {"?", "night"}] + ["?", "night"]
    return [tuple(box[place : place + 6]) for place in range(0, len(box), 6)]


@beyond("pile-too-short")
@pytest.mark.parametrize(("edition", "rounds"), [("kidult", 6), ("gigamic", 5), ("oliphante", 5)])
def test_how_long_the_box_lasts(edition: Edition, rounds: int) -> None:
    """CY-38: six players have cards for six rounds, or five; exactly as many as players are enough."""
    deal = deal_box(edition)
    assert len(deal) == rounds
    before = rounds_of_six(edition, deal[:-1])
    assert not before.tells("shuffle")
    assert sum(before.plays("1 5000 coyote").show.among.values()) == 6
    assert rounds_of_six(edition, deal, drawn="1").tells("shuffle")


@within("pile-too-short")
@pytest.mark.parametrize(("edition", "rounds"), [("kidult", 5), ("gigamic", 4), ("oliphante", 4)])
def test_too_few_cards_for_the_deal(edition: Edition, rounds: int) -> None:
    """With what "?" drew gone too, a round less: five cards are too few for six players, so shuffle all."""
    box = [card for card in CARDS[edition] if card not in {"?", "night", "20"}]
    deal = [("?", *box[:5]), *[tuple(box[place : place + 6]) for place in range(5, len(box), 6)]][:rounds]
    assert not rounds_of_six(edition, deal[:-1], drawn="20").tells("shuffle")
    after = rounds_of_six(edition, deal, drawn="20")
    assert after.tells("shuffle")
    assert after.ruling("round")["cards"] == 6


@each_box
def test_a_cave_with_an_empty_pile(edition: Edition) -> None:
    """Ruling 3: the discards are shuffled, not the cards in play, and "?" draws one of them."""
    deal = deal_box(edition)
    script = rounds_of_six(edition, deal[:-1]).plays(f"1 coyote [{' '.join(deal[-1])}]")
    assert script.tells("pile-renewed")
    assert script.stands == "draw 1"
    assert script.refusal("draw", ("night",)) == ("already-seen", {"card": "night", "left": 0})
    assert sum(script.show.among.values()) == 6 * (len(deal) - 1)
    drawn = deal[0][0]
    expected, _ = count(edition, deal[-1], drawn)
    assert script.shows(drawn).ruling("enough" if expected >= 1 else "short")["total"] == expected


# Cards that can't lie there.

IMPOSSIBLE: list[tuple[Edition, str, str, str, dict[str, Any]]] = [
    # what "?" draws can't lie in the middle already
    ("kidult", "[? 20 1]", "20", "already-seen", {"card": "20", "left": 0}),
    ("kidult", "[? 20 1]", "?", "already-seen", {"card": "?", "left": 0}),
    ("kidult", "[? 10 5]", "max-", "unknown-card", {"card": "max-", "deck": "coyote-kidult"}),
    # the first round took 20, 1 and 1; two of the four ones may still come
    ("kidult", "[20 1 1] 500 coyote", "20 2 3", "already-seen", {"card": "20", "left": 0}),
    ("kidult", "[20 1 1] 500 coyote", "1 1 1", "already-seen", {"card": "1", "left": 2}),
]
"""What is laid after "14 coyote" of three players, which cards then, and what the refusal names."""


@pytest.mark.parametrize(("edition", "line", "cards", "reason", "values"), IMPOSSIBLE)
def test_impossible_cards(edition: Edition, line: str, cards: str, reason: str, values: dict[str, Any]) -> None:
    called = play(f"14 coyote {line}", 3, edition=edition)
    assert called.refusal(called.show.key, tuple(cards.split())) == (reason, values)


# Whole matches at random, each count made a second time.


@each_box
def test_every_count_of_random_matches(edition: Edition) -> None:
    """Random legal players come to an end, and the second scorer agrees with every verdict."""
    rng = Random(f"matches {edition}")
    for number in range(tiered(12, 200)):
        seats = rng.randint(3 if edition == "oliphante" else 2, 6)
        script = sit_down(seats, edition=edition, powers=("all",) if number % 3 else ())
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


# How many ways there are to go on, counted move by move with a small deck, and fixed. Numbers are capped at 3
# (two more than the last, once that is passed), and the deck has six cards.

SMALL = Deck("small", {"3": 2, "1": 1, "-5": 1, "?": 1, "night": 1})

COUNTS = [
    # Two players say who opens; then 1, 2 or 3 is said; then one of two higher numbers, or "Coyote!".
    (House(edition="kidult"), 2, [2, 6, 18, 102, 408, 1428, 5304]),
    (House(edition="gigamic"), 3, [3, 9, 27, 180, 711, 2475]),
    (House(edition="oliphante"), 3, [3, 9, 27, 180, 711, 2475]),
    # Besides a number: turn round. After it: the next one has three powers, the bidder three as well.
    (House(edition="kidult", powers=("all",)), 2, [2, 8, 60, 372, 1926, 9630]),
    (House(edition="gigamic", powers=("all",)), 3, [3, 12, 108, 963, 7092]),
    # Besides a number: four tokens, and five faces to guess.
    (House(edition="oliphante", powers=("all",)), 3, [3, 36, 252, 1818, 15174]),
    (House(edition="kidult", anyone_may_contest=True), 3, [3, 9, 36, 324, 1350, 5184]),
]


@pytest.fixture
def _small_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST", 3)
    for name, edition in house.EDITIONS.items():
        monkeypatch.setitem(house.EDITIONS, name, replace(edition, deck=SMALL))


@pytest.mark.usefixtures("_small_deck")
@pytest.mark.parametrize(("agreed", "seats", "counts"), COUNTS)
def test_counts(agreed: House, seats: int, counts: list[int]) -> None:
    match = begin(Setup(COYOTE, agreed, NAMES[:seats]))
    assert isinstance(match, Match)
    assert [leaves(match, depth) for depth in range(1, len(counts) + 1)] == counts
