"""The dial's choice: four signs for the display, a sentence to speak, a seat to point out with its lamp."""

import re
from collections.abc import Mapping

from firmware.board.voices.short import common_words, is_number, number_signs, short_names, sign_with_number
from firmware.board_events import DialMoved, Menu, Pick, Step
from referee.cells import with_cell_counted
from referee.contract import Option
from referee.contract.words import wording_of
from referee.match import Match
from referee.telling import Listener, tell_face, tell_labelled, tell_option, tell_value

_PLACE = re.compile(r"\{[^}]*\}")


def dial_signs(match: Match, listener: Listener, dialled: DialMoved) -> str:
    """Write what is on the dial in four signs."""
    pick = dialled.dial.at
    return "" if pick is None else signs(match, listener, dialled.menu, pick)


def signs(match: Match, listener: Listener, menu: Menu, pick: Pick) -> str:
    """Write one choice of a menu, always in the same way; only beside cards a word may have to give way."""
    faces = _faces(match, listener)
    match pick.step:
        case "number":
            return number_signs(str(pick.value))
        case "who":
            return sign_with_number(_seat_sign(listener), (pick.seat or 0) + 1)
        case "card":
            return faces[str(pick.value)]
    option = pick.options[0] if pick.options else None
    if option is None or pick.step == "word":
        taken = faces.values() if any(other.step == "card" for other in menu.picks) else ()
        key = "done" if option is None else option.word
        return _words(listener, frozenset(taken))[key]
    return _aim(listener, faces, pick.step, _counted_options(match, pick)[0])


def _counted_options(match: Match, pick: Pick) -> tuple[Option, ...]:
    if not any(option.cell for option in pick.options):
        return pick.options
    game = match.setup.game
    grids = game.table.grids(game.shown.view(match.state, None))
    return tuple(with_cell_counted(grids, option, pick.seat) for option in pick.options)


def _aim(listener: Listener, faces: Mapping[str, str], step: Step, option: Option) -> str:
    """Write at what an option is aimed; where some are aimed and one isn't, that one by its word."""
    if step == "seat" and option.seat is not None:
        return sign_with_number(_seat_sign(listener), option.seat + 1)
    if step == "face" and option.face is not None:
        return faces[option.face]
    if step == "cell" and option.cell is not None:
        column, row = option.cell
        return f"{column + 1:2}{row + 1:2}"
    return _words(listener)[_key(listener, option, step)]


def _key(listener: Listener, option: Option, step: Step) -> str:
    own = f"{option.word}-own"
    return own if step == "seat" and own in listener.words.options else option.word


def _seat_sign(listener: Listener) -> str:
    """Give the letter that seats begin with in the table's language."""
    return listener.language.gettext("Seat {number}")


def _words(listener: Listener, taken: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """Name all options of the game, so that each is written the same way at every moment."""
    gettext = listener.language.gettext
    options = {
        key: _PLACE.sub("", gettext(wording_of(words).told.one))
        for key, words in listener.words.options.items()
    }
    return short_names((*options.items(), ("done", gettext("done"))), taken)


def _faces(match: Match, listener: Listener) -> Mapping[str, str]:
    """Name all faces of the deck; those that are numbers, by their numbers."""
    deck = match.setup.game.table.deck(match.setup.house)
    said = {face: tell_face(listener, face) for face in deck.counts}
    numbers = {face: number_signs(text) for face, text in said.items() if is_number(text)}
    others = tuple((face, text) for face, text in said.items() if face not in numbers)
    return {**numbers, **short_names(others, frozenset(numbers.values()))}


def dial_words(match: Match, listener: Listener, dialled: DialMoved) -> Mapping[str, str]:
    """Tell what the dial came to rest on: its four signs, and in full."""
    return {"shown": dial_signs(match, listener, dialled), "said": dial_sentence(match, listener, dialled)}


def dial_sentence(match: Match, listener: Listener, dialled: DialMoved) -> str:
    """Give the dial's choice in full, with its seat where that was chosen first."""
    dial = dialled.dial
    if dial.at is None:
        return ""
    seats = [taken.seat for taken in dial.path if taken.step == "who" and taken.seat is not None]
    told = _pick_text(match, listener, dial.at)
    for seat in reversed(seats):
        told = tell_labelled(listener.language, listener.names[seat], told)
    return told


def _pick_text(match: Match, listener: Listener, pick: Pick) -> str:
    match pick.step:
        case "number":
            return str(pick.value)
        case "who":
            return listener.names[pick.seat or 0]
        case "card":
            return tell_face(listener, str(pick.value))
        case "done":
            return tell_value(listener, None)
    return common_words([tell_option(listener, option) for option in _counted_options(match, pick)])


def pointed_seat(dialled: DialMoved) -> int | None:
    """Give the seat to point out: the target, else the seat chosen to speak."""
    dial = dialled.dial
    pick = dial.at
    if pick is None:
        return None
    aims = {option.seat for option in pick.options}
    aim = next(iter(aims)) if len(aims) == 1 else None
    if aim is not None or pick.step == "who":
        return pick.seat if aim is None else aim
    return next((taken.seat for taken in dial.path if taken.step == "who"), None)
