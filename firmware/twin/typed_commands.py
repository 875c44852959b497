"""Typed commands for the twin: press buttons, turn the dial, lay cards, cause camera faults."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, get_args

from firmware.language.speaking import _, label_text
from firmware.table.cards import show_ask, zone_name
from firmware.twin.simulated_camera import Fault
from firmware.twin.simulated_table import SimulatedTable
from hardware.board.board import Key
from referee.contract.cards import face_named
from referee.match import Match

HELP = _("""\
The table is simulated; this moves it:
  press 2            press the button of seat 2; press 2 long, press 2 double, press 2 second
  press              press the table's button
  turn 5, turn -1    turn the dial; push pushes it
  lay                lay the cards that are asked for, as they really are; lay 20 x2 lays others
  sweep              take all cards off the table
  peek               where every card really is
  fault unplugged    the camera fails: unplugged, frozen, black; fault alone makes it well
  glare              a lamp is mirrored on the card that was laid last; glare again ends it
  again              another match, once this one is over
Anything else is an answer, as in coyote play:""")


def _press(twin: SimulatedTable, _match: Match, words: list[str]) -> list[str]:
    seat = int(words[0]) - 1 if words and words[0].isdecimal() else None
    how = words[-1] if words and not words[-1].isdecimal() else "short"
    role: Literal["second", "call"] = "second" if how == "second" else "call"
    return _board_reply(twin.fingers.press(Key(role, seat), how))


def _turn(twin: SimulatedTable, _match: Match, words: list[str]) -> list[str]:
    clicks = words[0] if words else "1"
    return _board_reply(clicks.removeprefix("-").isdecimal() and twin.fingers.turn(int(clicks)))


def _lay(twin: SimulatedTable, match: Match, words: list[str]) -> list[str]:
    ask = show_ask(match)
    if ask is None:
        return [_("No cards are asked for now.")]
    faces = [face_named(ask.deck, word) for word in words]
    strange = next((face for face in faces if face not in ask.deck.counts), None)
    if strange is not None:
        return [_("There is no card {card}.").format(card=strange)]
    return [_("Laid: {cards}").format(cards=" ".join(twin.world.lay(match, ask, faces or None)))]


def _peek(twin: SimulatedTable, match: Match, _words: list[str]) -> list[str]:
    truth = twin.world.truth(match).items()
    return [label_text(zone_name(zone), " ".join(cards)) for zone, cards in truth if cards]


def _fault(twin: SimulatedTable, _match: Match, words: list[str]) -> None:
    twin.world.view.fault = next((fault for fault in get_args(Fault) if fault in words), None)


def _board_reply(is_done: bool) -> list[str]:
    return [] if is_done else [_("The board has no such button, or no dial.")]


COMMANDS: Mapping[str, Callable[[SimulatedTable, Match, list[str]], list[str] | None]] = {
    "help": lambda _twin, _match, _words: [HELP],
    "press": _press,
    "turn": _turn,
    "push": lambda twin, _match, _words: _board_reply(twin.fingers.press(Key("push"))),
    "lay": _lay,
    "sweep": lambda twin, _match, _words: twin.world.sweep(),
    "peek": _peek,
    "fault": _fault,
    "glare": lambda twin, _match, _words: twin.world.toggle_glare(),
}


def typed_commands(twin: SimulatedTable) -> Mapping[str, Callable[[Match, list[str]], list[str]]]:
    def do(name: str, match: Match, words: list[str]) -> list[str]:
        return COMMANDS[name](twin, match, words) or []

    return {name: partial(do, name) for name in COMMANDS}
