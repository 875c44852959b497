"""Legality of answers, decided by the asks alone; a refusal explains what would be legal."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.contract import CENTRE, TABLE, Answer, Ask, Choice, Done, Number, Option, Reason, Show, Value
from referee.contract.cards import Deck, Zone, expand_counts, face_named, first_surplus_card, without
from referee.games.catalogue import DECKS, GAMES
from referee.legal import refusal
from tests.given import present

DECK = Deck("small", {"A": 1, "B": 2, "-5": 1}, {"ace": "A"})
NUMBER = Number("n", (1,), 3, 9, barred=(5,))
CHOICE = Choice("c", (1, 2), (Option("go"), Option("to", seat=0)))
SHOW = Show("s", (1,), 2, CENTRE, DECK, {"A": 1, "B": 1, "-5": 1}, must=("A",))
NO_B = replace(SHOW, among={"A": 1, "-5": 1})
TWO_B = replace(SHOW, count=3, among={"A": 1, "B": 2}, must=("B", "B"))
BARRING = replace(SHOW, count=1, must=(), among={"A": 1, "B": 0, "-5": 1}, barred={"B": "too-small"})
DONE = Done("d", TABLE)
TO_SEATS = Choice("c", (0,), (Option("to", seat=1), Option("to", seat=2), Option("name", seat=1, face="A")))
NAMED = Choice("c", (0,), (Option("name", face="A"), Option("name", face="B"), Option("go")))
PLACED = Choice("c", (0,), (Option("put", face="A", cell=(0, 1)), Option("put", face="A", cell=(1, 1))))

LEGAL: list[tuple[Ask, Value, int | None]] = [
    (NUMBER, 3, 1),
    (NUMBER, 9, 1),
    (CHOICE, Option("go"), 2),
    (CHOICE, Option("to", seat=0), 1),
    (SHOW, ("A", "B"), 1),
    (SHOW, ("-5", "A"), None),
    (TWO_B, ("A", "B", "B"), 1),
    (BARRING, ("A",), 1),
    (DONE, None, None),
    (DONE, None, 3),
]


@pytest.mark.parametrize(("ask", "value", "seat"), LEGAL)
def test_asked_values_are_legal(ask: Ask, value: Value, seat: int | None) -> None:
    assert refusal((ask,), Answer(0, ask.key, value, seat)) is None


REFUSED: list[tuple[Ask, Value, int | None, Reason, dict[str, Any]]] = [
    (NUMBER, 2, 1, Reason.TOO_LOW, {"number": 2, "least": 3}),
    (NUMBER, 10, 1, Reason.TOO_HIGH, {"number": 10, "most": 9}),
    (NUMBER, 5, 1, Reason.BARRED, {"number": 5}),
    (NUMBER, True, 1, Reason.WRONG_KIND, {"wanted": "number"}),
    (NUMBER, None, 1, Reason.WRONG_KIND, {"wanted": "number"}),
    (NUMBER, Option("go"), 1, Reason.WRONG_KIND, {"wanted": "number"}),
    (NUMBER, 4, 2, Reason.NOT_YOU, {"seats": (1,)}),
    (NUMBER, 4, None, Reason.NOT_YOU, {"seats": (1,)}),
    (CHOICE, Option("go"), 0, Reason.NOT_YOU, {"seats": (1, 2)}),
    (CHOICE, 7, 1, Reason.WRONG_KIND, {"wanted": "choice"}),
    (CHOICE, Option("to"), 1, Reason.OTHER_PLAYER, {"word": "to", "seats": (0,)}),
    (TO_SEATS, Option("to", seat=0), 0, Reason.OTHER_PLAYER, {"word": "to", "seats": (1, 2)}),
    (TO_SEATS, Option("name", seat=1, face="B"), 0, Reason.OTHER_CARD, {"word": "name", "cards": ("A",)}),
    (NAMED, Option("name"), 0, Reason.OTHER_CARD, {"word": "name", "cards": ("A", "B")}),
    (NAMED, Option("to"), 0, Reason.NO_SUCH_OPTION, {"word": "to", "words": ("name", "go")}),
    (NAMED, Option("go", face="A"), 0, Reason.OTHER_PLACE, {"word": "go"}),
    (PLACED, Option("put", face="B", cell=(0, 1)), 0, Reason.OTHER_PLACE, {"word": "put"}),
    (SHOW, ("A", "B"), 2, Reason.NOT_YOU, {"seats": (1,)}),
    (SHOW, ("A",), 1, Reason.CARD_COUNT, {"shown": 1, "wanted": 2}),
    (SHOW, ("A", "A"), 1, Reason.MORE_THAN_DECK, {"card": "A", "shown": 2, "have": 1}),
    (SHOW, ("B", "B"), 1, Reason.ALREADY_SEEN, {"card": "B", "left": 1}),
    (NO_B, ("A", "B"), 1, Reason.ALREADY_SEEN, {"card": "B", "left": 0}),
    (SHOW, ("A", "C"), 1, Reason.UNKNOWN_CARD, {"card": "C", "deck": "small"}),
    (SHOW, ("B", "-5"), 1, Reason.CARD_MISSING, {"card": "A"}),
    (replace(TWO_B, count=2), ("A", "B"), 1, Reason.CARD_MISSING, {"card": "B"}),
    (BARRING, ("B",), 1, Reason.CARD_BARRED, {"why": "too-small", "card": "B"}),
    (SHOW, 4, 1, Reason.WRONG_KIND, {"wanted": "cards"}),
    (DONE, 1, None, Reason.WRONG_KIND, {"wanted": "done"}),
]


@pytest.mark.parametrize(("ask", "value", "seat", "reason", "values"), REFUSED)
def test_refusals_explain_legal_values(
    ask: Ask, value: Value, seat: int | None, reason: Reason, values: dict[str, Any]
) -> None:
    refused = present(refusal((ask,), Answer(0, ask.key, value, seat)))
    assert (refused.reason, refused.values) == (reason, values)


@pytest.mark.parametrize(
    ("asks", "seat", "reason", "values"),
    [
        ((), None, Reason.OVER, {}),
        ((NUMBER,), 1, Reason.NOT_ASKED, {}),
        ((NUMBER,), 0, Reason.NOT_YOU, {"seats": (1,)}),
        ((NUMBER, CHOICE), 0, Reason.NOT_YOU, {"seats": (1, 2)}),
        ((NUMBER, CHOICE), 2, Reason.NOT_ASKED, {}),
        ((NUMBER, CHOICE), None, Reason.NOT_ASKED, {}),
        ((DONE,), 2, Reason.NOT_ASKED, {}),
    ],
)
def test_rejects_unasked_answer(
    asks: tuple[Ask, ...], seat: int | None, reason: Reason, values: dict[str, Any]
) -> None:
    refused = present(refusal(asks, Answer(0, "x", 3, seat)))
    assert (refused.reason, refused.values) == (reason, values)


@pytest.mark.parametrize(
    ("ask", "owners", "reason", "values"),
    [
        (SHOW, (1, 1), None, {}),
        (SHOW, (1,), Reason.OWNERS, {"named": 1, "shown": 2}),
        (SHOW, (1, 0), Reason.OUT_OF_TURN, {"seats": (1,)}),
        (replace(SHOW, seats=TABLE), (1, 0), None, {}),
        (SHOW, (None, 1), None, {}),
        (SHOW, (None, 0), Reason.OUT_OF_TURN, {"seats": (1,)}),
        (replace(SHOW, zone=Zone("seat", 2)), (2, 2), None, {}),
        (replace(SHOW, zone=Zone("seat", 2)), (1, 0), Reason.OUT_OF_TURN, {"seats": (1,)}),
    ],
)
def test_owners_must_match_cards_and_turn(
    ask: Ask, owners: tuple[int | None, ...], reason: Reason | None, values: dict[str, Any]
) -> None:
    refused = refusal((ask,), Answer(0, "s", ("A", "B"), owners=owners))
    assert (refused and refused.reason, refused and refused.values) == (reason, values if reason else None)


def test_decks_are_counted() -> None:
    assert DECK.size == 4
    assert expand_counts(DECK.counts) == ["A", "B", "B", "-5"]
    assert without(DECK.counts, ["B"]) == {"A": 1, "B": 1, "-5": 1}
    assert first_surplus_card(DECK.counts, ["B", "B"]) is None
    assert first_surplus_card(DECK.counts, ["B", "A", "B", "B"]) == "B"
    assert first_surplus_card(DECK.counts, ["Z"]) == "Z"


@pytest.mark.parametrize(
    ("text", "face"), [("a", "A"), (" B ", "B"), ("ACE", "A"), ("\N{MINUS SIGN}5", "-5"), ("zz", "zz")]
)
def test_faces_are_parsed_leniently(text: str, face: str) -> None:
    assert face_named(DECK, text) == face


# Deck counts from the rule books.

LINES = Path(__file__).with_name("decks.txt").read_text(encoding="utf-8").splitlines()[1:]
COUNTED = {name: line for name, _, line in (line.partition(" ") for line in LINES)}


@pytest.mark.parametrize("name", DECKS)
def test_deck_groups_contain_each_face_once(name: str) -> None:
    deck = DECKS[name]
    told = " ".join(f"{face}*{count}" if count > 1 else face for face, count in deck.counts.items())
    assert f"{deck.size}: {told}" == COUNTED[name]
    grouped = Counter(face for group in deck.suits.values() for face in group)
    assert grouped == (Counter(list(deck.counts)) if deck.suits else {})


def test_every_game_uses_a_known_deck() -> None:
    for game in GAMES.values():
        assert {game.table.deck(house).name for house in game.rules.settings.values()} <= set(DECKS)
