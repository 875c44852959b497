"""The simulated table as its page shows it: who sits where, what lies in the middle, what is pressed; pure."""

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from firmware.twin.simulated_board import BoardOutput
from firmware.twin.simulated_table import Chair, LaidCardView, Point, TableView
from referee.contract import Answer, Mood, Option, Show
from referee.contract.words import phrase
from referee.moment_view import CardView, MomentView, PlayerView
from webui.views.controls import Control
from webui.views.grids import Sheet
from webui.views.score_board import Score
from webui.views.words import page_text

CARD = (63.0, 88.0)
"""Millimetres of a card, across and down; turned, it reaches as far across as down."""
ROOM = 10.0  # millimetres left around what lies in the middle
LEAST = (210.0, 128.0)
"""The smallest part of the middle that is shown: there is room for three cards side by side."""
STEPS = (0, 1, 2, 4, 9, 14)  # how far above the least number those numbers are that are said most


class SeatPlace(Struct, frozen=True):
    """A seat as it is drawn: where around the table, what stands on its plate, how its lamp shines."""

    seat: int
    side: str  # seen from the viewer's chair: "left", "top" or "right"; "near" is the viewer's own
    chair: Chair
    lamp: str
    player: PlayerView | None = None
    sheet: Sheet | None = None
    laid: tuple[LaidCardView, ...] = ()


def room_of(told: MomentView, score: Score, table: TableView, lamps: BoardOutput) -> Mapping[str, object]:
    players, viewer = {player.seat: player for player in told.players}, told.seat
    grids = {sheet.seat: sheet for sheet in score.grids}
    seats = [
        SeatPlace(
            seat=seat,
            side="near",
            chair=chair,
            lamp=lamps.seats[seat] if seat < len(lamps.seats) else "",
            player=players.get(seat),
            sheet=grids.get(seat),
            laid=tuple(card for card in table.laid if card.before == seat),
        )
        for seat, chair in enumerate(table.chairs)
    ]
    order = clockwise(len(seats), viewer)
    sides = ("left", *("top",) * (len(order) - 2), "right") if len(order) > 2 else ("top",) * len(order)
    middle = tuple(card for card in table.laid if card.before is None)
    zone = table.zone if table.zone_seat is None else ()
    return {
        "others": [
            msgspec.structs.replace(seats[seat], side=side) for seat, side in zip(order, sides, strict=True)
        ],
        "crowd": "many" if len(order) > 5 else "few" if len(order) < 3 else "some",
        "mine": None if viewer is None else seats[viewer],
        # who plays without a seat of their own
        "unseated": [player for seat, player in players.items() if seat >= len(seats)],
        "middle": middle,
        "box": box_around(middle, zone),
        # the part of the middle where cards are asked for, unless they are before the viewer's own seat
        "zone": zone,
        "is_zone_mine": viewer is not None and table.zone_seat == viewer,
    }


def clockwise(seats: int, viewer: int | None) -> tuple[int, ...]:
    """List the others as a viewer sees them, from the left neighbour round to the right one."""
    if viewer is None:
        return tuple(range(seats))
    return tuple((viewer + step) % seats for step in range(1, seats))


def box_around(cards: Sequence[LaidCardView], zone: Sequence[Point]) -> str:
    """Give the part of the middle that shows all cards there; where none lie, that where they should."""
    reach = CARD[1] / 2
    corners = [(card.x + side * reach, card.y + side * reach) for card in cards for side in (-1, 1)]
    across, down = zip(*(corners or zone or ((0.0, 0.0),)), strict=True)
    left, width = _stretch(min(across), max(across), LEAST[0])
    top, height = _stretch(min(down), max(down), LEAST[1])
    return f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}"


def _stretch(first: float, last: float, least: float) -> tuple[float, float]:
    """Give where a stretch begins and how long it is, with room around, and no shorter than it may be."""
    length = max(last - first + 2 * ROOM, least)
    return (first + last - length) / 2, length


def awaited_text(told: MomentView, table: TableView) -> str:
    """Name who still has to lay a card, where all are asked for theirs and the viewer's lies there."""
    is_asked = any(isinstance(ask, Show) and not ask.seats for ask in told.match.asks)
    lacking = [seat for seat, chair in enumerate(table.chairs) if chair.is_worn]
    if not is_asked or not lacking or told.seat in lacking:
        return ""
    language, names = told.listener.language, [told.name(seat) for seat in lacking]
    match names:
        case [name]:
            return page_text(language, phrase("{name} still has to lay a card."), name=name)
        case [name, other]:
            both = phrase("{name} and {other} still have to lay theirs.")
            return page_text(language, both, name=name, other=other)
        case _:
            most = phrase("{count} of {all} still have to lay theirs.")
            return page_text(language, most, count=len(names), all=len(table.chairs))


DECIDING = frozenset({Mood.LOSS, Mood.OUT, Mood.TRUTH, Mood.LIE, Mood.WIN, Mood.TRICK, Mood.REVERSAL})


def decisive_of(told: MomentView) -> Mapping[str, object]:
    """Give what decides now: claims, cards that count, a number, and what has just been decided."""
    match, rows = told.match, [row for row in told.key_rows if row.row.seat is None]
    value = match.entry.value if isinstance(match.entry, Answer) else None
    read = value if isinstance(value, tuple) else ()
    counted = [row for row in rows if row.cards and not row.claimed_by]
    cues = match.setup.game.feel.cues
    return {
        "claims": [row for row in rows if row.claimed_by],
        "rows": counted,
        "notes": {card.face: card for row in counted for card in row.cards},
        "headline": told.headline,
        "verdicts": [each.text for each in told.rulings if each.key in cues and each.mood in DECIDING],
        # cards that were read last, in the order in which they were said
        "read": [CardView(face, told.face(face)) for face in read],
    }


def useful_numbers(control: Control) -> tuple[int, ...]:
    """Offer a few numbers: the least, those just above it, and some leaps."""
    offered = {int(button.value) for button in control.buttons}
    nearest = [control.least + step for step in STEPS if control.least + step <= control.most]
    # the nearest ones that have a button are known to be allowed; further ones are beyond what can be barred
    last = max(offered, default=control.most)
    return tuple(number for number in nearest if number in offered or number > last)


def option_faces(control: Control) -> dict[str, str]:
    found = {}
    for button in control.buttons:
        option = msgspec.json.decode(button.value, type=Option)
        if option.face:
            found[button.value] = option.face
    return found


def number_told(told: MomentView) -> int | None:
    """Give the number on the display if the situation is about it: coins, say, are only mentioned."""
    number = told.board.number
    return number if told.about is not None and told.about.values.get("number") == number else None


def around_number(text: str, number: int | None, names: Sequence[str]) -> tuple[str, str, str]:
    """Divide a sentence at the number that it is about, so that the number can be set large."""
    # a number within a name is none
    skipped = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = re.finditer(rf"{skipped}|(?<![\d\w])(?P<number>{number})(?![\d\w])", text)
    first = next((each for each in found if each["number"]), None) if number is not None else None
    if first is None:
        return text, "", ""
    return text[: first.start()], first.group(), text[first.end() :]
