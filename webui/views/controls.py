"""Phone controls for a seat's asks, and the answers they submit; pure functions."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.answers_view import AnswersView
from referee.contract import Answer, Ask, Choice, Done, Grid, Number, Option, Show, Value, Weight
from referee.match import Match, TakeBack, hear
from referee.moment_view import MomentView, QuestionView, RowView
from referee.sentences import proof_texts
from webui.views.grids import Sheet, asking_sheets, is_on_grid
from webui.views.options import (
    Button,
    OptionRow,
    option_buttons,
    option_rows,
    weighed_buttons,
    withheld_buttons,
)

# Texts of the questions: complete, with long names shortened for display only.


class QuestionText(Struct, frozen=True):
    """A question for display, and in full for screen readers if names were shortened."""

    text: str
    full: str = ""


def question_texts(told: MomentView) -> tuple[QuestionText, ...]:
    """Return all questions: the one that stops play first, then optional ones."""
    return tuple(_text(short.text, full.text) for short, full in _questions(told))


def bare_questions(told: MomentView) -> tuple[QuestionText, ...]:
    """Return all questions, without the subject that the page shows beside them."""
    first = tuple(_text(short.bare, full.bare) for short, full in _questions(told)[:1])
    return (*first, *question_texts(told)[1:])


def _questions(told: MomentView) -> list[tuple[QuestionView, QuestionView]]:
    return list(zip(told.short.questions, told.questions, strict=True))


def _text(short: str, full: str) -> QuestionText:
    return QuestionText(short, "" if short == full else full)


STEPS = (1, 2, 3, 5, 10)
"""Distances above the current number that have a button of their own."""
UNGROUPED_FACES = 12  # most faces shown together, even if they could be grouped by suit
MAX_DIGITS = 9  # most digits of a typed number
CARDS = 60  # most cards in one answer
CARD, READ = "card-", "read-"
"""Prefixes of form fields: the count of a face, and the reviewed face of a photographed card."""


class Pile(Struct, frozen=True):
    """Counter for cards of one face, with its minimum and maximum."""

    field: str
    text: str
    least: int
    most: int
    preset: int = 0
    face: str = ""


class Suit(Struct, frozen=True):
    """A group of faces that players look for together."""

    key: str
    text: str
    faces: tuple[str, ...]
    is_first: bool = False  # shown before the player chooses a suit


class Control(Struct, frozen=True):
    """Appearance of an ask on a phone."""

    ask: str
    kind: str
    question: QuestionText = QuestionText("")
    is_asked_above: bool = False
    """Whether another control already shows the question; screen readers repeat it."""
    is_bare: bool = False  # the page must show the question's subject beside it
    field: str = ""
    buttons: tuple[Button, ...] = ()
    least: int = 0
    most: int = 0
    piles: tuple[Pile, ...] = ()
    count: int = 0
    sheets: tuple[Sheet, ...] = ()
    """Grids with a button on each legal cell; options without a cell are among the other buttons."""
    faces: tuple[Button, ...] = ()
    """All faces of the deck, including those not allowed now, so that positions don't change."""
    suits: tuple[Suit, ...] = ()
    rows: tuple[OptionRow, ...] = ()
    """All options, including those not allowed now; options that need a player are grouped."""
    weighed: tuple[Button, ...] = ()
    """Answers with possible outcomes; the player selects one, sees its outcomes, then confirms."""
    window: int = 0  # the answer window; a selection from another window is dropped
    preset: int = 0
    proof: Button | None = None
    """The card that proves the seat's claim, as the likeliest answer."""
    is_witnessed: bool = False  # the camera or another player confirms the proof
    hint: str = ""
    likely: tuple[Button, ...] = ()
    """Possible answers from cards on the table that the camera is unsure about."""
    taking: Button | None = None  # the likely card that will count soon unless a player objects


class ClaimedCard(Struct, frozen=True):
    """The card that proves an open claim; at a real table, the camera or another player confirms it."""

    ask: Show
    face: str
    name: str
    instruction: str
    seen: str


def with_likely(control: Control, likely: Iterable[Answer], taking: Answer | None, told: MomentView) -> Control:
    """Add the likely answers from cards on the table, and a button to reject the pending one."""
    buttons = list[Button]()
    for each in likely:
        if each.ask == control.ask:
            faces = each.value if isinstance(each.value, tuple) else ()
            face, named = faces[0] if len(faces) == 1 else "", ", ".join(map(told.face, faces))
            buttons.append(Button(msgspec.json.encode(faces).decode(), named, face=face))
    soon = taking if taking is not None and taking.ask == control.ask else None
    return replace(control, likely=tuple(buttons), taking=taken_soon(soon, told))


def taken_soon(taking: Answer | None, told: MomentView) -> Button | None:
    face = "" if taking is None else taking.likely
    return Button(face, told.face(face), face=face) if face else None


def asks_of(asks: Iterable[Ask], seat: int) -> tuple[Ask, ...]:
    """Return the asks of a seat: its own, and those to the whole table."""
    return tuple(ask for ask in asks if not ask.seats or seat in ask.seats)


def may_take_back(match: Match, seat: int | None) -> bool:
    return isinstance(hear(match, TakeBack(match.number, seat)), Match)


def controls_of(told: MomentView, seat: int, grids: tuple[Grid, ...]) -> tuple[Control, ...]:
    """Return a seat's controls with their questions; a common subject is shown beside them or once."""
    answers, told_of, drawn = {each.ask.key: each for each in told.answers}, told.about, list[Control]()
    for short, full in _questions(told):
        question = full.question
        if question.seats and seat not in question.seats:
            continue
        is_bare = question.about is not None and question.about == told_of
        text = _text(short.bare, full.bare) if is_bare else _text(short.whole, full.whole)
        for key in question.asks:
            control = control_of(answers[key], grids, seat, told.rows)
            is_above = key != question.asks[0]
            drawn.append(replace(control, question=text, is_asked_above=is_above, is_bare=is_bare))
        told_of = question.about
    return tuple(drawn)


def control_of(
    told: AnswersView, grids: tuple[Grid, ...] = (), seat: int | None = None, rows: tuple[RowView, ...] = ()
) -> Control:
    """Return a seat's control for an ask; options with cells are drawn on the grids, if there are any.

    The open rows determine which cards come first.
    """
    match told.ask:
        case Number():
            drawn = _number_pad(told.ask)
        case Choice():
            drawn = _choice(told, told.ask, grids, seat)
        case Show(count=1):
            suits = _suits(told, told.ask, rows)
            faces = tuple(_face_button(told, told.ask, face) for suit in suits for face in suit.faces)
            possible = tuple(button for button in faces if button.value)
            drawn = Control(told.ask.key, "card", field="card", buttons=possible, faces=faces, suits=suits)
            drawn = replace(drawn, proof=_proof(possible, rows, seat))
        case Show():
            piles = tuple(_pile(told, told.ask, face) for face in _possible_faces(told.ask))
            suits = _suits(told, told.ask, rows, is_counting=True)
            drawn = Control(told.ask.key, "cards", piles=piles, count=told.ask.count, suits=suits)
        case _:
            drawn = Control(told.ask.key, "done")
    return replace(drawn, hint=told.hint)


def claimed_card(told: MomentView) -> ClaimedCard | None:
    """Return the card that proves the claim in question, if its player could show others instead."""
    for ask in told.match.asks:
        if isinstance(ask, Show) and ask.count == 1 and len(ask.seats) == 1:
            face = _claimed_face(told.rows, ask.seats[0])
            if ask.among.get(face) and len(tuple(_possible_faces(ask))) > 1:
                show, seen = proof_texts(told.listener, face)
                return ClaimedCard(ask, face, told.face(face), show, seen)
    return None


def _number_pad(ask: Number) -> Control:
    first = next((number for number in range(ask.least, ask.most + 1) if number not in ask.barred), ask.least)
    offered = (ask.least - 1 + step for step in STEPS)
    legal = [str(number) for number in offered if number <= ask.most and number not in ask.barred]
    buttons = tuple(Button(number, number) for number in legal)
    return Control(
        ask.key, "number", field="number", buttons=buttons, least=ask.least, most=ask.most, preset=first
    )


def _choice(told: AnswersView, ask: Choice, grids: tuple[Grid, ...], seat: int | None) -> Control:
    plain = [option for option in ask.options if not is_on_grid(ask, option, grids, seat)]
    by_clock = None if ask.deadline is None else ask.deadline.value
    buttons = tuple(
        replace(button, is_by_clock=option == by_clock)
        for option, button in zip(plain, option_buttons(told, plain, seat), strict=True)
    )
    withheld = tuple(withheld_buttons(told, seat))
    return Control(
        ask.key,
        "choice",
        field="option",
        buttons=buttons,
        sheets=asking_sheets(told, ask, grids, seat),
        rows=option_rows((*buttons, *withheld), told, seat),
        weighed=() if withheld else weighed_buttons(buttons),
        window=ask.window or 0,
    )


def _possible_faces(ask: Show) -> Iterable[str]:
    return (face for face, count in ask.among.items() if count > 0)


def _suits(
    told: AnswersView, ask: Show, rows: tuple[RowView, ...], *, is_counting: bool = False
) -> tuple[Suit, ...]:
    faces = tuple(_possible_faces(ask)) if is_counting else tuple(ask.deck.counts)
    if not ask.deck.suits or len(faces) <= UNGROUPED_FACES:
        return (Suit("", "", faces, is_first=True),)
    groups = {key: tuple(face for face in group if face in faces) for key, group in ask.deck.suits.items()}
    groups = {key: group for key, group in groups.items() if group}
    leads = tuple(face for each in rows if each.row.weight is Weight.KEY for face in each.row.faces)
    first = _first_suit(groups, leads, frozenset(_possible_faces(ask)))
    return tuple(Suit(key, told.suits[key], group, key == first) for key, group in groups.items())


def _first_suit(groups: Mapping[str, tuple[str, ...]], leads: tuple[str, ...], possible: frozenset[str]) -> str:
    """Return the suit of the leading card if it can still be played; otherwise the first playable suit."""
    open_groups = [key for key, group in groups.items() if possible.intersection(group)]
    led = [key for key in open_groups if leads[:1] and leads[0] in groups[key]]
    return next(iter((*led, *open_groups)), "")


def _face_button(told: AnswersView, ask: Show, face: str) -> Button:
    each, is_possible = told.faces[face], ask.among.get(face, 0) > 0
    value, why = (face, "") if is_possible else ("", each.why)
    return Button(value, each.name, face=face, effect=each.said, why=why, use=each.effect)


def _proof(possible: tuple[Button, ...], rows: tuple[RowView, ...], seat: int | None) -> Button | None:
    """Return the card that proves a claim, if the seat could show others instead."""
    claim = "" if seat is None else _claimed_face(rows, seat)
    return next((button for button in possible if button.face == claim), None) if len(possible) > 1 else None


def _claimed_face(rows: tuple[RowView, ...], seat: int) -> str:
    """Return the card of a seat's open claim."""
    claims = (each.row for each in rows if each.row.claimed_by == seat and not each.row.struck)
    return next((row.faces[0] for row in claims if row.faces), "")


def _pile(told: AnswersView, ask: Show, face: str) -> Pile:
    most = min(ask.among[face], ask.count)
    least = min(ask.must.count(face), most)
    return Pile(CARD + face, told.faces[face].name, least, most, least, face)


def value_of(ask: Ask, form: Mapping[str, str]) -> Value:
    """Parse the tapped or typed value, or raise ValueError; the referee decides whether it is legal."""
    try:
        match ask:
            case Number():
                return _number(form.get("number") or form.get("other", ""))
            case Choice():
                # a cell stays selected when the player taps an option without a cell
                return msgspec.json.decode(form.get("option") or form.get("cell", ""), type=Option)
            case Show():
                if "card" in form:
                    return (form["card"],)
                if "cards" in form:
                    cards = msgspec.json.decode(form["cards"], type=tuple[str, ...])
                    if len(cards) > CARDS:
                        raise ValueError("too many cards")
                    return cards
                read = tuple(text for field, text in form.items() if field.startswith(READ))
                return tuple(filter(None, read)) if read else _read_card_counts(form)
            case Done():
                return None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError("no answer to the ask") from error


def _number(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
        raise ValueError("no number")
    return int(text)


def _read_card_counts(form: Mapping[str, str]) -> tuple[str, ...]:
    cards: list[str] = []
    for field, text in form.items():
        if not field.startswith(CARD):
            continue
        count = _number(text or "0")
        if not 0 <= count <= CARDS - len(cards):
            raise ValueError("too many cards")
        cards.extend([field.removeprefix(CARD)] * count)
    return tuple(cards)
