"""The companion's core: order of entries, answers by cards, and deadlines, with time as a number."""

import pytest
from msgspec.structs import replace

from firmware.table import state
from firmware.table.effects import EntryRequest, Tell, Write
from firmware.table.hosting import deny_likely, pause_table, resume_table
from firmware.table.notices import Notice
from referee.contract import Answer, Choice, Deadline, Option, Outcome, Reason, Refusal
from referee.match import Correct, Match, hear, standing_answers
from referee.record import read_record, record_lines
from tests.firmware.board.inputs.matches import bidden, call_moments, open_round
from tests.firmware.table.sat import SeatedTable, card, see_table, unsure_card
from tests.given import allowed, altered, present
from tests.referee.games.coyote.script import play
from vision.process.messages import KeepEvidence, ReadTable, Wake
from vision.table.values import PlacedCard

FACES = ("10", "5", "4", "3")
CARDS = tuple(card(face, place) for place, face in enumerate(FACES))
NEW = tuple(card(face, place) for place, face in enumerate(("1", "2", "3", "15")))
SECOND_LOOK = ReadTable("moment 3")


def at_reveal() -> SeatedTable:
    return SeatedTable(call_moments()[0])


def said_number() -> SeatedTable:
    return SeatedTable(open_round()).say("announce", 7, 0)


# moment, legality, storage, ruling, announcement


def test_nothing_is_announced_before_it_is_on_disk() -> None:
    sat = said_number()
    write = sat.the(Write)
    assert len(sat.deeds) == 1
    assert (write.id, write.after.number, sat.match.number) == (1, 2, 1)
    sat.keep(1.1)
    assert sat.the(Tell).match is write.after is sat.match
    assert sat.replies == [write.after]
    assert sat.table.since == 1.1


def test_stale_illegal_or_misdirected_answers_are_rejected_unwritten() -> None:
    sat = SeatedTable(bidden(5))
    before = sat.table
    for number, value, seat, reason in (
        (0, 9, 1, Reason.STALE),
        (2, 4, 1, Reason.TOO_LOW),
        (2, 9, 2, Reason.NOT_YOU),
    ):
        (refused,) = sat.enter(Answer(number, "announce", value, seat, "button")).replies
        assert isinstance(refused, Refusal)
        assert refused.reason == reason
        assert (sat.table, sat.written) == (before, None)
    sat = SeatedTable(open_round())
    meant = EntryRequest(Answer(1, "announce", 7, 0, "button"), begun="another time")
    (refused,) = sat.do(state.hear_request(sat.table, meant, 1.0)).replies
    assert isinstance(refused, Refusal)
    assert refused.reason == Reason.STALE
    sat.do(state.hear_request(sat.table, replace(meant, begun=sat.match.setup.begun), 1.0)).the(Write)


def test_answers_wait_during_writing_and_may_become_stale() -> None:
    sat = said_number()
    assert sat.enter(Answer(1, "announce", 9, 0, "phone"), ticket=4).deeds == ()
    assert sat.enter(Answer(2, "announce", 9, 1, "phone"), ticket=5).deeds == ()
    kept, stale = sat.keep().replies
    assert isinstance(kept, Match)
    assert isinstance(stale, Refusal)
    after = sat.the(Write).after
    assert after.number == 3
    assert sat.keep().replies == [after]


def test_flood_of_answers_is_rejected() -> None:
    sat = said_number()
    for _each in range(state.MAX_WAITING):
        assert sat.say("announce", 9, 0).replies == []
    assert sat.say("announce", 9, 0).replies == [Notice("slow disk")]


def test_slow_disk_is_reported_once() -> None:
    sat = said_number()
    assert state.next_due(sat.table) == 1.0 + state.SLOW_DISK_DELAY
    assert sat.wait(1.0 + state.SLOW_DISK_DELAY).notices == [Notice("slow disk")]
    assert sat.wait(99.0).deeds == ()


def test_late_presses_belong_to_the_moment_of_pressing() -> None:
    sat = SeatedTable(open_round())
    known = {0.0: sat.match}
    for number in range(state.STORED_MOMENTS + 3):
        now = float(number + 1)
        known[now] = sat.say("announce", number + 1, number % 4, now).keep(now).match
    for since in sorted(known)[-state.STORED_MOMENTS :]:
        assert state.match_at(sat.table, since + 0.5) is known[since]
    assert state.match_at(sat.table, 0.1) is sat.table.earlier[-1][1]


# cards


def test_cards_answer_after_a_second_look() -> None:
    sat = at_reveal().see()
    for each in CARDS:
        assert sat.deeds == ()
        sat.lay(each)
    assert sat.orders == [SECOND_LOOK]
    assert sat.see(*CARDS).written is None  # read again for another reason: look again
    assert sat.see(*CARDS, asked="moment 3", reading=9).written == Answer(3, "reveal", FACES, None, "camera")
    assert sat.keep(number=6).orders == [KeepEvidence(9, "6", 4, "reveal")]


def test_differing_second_look_is_no_answer() -> None:
    others = (card("20", 0), *CARDS[1:])
    sat = at_reveal().see(*CARDS).see(*CARDS[:3], asked="moment 3")
    assert (sat.deeds, sat.table.confirming) == ((), ())
    assert sat.see(*CARDS).see(*others, asked="moment 3").orders == [SECOND_LOOK]
    assert sat.see(*others[::-1], asked="moment 3", reading=9).answered == ("3", "4", "5", "20")


@pytest.mark.parametrize(
    ("guesses", "expected", "faces"),
    [
        ((("3", 0.8), ("2", 0.55), ("1", 0.5)), Notice("is it", {"card": "3"}), ("3",)),
        ((("3", 0.8), ("2", 0.56)), Notice("is it one of two", {"card": "3", "other": "2"}), ("3", "2")),
        ((("3", 0.5),), Notice("is it", {"card": "3"}), ("3",)),
        ((("3", 0.49),), Notice("unsure"), ()),
        ((("3", 0.8), ("2", 0.7), ("1", 0.6)), Notice("unsure"), ()),
        # a face that no such deck has is not a guess
        ((("queen", 0.8), ("2", 0.7)), Notice("is it", {"card": "2"}), ("2",)),
        ((), Notice("unsure"), ()),
    ],
)
def test_people_are_asked_about_card_with_at_most_two_guesses(
    guesses: tuple[tuple[str, float], ...], expected: Notice, faces: tuple[str, ...]
) -> None:
    sat = at_reveal().see(*CARDS[:3], unsure_card(3, *guesses))
    assert state.likely_answers(sat.table) == ()
    (notice,) = sat.wait(1.0 + state.CARDS_NOTICE_DELAY).notices
    answers = state.likely_answers(sat.table)
    assert notice == replace(expected, answers=answers)
    assert [answer.value for answer in answers] == [(*FACES[:3], face) for face in faces]
    # no guess is an answer by itself, and none is asked about once the card is read
    assert sat.written is None
    assert state.likely_answers(sat.see(*CARDS, now=20.0).table) == ()


MAYBE_3 = unsure_card(3, ("3", 0.8), ("2", 0.3), chance=0.93)
LIKELY, SHOWN_NOTICE = (*CARDS[:3], MAYBE_3), [Notice("likely", {"card": "3"})]
IS_IT_2 = unsure_card(3, ("2", 0.8), ("3", 0.5), chance=0.93)


def shown_likely(sat: SeatedTable) -> SeatedTable:
    """Show a likely card that was read twice, at 1 s."""
    assert sat.see(*LIKELY).orders == [SECOND_LOOK]
    assert sat.see(*LIKELY, asked="moment 3", reading=9).notices == SHOWN_NOTICE
    return sat


def say_no(sat: SeatedTable, face: str = "3", moment: int = 3) -> SeatedTable:
    return sat.do(deny_likely(face, moment, sat.table, 0, 2.5))


def test_likely_card_is_shown_and_counts_after_two_seconds() -> None:
    sat = shown_likely(at_reveal())
    assert state.next_due(sat.table) == 1.0 + state.OBJECTION_TIME
    # read again, or with another card moved elsewhere, it stays the same
    assert sat.see(*LIKELY, card("10", 0, "discard"), now=2.0).deeds == ()
    assert sat.wait(2.9).deeds == ()
    assert sat.wait(1.0 + state.OBJECTION_TIME).written == Answer(
        3, "reveal", FACES, None, "camera", likely="3"
    )
    assert sat.keep().orders == [KeepEvidence(9, "1", 4, "reveal")]
    assert sat.table.likely is None
    assert record_lines(read_record(lines := record_lines(sat.match)).match or sat.match) == lines
    assert lines[-1].count('"likely":"3"') == 1
    # corrected, it is certain
    put_right = allowed(hear(sat.match, Correct(4, 3, ("10", "5", "4", "2"))))
    assert standing_answers(put_right)[-1].answer.likely == ""
    # it counts as that face from now on, even after a restart
    assert again(sat).see(*LIKELY).wait(9.0).deeds == ()
    assert SeatedTable(sat.match).see(*LIKELY).wait(9.0).deeds == ()


@pytest.mark.parametrize(
    "there", [(*CARDS[:3],), (*LIKELY, card("20", 4)), (*CARDS[:3], IS_IT_2), (*CARDS[:2], MAYBE_3, IS_IT_2)]
)
def test_card_no_longer_likely_or_alone_is_not_accepted(there: tuple[PlacedCard, ...]) -> None:
    sat = shown_likely(at_reveal()).see(*there, now=2.0)
    assert sat.table.likely is None
    assert sat.wait(9.0).written is None


def test_rejected_guess_is_asked_about_and_not_accepted_again_while_card_stays() -> None:
    sat = shown_likely(at_reveal())
    for face, moment in (("2", 3), ("3", 2)):
        assert say_no(sat, face, moment).deeds == ()
    assert say_no(sat).notices == [Notice("unsure")]
    assert sat.see(*LIKELY, now=3.0).see(*LIKELY, asked="moment 3", now=3.0).wait(9.0).deeds == ()
    # even if it is certain by now; another face is another guess
    assert sat.see(*CARDS, now=9.0).orders == []
    assert sat.see(*CARDS[:3], IS_IT_2, now=9.0).orders == [SECOND_LOOK]
    # laid again, it is a new card
    assert sat.see(*CARDS[:3], now=9.0).see(*LIKELY, now=9.0).orders == [SECOND_LOOK]


@pytest.mark.parametrize("is_end", [True, False])
def test_uncorrectable_guess_is_asked_about_and_not_accepted(is_end: bool) -> None:
    match, over = call_moments()[0], Outcome("over", ())
    game = match.setup.game
    strict = (
        altered(game, asks=lambda _state: (), outcome=lambda _state: over)
        if is_end
        else altered(game, no_way_back=frozenset({"count-add"}))
    )
    sat = SeatedTable(replace(match, setup=replace(match.setup, game=strict))).see(*LIKELY)
    assert sat.orders == []
    assert [notice.key for notice in sat.wait(1.0 + state.CARDS_NOTICE_DELAY).notices] == ["is it"]


def test_nothing_is_accepted_during_pause_and_cards_count_after_it() -> None:
    sat = shown_likely(at_reveal()).change(pause_table, 2.0)
    assert sat.see(*LIKELY, now=3.0).wait(9.0).deeds == ()
    assert sat.change(resume_table, 9.0).orders == [Wake(), SECOND_LOOK]


@pytest.mark.parametrize("count", [1, 3, 4])
def test_card_over_unread_cards_does_not_count_and_is_reported(count: int) -> None:
    sat = at_reveal().see(card("10", over_more=True), *CARDS[1:count])
    assert sat.deeds == ()
    assert sat.wait(1.0 + state.CARDS_NOTICE_DELAY).notices == [Notice("more below", {"cards": "10"})]
    assert sat.see(*CARDS, now=5.0).orders == [SECOND_LOOK]
    assert sat.table.way is None


UNSURE = Notice("unsure")


@pytest.mark.parametrize(
    ("there", "notice"),
    [
        ((*CARDS, card(None, 4, sure=False)), UNSURE),
        ((*CARDS, card("20", 4, sure=False)), UNSURE),
        ((*CARDS, unsure_card(4, ("4", 0.8))), UNSURE),
        ((*CARDS[:3], unsure_card(3, ("3", 0.8)), unsure_card(4, ("4", 0.8))), UNSURE),
        ((*CARDS[:3], card(None, 3, facing="down")), Notice("face down")),
        ((*CARDS[:3], card("20", 4, possible=False)), Notice("impossible", {"card": "20"})),
        ((*CARDS, card("20", 4)), Notice("too many", {"shown": 5, "wanted": 4})),
        (CARDS[:3], Notice("cards lack", {"shown": 3, "wanted": 4})),
    ],
)
def test_obstacle_is_reported_once_after_a_while(there: tuple[PlacedCard, ...], notice: Notice) -> None:
    sat = at_reveal().see().see(*there)
    assert sat.deeds == ()
    # people need time to lay all cards
    due = 1.0 + (state.SLOW_NOTICE_DELAY if notice.key == "cards lack" else state.CARDS_NOTICE_DELAY)
    assert state.next_due(sat.table) == due
    assert sat.wait(due).notices == [notice]
    assert sat.wait(99.0).deeds == ()
    if there[:4] == CARDS:
        # it is moved away: the others may answer
        assert sat.take(there[4], now=5.0).orders == [SECOND_LOOK]


def again(sat: SeatedTable) -> SeatedTable:
    sat.say("announce", 5, 1).keep()
    return sat.say("turn", Option("coyote"), 2).keep()


def test_old_cards_answer_no_new_ask_until_laid_again() -> None:
    sat = again(at_reveal().see(*CARDS).see(*CARDS, asked="moment 3").keep())
    assert sat.orders == []
    # moved and read again, they are still old
    moved = card("10", 9, "discard")
    assert sat.move(CARDS[0], moved).deeds == ()
    assert sat.see(moved, *CARDS[1:]).deeds == ()
    # people are asked about them among new cards
    sat.lay(card("15", 4), now=2.5)
    assert sat.wait(9.0).notices == [Notice("old cards", {"cards": "5 4 3"})]
    assert sat.see(now=9.0).see(*NEW, now=9.0).orders == [ReadTable(f"moment {sat.match.number}")]


def test_after_restart_cards_of_last_answer_are_old() -> None:
    sat = SeatedTable(again(SeatedTable(call_moments()[1])).match)
    assert sat.see(*CARDS).deeds == ()
    # so are the rest of them if the power fails while they are removed
    assert [each.is_counted for each in sat.see(*CARDS[1:]).table.cards or ()] == [True] * 3
    assert sat.see(*NEW).orders


def test_cards_laid_before_the_ask_are_read_when_asked_for() -> None:
    assert SeatedTable(bidden(20)).see(*CARDS).say("turn", Option("coyote"), 1).keep().orders == [SECOND_LOOK]


# deadlines


def window(match: Match, number: int, seconds: float) -> Match:
    option = Option("coyote")
    ask = Choice("turn", (1, 2), (option,), window=number, deadline=Deadline(seconds, option))
    return replace(match, position=replace(match.position, asks=(ask,), rulings=()))


def at_window(seconds: float = 8.0) -> SeatedTable:
    return SeatedTable(window(bidden(20), 5, seconds), now=10.0)


def test_clock_answers_only_after_the_deadline() -> None:
    sat = at_window()
    assert state.next_due(sat.table) == 18.0 + state.DEADLINE_GRACE
    assert sat.wait(18.0).deeds == ()
    assert sat.wait(18.0 + state.DEADLINE_GRACE).written == Answer(2, "turn", Option("coyote"), 1, "clock")


def test_window_keeps_deadline_and_clocks_stop_during_pause() -> None:
    sat = at_window()
    assert state.deadline_ends(sat.table) == {"turn": 18.0}
    assert (state.deadline_ends(sat.change(pause_table, 12.0).table), state.next_due(sat.table)) == ({}, None)
    assert sat.wait(100.0).deeds == ()
    assert state.deadline_ends(sat.change(resume_table, 112.0).table) == {"turn": 118.0}
    assert state.next_due(sat.table) == 118.0 + state.DEADLINE_GRACE
    assert sat.change(resume_table, 113.0).deeds == ()


# a disk that stores nothing


def refused_by_disk() -> SeatedTable:
    """Read the cards twice, as the eyes do, and let the disk refuse them."""
    return at_reveal().see(*CARDS, now=10.0).see(*CARDS, asked="moment 3", now=10.0).fail(now=10.0)


def test_eyes_retry_broken_disk_at_growing_intervals() -> None:
    sat, now, pauses = refused_by_disk(), 10.0, []
    for _time in range(8):
        again = present(state.next_due(sat.table))
        # whatever the eyes report until then, nothing is written
        for at in (now, again - 0.1):
            assert sat.see(*CARDS, now=at).deeds == ()
            assert sat.wait(at).deeds == ()
        pauses.append(again - now)
        now = again
        paused = SeatedTable(sat.match)
        paused.table = sat.table
        assert paused.change(pause_table, now - 1.0).wait(now).deeds == ()
        assert sat.wait(now).orders == [SECOND_LOOK]
        sat.see(*CARDS, now=now).see(*CARDS, asked="moment 3", now=now).fail(now=now)
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    # people may try at any time
    assert sat.say("reveal", FACES, None, now).written
    assert not sat.keep(now).table.balked.times


def test_clock_retries_broken_disk_at_growing_intervals() -> None:
    sat, waits = at_window(1.0), []
    for _time in range(4):
        at = present(state.next_due(sat.table))
        assert sat.wait(at - 0.01).deeds == ()
        assert sat.wait(at).written
        waits.append(round((state.next_due(sat.fail(now=at).table) or 0) - at, 2))
    assert waits == [2.0, 4.0, 8.0, 16.0]


# who laid what


@pytest.mark.parametrize(("third", "owners"), [("seat 4", (1, None, 3, 0)), ("seat 6", ()), ("seat 1", ())])
def test_cards_laid_at_once_belong_to_the_nearest_seats(third: str, owners: tuple[int, ...]) -> None:
    """One is in the very centre and may be anybody's. If two are unclear or a seat has two, none is known."""
    sat = SeatedTable(play("10 22 coyote", 4).match).see()
    there = (
        replace(card("3", 0), toward="seat 2"),
        card("5", 1),
        # the match has no seat 6
        replace(card("10", 2), toward=third),
        replace(card("20", 3), toward="seat 1"),
    )
    sat.hear(see_table(*there, reading=2))
    look_again = sat.orders[0]
    assert isinstance(look_again, ReadTable)
    sat.see(*there, asked=look_again.asked, reading=3)
    assert isinstance(sat.written, Answer)
    assert (sat.written.value, sat.written.owners) == (("3", "5", "10", "20"), owners)
