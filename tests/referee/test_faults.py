"""Faults of a game are detected and reported: a correct small game, and variants with one fault each."""

from typing import Any, Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from referee import conformance
from referee.conformance import Findings, Recorder, check_moment, check_refusals
from referee.contract import CENTRE, Count, Deck, Fact, HeadlineWords, Label, Seat, Words, make_fact
from referee.contract.asks import Answer, Ask, Choice, Done, Number, Option, Reason, Ruling, Show, make_refusal
from referee.contract.board import Board, CardRow, Cue, Headline, Mood, Situation, Track
from referee.contract.game import Feel, Game, OnTable, Outcome, Rules, Shown, Standing, Transition
from referee.contract.rule_book import write_chapters, write_own_chapters
from referee.match import Match, Setup, begin, hear
from tests.given import allowed, altered
from tests.referee.read_cards import called_match

LAST = 2  # bids before the toy game is over


class House(Struct, frozen=True):
    """House rules of the toy game."""

    limit: int = 3
    loud: bool = False


class State(Struct, frozen=True):
    """The bids so far."""

    seats: tuple[int, ...]
    said: tuple[int, ...] = ()


class View(Struct, frozen=True):
    """The public view."""

    said: tuple[int, ...]


def asks(state: State) -> tuple[Ask, ...]:
    return () if outcome(state) else (Number("say", (state.seats[len(state.said)],), 1, 9),)


def standings(state: State) -> tuple[Standing, ...]:
    return tuple(Standing(seat, seat + 1 if outcome(state) else 1, {"points": seat}) for seat in state.seats)


def outcome(state: State) -> Outcome | None:
    return Outcome("said", (0,)) if len(state.said) == LAST else None


def after(state: State, answer: Answer) -> Transition:
    said = replace(state, said=(*state.said, int(str(answer.value))))
    return Transition(said, (Ruling("said", {"seat": answer.seat, "number": answer.value}),))


DECK = Deck("toy", {"1": 2, "2": 1})
WORDS = Words(
    title="Toy",
    rulings={"said": "{seat:player} says {number}."},
    asks={"say": "Which number?"},
    options={"up": "Up!", "down": "down", "rise": "up"},
    counts={"points": "{count} points"},
    house={"limit": "limit", "loud": "loud"},
    facts={"last": Label("Last"), "blank": Label(" ")},
    situations={"now": "Numbers are said."},
    headlines={"sum": HeadlineWords("{number}")},
    tracks={"line": "Line"},
    cards={"row": "Row"},
)
GAME = Game(
    name="toy",
    words=WORDS,
    rules=Rules(
        house=House,
        settings={"as printed": House()},
        state=State,
        seats=lambda _house: range(2, 4),
        start=lambda seats, _house, _after: Transition(State(seats), ()),
        asks=asks,
        hear=after,
        standings=standings,
        outcome=outcome,
    ),
    table=OnTable(deck=lambda _house: DECK),
    shown=Shown(
        view=lambda state, _viewer: View(state.said),
        board=lambda view: Board(facts=tuple(make_fact("last", value=Count(number)) for number in view.said)),
    ),
    feel=Feel(cues={"said": Cue(Mood.TRICK, "seat")}),
)


def started(**changes: Any) -> Match:
    return allowed(begin(Setup(altered(GAME, **changes), House(), ("Ana", "Bo"))))


def ended(**changes: Any) -> Match:
    match = started(**changes)
    for seat in range(LAST):
        match = allowed(hear(match, Answer(match.number, "say", 5, seat)))
    return match


def worded(field: str, key: str, text: str) -> dict[str, Any]:
    return {"words": replace(WORDS, **{field: {**getattr(WORDS, field), key: text}})}


def words_without(field: str, key: str) -> Words:
    kept = {name: words for name, words in getattr(WORDS, field).items() if name != key}
    return replace(WORDS, **{field: kept})


def assert_told(found: Findings, told: tuple[str, ...]) -> None:
    sentences = list(found)
    assert len(sentences) == len(told), sentences
    for sentence, part in zip(sentences, told, strict=True):
        assert part in sentence


def test_faultless_game_has_no_faults() -> None:
    found = (*conformance.check_declaration(GAME), *check_moment(started()), *check_moment(ended()))
    assert_told(iter((*found, *check_refusals(started(), Answer(0, "say", 5, 0)))), ())


class Listed(Struct, frozen=True):
    """House rules that change when serialised."""

    limit: tuple[Literal["double"], ...] = ()


class Odd(Struct, frozen=True):
    """House rules with an invalid default."""

    loud: bool = "perhaps"  # type: ignore[assignment]


LISTED = {"house": Listed, "settings": {"listed": Listed(["double"])}}  # type: ignore[arg-type]
CHAPTER = {"The game": {"aim": "Most points win.", "end": "It ends."}}
Case = tuple[dict[str, Any], tuple[str, ...]]
DECLARED: tuple[Case, ...] = (
    ({"settings": {}}, ("`settings` is empty",)),
    ({"words": words_without("house", "limit")}, ("the house rule “limit” has no words: add it to `house`",)),
    ({"cues": {}}, ("no ruling has a mood",)),
    ({"cues": {"said": Cue(Mood.TRICK), "sung": Cue(Mood.TRICK)}}, ("`cues` names “sung”",)),
    ({"gestures": {"up": "short"}}, ()),
    ({"gestures": {"left": "short"}}, ("`gestures` names “left”",)),
    (LISTED, ("“listed” are others once they were written down",)),
    (worded("rulings", "found", "{a} [card|cards], {b} [is|are] found"), ("worded by two counts, a and b",)),
    (worded("hints", "say", "[A card|Cards] of {n}"), ("“A card of {n}” has brackets with no count before",)),
    (
        {"settings": {"few": House(), "more": House(limit=4)}, "deck": lambda h: Deck("toy", {"1": h.limit})},
        ("the deck “toy” has other cards by “more” than by “few”",),
    ),
    ({"chapters": write_chapters(CHAPTER, printed=[("« But »", "aim")])}, ()),
    ({"chapters": write_own_chapters(CHAPTER)}, ()),
    ({"chapters": write_chapters(CHAPTER)}, ("the rule “aim” is said to be left open by printed rules, but",)),
    ({"house": Odd, "settings": {"odd": Odd(loud=True)}}, ("“loud” has a default that it doesn't take: 'per",)),
)


@pytest.mark.parametrize(("changes", "told"), DECLARED)
def test_declaration_fault_is_reported_once(changes: dict[str, Any], told: tuple[str, ...]) -> None:
    assert_told(conformance.check_declaration(altered(GAME, **changes)), told)


UP, DOWN, RISE = Option("up"), Option("down"), Option("rise")


def asked(*asked: Ask) -> dict[str, Any]:
    words = replace(WORDS, asks={**WORDS.asks, **{ask.key: "What?" for ask in asked}})
    return {"asks": lambda _state: asked, "words": words}


def show(count: int, among: dict[str, int], must: tuple[str, ...] = ()) -> Show:
    return Show("s", (0,), count, CENTRE, DECK, among, must)


@pytest.mark.parametrize(
    ("ask", "can"),
    [
        (Number("n", (), 3, 3), True),
        (Number("n", (), 4, 3), False),
        (Number("n", (), 1, 3, (1, 2)), True),
        (Number("n", (), 1, 3, (2, 3)), True),
        (Number("n", (), 1, 3, (1, 2, 3)), False),
        (Choice("c", (), ()), False),
        (Choice("c", (), (UP,)), True),
        (Choice("c", (), (UP, UP)), False),
        (show(0, {"1": 2}), False),
        (show(1, {"1": 2}), True),
        (show(3, {"1": 2, "2": 1}), True),
        (show(3, {"1": 2, "2": 0}), False),
        (show(1, {"1": 3}), False),
        (show(1, {"1": 1, "2": -1}), False),
        (show(1, {"1": 1, "3": 1}), False),
        (show(1, {"1": 2}, ("1",)), True),
        (show(1, {"1": 2}, ("1", "1")), False),
        (Done("d", ()), True),
    ],
)
def test_ask_needs_a_fitting_answer(ask: Ask, can: bool) -> None:
    assert can != any("has no legal answer" in told for told in check_moment(started(**asked(ask))))


def board_of(**parts: Any) -> dict[str, Any]:
    return {"board": lambda _view: Board(**parts)}


def row(*notes: Fact, faces: tuple[str, ...] = ("1", "2"), **more: Any) -> dict[str, Any]:
    return board_of(cards=(CardRow("row", faces, notes=notes, **more),))


def standing(*places: tuple[int, int]) -> dict[str, Any]:
    return {"standings": lambda _state: tuple(Standing(seat, place, {"points": 1}) for seat, place in places)}


NOTE, BLANK, STRANGE = make_fact("last", value=Count(1)), make_fact("blank", value=Count(1)), make_fact("never")
AT_FIRST: tuple[Case, ...] = (
    ({"asks": lambda _state: ()}, ("nothing is asked and the match isn't over",)),
    ({"outcome": lambda _state: Outcome("said", (0, 1))}, ("something is asked after the end",)),
    (asked(Choice("c", (0,), (UP,)), Choice("c", (1,), (UP,))), ("“c” is asked twice at the same moment",)),
    (asked(Choice("c", (1, 2), (UP,))), ("“c” is for seats (1, 2), of 2",)),
    ({"words": words_without("asks", "say")}, ("the question “say” has no words: write them in `asks`",)),
    (worded("asks", "say", "[one|several] up"), ()),
    ({"questions": lambda _view, _asks: ()}, ("the ask “say” is in no question",)),
    ({"situation": lambda _view: Situation("now", {})}, ()),
    ({"situation": lambda _view: Situation("then", {})}, ("name 'then'", "words: write them in `situations`")),
    (board_of(facts=(NOTE,)), ()),
    (board_of(facts=(BLANK,)), ("the fact “blank” has empty words",)),
    (board_of(facts=(make_fact("last"),)), ("the fact “last” has words that name 'value', which it hasn't",)),
    (board_of(facts=(make_fact("last", value=Seat(1)),)), ("the fact “last” tells value by “”",)),
    (board_of(headline=Headline("sum", {"number": 1})), ()),
    (board_of(headline=Headline("sum", {})), ("the headline “sum” has words that name 'number'",)),
    (board_of(headline=Headline("never", {})), ("the headline “never” has no words",)),
    (board_of(track=Track("line", 1, 2)), ()),
    (board_of(track=Track("never", 1, 2)), ("the track “never” has no words",)),
    (board_of(track=Track("line", 1, 2, marks=((1, STRANGE),))), ("no words: write them in `facts`",)),
    (board_of(cards=(CardRow("never", ()),)), ("the row “never” has no words: write them in `cards`",)),
    (row(NOTE, NOTE), ()),
    (row(NOTE, NOTE, NOTE), ("the row “row” has notes or marks for cards that it hasn't",)),
    (row(NOTE, NOTE, NOTE, offset=1), ()),
    (row(NOTE, NOTE, NOTE, NOTE, offset=1), ("for cards that it hasn't",)),
    (row(NOTE, NOTE, NOTE, places=3), ()),
    (row(NOTE, NOTE, NOTE, NOTE, places=3), ("for cards that it hasn't",)),
    (row(leading=1), ()),
    (row(leading=2), ("for cards that it hasn't",)),
    (row(struck=(0, 1)), ()),
    (row(struck=(0, 2)), ("for cards that it hasn't",)),
    (board_of(limits={"points": 1}), ()),
    (board_of(limits={"points": 0}), ("`limits` says 0 for “points”, but the standings have [0, 1]",)),
    (board_of(limits={"coins": 5}), ("`limits` says 5 for “coins”, but the standings have [None, None]",)),
    (asked(Choice("c", (0,), (UP, RISE))), ("“up” and “rise” both read “up”",)),
    (asked(Choice("c", (), (UP, RISE))), ("“up” and “rise” both read “up”",) * 2),
    (asked(Choice("c", (0,), (UP,)), Choice("d", (1,), (RISE,))), ()),
    (asked(Choice("c", (0,), (Option("up", cell=(0, 0)), Option("up", cell=(0, 1))))), ()),
    (asked(Choice("c", (0,), (replace(UP, seat=1), replace(UP, seat=0)))), ("“up 1” and “up 0” both",)),
    (asked(Choice("c", (0,), (Option("left"),))), ("the option “left” has no words: write them in `options`",)),
    (
        {**asked(Choice("c", (0,), (UP, DOWN))), "gestures": {"up": "long", "down": "long"}},
        ("a long press says up, down at once",),
    ),
    ({**asked(Choice("c", (0,), (UP, DOWN))), "gestures": {"up": "long", "down": "short"}}, ()),
    (
        {"start": lambda seats, _house, _after: Transition(State(list(seats)), ())},  # type: ignore[arg-type]
        ("the state is another once it was written down",),
    ),
    (standing((0, 1), (0, 2)), ("`standings` has to name every seat once",)),
    (standing((1, 1), (0, 1)), ()),
    (standing((0, 2), (1, 2)), ("`standings` has to begin with place 1 and go on in order",)),
    (standing((0, 2), (1, 1)), ("`standings` has to begin with place 1 and go on in order",)),
)  # fmt: skip


@pytest.mark.parametrize(("changes", "told"), AT_FIRST)
def test_moment_fault_is_reported_once(changes: dict[str, Any], told: tuple[str, ...]) -> None:
    assert_told(check_moment(started(**changes)), told)


AT_LAST: tuple[Case, ...] = (
    (standing((0, 1), (1, 2)), ()),
    (standing((1, 1), (0, 2)), ("(0,) won, but `standings` puts [1] first",)),
    (standing((0, 1), (1, 1)), ("(0,) won, but `standings` puts [0, 1] first",)),
    ({"words": words_without("rulings", "said")}, ("the ruling “said” has no words: write them in `rulings`",)),
    (
        {"words": words_without("counts", "points")},
        ("the count “points” has no words: write them in `counts`",),
    ),
    ({"insight": lambda _state: (Ruling("known", {}),)}, ("the ruling “known” has no words",)),
    ({"cues": {"said": Cue(Mood.TRICK)}}, ()),
    ({"cues": {"said": Cue(Mood.TRICK, "winner")}}, ("the cue of “said” is about its value “winner”",)),
)


@pytest.mark.parametrize(("changes", "told"), AT_LAST)
def test_end_fault_is_reported_once(changes: dict[str, Any], told: tuple[str, ...]) -> None:
    assert_told(check_moment(ended(**changes)), told)


def test_wrong_answers_cover_values_moments_asks_and_seats() -> None:
    wrong = conformance.wrong_answers(started(), Answer(0, "say", 5, 0))
    assert [answer.moment for answer in wrong if answer.moment] == [1, -1]
    assert [answer.ask for answer in wrong if answer.ask != "say"] == ["no such ask"]
    assert [answer.seat for answer in wrong if answer.seat != 0] == [-1, 1, 2]
    assert {answer.value for answer in wrong} == {5, -1, 10**9, Option("no such word"), ("no such card",), ()}
    of_all = conformance.wrong_answers(started(**asked(Number("say", (), 1, 9))), Answer(0, "say", 5, 0))
    assert not [answer for answer in of_all if answer.seat != 0]
    assert conformance.wrong_answers(started(), Answer(0, "else", 5, 0))[-1].ask == "no such ask"


def test_illegal_acceptance_and_changed_state_are_reported() -> None:
    match = started(**asked(Number("say", (0,), 1, 10**9)), hear=lambda state, _answer: Transition(state, ()))
    assert_told(check_refusals(match, Answer(0, "say", 5, 0)), ("the ask “say” takes 1000000000 of seat 0",))
    said: list[int] = []

    def hears(_state: object, _answer: Answer) -> Any:
        said.append(1)
        return make_refusal(Reason.HOUSE, why="never")

    changed = replace(match, position=replace(match.position, state=said))
    changed = replace(changed, setup=replace(match.setup, game=altered(match.setup.game, hear=hears)))
    assert_told(check_refusals(changed, Answer(0, "say", 5, 0)), ("a refused answer changes the state",))


def test_diverging_record_is_reported() -> None:
    match = called_match()  # of Coyote, because records are replayed by installed games
    assert not list(conformance.check_record(match))
    assert match.before is not None
    elsewhere = replace(match, position=match.before.position)
    assert_told(conformance.check_record(elsewhere), ("a match played again comes to another state",))
    said = "a match can't be played again from its record"
    assert_told(conformance.check_record(ended()), (f"{said}: toy. Let rules",))
    unheard = replace(match, entry=Answer(3, "announce", -1, 2))
    too_low = f"{said}: -1 is too low: say 10 or more. Let rules"
    assert_told(conformance.check_record(unheard), (too_low,))


def shown_of(game: Game) -> list[str]:
    recorder = Recorder()
    conformance.note_reads(recorder, ended(board=game.shown.board, situation=game.shown.situation))
    return list(conformance.check_view(game, recorder))


def test_view_fields_are_shown_or_excused() -> None:
    assert shown_of(GAME) == []
    hidden = altered(GAME, board=lambda _view: Board())
    assert_told(iter(shown_of(hidden)), ("“View.said” is shown nowhere",))
    for name in ("said", "View.said"):
        assert shown_of(altered(hidden, excused={name: "for a test"})) == []
    assert_told(iter(shown_of(altered(GAME, excused={"left": "gone"}))), ("`excused` names “left”",))


def test_failure_is_described_in_one_line() -> None:
    assert conformance.describe_failure("It", ValueError("two\nlines")) == "It failed: ValueError: two lines."
    assert conformance.describe_failure("It", KeyError()) == "It failed: KeyError: no reason."
