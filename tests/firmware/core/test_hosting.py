"""What the host does to the table: a pause, and which of table and record is right."""

from typing import TypeVar

from firmware.core.hosting import (
    audit_begun,
    audit_compared,
    audit_ended,
    contested,
    paused,
    record_is_right,
    table_is_right,
    went_on,
)
from firmware.core.notices import Notice, about_button, told
from firmware.core.table import (
    Deed,
    Entered,
    Order,
    Reply,
    Say,
    Step,
    Table,
    Write,
    at_start,
    due,
    heard,
    passed,
    saw,
)
from firmware.language.catalogues import language
from hardware.board.board import Key
from hardware.board.troubles import Trouble
from referee.contract import Answer, Span
from referee.games.coyote import COYOTE
from referee.games.ogallala import OGALLALA
from referee.match import Correct, Match, correct
from referee.telling import Listener
from tests.firmware.board.senses.matches import bidden, called
from tests.firmware.core.placed import card, laid, seen
from tests.referee.games.coup.script import table as coup_table
from tests.referee.games.ogallala.script import lying
from vision.process.messages import Look, Rest, Wake
from vision.table.zones import Placed
from vision.troubles import Problem

Kind = TypeVar("Kind", bound=Deed)
FACES = ("10", "5", "4", "3")
CARDS = tuple(card(face, place) for place, face in enumerate(FACES))
OTHERS = (*CARDS[:3], card("15", 3))


def sat(match: Match) -> Table:
    return at_start(match, 1, 0.0)[0]


def only(step: Step, kind: type[Kind]) -> Kind:
    """Give the one deed of a kind."""
    (deed,) = [deed for deed in step[1] if isinstance(deed, kind)]
    return deed


def orders(step: Step) -> list[object]:
    return [deed.order for deed in step[1] if isinstance(deed, Order)]


def seeing(match: Match, *cards: object) -> Table:
    """Sit down where cards lie already."""
    return saw(sat(match), seen(*cards), 1.0)[0]  # type: ignore[arg-type]


# pause


def test_nothing_counts_while_the_table_pauses_but_what_the_host_puts_right() -> None:
    step = paused(sat(bidden(5)), 0, 1.0)
    assert only(step, Say).notice == Notice("paused")
    assert orders(step) == [Rest()]
    table = step[0]
    step = heard(table, Entered(Answer(table.match.number, "turn", 7, 1, "button")), 2.0)
    assert only(step, Reply).result == Notice("paused")
    right = Entered(Correct(table.match.number, table.match.number - 1, 6))
    assert only(heard(table, right, 2.0), Write).after.entry == right.entry
    assert paused(table, 0, 3.0) == (table, ())


def test_a_pause_lets_no_clock_run() -> None:
    match = coup_table("7:2", "2:2", "2:2", window="timer").does("tax").match
    table = sat(match)
    ends = due(table)
    assert ends is not None
    rested = paused(table, 0, 5.0)[0]
    assert due(rested) is None
    assert passed(rested, 1000.0)[1] == ()
    step = went_on(rested, 0, 1005.0)
    assert orders(step) == [Wake()]
    assert due(step[0]) == ends + 1000.0
    assert went_on(step[0], 0, 1006.0) == (step[0], ())


def test_cards_that_are_laid_in_a_pause_count_after_it() -> None:
    table = paused(sat(called()[0]), 0, 1.0)[0]
    table, deeds = saw(table, seen(*CARDS), 2.0)
    assert deeds == ()
    assert Look(f"moment {table.match.number}") in orders(went_on(table, 0, 3.0))


# which is right


def test_cards_that_were_taken_for_old_ones_count_if_the_table_is_right() -> None:
    table = record_is_right(seeing(called()[0], *CARDS), 0, 1.0)[0]
    assert due(table) is None
    step = table_is_right(table, 0, 2.0)
    assert orders(step) == [Look(f"moment {table.match.number}")]


def test_the_record_of_the_last_cards_is_put_right_by_the_table() -> None:
    verdict = called()[1]
    step = table_is_right(seeing(verdict, *OTHERS), 9, 2.0)
    entry = only(step, Write).after.entry
    assert isinstance(entry, Correct)
    assert (entry.heard_at, set(entry.value)) == (verdict.number - 1, {"10", "5", "4", "15"})  # type: ignore[arg-type]
    assert isinstance(correct(verdict, entry), Match)


def test_the_table_must_be_read_for_sure_before_it_puts_the_record_right() -> None:
    verdict = called()[1]
    table = seeing(verdict, *CARDS[:3], card("15", 3, sure=False))
    assert only(table_is_right(table, 0, 2.0), Say).notice == Notice("not all read", {"shown": 3, "wanted": 4})
    table = seeing(verdict, *CARDS)
    assert only(table_is_right(table, 0, 2.0), Say).notice == Notice("table agrees")
    assert only(table_is_right(sat(bidden(5)), 0, 2.0), Say).notice == Notice("nothing shown")


def test_what_lies_there_does_not_count_if_the_record_is_right() -> None:
    verdict = called()[1]
    step = record_is_right(seeing(verdict, *OTHERS), 0, 2.0)
    assert only(step, Say).notice == Notice("put so", {"cards": " ".join(FACES)})
    assert all(each.is_told for each in step[0].cards or ())
    _table, deeds = saw(step[0], laid(card("20", 4)), 3.0)
    assert deeds == ()
    assert only(record_is_right(sat(bidden(5)), 0, 2.0), Say).notice == Notice("cards put aside")


def test_who_contests_cards_is_told_to_all_and_nothing_else_happens() -> None:
    table = seeing(called()[1], *CARDS)
    after, deeds = contested("Bo", 3)(table, 0, 2.0)
    assert after is table
    assert deeds == (Say(Notice("contested", {"name": "Bo", "answer": 3})),)


# words


def test_everybody_hears_of_it_in_their_own_language() -> None:
    french = Listener(COYOTE.words, ("Ana", "Bo"), language("fr"))
    freed = about_button("freed", Key("call", 1))
    assert told(freed, french) == "Le bouton de la place 2 est de nouveau libre."
    assert told(Notice("table agrees"), french) == "La table et la feuille de marque concordent."
    assert "la caméra" in told(Problem("gone", {"camera": "pi"}), french)
    assert told(Trouble("no pin", {"gpio": 4, "why": "x"}), french).startswith("GPIO4 est inutilisable")


# comparing with the record


def canoes() -> Match:
    """Let Ana have a bow and a keg, and draw the next card."""
    return lying("B keg", "fur").match


def audit(table: Table, *cards: Placed) -> Step:
    """Push cards into the middle, and compare them with Ana's row."""
    (grid,) = [grid for grid in OGALLALA.grids(OGALLALA.view(table.match.state, None)) if grid.seat == 0]
    table = audit_begun(Span(0, grid.first, len(grid.rows[0])))(table, 0, 1.0)[0]
    return audit_compared(saw(table, seen(*cards), 2.0)[0], 0, 3.0)


def told_of(step: Step) -> list[str]:
    return [ruling.key for ruling in only(step, Say).notice.rulings]


def test_cards_in_the_middle_are_compared_with_the_record() -> None:
    table = seeing(canoes())
    assert told_of(audit(table, card("keg", 0), card("empty-bow", 1))) == ["agrees"]
    step = audit(table, card("keg", 0), card("fur", 1))
    assert told_of(step) == ["missing", "extra"]
    listener = Listener(OGALLALA.words, step[0].match.setup.names, language("en"))
    assert told(only(step, Say).notice, listener).startswith("The record has more here for Ana: empty bow.")


def test_nothing_in_the_middle_is_an_answer_while_it_is_compared() -> None:
    table = seeing(canoes())
    step = audit(table, card("tent", 0))
    assert orders(step) == []
    assert step[0].match is table.match
    ended = audit_ended(step[0], 0, 4.0)
    assert only(ended, Say).notice == Notice("audit over")
    assert orders(ended) == []
    # the next card that comes is asked for again
    assert orders(saw(ended[0], seen(card("tent", 0), card("keg", 3), reading=5), 5.0)) == [Look("moment 1")]


def test_what_cannot_be_read_is_not_compared() -> None:
    step = audit(seeing(canoes()), card("keg", 0), card("fur", 1, sure=False))
    assert only(step, Say).notice == Notice("not all read", {"shown": 1, "wanted": 2})
    assert only(audit_compared(seeing(canoes()), 0, 1.0), Say).notice == Notice("no audit")
