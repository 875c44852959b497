"""The fold of answers: moments, stale answers, windows, take back, correct."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from referee.contract import Answer, Option, Reason, Refusal, make_refusal
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import (
    Correct,
    Entry,
    Match,
    Setup,
    TakeBack,
    begin,
    correct,
    enter,
    hear,
    log,
    standing_answers,
    take_back,
)
from tests.referee.windows import OBJECT, PASS, WINDOWS

CALL = Option("coyote")


def enter_legal(match: Match, *entries: Entry) -> Match:
    """Enter what must be accepted."""
    for entry in entries:
        after = enter(match, entry)
        assert isinstance(after, Match), after
        match = after
    return match


def why(refused: Match | Refusal) -> Reason:
    """Give the reason of a refusal."""
    assert isinstance(refused, Refusal)
    return refused.reason


def coyote_match() -> Match:
    """Begin a match of three."""
    match = begin(Setup(COYOTE, House(), ("Ana", "Bo", "Chloé")))
    assert isinstance(match, Match)
    return match


def after_reveal() -> Match:
    """Play a round: Ana says 14, Bo 15, Chloé contests, the cards make 23."""
    return enter_legal(
        coyote_match(),
        Answer(0, "opener", Option("opens", seat=0)),
        Answer(1, "announce", 14, seat=0),
        Answer(2, "announce", 15, seat=1),
        Answer(3, "turn", CALL, seat=2),
        Answer(4, "reveal", ("15", "5", "3")),
    )


def test_moments_count_entries() -> None:
    match = after_reveal()
    assert match.number == 5
    assert [entry.moment for entry in log(match)] == [0, 1, 2, 3, 4]
    assert [step.heard_at for step in standing_answers(match)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("moment", [-1, 0, 4])
def test_an_answer_to_an_earlier_moment_is_stale(moment: int) -> None:
    match = after_reveal()
    assert why(hear(match, Answer(moment, "announce", 3, seat=2))) is Reason.STALE


@pytest.mark.parametrize("moment", [6, 10**6])
def test_a_moment_of_the_future_is_refused_as_such(moment: int) -> None:
    match = after_reveal()
    assert why(hear(match, Answer(moment, "announce", 3, seat=2))) is Reason.FUTURE
    assert why(correct(match, Correct(moment, 1, 14))) is Reason.FUTURE
    assert why(take_back(match, TakeBack(moment, seat=2))) is Reason.FUTURE


def test_a_press_that_comes_twice_counts_once() -> None:
    match = after_reveal()
    press = Answer(5, "announce", 3, seat=2)
    assert why(hear(enter_legal(match, press), press)) is Reason.STALE


def window_match() -> Match:
    """Begin a match in which three may react to a claim."""
    match = begin(Setup(WINDOWS, WINDOWS.settings["plain"], ("Ana", "Bo", "Chloé", "Dan")))
    assert isinstance(match, Match)
    return match


def test_a_window_stays_open_while_others_answer() -> None:
    match = enter_legal(window_match(), Answer(0, "react", PASS, seat=1), Answer(0, "react", PASS, seat=2))
    assert [ask.seats for ask in match.asks] == [(3,), (0,)]
    assert enter_legal(match, Answer(0, "react", OBJECT, seat=3)).number == 3


def test_no_seat_answers_a_window_twice() -> None:
    match = enter_legal(window_match(), Answer(0, "react", PASS, seat=1))
    assert why(hear(match, Answer(0, "react", OBJECT, seat=1))) is Reason.NOT_YOU


def test_an_answer_to_a_closed_window_is_stale_though_the_next_asks_the_same() -> None:
    match = enter_legal(window_match(), Answer(0, "react", OBJECT, seat=1))
    assert match.asks[0].key == "react"
    assert why(hear(match, Answer(0, "react", OBJECT, seat=2))) is Reason.STALE


def test_a_window_from_the_future_is_refused() -> None:
    assert why(hear(window_match(), Answer(1, "react", PASS, seat=2))) is Reason.FUTURE


def test_what_is_no_window_goes_stale_while_others_answer() -> None:
    match = enter_legal(window_match(), Answer(0, "react", PASS, seat=1))
    assert why(hear(match, Answer(0, "give-up", None, seat=0))) is Reason.STALE


def test_take_back_gives_the_question_back_under_a_new_number() -> None:
    match = enter_legal(coyote_match(), Answer(0, "opener", Option("opens", seat=0)))
    slip = enter_legal(match, Answer(1, "announce", 41, seat=0))
    undone = enter_legal(slip, TakeBack(2, seat=0))
    assert undone.state == match.state
    assert undone.asks == match.asks
    assert undone.number == 3
    assert [ruling.key for ruling in undone.rulings] == ["taken-back"]
    assert why(hear(undone, Answer(1, "announce", 14, seat=0))) is Reason.STALE
    assert enter_legal(undone, Answer(3, "announce", 14, seat=0)).number == 4


def test_take_back_twice_at_once_takes_back_once() -> None:
    match = enter_legal(
        coyote_match(), Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 4, seat=0)
    )
    undone = enter_legal(match, TakeBack(2, seat=0))
    assert why(take_back(undone, TakeBack(2, seat=0))) is Reason.STALE


def test_only_who_said_it_takes_it_back() -> None:
    match = enter_legal(
        coyote_match(), Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 4, seat=0)
    )
    for other in (1, 2, None):
        assert why(take_back(match, TakeBack(2, seat=other))) is Reason.NOT_YOURS_BACK


def test_anybody_takes_back_what_the_table_said() -> None:
    match = enter_legal(coyote_match(), Answer(0, "opener", Option("opens", seat=0)))
    assert isinstance(take_back(match, TakeBack(1, seat=2)), Match)
    assert isinstance(take_back(match, TakeBack(1)), Match)


def test_shown_cards_are_not_taken_back() -> None:
    assert why(take_back(after_reveal(), TakeBack(5))) is Reason.SEEN_BACK


def test_a_drawn_card_is_not_taken_back() -> None:
    setup = Setup(COYOTE, House(edition="oliphante", powers=("all",)), ("Ana", "Bo", "Chloé"))
    match = begin(setup)
    assert isinstance(match, Match)
    match = enter_legal(match, Answer(0, "opener", Option("opens", seat=0)))
    for word in ("extra", "replace"):
        drawn = enter_legal(match, Answer(1, "turn", Option(word), seat=0))
        assert why(take_back(drawn, TakeBack(2, seat=0))) is Reason.SEEN_BACK
    skipped = enter_legal(match, Answer(1, "turn", Option("skip"), seat=0))
    assert isinstance(take_back(skipped, TakeBack(2, seat=0)), Match)


def test_nothing_to_take_back_at_the_beginning() -> None:
    assert why(take_back(coyote_match(), TakeBack(0))) is Reason.NOTHING_BACK


def test_a_wrong_reading_is_corrected() -> None:
    match = enter_legal(after_reveal(), Correct(5, 4, ("10", "1", "3")))
    assert match.state.marks == (0, 1, 0)
    keys = [ruling.key for ruling in match.rulings]
    assert keys[:2] == ["corrected-all", "shown"]
    assert "short" in keys


def test_a_correction_hears_later_answers_again() -> None:
    """Chloé lost and opened with 3. With the right cards Bo lost, so Chloé's 3 can't stand."""
    match = enter_legal(after_reveal(), Answer(5, "announce", 3, seat=2))
    kept = enter_legal(match, Correct(6, 1, 13))
    assert [step.answer.value for step in standing_answers(kept)][1:] == [13, 15, CALL, ("15", "5", "3"), 3]
    dropped = enter_legal(match, Correct(6, 4, ("10", "1", "3")))
    assert [step.heard_at for step in standing_answers(dropped)] == [0, 1, 2, 3, 4]
    assert dropped.rulings[0].values["dropped"] == 1
    assert len(log(dropped)) == 7


def test_a_correction_without_a_value_strikes_the_rest() -> None:
    match = enter_legal(after_reveal(), Correct(5, 2, UNSET))
    assert [step.heard_at for step in standing_answers(match)] == [0, 1]
    assert [(ruling.key, ruling.values["dropped"]) for ruling in match.rulings] == [("struck", 3)]
    assert match.asks[0].seats == (1,)


def test_a_correction_must_be_legal_itself() -> None:
    match = after_reveal()
    assert why(correct(match, Correct(5, 4, ("20", "20", "3")))) is Reason.MORE_THAN_DECK
    assert why(correct(match, Correct(5, 9, 14))) is Reason.NO_SUCH_MOMENT
    assert why(correct(match, Correct(4, 1, 14))) is Reason.STALE


def test_what_was_taken_back_can_not_be_corrected() -> None:
    match = enter_legal(
        coyote_match(),
        Answer(0, "opener", Option("opens", seat=0)),
        Answer(1, "announce", 4, seat=0),
        TakeBack(2, seat=0),
    )
    assert why(correct(match, Correct(3, 1, 5))) is Reason.NO_SUCH_MOMENT


def test_a_corrected_answer_can_be_corrected_again() -> None:
    match = enter_legal(after_reveal(), Correct(5, 4, ("10", "1", "3")), Correct(6, 4, ("15", "5", "3")))
    assert match.state == after_reveal().state


def test_a_long_match_is_let_go_of_without_trouble() -> None:
    match = window_match()
    for _claim in range(20_000):
        match = enter_legal(match, Answer(match.number, "react", OBJECT, seat=1))
    assert match.number == 20_000


@pytest.mark.parametrize(
    ("names", "may_be"),
    [
        (("A" * 40, "Bo"), True),
        (("A" * 41, "Bo"), False),
        (("A", "Bo"), True),
        (("", "Bo"), False),
        (("  ", "Bo"), False),
        (("A\n", "Bo"), False),
        (("bo", "BO"), False),
    ],
)
def test_a_name_has_one_to_forty_letters_and_is_nobody_elses(names: tuple[str, ...], *, may_be: bool) -> None:
    refused = begin(Setup(COYOTE, House(), names))
    assert isinstance(refused, Refusal) != may_be
    if isinstance(refused, Refusal):
        assert (refused.reason, refused.values["most"]) == (Reason.NAME, 40)


def test_the_game_says_why_only_where_an_option_is_not_offered() -> None:
    game = replace(COYOTE, why_not=lambda _state, _seat, _option: make_refusal(Reason.HOUSE, why="own"))
    match = begin(Setup(game, House(), ("Ana", "Bo", "Chloé")))
    assert isinstance(match, Match)
    assert why(hear(match, Answer(0, "opener", Option("opens", seat=7)))) is Reason.HOUSE
    assert why(hear(match, Answer(0, "opener", Option("never")))) is Reason.HOUSE
    assert why(hear(match, Answer(0, "opener", 3))) is Reason.WRONG_KIND
    assert why(hear(match, Answer(0, "never", Option("never")))) is Reason.NOT_ASKED
