"""Actions of the host beside answers: pause, corrections, audits; pure functions."""

from msgspec.structs import replace

from firmware.table import state
from firmware.table.cards import Cards, Count, in_zone, mark_all_counted, mark_seen, show_ask
from firmware.table.effects import BlinkLamp, EntryRequest, Reply, Sitting, Write
from firmware.table.expected import faces_named, last_cards_answer
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import Reason, Refusal, Show, Span, make_refusal
from referee.grounds import newest_grounds
from referee.match import Correct, Match, name_key, people_of, seat_person, with_name
from referee.match import Step as Answered
from vision.process.messages import ReadTable, Rest, TableRead, Wake
from vision.sightings import likely_face

TRUSTED_READING = "table is right"  # token of the reading that the host trusts over the record
LOOK_TIMEOUT = 10.0  # seconds before people are told that the eyes couldn't look


def pause_table(table: state.TableState, _ticket: int, now: float) -> state.TableStep:
    """Pause: answers don't count and clocks stop until the table resumes."""
    if table.paused is not None:
        return table, ()
    stopped = replace(table, paused=now, confirming=(), way=None, likely=None)
    return stopped, (Notice(NoticeKey.PAUSED), Rest())


def keep_match(table: state.TableState, ticket: int, now: float) -> state.TableStep:
    """Store a match without any answer; others are stored already, or being written."""
    if table.id is not None or table.writing is not None:
        return table, ()
    return state.hear_request(table, Sitting(table.match, None, ticket), now)


def resume_table(table: state.TableState, _ticket: int, now: float) -> state.TableStep:
    """Resume; clocks keep their remaining time."""
    if table.paused is None:
        return table, ()
    rest = now - table.paused
    timers = tuple(replace(timer, since=timer.since + rest) for timer in table.timers)
    table, deeds = state.let_cards_answer(replace(table, paused=None, timers=timers), now)
    return table, (Notice(NoticeKey.RESUMED), Wake(), *deeds)


def deny_likely(face: str, moment: int, table: state.TableState, _ticket: int, now: float) -> state.TableStep:
    """Deny the likely face of a card, and immediately ask for the right one."""
    ask, likely = show_ask(table.match), table.likely
    if ask is None or likely is None or (likely.answer.likely, likely.answer.moment) != (face, moment):
        return table, ()
    # cards that were taken for it: as their likely face, or as the only one that was left
    cards = tuple(
        replace(each, denied=(*each.denied, face))
        if not each.is_counted and likely_face(each.card.card) in {face, None} and not each.card.card.sure
        else each
        for each in table.cards or ()
    )
    table, deeds = state.let_cards_answer(replace(table, cards=cards), now)
    if table.way is None:
        return table, deeds
    return replace(table, way=replace(table.way, is_told=True)), (*deeds, table.way.notice)


def trust_table(table: state.TableState, ticket: int, now: float) -> state.TableStep:
    """Read the table again and accept its cards as true; the eyes are off during a pause."""
    if table.cards is None or table.paused is not None:
        return _take_table(table, ticket, now)
    return replace(table, trusted=now), (Notice(NoticeKey.READING_AGAIN), ReadTable(TRUSTED_READING))


def take_in_view(table: state.TableState, view: TableRead, now: float) -> state.TableStep:
    """Apply a view of the eyes; if the host has asked for it, accept it as true."""
    if table.trusted is None or view.asked != TRUSTED_READING:
        return state.handle_view(table, view, now)
    seen = state.with_view(table, view)
    table, deeds = _take_table(replace(seen, trusted=None), None, now)
    refused = (each.result for each in deeds if isinstance(each, Reply) and isinstance(each.result, Refusal))
    return table, (*deeds, *(Notice(NoticeKey.REFUSED, refusal=each) for each in refused))


def give_up_looking(table: state.TableState, now: float) -> state.TableStep:
    """Report that the eyes couldn't look although the host is waiting."""
    if table.trusted is None or now < table.trusted + LOOK_TIMEOUT:
        return table, ()
    return replace(table, trusted=None), (Notice(NoticeKey.READING_FAILED),)


def _take_table(table: state.TableState, ticket: int | None, now: float) -> state.TableStep:
    """Accept the cards on the table: as the requested answer, or else as a correction of the last one."""
    ask = show_ask(table.match)
    cards = table.cards or ()
    if ask is not None and (there := _cards_meant(cards, ask)):
        fresh = tuple(replace(each, count=Count.NOT_YET) if each in there else each for each in cards)
        return _answer_as_it_lies(replace(table, cards=fresh), ask, len(there), now)
    last = last_cards_answer(table.match)
    if last is None:
        return table, (Notice(NoticeKey.NOTHING_SHOWN),)
    return _correct_last(table, last, cards, ticket, now)


def _cards_meant(cards: Cards, ask: Show) -> Cards:
    """Return the face-up cards in the ask's zone, or all if there are none or only all are as many as asked."""
    up = tuple(each for each in cards if each.card.card.facing == "up")
    there = in_zone(up, ask)
    return up if not there or len(up) == ask.count else there


def _answer_as_it_lies(table: state.TableState, ask: Show, shown: int, now: float) -> state.TableStep:
    table, deeds = state.let_cards_answer(replace(table, confirming=(), likely=None), now)
    if deeds or table.paused is not None:
        return table, deeds
    if table.way is None:
        return table, (Notice(NoticeKey.NOT_ALL_READ, {"shown": shown, "wanted": ask.count}),)
    return replace(table, way=replace(table.way, is_told=True)), (table.way.notice,)


def _correct_last(
    table: state.TableState, last: tuple[Answered, Show], cards: Cards, ticket: int | None, now: float
) -> state.TableStep:
    answered, ask = last
    there = [each.card.card for each in _cards_meant(cards, ask)]
    faces = tuple(card.face for card in there if card.face is not None and card.sure)
    if len(faces) != len(there) or len(faces) != ask.count:
        return table, (Notice(NoticeKey.NOT_ALL_READ, {"shown": len(faces), "wanted": ask.count}),)
    if sorted(faces) == sorted(faces_named(answered.answer)):
        return table, (Notice(NoticeKey.TABLE_AGREES),)
    correct = Correct(table.match.number, answered.heard_at, faces)
    return state.hear_request(table, EntryRequest(correct, ticket), now)


def trust_record(table: state.TableState, _ticket: int, now: float) -> state.TableStep:
    """Ignore all cards on the table, and report the position of the last ones that counted."""
    table = replace(table, cards=mark_all_counted(table.cards or ()), confirming=(), way=None)
    last = last_cards_answer(table.match)
    table, deeds = state.let_cards_answer(table, now)
    if last is None:
        return table, (Notice(NoticeKey.CARDS_IGNORED), *deeds)
    return table, (Notice(NoticeKey.RECORD_TRUSTED, {"cards": " ".join(faces_named(last[0].answer))}), *deeds)


def start_audit(span: Span, table: state.TableState, _ticket: int, _now: float) -> state.TableStep:
    """Start an audit of part of a player's grid; cards are then no answers."""
    column, row = span.cell
    values = {"seat": span.seat, "row": row + 1, "first": column + 1, "last": column + span.length}
    cards = None if table.cards is None else mark_seen(table.cards)
    compared = replace(table, auditing=span, cards=cards, confirming=(), way=None, likely=None)
    return compared, (Notice(NoticeKey.AUDIT, values),)


def compare_audit(table: state.TableState, _ticket: int, _now: float) -> state.TableStep:
    """Report whether the cards moved since then match the record; unreadable cards are reported first."""
    span, game = table.auditing, table.match.setup.game
    if span is None:
        return table, (Notice(NoticeKey.NO_AUDIT),)
    there = [each.card.card for each in table.cards or () if each.is_new]
    faces = tuple(card.face for card in there if card.face is not None and card.sure)
    if len(faces) != len(there):
        return table, (Notice(NoticeKey.NOT_ALL_READ, {"shown": len(faces), "wanted": len(there)}),)
    return table, (Notice(NoticeKey.AUDITED, rulings=game.table.audited(table.match.state, span, faces)),)


def finish_audit(table: state.TableState, _ticket: int, now: float) -> state.TableStep:
    """End an audit; cards already on the table still don't count."""
    if table.auditing is None:
        return table, ()
    table = replace(table, auditing=None, cards=mark_all_counted(table.cards or ()))
    table, deeds = state.let_cards_answer(table, now)
    return table, (Notice(NoticeKey.AUDIT_OVER), *deeds)


def explain_aloud(table: state.TableState, _ticket: int, _now: float) -> state.TableStep:
    grounds = newest_grounds(table.match)
    return table, (Notice(NoticeKey.RULED_BY, grounds=grounds) if grounds else Notice(NoticeKey.NOTHING_RULED),)


def announce_joined(name: str, table: state.TableState, _ticket: int, _now: float) -> state.TableStep:
    """Announce that a person's phone has joined, and blink the seat's lamp, as seats may change."""
    names = map(name_key, table.match.setup.names)
    waving = (BlinkLamp(seat) for seat, other in enumerate(names) if other == name_key(name))
    return table, (Notice(NoticeKey.PHONE_JOINED, {"name": name}), *waving)


def name_seat(seat: int, name: str, table: state.TableState, ticket: int, now: float) -> state.TableStep:
    """Set a seat's name before the first answer."""
    named = with_name(table.match, seat, name)
    sitting = Sitting(named if isinstance(named, Match) else table.match, table.id, ticket)
    if isinstance(named, Refusal) or named.setup == table.match.setup:
        return table, (Reply(sitting, named),)
    # the answer being written is the first one, so names are fixed
    if table.writing is not None:
        return table, (Reply(sitting, make_refusal(Reason.STALE, now=table.match.number)),)
    return state.hear_request(table, sitting, now)


def play_on(seat: int, name: str, table: state.TableState, ticket: int, now: float) -> state.TableStep:
    """Replace a seat's person: before the first answer only the name, later as an entry."""
    if not table.match.number:
        return name_seat(seat, name, table, ticket, now)
    # another entry is being written and will change the match: the person has to look again
    stale = make_refusal(Reason.STALE, now=table.match.number)
    after = stale if table.writing is not None else seat_person(table.match, seat, name, table.wall)
    if isinstance(after, Refusal) or after.entry is None:
        return table, (Reply(Sitting(table.match, table.id, ticket), after),)
    entered = EntryRequest(after.entry, ticket)
    return replace(table, writing=state.PendingWrite(entered, after, now)), (Write(table.id, after),)


def refusal_to_forget(table: state.TableState, name: str) -> Notice | None:
    """Return why a person can't be forgotten who plays in the open match, or in one that is about to start."""
    writing = () if table.writing is None else (table.writing.after,)
    waiting = (each.match for each in table.waiting if isinstance(each, Sitting))
    is_playing = any(
        match.outcome is None and name_key(name) in map(name_key, people_of(match))
        for match in (table.match, *writing, *waiting)
    )
    return Notice(NoticeKey.PLAYER_IN_MATCH, {"name": name}) if is_playing else None
