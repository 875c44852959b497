"""Button presses and dial moves that give an answer, for people at the simulated table."""

from firmware.board.inputs.meaning import answers
from firmware.board.inputs.menus import menu, turn_dial
from firmware.board_events import DialState, Pick
from hardware.board.board import Key
from referee.contract import Answer, Gesture
from referee.match import Match

MAX_CLICKS, MAX_ACTS = 80, 24
"""Most clicks in one direction, and most turns and pushes, that people accept at the dial."""
PUSH, BACK = "push", "back"
DialAct = int | str  # a number of clicks, a push, or a long push that goes a step back


def press_for(match: Match, answer: Answer, buttons: int) -> tuple[Key, Gesture] | None:
    """Return the button and gesture for an answer; for one of the whole table, any seat's button."""
    seats = range(buttons) if answer.seat is None else (answer.seat,)
    for key in (Key("call", seat) for seat in seats if seat < buttons):
        for gesture, found in answers(match, key).items():
            if (found.ask, found.value) == (answer.ask, answer.value):
                return key, gesture
    return None


def can_dial(match: Match, answer: Answer) -> bool:
    """Return whether the dial gives an answer within people's patience."""
    return dial_act(match, DialState(), answer) is not None


def dial_act(match: Match, dial: DialState, answer: Answer) -> DialAct | None:
    """Choose the next turn or push of the dial; None if no choice on it leads to the answer."""
    wanted = _pick_towards(match, dial, answer)
    if wanted is None:
        return None if dial.seat is None else BACK
    return PUSH if dial.at == wanted else _clicks_to(match, dial, wanted)


def _pick_towards(match: Match, dial: DialState, answer: Answer) -> Pick | None:
    """Return the choice that leads to an answer: the answer itself, or else its seat."""
    found, value = menu(match, dial.seat), answer.value
    if found.number is not None and found.number.key == answer.ask and isinstance(value, int):
        return Pick("number", answer.seat, answer.ask, value)
    done, who = Pick("done", answer.seat, answer.ask), Pick("who", answer.seat)
    return next((pick for pick in (done, who) if pick in found.picks), None)


def _clicks_to(match: Match, dial: DialState, wanted: Pick) -> int | None:
    for way in (1, -1):
        turned = dial
        for click in range(1, MAX_CLICKS + 1):
            turned = turn_dial(match, turned, way)
            if turned.at == wanted:
                return click * way
    return None
