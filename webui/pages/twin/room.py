"""Layout of the simulated table's page: seats, cards in the middle, buttons; pure functions."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.board.inputs.meaning import seat_answers
from firmware.twin.simulated_board import BoardOutput
from firmware.twin.simulated_table import Chair, LaidCardView, Point, TableView
from referee.answers_view import OptionView
from referee.contract import Answer, Done, Mood, Number, Option, Show
from referee.contract.board import Gesture
from referee.contract.words import Phrase, phrase
from referee.match import Match
from referee.moment_view import CardView, MomentView, PlayerView, SceneView
from referee.sentences import given_text
from webui.views.controls import Control
from webui.views.grids import Sheet
from webui.views.score_board import Score
from webui.views.words import page_text

CARD = (63.0, 88.0)
"""Width and height of a card in millimetres; a turned card needs its height in both directions."""
ROOM = 10.0  # margin around the cards in the middle, in millimetres
LEAST = (210.0, 128.0)
"""Smallest visible part of the middle in millimetres, enough for three cards side by side."""
STEPS = (0, 1, 2, 4, 9, 14)  # offsets from the least number; numbers close to it are answered most often


SeatButton = Literal["call", "second"]
SEAT_BUTTONS: tuple[SeatButton, ...] = ("call", "second")
GESTURE_TEXTS: Mapping[Gesture, Phrase] = {
    "double": phrase("twice: {answer}"),
    "long": phrase("held down: {answer}"),
}
DOME, DOME_WORD = 16, 10
"""Most letters on a button, in two lines, and in one of its words."""


class PressText(Struct, frozen=True):
    """A button's text, and its full answer if that doesn't fit."""

    shown: str
    answer: str = ""


class SeatPlace(Struct, frozen=True):
    """A seat in the drawing: its side of the table, its plate, and its lamp."""

    seat: int
    side: str  # side from the viewer's chair: "left", "top" or "right"; "near" is the viewer's own
    chair: Chair
    lamp: str
    player: PlayerView | None = None
    sheet: Sheet | None = None
    laid: tuple[LaidCardView, ...] = ()


def press_text(told: MomentView, seat: int, role: SeatButton) -> PressText:
    """Return the words on a seat's button: the answer that a press of it gives now."""
    language = told.listener.language
    for answer in seat_answers(told.match, seat, role).values():
        if not isinstance(answer.value, Option):
            return PressText(page_text(language, phrase("Done")))
        view = _view_of(told, answer.ask, answer.value)
        fitting = (each for each in (view.bare, view.short, view.text) if _fits_dome(each))
        if (text := next(fitting, "")) != "":
            return PressText(text[:1].upper() + text[1:])
        return PressText(page_text(language, phrase("Answer")), view.text)
    is_turn = role == "call" and told.outcome is None and told.board.turn == seat
    return PressText(page_text(language, phrase("Your turn") if is_turn else phrase("Not now")))


def press_hint(told: MomentView, seat: int) -> str:
    """Return the key of a seat's main button, and its answers to a double and a long press."""
    language, meant = told.listener.language, seat_answers(told.match, seat, "call")
    hints = [page_text(language, phrase("or Space"))]
    for gesture, text in GESTURE_TEXTS.items():
        answer = meant.get(gesture)
        if answer is not None and isinstance(answer.value, Option):
            view = _view_of(told, answer.ask, answer.value)
            hints.append(page_text(language, text, answer=view.short or view.text))
    return " · ".join(hints)


def _view_of(told: MomentView, ask: str, option: Option) -> OptionView:
    return next(each for each in told.answers if each.ask.key == ask).options[option]


def _fits_dome(text: str) -> bool:
    return 0 < len(text) <= DOME and max(map(len, text.split(" "))) <= DOME_WORD


def is_shared_for(match: Match, seat: int, role: str) -> bool:
    """Return whether the table's own button, or else its dial, now answers for no other seat."""
    asks = (
        ask
        for ask in match.asks
        if (len(ask.seats) == 1 if role == "table" else isinstance(ask, Number | Done))
    )
    return all(set(ask.seats) <= {seat} for ask in asks)


def gift_of(told: MomentView, ask: str, counts: tuple[int, int]) -> Mapping[str, object]:
    """Return how many cards the viewer may give away unseen, and the button's text for each number."""
    least, most = counts
    texts = {count: given_text(told.listener, ask, count) for count in range(least, most + 1)}
    return {"least": least, "most": most, "texts": texts}


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
    box = box_around(middle, zone)
    return {
        "others": [
            msgspec.structs.replace(seats[seat], side=side) for seat, side in zip(order, sides, strict=True)
        ],
        "crowd": "many" if len(order) > 5 else "few" if len(order) < 3 else "some",
        "mine": None if viewer is None else seats[viewer],
        # players without a seat of their own
        "unseated": [player for seat, player in players.items() if seat >= len(seats)],
        "middle": middle,
        "box": " ".join(map(str, box)),
        # the zone for cards in the middle, unless it is in front of the viewer's own seat
        "zone": zone if not middle or is_within(zone, box) or any(card.is_astray for card in middle) else (),
        "is_zone_mine": viewer is not None and table.zone_seat == viewer,
    }


def is_counted(scene: SceneView | None) -> bool:
    """Return whether a scene counts cards to a number, so that they are turned one by one."""
    if scene is None or scene.headline is None or not scene.rows or len(scene.rows[0].cards) < 2:
        return False
    # the step that reaches the number may be followed by a card that doesn't count
    return any(card.note.endswith(scene.headline.figure) for card in scene.rows[0].cards)


def clockwise(seats: int, viewer: int | None) -> tuple[int, ...]:
    """Return the other seats as a viewer sees them, from left neighbour to right neighbour."""
    if viewer is None:
        return tuple(range(seats))
    return tuple((viewer + step) % seats for step in range(1, seats))


Box = tuple[int, int, int, int]
"""Left and top edge, width and height of an SVG viewBox."""


def box_around(cards: Sequence[LaidCardView], zone: Sequence[Point]) -> Box:
    """Return the box around all cards in the middle; without cards, around the zone for them."""
    reach = CARD[1] / 2
    corners = [(card.x + side * reach, card.y + side * reach) for card in cards for side in (-1, 1)]
    across, down = zip(*(corners or zone or ((0.0, 0.0),)), strict=True)
    left, width = _stretch(min(across), max(across), LEAST[0])
    top, height = _stretch(min(down), max(down), LEAST[1])
    return round(left), round(top), round(width), round(height)


def is_within(zone: Sequence[Point], box: Box) -> bool:
    """Return whether a whole zone is visible, so that no stray line crosses the table."""
    left, top, width, height = box
    return all(left <= x <= left + width and top <= y <= top + height for x, y in zone)


def _stretch(first: float, last: float, least: float) -> tuple[float, float]:
    """Return the start and length of a range with its margin, at least `least` long."""
    length = max(last - first + 2 * ROOM, least)
    return (first + last - length) / 2, length


def awaited_text(told: MomentView, table: TableView) -> str:
    """Name the players who still have to lay a card, once the viewer has laid one."""
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
    """Return the facts that matter now: claims, cards that count, a number, and the last decision."""
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
        # cards that were read last, in the order of the answer
        "read": [CardView(face, told.face(face)) for face in read],
    }


def useful_numbers(control: Control) -> tuple[int, ...]:
    """Return a few useful numbers: the least, those just above it, and some larger steps."""
    offered = {int(button.value) for button in control.buttons}
    nearest = [control.least + step for step in STEPS if control.least + step <= control.most]
    # numbers with a button are allowed; those above the last button are too large to be barred
    last = max(offered, default=control.most)
    return tuple(number for number in nearest if number in offered or number > last)


def number_told(told: MomentView) -> int | None:
    """Return the displayed number if the situation is about it; coins, for example, are only mentioned."""
    number = told.board.number
    return number if told.about is not None and told.about.values.get("number") == number else None


def around_number(text: str, number: int | None, names: Sequence[str]) -> tuple[str, str, str]:
    """Split a sentence around its number, so that the number can be shown large."""
    # skip numbers within names
    skipped = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = re.finditer(rf"{skipped}|(?<![\d\w])(?P<number>{number})(?![\d\w])", text)
    first = next((each for each in found if each["number"]), None) if number is not None else None
    if first is None:
        return text, "", ""
    return text[: first.start()], first.group(), text[first.end() :]
