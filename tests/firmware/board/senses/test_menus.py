"""Everything that may be said can be said with dial and push, and a long push goes back."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.menus import (
    asked_since,
    can_be_said,
    is_whole,
    menu,
    push_dial,
    step_back,
    turn_dial,
)
from firmware.board_events import DialState, Menu, Path, Pick
from hardware.twin.player import any_answer, any_value
from referee.contract import CENTRE, TABLE, Answer, Ask, Choice, Done, Game, Number, Option, Show, Value
from referee.contract.cards import Deck
from referee.games.coup import COUP
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.contracts import CONTRACTS
from referee.legal import refusal
from referee.match import Match, Setup, TakeBack, begin, enter, hear
from tests.firmware.board.senses.matches import after, bidden, new_match
from tests.referee.tables import NAMES, after_any, outer_tables
from tests.referee.tables import new_match as any_match

SMALL = Deck("small", {"a": 2, "b": 1, "c": 1})
Said = tuple[int | None, str, Value]


def match_asking(*asks: Ask) -> Match:
    """Make a match that asks something else than Coyote ever would."""
    match = new_match()
    return replace(match, position=replace(match.position, asks=asks))


def dials(match: Match, path: Path = ()) -> list[DialState]:
    """Turn through a whole menu, click by click: down from the first number if there are any, else up."""
    way = 1 if menu(match, path).number is None else -1
    dial, seen = turn_dial(match, DialState(path), way), list[DialState]()
    while dial not in seen[-1:]:
        seen.append(dial)
        dial = turn_dial(match, dial, way)
    return [dial for dial in seen if dial.at is not None and dial.at.step != "number"]


def all_said(match: Match, path: Path = ()) -> set[Said]:
    """Try all that can be dialled but numbers, with turns and pushes; each long push must go back."""
    said: set[Said] = set()
    for dial in dials(match, path):
        heard = push_dial(match, dial)
        assert heard is not None
        if isinstance(heard, Answer):
            assert refusal(match.asks, heard) is None
            said.add((heard.seat, heard.ask, heard.value))
            continue
        assert step_back(heard) == dial
        # of cards that come one after another, one at a time is enough here
        if dial.at is not None and dial.at.step != "card":
            said |= all_said(match, heard.path)
    return said


def expected_values(match: Match) -> set[Said]:
    """List all that may be chosen, by whom; the table has no seat."""
    return {
        (seat, ask.key, option)
        for ask in match.asks
        if isinstance(ask, Choice)
        for seat in ask.seats or (None,)
        for option in ask.options
    }


def dialled_values(match: Match) -> set[Said]:
    """List all that can be dialled of choices."""
    return {said for said in all_said(match) if isinstance(said[2], Option)}


def show_with_dial(match: Match, ask: Show, faces: tuple[str, ...]) -> Answer:
    """Dial cards, one after another."""
    path: Path = ()
    who = Pick("who", ask.seats[0]) if ask.seats else None
    if who is not None and who in menu(match).picks:
        path = (who,)
    for face in faces:
        there = (dial for dial in dials(match, path) if dial.at is not None and dial.at.step == "card")
        heard = push_dial(match, next(dial for dial in there if dial.at is not None and dial.at.value == face))
        if isinstance(heard, Answer):
            return heard
        assert heard is not None
        path = heard.path
    raise AssertionError("the cards are no answer")


@outer_tables
def test_every_option_that_is_asked_for_can_be_dialled(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    match = any_match(game, rules, seats)
    for _moment in range(30):
        if not match.asks:
            break
        assert dialled_values(match) == expected_values(match)
        for ask in match.asks:
            if isinstance(ask, Show):
                cards = any_value(ask, rng)
                assert isinstance(cards, tuple)
                answer = show_with_dial(match, ask, _in_place(ask, cards))
                assert refusal(match.asks, answer) is None
                assert isinstance(answer.value, tuple)
                assert sorted(answer.value) == sorted(cards)
        match = after_any(match, rng)


def _in_place(ask: Show, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Say the cards that must be there last: their places are kept for them."""
    rest, last = list(cards), list(ask.must)
    for face in last:
        rest.remove(face)
    return (*rest, *last)


def coup(*answers: tuple[str, Value, int | None], seats: int = 4) -> Match:
    match = begin(Setup(COUP, COUP.settings["rule text"], NAMES[:seats]))
    assert isinstance(match, Match)
    return after(match, ("opener", Option("opens", seat=0), None), *answers)


def rich(seats: int = 4) -> Match:
    """Let seat 0 come to eight coins: all actions can be paid for."""
    match = coup(seats=seats)
    while match.state.coins[0] < 8 or not {ask.key for ask in match.asks} & {"action"} or _turn(match) != 0:
        match = after(match, ("action", Option("income"), _turn(match)))
    return match


def _turn(match: Match) -> int:
    return match.asks[0].seats[0]


def words(found: Menu) -> list[str]:
    return [pick.options[0].word for pick in found.picks]


def test_the_seven_actions_of_coup_come_in_two_steps() -> None:
    match = rich()
    assert words(menu(match)) == [
        "income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange",
    ]  # fmt: skip
    for pick in menu(match).picks:
        heard = push_dial(match, DialState((), pick))
        word = pick.options[0].word
        if word not in {"coup", "assassinate", "steal"}:
            assert heard == Answer(match.number, "action", Option(word), 0, "dial")
            continue
        assert isinstance(heard, DialState)
        assert [aim.options for aim in menu(match, heard.path).picks] == [
            (Option(word, seat=seat),) for seat in (1, 2, 3)
        ]


def test_in_a_window_one_says_first_who_speaks() -> None:
    match = coup(("action", Option("steal", seat=2), 0))
    assert [(pick.step, pick.seat) for pick in menu(match).picks] == [("who", seat) for seat in (1, 3, 2, 0)]
    who = Pick("who", 2)
    assert words(menu(match, (who,))) == ["challenge", "block", "pass"]
    block = menu(match, (who,)).picks[1]
    faces = menu(match, (who, block)).picks
    assert [pick.options[0].face for pick in faces] == ["ambassador", "captain"]
    assert push_dial(match, DialState((who, block), faces[1])) == Answer(
        match.number, "challenge-or-block", Option("block", face="captain"), 2, "dial"
    )


def test_who_is_challenged_gives_in_or_says_the_card() -> None:
    match = coup(("action", Option("tax"), 0), ("challenge", Option("challenge"), 1))
    while match.asks[0].key == "challenge":
        match = after(match, ("challenge", Option("pass"), match.asks[0].seats[0]))
    picks = menu(match).picks
    assert [pick.step for pick in picks] == ["word", *["card"] * 5]
    assert push_dial(match, DialState((), picks[1])) == Answer(match.number, "prove", ("duke",), 0, "dial")


def test_the_contracts_of_coup_d_etat_are_one_menu() -> None:
    rng = Random(3)
    match = begin(Setup(COUP_D_ETAT, COUP_D_ETAT.settings["rule text"], NAMES[:4]))
    assert isinstance(match, Match)
    while match.asks[0].key != "contract":
        match = after_any(match, rng)
    assert set(words(menu(match))) == set(CONTRACTS)
    answers = {push_dial(match, DialState((), pick)) for pick in menu(match).picks}
    assert {answer.value for answer in answers if isinstance(answer, Answer)} == {
        Option(word) for word in CONTRACTS
    }


def test_the_dial_stops_at_both_ends_and_goes_one_by_one() -> None:
    match = coup()
    dial = DialState()
    seen = []
    for steps in (1, 10, 5, -10, -1, -1):
        dial = turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.options[0].word)
    assert seen == ["income", "foreign-aid", "tax", "foreign-aid", "income", "income"]


def test_numbers_lie_clockwise_and_what_else_may_be_said_below_the_least() -> None:
    match = bidden(20)
    dial = DialState()
    seen: list[object] = []
    for steps in (1, 5, -99, -1, -1, 1, 1):
        dial = turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.value or dial.at.options[0].word)
    assert seen == [21, 26, 21, "coyote", "coyote", 21, 22]


def test_options_may_differ_in_everything() -> None:
    options = (
        Option("put", face="a", cell=(4, 1)),
        Option("put", face="a", cell=(9, 0)),
        Option("put", seat=2, face="b", cell=(9, 0)),
        Option("insert", face="a", cell=(6, 1)),
        Option("discard"),
    )
    match = match_asking(Choice("place", (0,), options))
    assert words(menu(match)) == ["put", "insert", "discard"]
    assert dialled_values(match) == expected_values(match)


def test_one_word_alone_is_no_step() -> None:
    match = match_asking(Choice("suit", (1,), tuple(Option("name", face=face) for face in "abc")))
    assert [pick.step for pick in menu(match).picks] == ["face"] * 3


def test_done_is_on_the_dial_too() -> None:
    match = match_asking(Done("shuffled", (2,)))
    (pick,) = menu(match).picks
    assert push_dial(match, DialState((), pick)) == Answer(match.number, "shuffled", None, 2, "dial")


def test_cards_that_must_be_there_keep_their_places() -> None:
    match = match_asking(Show("reveal", TABLE, 3, CENTRE, SMALL, SMALL.counts, must=("c",)))
    first = menu(match).picks
    assert [pick.value for pick in first] == ["a", "b", "c"]
    assert [pick.value for pick in menu(match, first[:2]).picks] == ["c"]
    assert not is_whole(match, first[:2])
    assert push_dial(match, DialState(first[:2], first[2])) == Answer(
        match.number, "reveal", ("a", "b", "c"), None, "dial"
    )


def test_barred_and_seen_cards_are_not_on_the_dial() -> None:
    ask = Show("card", (0,), 1, CENTRE, SMALL, {"a": 2, "b": 0, "c": 1}, barred={"c": "no"})
    assert [pick.value for pick in menu(match_asking(ask)).picks] == ["a"]


def test_another_seat_may_be_asked_for_a_number() -> None:
    match = match_asking(Choice("react", (1, 2), (Option("pass"),), window=3), Number("bid", (0,), 5, 9))
    heard = push_dial(match, DialState((), Pick("who", 0)))
    assert isinstance(heard, DialState)
    assert push_dial(match, heard) == Answer(match.number, "bid", 5, 0, "dial")


def test_a_window_stands_through_its_answers_but_not_through_a_take_back() -> None:
    opened = coup(("action", Option("tax"), 0))
    passed = after(opened, ("challenge", Option("pass"), 1))
    assert asked_since(passed) is opened
    taken = enter(passed, TakeBack(passed.number, 1))
    assert isinstance(taken, Match)
    assert asked_since(taken) is taken
    assert asked_since(coup()).asks[0].key == "action"


@given(st.integers(0, 10**6), st.lists(st.sampled_from([-10, -1, 1, 2, 5, "push", "back"]), max_size=60))
def test_whatever_hands_do_they_say_only_what_is_legal(seed: int, moves: list[int | str]) -> None:
    rng = Random(seed)
    match = rng.choice([bidden(20), coup(), rich(), coup(("action", Option("steal", seat=2), 0))])
    dial = DialState()
    for move in moves:
        if isinstance(move, int):
            dial = turn_dial(match, dial, move)
        elif move == "back":
            dial = step_back(dial)
        else:
            heard = push_dial(match, dial)
            if isinstance(heard, Answer):
                match, dial = _hear(match, heard), DialState()
            dial = heard if isinstance(heard, DialState) else dial
        if not match.asks:
            return
        assert can_be_said(match, dial)
        if rng.random() < 0.1:
            match, dial = _hear(match, any_answer(match.asks, match.number, rng)), DialState()


def _hear(match: Match, answer: Answer) -> Match:
    heard = hear(match, answer)
    assert isinstance(heard, Match), heard
    return heard
