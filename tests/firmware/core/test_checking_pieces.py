"""Pieces that lie otherwise than by the record: told once, late enough, and put right either way."""

from msgspec.structs import replace

from firmware.core.checking_pieces import check_pieces, explaining_corrections, handle_counts
from firmware.core.hosting import pause_table, trust_record, trust_table
from firmware.core.notices import Notice, sentence_for
from firmware.core.piece_doubts import STAYS, NoteTrouble
from firmware.core.table import (
    OrderEyes,
    SayNotice,
    TableEffect,
    TableState,
    TableStep,
    Write,
    at_start,
    handle_kept,
    switch_match,
)
from firmware.language.catalogues import language
from referee.contract import Answer, Option
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Correct, Match, Setup, begin, hear
from referee.telling import Listener
from tests.referee.games.coup.script import sit_down
from vision.process.messages import PiecesCounted, ReadTable
from vision.table.piece_counts import ZoneCount

NAMES = ("Ana", "Bo", "Cy")


def after_theft() -> Match:
    """Let A steal from B, whom nobody helps: 4, 0 and 2 coins."""
    return sit_down(3).opens(0).does("steal", 1).passes().match


def counted(*coins: int, sure: bool = True, stock: int = 0) -> PiecesCounted:
    seats = (ZoneCount("coins", f"seat {seat + 1}", count, sure) for seat, count in enumerate(coins))
    return PiecesCounted((*seats, ZoneCount("coins", "centre", stock, is_sure=False)))


def sit(match: Match) -> TableState:
    return at_start(match, 1, 0.0)[0]


def deeds(step: TableStep, kind: type[TableEffect]) -> list[TableEffect]:
    return [deed for deed in step[1] if isinstance(deed, kind)]


def notices(step: TableStep) -> list[Notice | None]:
    return [deed.wrong for deed in step[1] if isinstance(deed, NoteTrouble)]


def told(match: Match, *coins: int, stock: int = 0) -> TableStep:
    """Let a difference stay, be looked at again, and be told."""
    table, _news = handle_counts(sit(match), counted(*coins, stock=stock), 1.0)
    table, _news = check_pieces(table, 1.0 + STAYS)
    return handle_counts(table, counted(*coins, stock=stock), 2.0 + STAYS)


def test_a_difference_that_stays_is_looked_at_once_more_and_told_once() -> None:
    match = after_theft()
    table, news = handle_counts(sit(match), counted(3, 0, 2), 1.0)
    assert news == ()
    assert check_pieces(table, STAYS)[1] == ()
    table, news = check_pieces(table, 1.0 + STAYS)
    assert news == (OrderEyes(ReadTable()),)
    assert check_pieces(table, 2.0 + STAYS)[1] == ()
    step = handle_counts(table, counted(3, 0, 2), 2.0 + STAYS)
    assert notices(step) == [Notice("pieces missing", {"piece": "coins", "seen": 3, "due": 4, "seat": 0})]
    assert check_pieces(step[0], 100.0)[1] == ()
    assert handle_counts(step[0], counted(3, 0, 2), 101.0)[1] == ()


def test_what_was_told_is_not_said_again_when_only_the_record_moves_on() -> None:
    match = after_theft()
    table, _news = told(match, 3, 0, 2)
    after = hear(match, Answer(match.number, "action", Option("income"), 1))
    assert isinstance(after, Match)
    after = hear(after, Answer(after.number, "action", Option("income"), 2))
    assert isinstance(after, Match)
    later = hear(after, Answer(after.number, "action", Option("income"), 0))
    assert isinstance(later, Match)
    table, news = check_pieces(replace(table, match=later), 40.0)
    worded = Notice("pieces missing", {"piece": "coins", "seen": 3, "due": 5, "seat": 0})
    assert [each for each in news if isinstance(each, NoteTrouble)] == [
        NoteTrouble(("pieces", "coins", "seat 1", 3), worded, is_news=False)
    ]
    assert [each.is_told for each in table.pieces.standing] == [True, False, False]


def test_it_goes_away_when_table_and_record_agree() -> None:
    table, _news = told(after_theft(), 3, 0, 2)
    assert notices(handle_counts(table, counted(4, 0, 2), 30.0)) == [None]


def test_hands_that_are_only_slow_are_not_told() -> None:
    table, _news = handle_counts(sit(after_theft()), counted(3, 0, 2), 1.0)
    table, _news = check_pieces(table, 1.0 + STAYS)
    table, news = handle_counts(table, counted(4, 0, 2), 2.0 + STAYS)
    assert news == ()
    assert check_pieces(table, 100.0)[1] == ()


def test_only_what_is_certain_counts() -> None:
    match = after_theft()
    table, _news = handle_counts(sit(match), counted(2, 0, 1, sure=False), 1.0)
    assert table.pieces.standing == ()
    table, _news = handle_counts(sit(match), counted(5, 0, 2, sure=False), 1.0)
    assert [each.differs.seen for each in table.pieces.standing] == [5]


def test_a_treasury_may_lie_anywhere_but_not_hold_more_than_it_has() -> None:
    match = after_theft()
    treasury = 50 - 4 - 2
    assert handle_counts(sit(match), counted(4, 0, 2, stock=treasury), 1.0)[0].pieces.standing == ()
    step = told(match, 4, 0, 2, stock=treasury + 1)
    assert notices(step) == [Notice("pieces of the stock", {"piece": "coins", "seen": 45, "due": 44})]


def test_a_table_without_pieces_misses_none() -> None:
    table, _news = handle_counts(sit(after_theft()), counted(0, 0, 0), 1.0)
    assert table.pieces.standing == ()
    coyote = begin(Setup(COYOTE, House(), NAMES))
    assert isinstance(coyote, Match)
    assert handle_counts(sit(coyote), counted(3, 3, 3), 1.0)[0].pieces.standing == ()


def test_nothing_is_told_while_the_table_pauses_or_of_another_match() -> None:
    match = after_theft()
    table, _news = handle_counts(sit(match), counted(3, 0, 2), 1.0)
    assert check_pieces(pause_table(table, 0, 2.0)[0], 50.0)[1] == ()
    table, _news = told(match, 3, 0, 2)
    other = begin(Setup(PLENTY_COUPS, PLENTY_COUPS.house(), NAMES, begun="later"))
    assert isinstance(other, Match)
    table, _news = switch_match(table, other, 50.0)
    assert notices(check_pieces(table, 51.0)) == [None]


def test_the_host_may_say_that_the_table_is_right_and_the_one_answer_that_explains_it_is_corrected() -> None:
    match = after_theft()
    table, _news = told(match, 4, 2, 0)
    (correction,) = explaining_corrections(match, table.pieces)
    assert correction == Correct(match.number, 1, Option("steal", seat=2))
    step = trust_table(table, 7, 20.0)
    (write,) = deeds(step, Write)
    assert isinstance(write, Write)
    assert [ask.seats for ask in write.after.asks] == [(1,), (2,), (0,)]
    corrected = handle_kept(step[0], 1, 21.0)[0]
    assert all(wrong is None for wrong in notices(check_pieces(corrected, 22.0)))


def test_what_no_other_answer_explains_is_left_to_the_host() -> None:
    table, _news = told(after_theft(), 1, 0, 2)
    (said,) = deeds(trust_table(table, 7, 20.0), SayNotice)
    assert said == SayNotice(Notice("pieces unexplained"))


def test_the_host_may_say_that_the_record_is_right_and_is_not_asked_again() -> None:
    table, _news = told(after_theft(), 3, 0, 2)
    step = trust_record(table, 0, 20.0)
    assert notices(step) == [None]
    values = {"piece": "coins", "seen": 3, "due": 4, "seat": 0}
    assert deeds(step, SayNotice) == [SayNotice(Notice("put pieces so", values))]
    table, news = handle_counts(step[0], counted(3, 0, 2), 30.0)
    assert news == ()
    assert check_pieces(table, 99.0)[1] == ()
    table, _news = handle_counts(table, counted(4, 0, 2), 100.0)
    table, _news = handle_counts(table, counted(3, 0, 2), 110.0)
    assert len(table.pieces.standing) == 1


def test_it_is_told_in_words_of_the_game() -> None:
    listener = Listener(after_theft().setup.game.words, NAMES, language("en"))
    (notice,) = notices(told(after_theft(), 1, 0, 2))
    assert notice is not None
    said = sentence_for(notice, listener)
    assert said.startswith("I see 1 coin before Ana; the record says 4 coins.")
    french = sentence_for(notice, replace(listener, language=language("fr")))
    assert "devant Ana" in french
