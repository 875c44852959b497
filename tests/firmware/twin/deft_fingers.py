"""Button presses and dial moves that give an answer, for people at the simulated table."""

from collections import Counter

from firmware.board.inputs.meaning import answers
from firmware.board.inputs.menus import cards, menu, push_dial, turn_dial
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
    dial = DialState()
    for _act in range(MAX_ACTS):
        act = dial_act(match, dial, answer)
        if act is None or act == BACK:
            return False
        after = _turn(match, dial, act) if isinstance(act, int) else push_dial(match, dial)
        if after is None or isinstance(after, Answer):
            return after is not None and (after.ask, after.value) == (answer.ask, answer.value)
        dial = after
    return False


def dial_act(match: Match, dial: DialState, answer: Answer) -> DialAct | None:
    """Choose the next turn or push of the dial; None if no choice on it leads to the answer."""
    wanted = _pick_towards(match, dial, answer)
    if wanted is None:
        return BACK if dial.path else None
    return PUSH if dial.at == wanted else _clicks_to(match, dial, wanted)


def _pick_towards(match: Match, dial: DialState, answer: Answer) -> Pick | None:
    """Return the choice that leads to an answer: the answer itself precedes its seat."""
    found = menu(match, dial.path)
    number = found.number
    if number is not None and number.key == answer.ask and isinstance(answer.value, int):
        return Pick("number", number.seats[0] if number.seats else None, number.key, answer.value)
    leading = [pick for pick in found.picks if _leads_to(pick, dial, answer)]
    return min(leading, key=lambda pick: pick.step == "who", default=None)


def _leads_to(pick: Pick, dial: DialState, answer: Answer) -> bool:
    if pick.seat is not None and answer.seat not in (None, pick.seat):
        return False
    if pick.step == "who":
        return answer.seat is not None
    if pick.ask != answer.ask:
        return False
    match answer.value:
        case tuple() as faces:
            return (Counter(faces) - Counter(cards(dial.path)))[str(pick.value)] > 0
        case None:
            return pick.step == "done"
        case value:
            return value in pick.options


def _clicks_to(match: Match, dial: DialState, wanted: Pick) -> int | None:
    for way in (1, -1):
        turned = dial
        for click in range(1, MAX_CLICKS + 1):
            turned = turn_dial(match, turned, way)
            if turned.at == wanted:
                return click * way
    return None


def _turn(match: Match, dial: DialState, clicks: int) -> DialState:
    for _click in range(abs(clicks)):
        dial = turn_dial(match, dial, 1 if clicks > 0 else -1)
    return dial
