"""The call path of a press and an entry: few calls and returns, as in the architecture page."""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType

from firmware.board.inputs.button_input import ButtonInput
from firmware.board_events import BoardAnswers, Edge
from firmware.table.effects import EntryRequest
from firmware.table.state import handle_kept, hear_request
from hardware.board.board import Key
from referee.contract import Answer
from tests.firmware.board.inputs.matches import bidden, call_moments
from tests.firmware.table.sat import SeatedTable, card
from tests.hardware.board.own_boards import OWN_BOARDS

ROOT = Path(__file__).resolve().parents[3]
GAME = ("referee/games", "referee/kit", "referee/contract")  # parts of a game count as one stop
PROPERTIES = frozenset({"asks", "game_asks", "state", "outcome", "decided"})
"""Properties: reading a match is no stop."""


def stops_of(walk: Callable[[], object]) -> list[str]:
    stops = list[str]()

    def note(frame: FrameType, event: str, _what: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event != "call" or not file.is_relative_to(ROOT) or frame.f_code.co_name in PROPERTIES:
            return
        name = str(file.relative_to(ROOT))
        name = "the game" if name.startswith(GAME) else name
        if name.startswith(("firmware", "referee", "the game")) and stops[-1:] != [name]:
            stops.append(name)

    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(None)
    return stops


def returns_in(stops: list[str]) -> int:
    return len(stops) - len(set(stops))


def test_entry_goes_straight_to_game_and_back() -> None:
    sat = SeatedTable(bidden(20))
    ask = next(ask for ask in sat.match.asks if ask.key == "announce")
    request = EntryRequest(Answer(sat.match.number, "announce", 25, ask.seats[0], "button"))

    def walk() -> None:
        handle_kept(hear_request(sat.table, request, 1.0)[0], 1, 1.0)

    stops = stops_of(walk)
    assert stops[:4] == ["firmware/table/state.py", "referee/match.py", "referee/legal.py", "the game"]
    assert (len(stops) <= 9, returns_in(stops) <= 2) == (True, True), stops
    _are_in_order(stops[:3], "An entry becomes the next moment")


def test_sighting_becomes_ruling_in_two_modules() -> None:
    cards = [card(face, place) for place, face in enumerate(("10", "5", "4", "3"))]
    sat = SeatedTable(call_moments()[0]).see(*cards[:3])
    stops = stops_of(lambda: sat.see(*cards).see(*cards, asked="moment 3"))
    assert sat.written
    own = [stop for stop in stops if stop.startswith("firmware")]
    hops = [stop for before, stop in pairwise(["", *own]) if stop != before]
    modules = [f"firmware/table/{name}.py" for name in ("state", "cards", "card_answers")]
    assert (list(dict.fromkeys(hops)), hops.count(modules[0])) == (modules, 5)
    _are_in_order(modules, "A card becomes a ruling")


def test_press_meaning_is_decided_once() -> None:
    buttons, match, heard = ButtonInput(OWN_BOARDS["six"]), bidden(20), list[object]()
    seat = next(ask.seats[0] for ask in match.asks if ask.seats)
    stops = stops_of(lambda: heard.extend(buttons.feed(Edge(Key("call", seat), 10.0, True), match)))
    assert isinstance(heard[-1], BoardAnswers)
    inputs = "firmware/board/inputs"
    assert list(dict.fromkeys(stops)) == [
        f"{inputs}/{file}.py" for file in ("button_input", "presses", "meaning")
    ]
    assert (len(stops) <= 6, returns_in(stops) <= 3) == (True, True), stops
    _are_in_order([*stops[:2], *stops[3:]], "A press becomes a lamp")


def _are_in_order(files: list[str], way: str) -> None:
    """Compare with a call path of the page; a file that is called again is listed again."""
    page = (ROOT / "docs" / "dev" / "architecture.md").read_text(encoding="utf-8")
    walk, place = page.partition(f"### {way}")[2].partition("\n### ")[0], 0
    for file in files:
        place = walk.index(file, place) + len(file)
