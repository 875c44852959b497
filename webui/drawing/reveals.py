"""What was decided last: the line that stays, and the scene in which it came to light; pure."""

from msgspec import Struct

from referee.contract import Aside, Board, CardRow, CountChange, Fact, Reveal, Track, Verdict, Weight
from referee.contract.words import phrase
from referee.match import Match
from referee.showing import board_of
from referee.telling import (
    Listener,
    ToldHeadline,
    ToldReveal,
    tell_aside,
    tell_card_row,
    tell_face,
    tell_fact,
    tell_headline,
    tell_labelled,
    tell_player,
    tell_reveal,
    tell_track,
    tell_verdict,
    with_short_names,
)
from referee.verdicts import last_verdict, reveal_of
from referee.whose import may_be_of
from webui.drawing.words import page_text


class ShownCard(Struct, frozen=True):
    """A card of a row, or an empty place: what is said of it, and how it lies."""

    face: str
    name: str
    note: str = ""
    sign: str = ""
    """What the note is about."""
    owner: str = ""
    is_own: bool = False
    """Whose it was, and whether that is the reader."""
    is_leading: bool = False
    is_struck: bool = False


def key_rows(board: Board) -> tuple[CardRow, ...]:
    """List the rows of cards that decide now."""
    return tuple(row for row in board.cards if row.weight is Weight.KEY)


def key_facts(board: Board) -> tuple[Fact, ...]:
    """List the facts that decide now."""
    return tuple(fact for fact in board.facts if fact.weight is Weight.KEY)


def cards_of(row: CardRow, listener: Listener, reader: int | None = None) -> tuple[ShownCard, ...]:
    """Show the cards that lie in a row."""
    return tuple(_show_card(row, number, listener, reader) for number in range(len(row.faces)))


def places_of(row: CardRow, listener: Listener) -> tuple[ShownCard, ...]:
    """Show all places of a row, empty ones too."""
    places = max(row.places, row.offset + len(row.faces))
    return tuple(_show_card(row, place - row.offset, listener) for place in range(places))


def _show_card(row: CardRow, number: int, listener: Listener, reader: int | None = None) -> ShownCard:
    face = row.faces[number] if 0 <= number < len(row.faces) else ""
    note = row.notes[number] if 0 <= number < len(row.notes) else None
    owner = None if note is None else note.seat
    return ShownCard(
        face=face,
        name=tell_face(listener, face) if face else "",
        note="" if note is None else tell_fact(listener, note).text,
        sign="" if note is None else note.key,
        owner="" if owner is None else tell_player(listener, owner),
        is_own=owner is not None and owner == reader,
        is_leading=row.leading == number,
        is_struck=number in row.struck,
    )


TICKS = 20
"""Dots on a line of numbers, at most."""


class Mark(Struct, frozen=True):
    """A place on a line of numbers, and what is said of it."""

    number: int
    text: str = ""
    kind: str = ""


class Line(Struct, frozen=True):
    """A line of numbers."""

    name: str
    marks: tuple[Mark, ...]
    is_year: bool
    """It counts steps of which one is now; else it compares numbers."""


def line_of(track: Track, listener: Listener) -> Line:
    """Draw a line of numbers: each step of a year, or as many dots as make a scale."""
    told = {number: tell_fact(listener, fact).text for number, fact in track.marks}
    step = max(1, -(-(track.last - track.first) // TICKS))
    numbers = sorted({*range(track.first, track.last + 1, step), *told})
    firsts = list(told)
    marks = (Mark(number, told.get(number, ""), _kind(track, number, firsts)) for number in numbers)
    return Line(tell_track(listener, track), tuple(marks), track.now is not None)


def _kind(track: Track, number: int, told: list[int]) -> str:
    if number in told:
        return f"mark mark{told.index(number)}"
    now = track.now
    passed = "" if now is None else " now" if number == now else " done" if number < now else ""
    return (passed + (" special" if number in track.special else "")).strip()


class VerdictLine(Struct, frozen=True):
    """What was decided last, in one sentence, and the card that it is about."""

    text: str
    is_good: bool
    face: str = ""
    name: str = ""


class RevealRow(Struct, frozen=True):
    """Cards of a scene: whose they are, and who said to have them."""

    name: str
    owner: str
    cards: tuple[ShownCard, ...]
    claimed_by: str = ""
    is_torn: bool = False


class RevealChange(Struct, frozen=True):
    """What someone has of a count, before and after; or what it is about to become."""

    name: str
    count: str
    before: int
    after: int


class AsideLine(Struct, frozen=True):
    """What a bot says of a scene."""

    seat: int
    text: str


class RevealView(Struct, frozen=True):
    """A scene: who called whom, the cards, what they came to, the verdict, and how it goes on."""

    heading: ToldReveal
    rows: tuple[RevealRow, ...]
    headline: ToldHeadline | None
    line: Line | None
    changes: tuple[RevealChange, ...]
    verdict: VerdictLine
    goes_on: str
    won: tuple[int, ...]
    lost: tuple[int, ...]
    """The seats that were right, and those that weren't."""
    unowned: tuple[str, ...] = ()
    """The cards whose owner isn't known, if the reader may have worn one of them."""
    aside: AsideLine | None = None


def verdict_line(match: Match, listener: Listener, reader: int | None = None) -> VerdictLine | None:
    """Word what was decided last; to its reader as "you"."""
    verdict = last_verdict(match)
    return None if verdict is None else _line(verdict, with_short_names(listener), reader)


def _line(verdict: Verdict, listener: Listener, reader: int | None) -> VerdictLine:
    name = tell_face(listener, verdict.face) if verdict.face else ""
    return VerdictLine(tell_verdict(listener, verdict, reader), verdict.is_good, verdict.face, name)


def reveal_view(
    match: Match, listener: Listener, reader: int | None = None, bots: frozenset[int] = frozenset()
) -> RevealView | None:
    """Draw the scene that the newest answer brought, if it brought one; of its bots, one says something."""
    reveal, verdict = reveal_of(match), last_verdict(match)
    if reveal is None or verdict is None:
        return None
    short = with_short_names(listener)
    return RevealView(
        heading=tell_reveal(short, reveal, reader),
        rows=tuple(_row(row, short, reader) for row in reveal.rows),
        headline=None if reveal.headline is None else tell_headline(short, reveal.headline),
        line=None if reveal.track is None else line_of(reveal.track, short),
        changes=tuple(_change(each, short) for each in _changes(match)),
        verdict=_line(verdict, short, reader),
        goes_on=_goes_on(reveal, listener),
        won=reveal.won,
        lost=reveal.lost,
        unowned=() if reader is None else may_be_of(match, reader),
        aside=next((_aside(each, short) for each in reveal.asides if each.seat in bots), None),
    )


def _aside(aside: Aside, listener: Listener) -> AsideLine:
    name = tell_player(listener, aside.seat)
    return AsideLine(aside.seat, tell_labelled(listener.language, name, tell_aside(listener, aside)))


def _row(row: CardRow, listener: Listener, reader: int | None) -> RevealRow:
    owner = "" if row.seat is None else tell_player(listener, row.seat)
    claimer = "" if row.claimed_by is None else tell_player(listener, row.claimed_by)
    cards = cards_of(row, listener, reader)
    return RevealRow(tell_card_row(listener, row), owner, cards, claimer, is_torn=bool(claimer and row.struck))


def _changes(match: Match) -> tuple[CountChange, ...]:
    """List what the answer has moved; where it has moved nothing, what is still at stake."""
    standings, before = match.setup.game.rules.standings, match.before
    held = {} if before is None else {each.seat: each.counts for each in standings(before.state)}
    moved = tuple(
        CountChange(now.seat, key, held[now.seat][key], number)
        for now in sorted(standings(match.state), key=lambda each: each.seat)
        for key, number in now.counts.items()
        if held.get(now.seat, {}).get(key, number) != number
    )
    return moved or board_of(match).changes


def _change(change: CountChange, listener: Listener) -> RevealChange:
    return RevealChange(tell_player(listener, change.seat), change.count, change.before, change.after)


def _goes_on(reveal: Reveal, listener: Listener) -> str:
    if reveal.round is None:
        return page_text(listener.language, phrase("Go on"))
    return page_text(listener.language, phrase("On to round {number}"), number=reveal.round)
