"""What the host does to the table: a pause, and which of table and record is right."""

from typing import TypeVar

from firmware.core.hosting import (
    announce_contest,
    compare_audit,
    explain_aloud,
    finish_audit,
    pause_table,
    resume_table,
    start_audit,
    trust_record,
    trust_table,
)
from firmware.core.notices import Notice, button_notice, sentence_for
from firmware.core.table import (
    EntryRequest,
    OrderEyes,
    Reply,
    SayNotice,
    TableEffect,
    TableState,
    TableStep,
    Write,
    at_start,
    handle_sighting,
    hear_request,
    next_due,
    pass_time,
)
from firmware.language.catalogues import language
from hardware.board.board import Key
from hardware.board.troubles import Trouble
from referee.contract import Answer, Span
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.games.ogallala import OGALLALA
from referee.match import Correct, Match, Setup, begin, correct
from referee.telling import Listener
from tests.firmware.board.senses.matches import bidden, call_moments
from tests.firmware.core.placed import card, see_laid, see_table
from tests.referee.games.coup.script import table as coup_table
from tests.referee.games.ogallala.script import begin_midway
from vision.process.messages import ReadTable, Rest, Wake
from vision.table.zones import PlacedCard
from vision.troubles import Problem

Kind = TypeVar("Kind", bound=TableEffect)
FACES = ("10", "5", "4", "3")
CARDS = tuple(card(face, place) for place, face in enumerate(FACES))
OTHERS = (*CARDS[:3], card("15", 3))


def sit_down(match: Match) -> TableState:
    return at_start(match, 1, 0.0)[0]


def only(step: TableStep, kind: type[Kind]) -> Kind:
    """Give the one deed of a kind."""
    (deed,) = [deed for deed in step[1] if isinstance(deed, kind)]
    return deed


def orders(step: TableStep) -> list[object]:
    return [deed.order for deed in step[1] if isinstance(deed, OrderEyes)]


def sit_down_with_cards(match: Match, *cards: object) -> TableState:
    """Sit down where cards lie already."""
    return handle_sighting(sit_down(match), see_table(*cards), 1.0)[0]  # type: ignore[arg-type]


# pause


def test_nothing_counts_while_the_table_pauses_but_what_the_host_puts_right() -> None:
    step = pause_table(sit_down(bidden(5)), 0, 1.0)
    assert only(step, SayNotice).notice == Notice("paused")
    assert orders(step) == [Rest()]
    table = step[0]
    step = hear_request(table, EntryRequest(Answer(table.match.number, "turn", 7, 1, "button")), 2.0)
    assert only(step, Reply).result == Notice("paused")
    right = EntryRequest(Correct(table.match.number, table.match.number - 1, 6))
    assert only(hear_request(table, right, 2.0), Write).after.entry == right.entry
    assert pause_table(table, 0, 3.0) == (table, ())


def test_a_pause_lets_no_clock_run() -> None:
    match = coup_table("7:2", "2:2", "2:2", window="timer").does("tax").match
    table = sit_down(match)
    ends = next_due(table)
    assert ends is not None
    rested = pause_table(table, 0, 5.0)[0]
    assert next_due(rested) is None
    assert pass_time(rested, 1000.0)[1] == ()
    step = resume_table(rested, 0, 1005.0)
    assert orders(step) == [Wake()]
    assert next_due(step[0]) == ends + 1000.0
    assert resume_table(step[0], 0, 1006.0) == (step[0], ())


def test_cards_that_are_laid_in_a_pause_count_after_it() -> None:
    table = pause_table(sit_down(call_moments()[0]), 0, 1.0)[0]
    table, deeds = handle_sighting(table, see_table(*CARDS), 2.0)
    assert deeds == ()
    assert ReadTable(f"moment {table.match.number}") in orders(resume_table(table, 0, 3.0))


# which is right


def test_cards_that_were_taken_for_old_ones_count_if_the_table_is_right() -> None:
    table = trust_record(sit_down_with_cards(call_moments()[0], *CARDS), 0, 1.0)[0]
    assert next_due(table) is None
    step = trust_table(table, 0, 2.0)
    assert orders(step) == [ReadTable(f"moment {table.match.number}")]


def test_the_record_of_the_last_cards_is_put_right_by_the_table() -> None:
    verdict = call_moments()[1]
    step = trust_table(sit_down_with_cards(verdict, *OTHERS), 9, 2.0)
    entry = only(step, Write).after.entry
    assert isinstance(entry, Correct)
    assert (entry.heard_at, set(entry.value)) == (verdict.number - 1, {"10", "5", "4", "15"})  # type: ignore[arg-type]
    assert isinstance(correct(verdict, entry), Match)


def test_the_table_must_be_read_for_sure_before_it_puts_the_record_right() -> None:
    verdict = call_moments()[1]
    table = sit_down_with_cards(verdict, *CARDS[:3], card("15", 3, sure=False))
    assert only(trust_table(table, 0, 2.0), SayNotice).notice == Notice(
        "not all read", {"shown": 3, "wanted": 4}
    )
    table = sit_down_with_cards(verdict, *CARDS)
    assert only(trust_table(table, 0, 2.0), SayNotice).notice == Notice("table agrees")
    assert only(trust_table(sit_down(bidden(5)), 0, 2.0), SayNotice).notice == Notice("nothing shown")


def test_what_lies_there_does_not_count_if_the_record_is_right() -> None:
    verdict = call_moments()[1]
    step = trust_record(sit_down_with_cards(verdict, *OTHERS), 0, 2.0)
    assert only(step, SayNotice).notice == Notice("put so", {"cards": " ".join(FACES)})
    assert all(each.is_told for each in step[0].cards or ())
    _table, deeds = handle_sighting(step[0], see_laid(card("20", 4)), 3.0)
    assert deeds == ()
    assert only(trust_record(sit_down(bidden(5)), 0, 2.0), SayNotice).notice == Notice("cards put aside")


def test_who_contests_cards_is_told_to_all_and_nothing_else_happens() -> None:
    table = sit_down_with_cards(call_moments()[1], *CARDS)
    after, deeds = announce_contest("Bo", 3)(table, 0, 2.0)
    assert after is table
    assert deeds == (SayNotice(Notice("contested", {"name": "Bo", "answer": 3})),)


# words


def test_everybody_hears_of_it_in_their_own_language() -> None:
    french = Listener(COYOTE.words, ("Ana", "Bo"), language("fr"))
    freed = button_notice("freed", Key("call", 1))
    assert sentence_for(freed, french) == "Le bouton de la place 2 est de nouveau libre."
    assert sentence_for(Notice("table agrees"), french) == "La table et le registre concordent."
    assert "la caméra" in sentence_for(Problem("gone", {"camera": "pi"}), french)
    assert sentence_for(Trouble("no pin", {"gpio": 4, "why": "x"}), french).startswith("GPIO4 est inutilisable")


# comparing with the record


def canoes() -> Match:
    """Let Ana have a bow and a keg, and draw the next card."""
    return begin_midway("B keg", "fur").match


def audit(table: TableState, *cards: PlacedCard) -> TableStep:
    """Push cards into the middle, and compare them with Ana's row."""
    (grid,) = [grid for grid in OGALLALA.grids(OGALLALA.view(table.match.state, None)) if grid.seat == 0]
    table = start_audit(Span(0, grid.first, len(grid.rows[0])))(table, 0, 1.0)[0]
    return compare_audit(handle_sighting(table, see_table(*cards), 2.0)[0], 0, 3.0)


def ruling_keys(step: TableStep) -> list[str]:
    return [ruling.key for ruling in only(step, SayNotice).notice.rulings]


def test_cards_in_the_middle_are_compared_with_the_record() -> None:
    table = sit_down_with_cards(canoes())
    assert ruling_keys(audit(table, card("keg", 0), card("empty-bow", 1))) == ["agrees"]
    step = audit(table, card("keg", 0), card("fur", 1))
    assert ruling_keys(step) == ["missing", "extra"]
    listener = Listener(OGALLALA.words, step[0].match.setup.names, language("en"))
    assert sentence_for(only(step, SayNotice).notice, listener).startswith(
        "The record has more here for Ana: empty bow."
    )


def test_nothing_in_the_middle_is_an_answer_while_it_is_compared() -> None:
    table = sit_down_with_cards(canoes())
    step = audit(table, card("tent", 0))
    assert orders(step) == []
    assert step[0].match is table.match
    ended = finish_audit(step[0], 0, 4.0)
    assert only(ended, SayNotice).notice == Notice("audit over")
    assert orders(ended) == []
    # the next card that comes is asked for again
    assert orders(handle_sighting(ended[0], see_table(card("tent", 0), card("keg", 3), reading=5), 5.0)) == [
        ReadTable("moment 1")
    ]


def test_what_cannot_be_read_is_not_compared() -> None:
    step = audit(sit_down_with_cards(canoes()), card("keg", 0), card("fur", 1, sure=False))
    assert only(step, SayNotice).notice == Notice("not all read", {"shown": 1, "wanted": 2})
    assert only(compare_audit(sit_down_with_cards(canoes()), 0, 1.0), SayNotice).notice == Notice("no audit")


def test_the_table_says_aloud_by_which_rules_it_ruled() -> None:
    match = bidden(3, 5)
    notice = only(explain_aloud(sit_down(match), 0, 0.0), SayNotice).notice
    assert isinstance(notice, Notice)
    told = sentence_for(notice, Listener(COYOTE.words, match.setup.names, language("en")))
    assert told.startswith("The first number is any above 0")


def test_before_the_first_ruling_the_table_says_so() -> None:
    match = begin(Setup(COYOTE, House(), ("Ana", "Bo")))
    assert isinstance(match, Match)
    assert only(explain_aloud(sit_down(match), 0, 0.0), SayNotice).notice == Notice("nothing ruled")


def test_cells_to_be_compared_are_told_as_people_count() -> None:
    step = start_audit(Span(1, (3, 0), 2))(sit_down_with_cards(canoes()), 0, 1.0)
    said = only(step, SayNotice).notice
    assert said == Notice("audit", {"seat": 1, "row": 1, "first": 4, "last": 5})
