"""Whether an answer is legal: decided by the asks alone, each refusal with its reason."""

import pytest
from msgspec.structs import replace

from referee.contract import CENTRE, TABLE, Answer, Ask, Choice, Done, Number, Option, Reason, Show, Value
from referee.contract.cards import Deck, expand_counts, face_named, first_surplus_card, without
from referee.legal import refusal

DECK = Deck("small", {"A": 1, "B": 2, "-5": 1}, {"ace": "A"})
NUMBER = Number("n", (1,), 3, 9, barred=(5,))
CHOICE = Choice("c", (1, 2), (Option("go"), Option("to", seat=0)))
SHOW = Show("s", (1,), 2, CENTRE, DECK, {"A": 1, "B": 1, "-5": 1}, must=("A",))
DONE = Done("d", TABLE)

CASES: list[tuple[Ask, Value, int | None, Reason | None]] = [
    (NUMBER, 3, 1, None),
    (NUMBER, 9, 1, None),
    (NUMBER, 2, 1, Reason.TOO_LOW),
    (NUMBER, 10, 1, Reason.TOO_HIGH),
    (NUMBER, 5, 1, Reason.BARRED),
    (NUMBER, True, 1, Reason.WRONG_KIND),
    (NUMBER, None, 1, Reason.WRONG_KIND),
    (NUMBER, Option("go"), 1, Reason.WRONG_KIND),
    (NUMBER, 4, 2, Reason.NOT_YOU),
    (NUMBER, 4, None, Reason.NOT_YOU),
    (CHOICE, Option("go"), 2, None),
    (CHOICE, Option("to", seat=0), 1, None),
    (CHOICE, Option("to", seat=2), 1, Reason.OTHER_PLAYER),
    (CHOICE, Option("to"), 1, Reason.OTHER_PLAYER),
    (CHOICE, 7, 1, Reason.WRONG_KIND),
    (CHOICE, Option("go"), 0, Reason.NOT_YOU),
    (SHOW, ("A", "B"), 1, None),
    (SHOW, ("-5", "A"), None, None),
    (SHOW, ("A", "B"), 2, Reason.NOT_YOU),
    (SHOW, ("A",), 1, Reason.CARD_COUNT),
    (SHOW, ("A", "A"), 1, Reason.MORE_THAN_DECK),
    (SHOW, ("B", "B"), 1, Reason.ALREADY_SEEN),
    (SHOW, ("A", "C"), 1, Reason.UNKNOWN_CARD),
    (SHOW, ("B", "-5"), 1, Reason.CARD_MISSING),
    (SHOW, 4, 1, Reason.WRONG_KIND),
    (DONE, None, None, None),
    (DONE, None, 3, None),
    (DONE, 1, None, Reason.WRONG_KIND),
]


@pytest.mark.parametrize(("ask", "value", "seat", "reason"), CASES)
def test_reasons(ask: Ask, value: Value, seat: int | None, reason: Reason | None) -> None:
    refused = refusal((ask,), Answer(0, ask.key, value, seat))
    assert (refused.reason if refused else None) == reason


def test_an_answer_that_was_not_asked_for() -> None:
    over_now = refusal((), Answer(0, "n", 3))
    assert over_now is not None
    assert over_now.reason is Reason.OVER
    other = refusal((NUMBER,), Answer(0, "x", 3, seat=1))
    assert other is not None
    assert other.reason is Reason.NOT_ASKED
    turn = refusal((NUMBER,), Answer(0, "x", 3, seat=0))
    assert turn is not None
    assert turn.reason is Reason.NOT_YOU


def test_owners_are_named_for_every_card_or_none() -> None:
    refused = refusal((SHOW,), Answer(0, "s", ("A", "B"), owners=(1,)))
    assert refused is not None
    assert refused.reason is Reason.OWNERS
    assert refusal((SHOW,), Answer(0, "s", ("A", "B"), owners=(1, 1))) is None


def test_cards_of_another_than_the_one_in_turn_are_out_of_turn() -> None:
    refused = refusal((SHOW,), Answer(0, "s", ("A", "B"), owners=(1, 0)))
    assert refused is not None
    assert (refused.reason, refused.values) == (Reason.OUT_OF_TURN, {"seats": (1,)})
    anybody = replace(SHOW, seats=TABLE)
    assert refusal((anybody,), Answer(0, "s", ("A", "B"), owners=(1, 0))) is None


def test_a_barred_card_is_refused_with_the_reason_that_the_game_gives() -> None:
    barring = replace(SHOW, count=1, must=(), among={"A": 1, "B": 0, "-5": 1}, barred={"B": "too-small"})
    assert refusal((barring,), Answer(0, "s", ("A",), 1)) is None
    refused = refusal((barring,), Answer(0, "s", ("B",), 1))
    assert refused is not None
    assert (refused.reason, refused.values) == (Reason.CARD_BARRED, {"why": "too-small", "card": "B"})


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
def test_faces_are_found_as_people_write_them(text: str, face: str) -> None:
    assert face_named(DECK, text) == face


TO_SEATS = Choice("c", (0,), (Option("to", seat=1), Option("to", seat=2), Option("name", seat=1, face="A")))
NAMED = Choice("c", (0,), (Option("name", face="A"), Option("name", face="B"), Option("go")))
PLACED = Choice("c", (0,), (Option("put", face="A", cell=(0, 1)), Option("put", face="A", cell=(1, 1))))


@pytest.mark.parametrize(
    ("asks", "answer", "reason", "values"),
    [
        ((NUMBER,), Answer(0, "n", 2, 1), Reason.TOO_LOW, {"number": 2, "least": 3}),
        ((NUMBER,), Answer(0, "n", 10, 1), Reason.TOO_HIGH, {"number": 10, "most": 9}),
        ((NUMBER, CHOICE), Answer(0, "x", 3, 0), Reason.NOT_YOU, {"seats": (1, 2)}),
        ((NUMBER, CHOICE), Answer(0, "x", 3, 2), Reason.NOT_ASKED, {}),
        ((NUMBER, CHOICE), Answer(0, "x", 3), Reason.NOT_ASKED, {}),
        ((DONE,), Answer(0, "x", 3, 2), Reason.NOT_ASKED, {}),
        ((NUMBER,), Answer(0, "n", 4, 2), Reason.NOT_YOU, {"seats": (1,)}),
        ((TO_SEATS,), Answer(0, "c", Option("to"), 0), Reason.OTHER_PLAYER, {"word": "to", "seats": (1, 2)}),
        (
            (TO_SEATS,),
            Answer(0, "c", Option("to", seat=0), 0),
            Reason.OTHER_PLAYER,
            {"word": "to", "seats": (1, 2)},
        ),
        (
            (TO_SEATS,),
            Answer(0, "c", Option("name", seat=1, face="B"), 0),
            Reason.OTHER_CARD,
            {"word": "name", "cards": ("A",)},
        ),
        ((NAMED,), Answer(0, "c", Option("name"), 0), Reason.OTHER_CARD, {"word": "name", "cards": ("A", "B")}),
        (
            (NAMED,),
            Answer(0, "c", Option("to"), 0),
            Reason.NO_SUCH_OPTION,
            {"word": "to", "words": ("name", "go")},
        ),
        ((NAMED,), Answer(0, "c", Option("go", face="A"), 0), Reason.OTHER_PLACE, {"word": "go"}),
        (
            (PLACED,),
            Answer(0, "c", Option("put", face="B", cell=(0, 1)), 0),
            Reason.OTHER_PLACE,
            {"word": "put"},
        ),
        ((SHOW,), Answer(0, "s", ("A",), 1), Reason.CARD_COUNT, {"shown": 1, "wanted": 2}),
        ((SHOW,), Answer(0, "s", ("A", "A"), 1), Reason.MORE_THAN_DECK, {"card": "A", "shown": 2, "have": 1}),
        ((SHOW,), Answer(0, "s", ("B", "B"), 1), Reason.ALREADY_SEEN, {"card": "B", "left": 1}),
        (
            (replace(SHOW, among={"A": 1, "-5": 1}),),
            Answer(0, "s", ("A", "B"), 1),
            Reason.ALREADY_SEEN,
            {"card": "B", "left": 0},
        ),
        ((SHOW,), Answer(0, "s", ("B", "-5"), 1), Reason.CARD_MISSING, {"card": "A"}),
    ],
)
def test_a_refusal_says_what_would_be_right(
    asks: tuple[Ask, ...], answer: Answer, reason: Reason, values: dict[str, object]
) -> None:
    refused = refusal(asks, answer)
    assert refused is not None
    assert (refused.reason, refused.values) == (reason, values)


def test_cards_that_have_to_lie_there_are_wanted_as_often_as_they_are_known_to() -> None:
    twice = replace(SHOW, count=3, among={"A": 1, "B": 2}, must=("B", "B"))
    assert refusal((twice,), Answer(0, "s", ("A", "B", "B"), 1)) is None
    once = replace(twice, count=2, among={"A": 1, "B": 2, "-5": 1})
    missing = refusal((once,), Answer(0, "s", ("A", "B"), 1))
    assert missing is not None
    assert missing.reason is Reason.CARD_MISSING
