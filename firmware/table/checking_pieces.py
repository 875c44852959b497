"""What the table does about pieces: compare, look once more, ask; and what the host decides. Pure."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from firmware.table import cards
from firmware.table.effects import EntryRequest, NoteTrouble
from firmware.table.notices import Notice
from firmware.table.state import TableState, TableStep, hear_request
from referee.contract import Answer, Ask, Choice, Number, Value
from referee.legal import ask_named
from referee.match import Correct, Match, Step, hear, standing_answers
from vision.process.messages import PiecesCounted, ReadTable

BACK = 12  # the last answers among which a wrong one is sought
WIDEST = 200  # numbers that are tried for one answer


def handle_counts(table: TableState, news: PiecesCounted, now: float) -> TableStep:
    """Take in what the eyes have counted; a difference that was looked at again and stays is told."""
    checked = {(each.due, each.seen) for each in table.pieces.standing if each.is_checked}
    doubts = cards.doubts_in(cards.with_counts(table.pieces, news.counts), table.match, now)
    told = (replace(each, is_told=each.is_told or (each.due, each.seen) in checked) for each in doubts.standing)
    return _with_doubts(table, replace(doubts, standing=tuple(told)))


def check_pieces(table: TableState, now: float) -> TableStep:
    """Compare the record with the last count; what has stayed for long enough is looked at once more."""
    if not table.match.setup.game.table.pieces or table.paused is not None:
        return table, ()
    doubts = cards.doubts_in(table.pieces, table.match, now)
    due = [each for each in doubts.standing if not each.is_checked and now >= each.since + cards.STAYS]
    looked = tuple(replace(each, is_checked=each.is_checked or each in due) for each in doubts.standing)
    table, deeds = _with_doubts(table, replace(doubts, standing=looked))
    return table, (*deeds, ReadTable()) if due else deeds


def _with_doubts(table: TableState, doubts: cards.PieceDoubts) -> TableStep:
    before, after = ({("pieces", *each.sight): each for each in some.told} for some in (table.pieces, doubts))
    ended = (NoteTrouble(name, None) for name in before if name not in after)
    worded = (
        NoteTrouble(name, cards.difference_notice(each), is_news=name not in before)
        for name, each in after.items()
        if name not in before or before[name].due != each.due
    )
    return replace(table, pieces=doubts), (*ended, *worded)


def trust_pieces(table: TableState, ticket: int | None, now: float) -> TableStep:
    """Correct the record by what lies there, if one other answer explains it; people say the rest again."""
    found = tuple(explaining_corrections(table.match, table.pieces))
    if len(found) == 1:
        return hear_request(table, EntryRequest(found[0], ticket), now)
    return table, (Notice("pieces unexplained" if not found else "pieces explained twice"),)


def trust_record_of_pieces(table: TableState) -> TableStep:
    """Say how the pieces should lie by the record, and ask no more about these."""
    told = table.pieces.told
    standing = tuple(each for each in table.pieces.standing if not each.is_told)
    dismissed = table.pieces.dismissed | {each.sight for each in told}
    doubts = replace(table.pieces, standing=standing, dismissed=dismissed)
    table, deeds = _with_doubts(table, doubts)
    notices = [cards.difference_notice(each) for each in told]
    said = (replace(each, key="put pieces so" if "seat" in each.values else "put stock so") for each in notices)
    return table, (*deeds, *said)


def explaining_corrections(match: Match, doubts: cards.PieceDoubts) -> Iterator[Correct]:
    """Find the corrections of one answer after which all pieces lie right, once the others are said again."""
    steps = standing_answers(match)[-BACK:]
    for place, step in enumerate(steps):
        ask = ask_named(step.before.asks, step.answer.ask)
        for value in () if ask is None else _other_values(ask, step.answer.value):
            entry = Correct(match.number, step.heard_at, value)
            after = hear(match, entry)
            if not isinstance(after, Match):
                continue
            again = _say_again(after, steps[place + 1 :])
            if not any(cards.find_differences(again, doubts.counts, doubts.used)):
                yield entry


def _say_again(after: Match, later: Sequence[Step]) -> Match:
    """Let what was set aside by a correction be said again, by the player who is asked now."""
    dropped = int(after.rulings[0].values.get("dropped", 0))  # type: ignore[arg-type]
    for step in later[len(later) - dropped :]:
        value = step.answer.value
        # of cards none is said: they would have to be laid again
        asks = [ask for ask in after.asks if isinstance(ask, Choice) and value in ask.options]
        again = (Answer(after.number, ask.key, value, ask.seats[0] if ask.seats else None) for ask in asks)
        heard = [each for answer in again if isinstance(each := hear(after, answer), Match)]
        after = heard[0] if heard else after
    return after


def _other_values(ask: Ask, value: Value) -> Iterator[Value]:
    match ask:
        case Choice(options=options):
            yield from (option for option in options if option != value)
        case Number(least=least, most=most) if most - least < WIDEST:
            yield from (number for number in range(least, most + 1) if number != value)
        case _:
            return
