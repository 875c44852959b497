"""The companion's core: entries in their order, cards that answer, deadlines, with time as a number."""

from typing import TypeVar

import pytest
from msgspec.structs import replace

from firmware.core.hosting import pause_table, resume_table
from firmware.core.notices import Notice
from firmware.core.table import (
    EARLIER,
    GRACE,
    PATIENCE,
    SLOW,
    WAITING,
    EntryRequest,
    OrderEyes,
    Reply,
    SayNotice,
    TableEffect,
    TableState,
    TableStep,
    Tell,
    Timer,
    Write,
    at_start,
    deadline_ends,
    handle_kept,
    handle_not_kept,
    handle_sighting,
    hear_request,
    likely_answers,
    match_at,
    next_due,
    pass_time,
    switch_match,
)
from referee.contract import Answer, Choice, Deadline, Option, Reason, Refusal, Value
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.core.placed import card, see_laid, see_moved, see_table, see_taken, unsure_card
from vision.process.messages import KeepEvidence, ReadTable

Kind = TypeVar("Kind", bound=TableEffect)
CARDS = tuple(card(face, place) for place, face in enumerate(("10", "5", "4", "3")))


def sit_down(match: Match, number: int | None = 1) -> TableState:
    return at_start(match, number, 0.0)[0]


def only(step: TableStep, kind: type[Kind]) -> Kind:
    """Give the one deed of a kind."""
    (deed,) = [deed for deed in step[1] if isinstance(deed, kind)]
    return deed


def entry_request(
    table: TableState, ask: str, value: Value, seat: int | None, ticket: int | None = None
) -> EntryRequest:
    return EntryRequest(Answer(table.match.number, ask, value, seat, "button"), ticket)


def table_at_reveal() -> TableState:
    return sit_down(call_moments()[0])


# right moment, legal, written, heard, told


def test_nothing_is_told_before_it_is_on_the_disk() -> None:
    step = hear_request(sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0), 1.0)
    table = step[0]
    write = only(step, Write)
    assert len(step[1]) == 1
    assert (write.id, write.after.number, table.match.number) == (1, 2, 1)
    step = handle_kept(table, 1, 1.1)
    assert only(step, Tell).match is write.after is step[0].match
    assert only(step, Reply).result is write.after
    assert step[0].since == 1.1


def test_what_is_stale_or_not_legal_is_refused_and_not_written() -> None:
    table = sit_down(bidden(5))
    for answer, reason in (
        (Answer(0, "announce", 9, 1, "button"), Reason.STALE),
        (Answer(table.match.number, "announce", 4, 1, "button"), Reason.TOO_LOW),
        (Answer(table.match.number, "announce", 9, 2, "button"), Reason.NOT_YOU),
    ):
        step = hear_request(table, EntryRequest(answer, 3), 1.0)
        refused = only(step, Reply).result
        assert isinstance(refused, Refusal)
        assert refused.reason == reason
        assert step[0] == table


def test_an_answer_that_was_meant_for_another_match_is_refused() -> None:
    table = sit_down(open_round())
    meant = replace(entry_request(table, "announce", 7, 0), begun="another time")
    refused = only(hear_request(table, meant, 1.0), Reply).result
    assert isinstance(refused, Refusal)
    assert refused.reason == Reason.STALE
    only(hear_request(table, replace(meant, begun=table.match.setup.begun), 1.0), Write)


def test_what_comes_while_something_is_written_waits_and_may_be_stale_then() -> None:
    table, _deeds = hear_request(
        sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0), 1.0
    )
    late = EntryRequest(Answer(1, "announce", 9, 0, "phone"), 4)
    good = EntryRequest(Answer(2, "announce", 9, 1, "phone"), 5)
    for entered in (late, good):
        step = hear_request(table, entered, 1.01)
        assert step[1] == ()
        table = step[0]
    step = handle_kept(table, 1, 1.2)
    replies = [deed for deed in step[1] if isinstance(deed, Reply)]
    assert [reply.entered.ticket for reply in replies] == [None, 4]
    assert isinstance(replies[1].result, Refusal)
    assert only(step, Write).after.number == 3
    assert only(handle_kept(step[0], 1, 1.3), Reply).entered is good


def test_a_flood_is_told_that_it_does_not_count() -> None:
    table, _deeds = hear_request(
        sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0), 1.0
    )
    for _each in range(WAITING):
        table, _deeds = hear_request(table, entry_request(table, "announce", 9, 0, 1), 1.0)
    step = hear_request(table, entry_request(table, "announce", 9, 0, 1), 1.0)
    assert only(step, Reply).result == Notice("slow disk")
    assert step[0] == table


def test_an_answer_that_cannot_be_kept_is_taken_for_not_said() -> None:
    table, _deeds = hear_request(
        sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0, 9), 1.0
    )
    step = handle_not_kept(table, "disk full", 1.2)
    assert only(step, Reply).result == only(step, SayNotice).notice == Notice("not kept", {"why": "disk full"})
    assert step[0].match.number == 1
    assert only(hear_request(step[0], entry_request(step[0], "announce", 7, 0), 2.0), Write).after.number == 2


def test_a_match_gets_its_number_with_its_first_answer() -> None:
    table = sit_down(new_match(), None)
    step = hear_request(table, entry_request(table, "opener", Option("opens", seat=0), None), 1.0)
    assert only(step, Write).id is None
    assert handle_kept(step[0], 8, 1.1)[0].id == 8


def test_a_slow_disk_is_told_once() -> None:
    table, _deeds = hear_request(
        sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0), 1.0
    )
    assert next_due(table) == 1.0 + SLOW
    step = pass_time(table, 1.0 + SLOW)
    assert only(step, SayNotice).notice == Notice("slow disk")
    assert pass_time(step[0], 99.0)[1] == ()


def test_the_time_on_the_wall_is_written_with_every_entry() -> None:
    table = replace(sit_down(open_round()), wall="2026-12-24T18:00:00+01:00")
    entry = only(hear_request(table, entry_request(table, "announce", 7, 0), 1.0), Write).after.entry
    assert isinstance(entry, Answer)
    assert entry.at == table.wall


def test_presses_that_are_heard_late_belong_to_the_moment_that_stood() -> None:
    table = sit_down(open_round())
    known = {0.0: table.match}
    for number in range(EARLIER + 3):
        turn = number % 4
        table, _deeds = hear_request(
            table, entry_request(table, "announce", number + 1, turn), float(number + 1)
        )
        table, _deeds = handle_kept(table, 1, float(number + 1))
        known[float(number + 1)] = table.match
    for since in sorted(known)[-EARLIER:]:
        assert match_at(table, since + 0.5) is known[since]
    assert match_at(table, 0.1) is table.earlier[-1][1]


def test_another_match_begins_with_nothing_of_the_old_one() -> None:
    table, _deeds = hear_request(
        sit_down(open_round()), entry_request(sit_down(open_round()), "announce", 7, 0), 1.0
    )
    table, _deeds = handle_kept(table, 1, 1.1)
    step = switch_match(table, new_match(), 2.0)
    assert only(step, Tell).match is step[0].match
    assert (step[0].id, step[0].earlier, step[0].match.number) == (None, (), 0)


# cards


def test_cards_answer_once_they_were_looked_at_again() -> None:
    table, deeds = handle_sighting(table_at_reveal(), see_table(), 0.1)
    for each in CARDS:
        assert deeds == ()
        table, deeds = handle_sighting(table, see_laid(each), 0.2)
    look = only((table, deeds), OrderEyes).order
    assert isinstance(look, ReadTable)
    assert handle_sighting(table, see_table(*CARDS), 0.3)[1] != ()  # read anew for another reason: look again
    step = handle_sighting(table, see_table(*CARDS, asked=look.asked, reading=9), 0.3)
    entry = only(step, Write).after.entry
    assert isinstance(entry, Answer)
    assert (entry.value, entry.sense, entry.seat) == (("10", "5", "4", "3"), "camera", None)
    step = handle_kept(step[0], 6, 0.4)
    assert only(step, OrderEyes).order == KeepEvidence(9, "6", 4, "reveal")


@pytest.mark.parametrize(
    ("guesses", "told", "faces"),
    [
        ((("3", 0.8), ("2", 0.55), ("1", 0.5)), Notice("is it", {"card": "3"}), ("3",)),
        ((("3", 0.8), ("2", 0.56)), Notice("is it one of two", {"card": "3", "other": "2"}), ("3", "2")),
        ((("3", 0.5),), Notice("is it", {"card": "3"}), ("3",)),
        ((("3", 0.49),), Notice("unsure"), ()),
        ((("3", 0.8), ("2", 0.7), ("1", 0.6)), Notice("unsure"), ()),
        # what no such deck has is no guess
        ((("queen", 0.8), ("2", 0.7)), Notice("is it", {"card": "2"}), ("2",)),
        ((("queen", 0.8),), Notice("unsure"), ()),
        ((), Notice("unsure"), ()),
    ],
)
def test_people_are_asked_about_one_card_that_is_one_of_two_at_most(
    guesses: tuple[tuple[str, float], ...], told: Notice, faces: tuple[str, ...]
) -> None:
    seen = see_table(*CARDS[:3], unsure_card(3, *guesses))
    table, _deeds = handle_sighting(table_at_reveal(), seen, 1.0)
    assert likely_answers(table) == ()
    step = pass_time(table, 1.0 + PATIENCE)
    answers = likely_answers(step[0])
    assert only(step, SayNotice).notice == replace(told, answers=answers)
    known = tuple(each.card.face for each in CARDS[:3])
    assert [answer.value for answer in answers] == [(*known, face) for face in faces]
    # no guess is an answer by itself
    assert step[0].match == table.match


@pytest.mark.parametrize("count", [1, 3, 4])
def test_a_card_over_more_than_was_read_does_not_count_and_people_are_told(count: int) -> None:
    over = card(CARDS[0].card.face, over_more=True)
    table, deeds = handle_sighting(table_at_reveal(), see_table(over, *CARDS[1:count]), 1.0)
    assert deeds == ()
    step = pass_time(table, 1.0 + PATIENCE)
    assert only(step, SayNotice).notice == Notice("more below", {"cards": over.card.face or ""})
    table, deeds = handle_sighting(step[0], see_table(*CARDS), 5.0)
    assert isinstance(only((table, deeds), OrderEyes).order, ReadTable)
    assert table.way is None


def test_of_two_cards_that_are_not_certain_none_is_asked_about() -> None:
    two, one_too_many = (unsure_card(2, ("4", 0.8)), unsure_card(3, ("3", 0.8))), unsure_card(4, ("4", 0.8))
    for seen in ((*CARDS[:2], *two), (*CARDS, one_too_many)):
        table, _deeds = handle_sighting(table_at_reveal(), see_table(*seen), 1.0)
        step = pass_time(table, 1.0 + PATIENCE)
        assert only(step, SayNotice).notice == Notice("unsure")


def test_a_card_is_not_asked_about_any_more_once_it_is_read() -> None:
    table, _deeds = handle_sighting(table_at_reveal(), see_table(*CARDS[:3], unsure_card(3, ("3", 0.8))), 1.0)
    table, _deeds = pass_time(table, 1.0 + PATIENCE)
    assert likely_answers(table)
    table, _deeds = handle_sighting(table, see_table(*CARDS), 20.0)
    assert likely_answers(table) == ()


def test_cards_that_look_different_the_second_time_do_not_answer() -> None:
    table, _deeds = handle_sighting(table_at_reveal(), see_table(*CARDS), 0.1)
    step = handle_sighting(table, see_table(*CARDS[:3], asked="moment 3"), 0.3)
    assert step[1] == ()
    assert not step[0].confirming


def test_other_cards_the_second_time_are_looked_at_once_more() -> None:
    others = (card("20", 0), *CARDS[1:])
    table, _deeds = handle_sighting(table_at_reveal(), see_table(*CARDS), 0.1)
    table, deeds = handle_sighting(table, see_table(*others, asked="moment 3"), 0.3)
    assert only((table, deeds), OrderEyes).order == ReadTable("moment 3")
    assert len(deeds) == 1
    entry = only(
        handle_sighting(table, see_table(*others[::-1], asked="moment 3", reading=9), 0.5), Write
    ).after.entry
    assert isinstance(entry, Answer)
    assert entry.value == ("3", "4", "5", "20")


def test_what_is_in_the_way_is_said_after_a_while_once() -> None:
    for wrong, notice in (
        (card(None, 4, sure=False), Notice("unsure")),
        (card("20", 4, sure=False), Notice("unsure")),
        (card(None, 4, facing="down"), Notice("face down")),
        (card("20", 4, possible=False), Notice("impossible", {"card": "20"})),
        (card("20", 4), Notice("too many", {"shown": 5, "wanted": 4})),
    ):
        table, deeds = handle_sighting(table_at_reveal(), see_table(*CARDS, wrong), 1.0)
        assert deeds == ()
        assert next_due(table) == 1.0 + PATIENCE
        step = pass_time(table, 1.0 + PATIENCE)
        assert only(step, SayNotice).notice == notice
        assert pass_time(step[0], 99.0)[1] == ()
        # it is moved away: the others may answer
        assert only(handle_sighting(step[0], see_taken(wrong), 5.0), OrderEyes).order == ReadTable("moment 3")


def test_a_card_that_was_seen_before_is_refused_by_name() -> None:
    table = sit_down(call_moments(cards=("20", "5", "4", "3"))[1])
    for ask, value, seat in (("announce", 5, 1), ("turn", Option("coyote"), 2)):
        table, _deeds = hear_request(table, entry_request(table, ask, value, seat), 1.0)
        table, _deeds = handle_kept(table, 1, 1.0)
    table, _deeds = handle_sighting(table, see_table(), 2.0)
    table, _deeds = handle_sighting(
        table, see_table(*(card(face, place) for place, face in enumerate(("20", "1", "2", "5")))), 2.0
    )
    notice = only(pass_time(table, 9.0), SayNotice).notice
    assert notice.key == "refused"
    assert notice.refusal is not None
    assert notice.refusal.reason == Reason.ALREADY_SEEN


def test_cards_of_another_zone_are_no_answer() -> None:
    elsewhere = tuple(card(face, place, "discard") for place, face in enumerate(("10", "5", "4", "3")))
    assert handle_sighting(table_at_reveal(), see_table(*elsewhere), 1.0)[1] == ()


def test_old_cards_answer_no_new_ask_until_they_are_laid_anew() -> None:
    table, _deeds = handle_sighting(table_at_reveal(), see_table(*CARDS), 0.1)
    table, _deeds = handle_sighting(table, see_table(*CARDS, asked="moment 3"), 0.2)
    table, _deeds = handle_kept(table, 1, 0.3)
    for ask, value, seat in (("announce", 5, 1), ("turn", Option("coyote"), 2)):
        table, _deeds = hear_request(table, entry_request(table, ask, value, seat), 1.0)
        table, deeds = handle_kept(table, 1, 1.0)
        assert not [deed for deed in deeds if isinstance(deed, OrderEyes)]
    # moved a little, and read anew, they are still the old ones
    nudged = card("10", 0, shift=6.0)
    table, deeds = handle_sighting(table, see_moved(CARDS[0], nudged), 2.0)
    table, more = handle_sighting(table, see_table(nudged, *CARDS[1:]), 2.1)
    assert deeds == more == ()
    # among new cards they are asked about
    table, _deeds = handle_sighting(table, see_laid(card("15", 4)), 2.5)
    assert only(pass_time(table, 9.0), SayNotice).notice == Notice("old cards", {"cards": "10 5 4 3"})
    table, _deeds = handle_sighting(table, see_table(), 3.0)
    new = [card(face, place) for place, face in enumerate(("1", "2", "3", "15"))]
    table, deeds = handle_sighting(table, see_table(*new), 4.0)
    assert only((table, deeds), OrderEyes).order == ReadTable(f"moment {table.match.number}")


def test_after_a_start_the_cards_of_the_last_answer_are_known_as_told() -> None:
    verdict = call_moments()[1]
    table = sit_down(verdict)
    for ask, value, seat in (("announce", 5, 1), ("turn", Option("coyote"), 2)):
        table, _deeds = hear_request(table, entry_request(table, ask, value, seat), 1.0)
        table, _deeds = handle_kept(table, 1, 1.0)
    again = sit_down(table.match)
    assert handle_sighting(again, see_table(*CARDS), 2.0)[1] == ()
    # so is what is left of them when the power fails while they are taken away
    rest = handle_sighting(again, see_table(*CARDS[1:]), 2.0)[0].cards or ()
    assert [each.is_told for each in rest] == [True] * 3
    fresh = [card(face, place) for place, face in enumerate(("1", "2", "3", "15"))]
    assert handle_sighting(again, see_table(*fresh), 2.0)[1] != ()


def test_cards_that_lay_there_before_they_were_asked_for_are_read_when_they_are() -> None:
    table, _deeds = handle_sighting(sit_down(bidden(20)), see_table(*CARDS), 0.1)
    table, _deeds = hear_request(table, entry_request(table, "turn", Option("coyote"), 1), 1.0)
    assert only(handle_kept(table, 1, 1.1), OrderEyes).order == ReadTable("moment 3")


# deadlines


def window(match: Match, number: int, seconds: float) -> Match:
    """Open a window to three seats that the clock closes."""
    option = Option("coyote")
    ask = Choice("turn", (1, 2), (option,), window=number, deadline=Deadline(seconds, option))
    return replace(match, position=replace(match.position, asks=(ask,), rulings=()))


def test_the_clock_answers_when_a_deadline_has_passed_and_not_before() -> None:
    table = at_start(window(bidden(20), 5, 8.0), 1, 10.0)[0]
    assert next_due(table) == 18.0 + GRACE
    assert pass_time(table, 18.0)[1] == ()
    entry = only(pass_time(table, 18.0 + GRACE), Write).after.entry
    assert isinstance(entry, Answer)
    assert (entry.sense, entry.seat, entry.value) == ("clock", 1, Option("coyote"))


def test_an_answer_in_time_is_heard_before_the_clock() -> None:
    table = at_start(window(bidden(20), 5, 8.0), 1, 10.0)[0]
    table, _deeds = hear_request(table, entry_request(table, "turn", Option("coyote"), 1), 17.99)
    assert pass_time(table, 18.5)[1] == ()


def test_a_window_keeps_its_deadline_through_its_moments_and_another_gets_its_own() -> None:
    table = at_start(window(bidden(20), 5, 8.0), 1, 10.0)[0]
    same = replace(table, match=window(bidden(20, 30), 5, 8.0))
    assert kept_timers(same, 14.0) == (Timer("turn", ("window turn", 5), 10.0),)
    other = replace(table, match=window(bidden(20, 30), 6, 8.0))
    assert kept_timers(other, 14.0) == (Timer("turn", ("window turn", 6), 14.0),)


def test_people_are_told_when_the_clock_answers_but_not_while_it_stands() -> None:
    table = at_start(window(bidden(20), 5, 8.0), 1, 10.0)[0]
    assert deadline_ends(table) == {"turn": 18.0}
    table, _deeds = pause_table(table, 0, 12.0)
    assert deadline_ends(table) == {}
    table, _deeds = resume_table(table, 0, 112.0)
    assert deadline_ends(table) == {"turn": 118.0}


def kept_timers(table: TableState, now: float) -> tuple[Timer, ...]:
    """Move on to the moment that the table holds already."""
    from firmware.core.table import _timers  # noqa: PLC0415 - only here

    return _timers(table.match, table.timers, now)


def test_a_broken_disk_does_not_let_the_clock_spin() -> None:
    table = at_start(window(bidden(20), 5, 8.0), 1, 10.0)[0]
    table, _deeds = pass_time(table, 19.0)
    table, _deeds = handle_not_kept(table, "no room", 19.1)
    assert next_due(table) == 19.1 + 8.0 + GRACE


def refuse_by_disk(table: TableState, now: float) -> TableState:
    """Read the cards twice, as the eyes do, and let the disk not keep them."""
    table, _deeds = handle_sighting(table, see_table(*CARDS), now)
    table, deeds = handle_sighting(table, see_table(*CARDS, asked="moment 3"), now)
    assert only((table, deeds), Write)
    return handle_not_kept(table, "no room", now)[0]


def test_a_broken_disk_is_left_alone_by_the_eyes_longer_each_time() -> None:
    table, now, pauses = table_at_reveal(), 10.0, []
    for _time in range(8):
        table = refuse_by_disk(table, now)
        again = next_due(table)
        assert again is not None
        # whatever the eyes tell until then, nothing is written
        for at in (now, again - 0.1):
            assert handle_sighting(table, see_table(*CARDS), at)[1] == ()
            assert pass_time(table, at)[1] == ()
        pauses.append(again - now)
        table, deeds = pass_time(table, again)
        assert only((table, deeds), OrderEyes).order == ReadTable("moment 3")
        now = again
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    table, _deeds = handle_sighting(table, see_table(*CARDS, asked="moment 3"), now)
    table, _deeds = handle_kept(table, 1, now)
    assert table.balked is None


def test_a_disk_that_was_left_alone_for_long_enough_is_tried_again_once_unless_the_table_is_paused() -> None:
    table = refuse_by_disk(table_at_reveal(), 10.0)
    again = next_due(table)
    assert again is not None
    paused = pause_table(table, 0, 10.0)[0]
    assert pass_time(paused, again) == (paused, ())
    tried, deeds = pass_time(table, again)
    assert deeds
    assert pass_time(tried, again + 1) == (tried, ())


def test_people_may_try_a_broken_disk_whenever_they_like() -> None:
    table = refuse_by_disk(table_at_reveal(), 10.0)
    answer = entry_request(table, "reveal", ("10", "5", "4", "3"), None)
    assert only(hear_request(table, answer, 10.1), Write)


def test_the_clock_leaves_a_broken_disk_alone_longer_each_time() -> None:
    table, waits = at_start(window(bidden(20), 5, 1.0), 1, 0.0)[0], []
    for _time in range(4):
        at = next_due(table)
        assert at is not None
        assert pass_time(table, at - 0.01)[1] == ()
        table, deeds = pass_time(table, at)
        assert only((table, deeds), Write)
        table, _deeds = handle_not_kept(table, "no room", at)
        waits.append(round((next_due(table) or 0) - at, 2))
    assert waits == [2.0, 4.0, 8.0, 16.0]


def test_a_clock_whose_answer_is_refused_runs_out_once() -> None:
    match = window(bidden(20), 5, 8.0)
    (ask,) = match.asks
    never = replace(ask, deadline=Deadline(8.0, Option("never")))
    table = at_start(replace(match, position=replace(match.position, asks=(never,))), 1, 10.0)[0]
    table, _deeds = pass_time(table, 18.0 + GRACE)
    assert table.writing is None
    assert table.timers == ()
