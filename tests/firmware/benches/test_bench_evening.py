"""`coyote bench evening`, small: its counts, what buttons and the dial say, a match that goes on by them."""

import json

from firmware.benches.evening_figures import MatchRecord, TakenAnswer, ToldNotice, figures_of, per_round
from firmware.benches.evening_mishaps import NOTICED, Mishap, heard
from firmware.benches.evening_people import Deed, Deeds, can_dial, dial_act, press_for
from firmware.board_events import DialState
from hardware.board.board import Key
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear
from tests.firmware.conftest import Coyote

BY_CAMERA = TakenAnswer("camera", "camera", 2.0)


def begun(game: str) -> Match:
    plays = GAMES[game]
    match = begin(Setup(plays, plays.house(), ("Ana", "Bo", "Chloé"), begun="2026-12-24"))
    assert isinstance(match, Match)
    return match


def answered(match: Match, *answers: tuple[str, object, int | None]) -> Match:
    for ask, value, seat in answers:
        after = hear(match, Answer(match.number, ask, value, seat))  # type: ignore[arg-type]
        assert isinstance(after, Match), after
        match = after
    return match


# counting


def test_what_a_phone_did_for_camera_and_buttons_is_counted_apart_from_what_only_a_phone_can_say() -> None:
    answers = (
        BY_CAMERA,
        TakenAnswer("phone", "camera", 20.0),
        TakenAnswer("phone", "button", 16.0),
        TakenAnswer("phone", "phone", 0.1),
        TakenAnswer("clock", "phone"),
    )
    (row,) = figures_of([MatchRecord("coup", 4, answers)])
    assert row.instead == {"camera": 1, "button": 1}
    assert row.only_phone == 1
    assert row.senses == {"camera": 1, "phone": 3, "clock": 1}
    assert per_round(sum(row.instead.values()), row) == 0.5


def test_waits_after_a_mishap_are_told_apart() -> None:
    answers = (*(TakenAnswer("camera", "camera", float(n)) for n in range(21)), TakenAnswer("button", "button"))
    (row,) = figures_of(
        [MatchRecord("coup", 1, (*answers, TakenAnswer("camera", "camera", 99.0, is_disturbed=True)))]
    )
    assert (row.waits.count, row.waits.median, row.waits.p95, row.waits.most) == (21, 10.0, 19.0, 20.0)
    assert (row.waits_disturbed.count, row.waits_disturbed.p95) == (1, 99.0)
    assert row.waited == sum(range(21)) + 99.0
    assert row.waits_by["button"].median is None


def test_notices_that_ask_to_move_a_card_and_acts_of_the_host_are_counted_by_game() -> None:
    told = (ToldNotice("unsure"), ToldNotice("old cards", is_disturbed=True), ToldNotice("hand stays"))
    one = MatchRecord("coup", 2, (), told, ("hand",), ("misread",), "over", 60.0)
    other = MatchRecord("coup", 1, (), (), (), ("standstill", "misread"), "time", 30.0)
    coup, coyote = figures_of([one, other, MatchRecord("coyote", 1)])
    assert (coup.moves, coup.moves_disturbed, coup.mishaps) == (1, 1, {"hand": 1})
    assert coup.interventions == {"misread": 2, "standstill": 1}
    assert (coup.matches, coup.rounds, coup.minutes, coup.ends) == (2, 3, 1.5, {"over": 1, "time": 1})
    assert (coyote.game, coyote.moves) == ("coyote", 0)


def test_cards_that_are_laid_anew_are_waited_for_since_they_first_lay_there() -> None:
    match, deeds = begun("coyote"), Deeds()
    ask = match.asks[0].key
    first = Deed(match.number, ask, None, ("20",), "camera", 1.0)
    deeds.note(first)
    deeds.note(Deed(match.number, ask, None, ("15",), "camera", 5.0))
    assert deeds.overdue(match, 10.0, patience=15.0) == ()
    assert len(deeds.overdue(match, 17.0, patience=15.0)) == 1
    assert deeds.overdue(match, 18.0, patience=15.0) == ()
    taken = deeds.take(Answer(match.number, ask, ("15",), None, "camera"))
    assert taken is not None
    assert (taken.at, taken.value) == (1.0, ("15",))
    assert deeds.take(Answer(match.number, ask, ("15",), None, "camera")) is None


def test_people_put_right_what_the_table_names() -> None:
    hand = Mishap("hand", 3, ends=100.0)
    assert heard(hand, 10.0).ends == 10.0 + NOTICED
    assert heard(hand, 99.9).ends == 100.0


# buttons and the dial


def test_a_call_is_pressed_and_a_number_is_dialled() -> None:
    match = answered(begun("coyote"), ("opener", Option("opens", seat=0), 0))
    number = Answer(match.number, match.asks[0].key, 5, 0)
    assert press_for(match, number, 6) is None
    assert can_dial(match, number)
    assert dial_act(match, DialState(), number) == 5
    said = answered(match, (match.asks[0].key, 5, 0))
    call = Answer(said.number, "turn", Option("coyote"), 1)
    assert press_for(said, call, 6) == (Key("call", 1), "short")


def test_everything_that_seats_are_asked_at_the_start_can_be_said_without_a_phone() -> None:
    for game in ("coyote", "coup", "plenty-coups", "ogallala"):
        match = begun(game)
        for ask in match.asks:
            seat = ask.seats[0] if ask.seats else None
            for option in getattr(ask, "options", ()):
                answer = Answer(match.number, ask.key, option, seat)
                assert press_for(match, answer, 6) or can_dial(match, answer), (game, answer)


# a match


def test_a_match_goes_on_without_a_phone(coyote: Coyote) -> None:
    said = coyote("bench evening --games coyote --minutes 0.05 --mishaps 0 --json")
    assert said.code == 0, said.err
    (row,) = json.loads(said.out)["games"]
    assert (row["game"], row["matches"], row["instead"], row["only_phone"]) == ("coyote", 1, {}, 0)
    assert set(row["ends"]) <= {"over", "time"}
    assert row["interventions"] == row["mishaps"] == {}
    assert set(row["senses"]) <= {"camera", "button", "dial"}


def test_a_game_that_is_not_known_is_told_with_those_that_are(coyote: Coyote) -> None:
    said = coyote("bench evening --games coyote,whist")
    assert said.code == 2
    assert "whist" in said.err
    assert "ogallala" in said.err
    assert "Traceback" not in said.err
