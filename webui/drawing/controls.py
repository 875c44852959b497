"""What a seat can answer, drawn from the asks alone; and the answers that come back: pure."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.cells import with_cell_counted
from referee.contract import Ask, Choice, Done, Grid, Number, Option, Show, Value
from referee.match import Match, TakeBack, take_back
from referee.telling import Listener, tell_face, tell_option
from webui.drawing.grids import Sheet, asking_sheets, is_on_grid
from webui.drawing.questions import QuestionText, asked_texts

QUICK = 12
"""Numbers that have a button of their own."""
LONGEST = 9
"""Digits that anybody would type for a number."""
CARDS = 60
"""Cards that anybody would name at once."""
CARD, READ = "card-", "read-"
"""What the name of a field begins with that counts one face; that says what a card of a photograph is."""


class Button(Struct, frozen=True):
    """Something to tap: what it sends, and what it says."""

    value: str
    text: str
    is_now: bool = False
    """It is what stands in the record."""


class Pile(Struct, frozen=True):
    """Cards of one face to count: how many there must be, and can be."""

    field: str
    text: str
    least: int
    most: int
    preset: int = 0


class Control(Struct, frozen=True):
    """What an ask looks like on a phone."""

    ask: str
    kind: str
    question: QuestionText = QuestionText("")
    is_asked_above: bool = False
    """The question stands above another control: for screen readers, it is said again."""
    field: str = ""
    buttons: tuple[Button, ...] = ()
    least: int = 0
    most: int = 0
    piles: tuple[Pile, ...] = ()
    count: int = 0
    sheets: tuple[Sheet, ...] = ()
    """Grids with a button on each cell that may be chosen; what has no cell is among the other buttons."""


class Misread(Struct, frozen=True):
    """What came can't be an answer to what is asked."""


def asks_of(asks: Iterable[Ask], seat: int) -> tuple[Ask, ...]:
    """Pick what a seat may answer: what it is asked, and what the whole table is."""
    return tuple(ask for ask in asks if not ask.seats or seat in ask.seats)


def may_take_back(match: Match, seat: int | None) -> bool:
    """Tell whether a seat can take the last answer back."""
    return isinstance(take_back(match, TakeBack(match.number, seat)), Match)


def controls_of(match: Match, seat: int, listener: Listener, grids: tuple[Grid, ...]) -> tuple[Control, ...]:
    """Draw all that a seat may answer, each with its question."""
    return tuple(
        replace(
            control_of(asked.ask, listener, grids, seat),
            question=asked.question,
            is_asked_above=asked.is_asked_above,
        )
        for asked in asked_texts(match, seat, listener)
    )


def control_of(ask: Ask, listener: Listener, grids: tuple[Grid, ...] = (), seat: int | None = None) -> Control:
    """Draw an ask for a seat; options with cells are drawn on the grids, if there are any."""
    match ask:
        case Number():
            return Control(
                ask.key,
                "number",
                field="number",
                buttons=tuple(_quick_buttons(ask)),
                least=ask.least,
                most=ask.most,
            )
        case Choice():
            return _choice(ask, listener, grids, seat)
        case Show(count=1):
            one = (Button(face, tell_face(listener, face)) for face in _possible_faces(ask))
            return Control(ask.key, "card", field="card", buttons=tuple(one))
        case Show():
            piles = tuple(_pile(ask, face, listener) for face in _possible_faces(ask))
            return Control(ask.key, "cards", piles=piles, count=ask.count)
        case _:
            return Control(ask.key, "done")


def _choice(ask: Choice, listener: Listener, grids: tuple[Grid, ...], seat: int | None) -> Control:
    written = {option: _encode_option(option) for option in ask.options}
    plain = [option for option in ask.options if not is_on_grid(ask, option, grids, seat)]
    texts = (tell_option(listener, with_cell_counted(grids, option, seat)) for option in plain)
    buttons = tuple(Button(written[option], text) for option, text in zip(plain, texts, strict=True))
    sheets = asking_sheets(ask, grids, seat, listener, written)
    return Control(ask.key, "choice", field="option", buttons=buttons, sheets=sheets)


def _quick_buttons(ask: Number) -> Iterable[Button]:
    """Offer the lowest numbers: they are said most."""
    nearest = range(ask.least, min(ask.most, ask.least + QUICK + len(ask.barred) - 1) + 1)
    legal = [number for number in nearest if number not in ask.barred]
    return (Button(str(number), str(number)) for number in legal[:QUICK])


def _possible_faces(ask: Show) -> Iterable[str]:
    return (face for face, count in ask.among.items() if count > 0)


def _pile(ask: Show, face: str, listener: Listener) -> Pile:
    most = min(ask.among[face], ask.count)
    least = min(ask.must.count(face), most)
    return Pile(CARD + face, tell_face(listener, face), least, most, least)


def _encode_option(option: Option) -> str:
    return msgspec.json.encode(option).decode()


def value_of(ask: Ask, form: Mapping[str, str]) -> Value | Misread:
    """Read what was tapped or typed; whether it is legal is for the referee to say."""
    match ask:
        case Number():
            return _number(form.get("number") or form.get("other", ""))
        case Choice():
            return _option(form.get("option", ""))
        case Show():
            return _read_cards(form)
        case Done():
            return None


def _number(text: str) -> int | Misread:
    digits = text.strip().removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST
    return int(text) if is_number else Misread()


def _option(text: str) -> Option | Misread:
    try:
        return msgspec.json.decode(text, type=Option)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Misread()


def _read_cards(form: Mapping[str, str]) -> tuple[str, ...] | Misread:
    """Read cards: one, a list of them, those of a photograph, or so many of each."""
    if "card" in form:
        return (form["card"],)
    if "cards" in form:
        return _read_card_list(form["cards"])
    read = tuple(text for field, text in form.items() if field.startswith(READ))
    return tuple(filter(None, read)) if read else _read_card_counts(form)


def _read_card_list(text: str) -> tuple[str, ...] | Misread:
    try:
        cards = msgspec.json.decode(text, type=tuple[str, ...])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Misread()
    return cards if len(cards) <= CARDS else Misread()


def _read_card_counts(form: Mapping[str, str]) -> tuple[str, ...] | Misread:
    cards: list[str] = []
    for field, text in form.items():
        if not field.startswith(CARD):
            continue
        count = _number(text or "0")
        if isinstance(count, Misread) or not 0 <= count <= CARDS - len(cards):
            return Misread()
        cards.extend([field.removeprefix(CARD)] * count)
    return tuple(cards)
