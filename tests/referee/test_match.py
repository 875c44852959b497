"""The fold of answers: moments, stale answers, windows, take-backs, corrections."""

from random import Random

import pytest
from msgspec import UNSET

from referee.contract import Answer, Option, Reason, make_refusal
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import (
    Arrival,
    Correct,
    Entry,
    Match,
    Setup,
    SitDown,
    TakeBack,
    arrival_at,
    begin,
    hear,
    log,
    moments,
    people_of,
    replay_with_rules,
    seat_person,
    standing_answers,
)
from tests.given import allowed, altered, present, refused
from tests.referee.tables import after_any, new_match

CALL = Option("coyote")


def enter_legal(match: Match, *entries: Entry) -> Match:
    for entry in entries:
        match = allowed(hear(match, entry))
    return match


def why(answer: object) -> Reason:
    return refused(answer).reason


OPENS, SAYS_4 = Answer(0, "opener", Option("opens", seat=0)), Answer(1, "announce", 4, seat=0)


def coyote_match(*entries: Entry) -> Match:
    return enter_legal(new_match(COYOTE, "kidult", 3), OPENS, *entries)


def after_reveal() -> Match:
    """Play a round: Ana bids 14, Bo 15, Chloé challenges, the cards total 23."""
    return coyote_match(
        Answer(1, "announce", 14, seat=0),
        Answer(2, "announce", 15, seat=1),
        Answer(3, "turn", CALL, seat=2),
        Answer(4, "reveal", ("15", "5", "3")),
    )


@pytest.mark.parametrize(
    ("moment", "reason"), [(-1, Reason.STALE), (4, Reason.STALE), (6, Reason.FUTURE), (10**6, Reason.FUTURE)]
)
def test_rejects_answer_to_another_moment(moment: int, reason: Reason) -> None:
    match = after_reveal()
    assert why(hear(match, Answer(moment, "announce", 3, seat=2))) is reason
    assert why(hear(match, Correct(moment, 1, 14))) is reason
    assert why(hear(match, TakeBack(moment, seat=2))) is reason


def window_match() -> Match:
    match = new_match(COUP, "rule text", 4)
    return enter_legal(match, OPENS, Answer(1, "action", Option("tax"), seat=0))


PASS, CHALLENGE = Option("pass"), Option("challenge")


def test_window_accepts_one_answer_per_seat() -> None:
    match = enter_legal(window_match(), *(Answer(2, "challenge", PASS, seat) for seat in (1, 2)))
    assert match.asks[0].seats == (3,)
    assert why(hear(match, Answer(2, "challenge", CHALLENGE, seat=1))) is Reason.NOT_YOU
    assert enter_legal(match, Answer(2, "challenge", CHALLENGE, seat=3)).number == 5


def test_rejects_stale_and_early_answers() -> None:
    match = window_match()
    assert why(hear(match, Answer(3, "challenge", PASS, seat=2))) is Reason.FUTURE
    passed = [Answer(2, "challenge", PASS, seat) for seat in (1, 2, 3)]
    again = enter_legal(match, *passed, Answer(5, "action", Option("tax"), seat=1))
    assert again.asks[0].key == "challenge"
    assert why(hear(again, Answer(2, "challenge", CHALLENGE, seat=2))) is Reason.STALE
    assert why(hear(again, Answer(5, "challenge", CHALLENGE, seat=2))) is Reason.STALE


def test_nothing_counts_for_a_moment_that_was_taken_back() -> None:
    undone = coyote_match(SAYS_4, TakeBack(2, seat=0))
    assert why(hear(undone, Answer(1, "announce", 14, seat=0))) is Reason.STALE
    assert why(hear(undone, TakeBack(2, seat=0))) is Reason.STALE
    assert why(hear(undone, Correct(3, 1, 5))) is Reason.NO_SUCH_MOMENT
    again = enter_legal(window_match(), TakeBack(2, seat=0), Answer(3, "action", Option("tax"), seat=0))
    assert why(hear(again, Answer(2, "challenge", CHALLENGE, seat=2))) is Reason.STALE


def test_only_the_answering_seat_can_take_back() -> None:
    for other in (1, 2, None):
        assert why(hear(coyote_match(SAYS_4), TakeBack(2, seat=other))) is Reason.NOT_YOURS_BACK
    match = coyote_match()
    assert isinstance(hear(match, TakeBack(1, seat=2)), Match)
    assert isinstance(hear(match, TakeBack(1)), Match)
    assert why(hear(new_match(COYOTE, "kidult", 3), TakeBack(0))) is Reason.NOTHING_BACK


def test_shown_or_drawn_cards_cannot_be_undone() -> None:
    assert why(hear(after_reveal(), TakeBack(5))) is Reason.SEEN_BACK
    match = enter_legal(new_match(COYOTE, "oliphante, all powers", 3), OPENS)
    for word in ("extra", "replace"):
        drawn = enter_legal(match, Answer(1, "turn", Option(word), seat=0))
        assert why(hear(drawn, TakeBack(2, seat=0))) is Reason.SEEN_BACK
    skipped = enter_legal(match, Answer(1, "turn", Option("skip"), seat=0))
    assert isinstance(hear(skipped, TakeBack(2, seat=0)), Match)


def test_wrong_reading_is_corrected() -> None:
    match = enter_legal(after_reveal(), Correct(5, 4, ("10", "1", "3")))
    assert match.state.marks == (0, 1, 0)
    keys = [ruling.key for ruling in match.rulings]
    assert keys[:2] == ["corrected-all", "shown"]
    assert "short" in keys
    assert enter_legal(match, Correct(6, 4, ("15", "5", "3"))).state == after_reveal().state


def test_correction_replays_later_answers() -> None:
    """Chloé lost and opened with 3. With the corrected cards Bo lost, so Chloé's 3 is dropped."""
    match = enter_legal(after_reveal(), Answer(5, "announce", 3, seat=2))
    kept = enter_legal(match, Correct(6, 1, 13))
    assert [step.answer.value for step in standing_answers(kept)][1:] == [13, 15, CALL, ("15", "5", "3"), 3]
    dropped = enter_legal(match, Correct(6, 4, ("10", "1", "3")))
    assert [step.heard_at for step in standing_answers(dropped)] == [0, 1, 2, 3, 4]
    assert dropped.rulings[0].values["dropped"] == 1
    assert len(log(dropped)) == 7


def test_correction_without_a_value_strikes_later_answers() -> None:
    match = enter_legal(after_reveal(), Correct(5, 2, UNSET))
    assert [step.heard_at for step in standing_answers(match)] == [0, 1]
    assert [(ruling.key, ruling.values["dropped"]) for ruling in match.rulings] == [("struck", 3)]
    assert match.asks[0].seats == (1,)


def test_correction_must_be_legal() -> None:
    match = after_reveal()
    assert why(hear(match, Correct(5, 4, ("20", "20", "3")))) is Reason.MORE_THAN_DECK
    assert why(hear(match, Correct(5, 9, 14))) is Reason.NO_SUCH_MOMENT
    assert why(hear(match, Correct(4, 1, 14))) is Reason.STALE


@pytest.mark.parametrize(
    ("name", "may_be"),
    [("A", True), ("A" * 40, True), *((bad, False) for bad in ("A" * 41, "", "  ", "A\n", "BO"))],
)
def test_names_are_unique_and_bounded(name: str, *, may_be: bool) -> None:
    begun = begin(Setup(COYOTE, House(), (name, "bo")))
    refusal = None if isinstance(begun, Match) else (begun.reason, begun.values["most"])
    assert refusal == (None if may_be else (Reason.NAME, 40))


@pytest.mark.parametrize("sign", "\u034f\u115f\u1160\u17b5\u180b\u200b\u202e\u2800\u3164\ufe0f\uffa0\U000e0100")
def test_invisible_characters_tell_no_names_apart(sign: str) -> None:
    for names in (
        (f"Bo{sign}", "bo"),
        ("Bo", f"{sign}B{sign}o"),
        (sign, "Bo"),
        (f" {sign}{sign}", "Bo"),
        ("Bo", f"Bo {sign}"),
    ):
        assert why(begin(Setup(COYOTE, House(), names))) is Reason.NAME


def test_names_may_contain_emoji_and_other_scripts() -> None:
    names = ("\u2764\ufe0f", "Bo \u2764\ufe0f", "Zoe\u0301", "\u845b\U000e0100", "\u0e19\u0e49\u0e33")
    assert allowed(begin(Setup(COYOTE, House(), names))).setup.names == names


def test_game_explains_only_unavailable_options() -> None:
    game = altered(COYOTE, why_not=lambda _state, _seat, _option: make_refusal(Reason.HOUSE, why="own"))
    match = allowed(begin(Setup(game, House(), ("Ana", "Bo", "Chloé"))))
    assert why(hear(match, Answer(0, "opener", Option("opens", seat=7)))) is Reason.HOUSE
    assert why(hear(match, Answer(0, "opener", Option("never")))) is Reason.HOUSE
    assert why(hear(match, Answer(0, "opener", 3))) is Reason.WRONG_KIND
    assert why(hear(match, Answer(0, "never", Option("never")))) is Reason.NOT_ASKED


# seat changes


def zoe_for_bo(*later: Entry) -> Match:
    """Let Ana and Bo bid once each; then Zoé takes over Bo's seat."""
    match = coyote_match(SAYS_4, Answer(2, "announce", 6, seat=1))
    return enter_legal(allowed(seat_person(match, 1, "Zoé")), *later)


def test_seat_change_keeps_earlier_moments() -> None:
    match = zoe_for_bo(Answer(4, "announce", 9, seat=2))
    plain = coyote_match(SAYS_4, Answer(2, "announce", 6, seat=1), Answer(3, "announce", 9, seat=2))
    assert match.state == plain.state
    names = [moment.setup.names[1] for moment in moments(match)]
    assert names == ["Zoé"] * 2 + [plain.setup.names[1]] * 4
    seated = present(match.before)
    assert [ruling.values for ruling in seated.rulings] == [{"name": "Zoé", "before": plain.setup.names[1]}]


def test_returning_person_keeps_their_identity() -> None:
    match = zoe_for_bo()
    left = present(match.before).setup.names[1]
    back = allowed(seat_person(match, 1, left))
    assert back.setup.names == present(match.before).setup.names
    assert people_of(back) == (*back.setup.names, "Zoé")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [(SitDown(3, 0, 3), Reason.STALE), (SitDown(5, 0, 3), Reason.FUTURE)]
    + [(SitDown(4, *who), Reason.NAME) for who in ((3, 1), (-1, 1), (0, 4), (0, -1), (0, 3), (1, 3))],
)
def test_rejects_double_or_unknown_seat(entry: SitDown, reason: Reason) -> None:
    assert why(hear(zoe_for_bo(), entry)) is reason


@pytest.mark.parametrize("name", ["\x1b[2J", " ", "zoé", "Z" * 41])
def test_rejects_invalid_or_taken_name(name: str) -> None:
    assert why(seat_person(zoe_for_bo(), 0, name)) is Reason.NAME


def test_rejects_seat_change_after_the_end() -> None:
    match = new_match(COYOTE, "kidult", 3)
    rng = Random(1)
    while match.outcome is None:
        match = after_any(match, rng)
    assert why(seat_person(match, 0, "Gil")) is Reason.OVER


def test_seat_change_keeps_the_window_open() -> None:
    match = window_match()
    asked = next(ask for ask in match.asks if len(ask.seats) > 1)
    seated = allowed(seat_person(match, asked.seats[0], "Zoé"))
    early = Answer(match.number, asked.key, Option("pass"), seat=asked.seats[1])
    assert isinstance(hear(seated, early), Match)


def test_replay_with_rules_keeps_seat_changes() -> None:
    match = zoe_for_bo(Answer(4, "announce", 9, seat=2))
    again = allowed(replay_with_rules(match, House(limit=5), "later"))
    assert (log(again), people_of(again)) == (log(match), people_of(match))


def test_arrival_reports_person_and_answers() -> None:
    match = zoe_for_bo()
    left = present(match.before).setup.names[1]
    assert arrival_at(match, 1) == Arrival("Zoé", left, 4, has_answered=False)
    assert arrival_at(match, 0) is None
    said = enter_legal(match, Answer(4, "announce", 9, seat=2), Answer(5, "announce", 10, seat=0))
    answered = enter_legal(said, Answer(6, "announce", 12, seat=1))
    assert arrival_at(answered, 1) == Arrival("Zoé", left, 4, has_answered=True)
