"""Whole turns, read from the table when a player ends the turn; pure functions.

The record gives the expected cards; the game finds actions that explain the actual ones. Their answers are
entered one by one, like any others. If several explanations fit, the table itself asks the player in turn;
dial, phone and terminal handle this as a normal choice.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.card_answers import card_trouble
from firmware.table.cards import (
    COVERING_DISTANCE,
    Cards,
    TableCard,
    mark_all_counted,
    mark_due,
    show_ask,
    zone_name,
)
from firmware.table.expected import brought_cards
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import CENTRE, DISCARD, Answer, Choice, Option, Scene, Turns, Ways, Zone
from referee.legal import ask_named
from referee.match import Match
from vision.table.values import distance_apart

WHICH = "which-way"
Due = tuple[tuple[str, str], ...]
"""Zones and faces of cards that rulings have sent there, and that haven't arrived."""


class TurnProgress(Struct, frozen=True):
    """The known facts of a turn: covered discards, expected cards, possible explanations."""

    covered: tuple[str, ...] = ()
    due: Due = ()
    said: int | None = None
    """A player's end of the turn, pending until the eyes have read the table again."""
    ways: Ways = ()  # answers still to be entered, for each explanation
    rests_on: int | None = None  # the eyes' reading on which the explanations are based


def with_asks(match: Match, reading: TurnProgress) -> Match:
    """Add an ask by the table itself: for the end of the turn, or for the right explanation."""
    turns = match.setup.game.table.turns
    ask = None if turns is None or match.outcome is not None else _ask(match, turns, reading)
    return match if ask is None else replace(match, beside=(ask,))


def ask_anew(match: Match, reading: TurnProgress) -> Match:
    """Repeat the ask at the same moment, without repeating its rulings."""
    return with_asks(replace(match, beside=(), rulings=(), entry=None, before=match), reading)


def _ask(match: Match, turns: Turns, reading: TurnProgress) -> Choice | None:
    if not reading.ways:
        return turns.asks(match.state)
    following = _next_answers(reading.ways)
    options = tuple(answer.value for answer in following if isinstance(answer.value, Option))
    ask = ask_named(match.position.asks, following[0].ask)
    is_open = isinstance(ask, Choice) and len(options) > 1
    return Choice(WHICH, ask.seats, options) if is_open and ask is not None else None


def _next_answers(ways: Ways) -> tuple[Answer, ...]:
    """Return the distinct next answers of all explanations."""
    return tuple({(way[0].ask, way[0].seat, way[0].value): way[0] for way in ways if way}.values())


def answer_meant(answer: Answer, reading: TurnProgress) -> Answer:
    """Return the game's answer for a chosen explanation."""
    chosen = next(way for way in _next_answers(reading.ways) if way.value == answer.value)
    return replace(answer, ask=chosen.ask)


def next_answer(match: Match, reading: TurnProgress) -> Answer | None:
    """Return the next answer if all explanations agree on it."""
    following = _next_answers(reading.ways)
    return None if len(following) != 1 or not all(reading.ways) else replace(following[0], moment=match.number)


def doubts(reading: TurnProgress) -> tuple[Answer, ...]:
    following = _next_answers(reading.ways)
    return following if len(following) > 1 else ()


def _ways_left(reading: TurnProgress, entry: object) -> Ways:
    if not isinstance(entry, Answer):
        return ()
    said = (entry.ask, entry.value)
    return tuple(way[1:] for way in reading.ways if len(way) > 1 and (way[0].ask, way[0].value) == said)


def follow_answer(
    after: Match, cards: Cards | None, reading: TurnProgress
) -> tuple[Cards | None, TurnProgress]:
    """Match cards with an answer, and track those that are still to arrive; a new turn resets this."""
    turns = after.setup.game.table.turns
    if turns is None:
        return cards, reading
    has_begun = any(ruling.key in turns.begins for ruling in after.rulings)
    if reading.ways and not has_begun:
        return cards, replace(reading, ways=_ways_left(reading, after.entry), said=None)
    # cards read as a whole are on the table already, unlike those that the end of the turn moves
    first = next((place for place, ruling in enumerate(after.rulings) if ruling.key in turns.begins), 0)
    rulings = after.rulings[first if reading.ways else 0 :]
    moves = (move for ruling in rulings for move in after.setup.game.table.moves(after.state, ruling))
    sent = Counter((zone_name(move.target), face) for move in moves for face in move.faces)
    noted, left = _account_cards(cards or (), sent - Counter(_cards_named(after)))
    due = (*(() if has_begun else reading.due), *left.elements())
    if has_begun:
        noted = mark_all_counted(noted)
    covered = () if has_begun else reading.covered
    return None if cards is None else noted, TurnProgress(covered, due)


def _cards_named(match: Match) -> Iterable[tuple[str, str]]:
    before, entry = match.before, match.entry
    ask = None if before is None or not isinstance(entry, Answer) else ask_named(before.asks, entry.ask)
    zone = getattr(ask, "zone", None)
    if zone is None or not isinstance(entry, Answer) or not isinstance(entry.value, tuple):
        return ()
    return [(zone_name(zone), face) for face in entry.value]


def _account_cards(cards: Cards, sent: "Counter[tuple[str, str]]") -> tuple[Cards, "Counter[tuple[str, str]]"]:
    """Mark cards that have arrived where they were sent; returns also those still expected."""

    def place(each: TableCard) -> tuple[str, str] | None:
        # an old discard may have the same face
        is_old = each.is_counted and each.card.zone == DISCARD.name
        return None if is_old else (each.card.zone or "", each.card.card.face or "")

    return mark_due(cards, sent, place)


def follow_arrivals(
    match: Match, before: Cards, cards: Cards, reading: TurnProgress
) -> tuple[Cards, TurnProgress]:
    """Apply arrivals: expected cards, those laid again, and discards that are covered now."""
    cards, due = _account_cards(cards, Counter(reading.due))
    cards = _with_laid_again(match, cards)
    gone = tuple(each for each in before if not each.is_counted and not _is_on_table(each, cards))
    covered = tuple(each.card.card.face or "" for each in gone if _is_covered(each, cards))
    return cards, replace(reading, due=tuple(due.elements()), covered=(*reading.covered, *covered))


def _with_laid_again(match: Match, cards: Cards) -> Cards:
    """Count cards that lie where the record has them: they were lifted, or hidden for long."""
    turns, ask = match.setup.game.table.turns, show_ask(match)
    brought = ask.zone if ask is not None and brought_cards(match, ask) else None
    scene = {} if turns is None else turns.scene(match.state)
    lying = {zone: faces for zone, faces in scene.items() if zone not in {DISCARD, brought}}
    had = Counter((zone_name(zone), face) for zone, faces in lying.items() for face in faces)
    told = Counter((each.card.zone or "", each.name or "") for each in cards if each.is_counted)
    return mark_due(cards, had - told, lambda each: None if each.is_counted else (each.card.zone, each.name))[0]


def _is_on_table(card: TableCard, cards: Cards) -> bool:
    return any(each.card.card.face == card.card.card.face and _covers(each, card) for each in cards)


def _is_covered(card: TableCard, cards: Cards) -> bool:
    """Return whether a card covers a discard that was visible before."""
    is_discard = card.card.zone == DISCARD.name and card.card.card.face is not None
    return is_discard and any(_covers(each, card) for each in cards)


def _covers(one: TableCard, other: TableCard) -> bool:
    return distance_apart(one.card, other.card) < COVERING_DISTANCE


def read_turn(match: Match, cards: Cards, reading: TurnProgress, number: int) -> TurnProgress | Notice:
    """Return the explanations of a turn, or the notice of a problem."""
    turns = match.setup.game.table.turns
    if turns is None:
        return Notice(NoticeKey.TURN_UNCLEAR)
    there = [each for each in cards if _zone(match, each) is not None and each.card.card.facing != "down"]
    trouble = card_trouble([each.card.card for each in there])
    if trouble is not None:
        return trouble
    before, after = turns.scene(match.state), scene_on_table(match, turns, there, reading)
    ways = turns.explained(match.state, before, after, match.number)
    if not ways:
        new = _new_cards(before, after)
        return (
            Notice(NoticeKey.TURN_UNCLEAR_CARDS, {"cards": " ".join(new)})
            if new
            else Notice(NoticeKey.TURN_UNCLEAR)
        )
    if not any(ways):
        return Notice(NoticeKey.TURN_UNCHANGED)
    return TurnProgress(ways=tuple(way for way in ways if way), rests_on=number)


def scene_on_table(match: Match, turns: Turns, there: Iterable[TableCard], reading: TurnProgress) -> Scene:
    """Return the open cards by zone; discards are those of the record and those added since."""
    discards = turns.scene(match.state).get(DISCARD, ())
    scene: dict[Zone, tuple[str, ...]] = {DISCARD: (*discards, *reading.covered)}
    for each in there:
        zone = _zone(match, each)
        if zone is not None and (zone != DISCARD or not each.is_counted):
            scene[zone] = (*scene.get(zone, ()), each.card.card.face or "")
    return scene


def _zone(match: Match, card: TableCard) -> Zone | None:
    parting = match.setup.game.table.parting(len(match.setup.names))
    own = [Zone(part, seat) for part in parting.parts for seat in range(parting.count)]
    return next((zone for zone in (CENTRE, DISCARD, *own) if zone_name(zone) == card.card.zone), None)


def _new_cards(before: Scene, after: Scene) -> tuple[str, ...]:
    """Return the distinct faces in zones where the record doesn't have them."""
    zones = before.keys() | after.keys()
    new = (Counter(after.get(zone, ())) - Counter(before.get(zone, ())) for zone in zones)
    return tuple(sorted({face for faces in new for face in faces}))
