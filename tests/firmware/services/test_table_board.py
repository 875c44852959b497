"""The host's board page: choosing, testing and activating a board."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from firmware.board.inputs.buttons import PinProbe
from firmware.services.table_board import TableBoard
from firmware.state_folder import BOARD_FAULTS
from firmware.storage.wired_board import WIRED_BOARD, BoardFaults, WiredBoard, read_board_faults
from firmware.table.effects import ShowLamp
from hardware.board.board import Key, keys
from hardware.board.lamps import Lamp, all_lamps
from hardware.board.uses import known_pins
from tests.firmware.recording_client import RecordingClient
from tests.hardware.board.own_boards import BOARDS
from tests.hil.replay import SimulatedFingers
from tests.webui.room import hidden_fields, match_of, room_with

SIX_KEYS = tuple(keys(BOARDS["six"]))
BOARD, LAMPS = "/host/board", "/host/board/lamps"
DEAD = Key("call", 2)


class Wiring:
    """A table with simulated pins, and the host at its page."""

    def __init__(self, state: Path, wired: WiredBoard, fingers: SimulatedFingers, ends: ExitStack) -> None:
        self.table, self.state, self._fingers = RecordingClient(), state, fingers
        probe = None if wired.is_driven else PinProbe(known_pins(BOARDS), fingers)
        if probe is not None:
            ends.callback(probe.close)
        self.client = TableBoard(state, wired, BOARDS, self.table, probe)
        self.room = room_with(match_of(), state, board=self.client)
        self.host = self.room.browser().host()

    @property
    def wired(self) -> WiredBoard | None:
        return WIRED_BOARD.find(self.state)

    @property
    def wrong(self) -> list[str]:
        return [notice.key for notice in self.table.wrong.values()]

    @property
    def lit(self) -> list[Lamp | None]:
        return [done.lamp for done in self.table.done if isinstance(done, ShowLamp)]

    def press(self, *keys_: Key, name: str = "six") -> None:
        self.press_pins(*(keys(BOARDS[name])[key] for key in keys_))

    def press_pins(self, *gpios: int) -> None:
        for gpio in gpios:
            self._fingers.tap(gpio)

    def send(self, what: str = "", **fields: object) -> int:
        """Send a form, even one the page doesn't offer."""
        form = hidden_fields(self.host.get(BOARD).text, BOARD)
        with self.host.post(f"{BOARD}{what}", **{**form, **fields}) as sent:
            return int(sent.status_code)


Wire = Callable[[WiredBoard], Wiring]


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    fingers = SimulatedFingers()
    with ExitStack() as ends:
        yield lambda wired: Wiring(tmp_path, wired, fingers, ends)


@pytest.fixture
def fresh(wire: Wire) -> Wiring:
    return wire(WiredBoard())


def test_new_board_is_chosen_tested_and_activated(fresh: Wiring) -> None:
    assert fresh.send(profile="six") == 303
    page = fresh.host.get(BOARD).text
    assert "/host/board/confirm" not in page
    assert LAMPS not in page
    assert (fresh.send("/lamps", lamp=0, said="show"), fresh.lit) == (303, [])
    assert fresh.send("/confirm") == 409
    fresh.press(*SIX_KEYS)
    assert fresh.send("/confirm") == 200
    assert (fresh.wired, fresh.room.restarts) == (WiredBoard("six", "confirmed"), 1)


def test_dead_button_can_be_skipped_and_is_stored_as_fault(fresh: Wiring, wire: Wire) -> None:
    fresh.send(profile="six")
    fresh.press(*(key for key in SIX_KEYS if key != DEAD))
    assert fresh.host.get(BOARD).text.count("press it<") == 1
    assert (fresh.send("/confirm"), fresh.send("/without")) == (409, 200)
    assert read_board_faults(fresh.state, "six") == BoardFaults("six", (DEAD,))
    driven = wire(WiredBoard("six", "confirmed"))
    assert driven.wrong == ["board faults"]
    assert "The button of seat 3" in driven.host.get(BOARD).text
    # its buttons are tested again
    assert driven.send(profile="six") == 200


def test_repaired_button_is_no_longer_a_fault(wire: Wire, tmp_path: Path) -> None:
    (tmp_path / BOARD_FAULTS).write_bytes(msgspec.json.encode(BoardFaults("six", (DEAD,))))
    again = wire(WiredBoard("six", "trial"))
    again.press(*SIX_KEYS)
    assert again.client.confirm() is None
    assert (read_board_faults(tmp_path, "six").dead, again.wrong) == ((), [])


def test_second_buttons_can_all_be_skipped(fresh: Wiring) -> None:
    fresh.send(profile="full")
    fresh.press(*(key for key in keys(BOARDS["full"]) if key.role != "second"), name="full")
    assert fresh.client.status().may_confirm
    fresh.press(Key("second", 0), name="full")
    assert len(fresh.client.status().unheard) == 7


def test_wrong_press_prevents_activation(fresh: Wiring) -> None:
    fresh.send(profile="full")
    fresh.press_pins(17, 12)
    assert "GPIO12 was pressed, but this board uses it for the buzzer" in fresh.host.get(BOARD).text
    assert fresh.send("/confirm") == fresh.send("/without") == 409
    assert fresh.wired == WiredBoard("full", "trial")
    fits = {option.name: option.fits for option in fresh.client.status().options}
    assert [name for name, is_fit in fits.items() if is_fit] == ["six", "digits"]
    # the first form restarts the test of the same board, once that wire is correct
    assert (fresh.send(), fresh.wired) == (303, WiredBoard("full", "trial"))
    assert fresh.client.status().wrong == ()


def test_lamps_are_tested_one_by_one_and_dark_ones_troubleshot(wire: Wire) -> None:
    wiring = wire(WiredBoard("six", "confirmed"))
    assert not wiring.client.must_restart()
    asked = wiring.host.send(BOARD, LAMPS)
    assert wiring.lit == [Lamp("green", 0)]
    form = hidden_fields(asked.text, LAMPS)
    asked = wiring.host.post(LAMPS, **{**form, "lamp": 0, "said": "unseen"})
    assert "GPIO27, pin 13 of the header" in asked.text
    # still lit, so that it can be measured
    assert wiring.lit == [Lamp("green", 0)] * 2
    wiring.host.post(LAMPS, **{**form, "lamp": 0, "said": "without"})
    assert wiring.lit[-1] == Lamp("red", 0)
    assert read_board_faults(wiring.state, "six") == BoardFaults("six", dark=(Lamp("green", 0),))
    assert wiring.wrong == ["board faults"]
    for place in range(1, len(all_lamps(BOARDS["six"]))):
        answered = wiring.host.post(LAMPS, **{**form, "lamp": place, "said": "seen"})
    assert answered.location == BOARD
    assert wiring.lit[-1] is None
    assert wiring.client.note_lamp(0, is_seen=True) is None
    assert (wiring.client.status().faults, wiring.wrong) == ((), [])


@pytest.mark.parametrize(
    ("before", "profile", "code", "after", "restarts"),
    [
        (WiredBoard(), "none", 303, WiredBoard("none", "confirmed"), 0),
        (WiredBoard("full", "confirmed"), "six", 200, WiredBoard("six", "trial"), 1),
        (WiredBoard(), "seven", 409, WiredBoard(), 0),
    ],
    ids=["only phones", "let go before another is tried", "no such board"],
)
def test_choices_are_stored_and_table_restarts_if_needed(
    wire: Wire, before: WiredBoard, profile: str, code: int, after: WiredBoard, restarts: int
) -> None:
    wiring = wire(before)
    assert (wiring.send(profile=profile) if profile else wiring.send("/confirm")) == code
    assert wiring.room.restarts == restarts
    assert (wiring.wired or WiredBoard()) == after
