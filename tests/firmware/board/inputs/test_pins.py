"""Buttons on simulated pins, and the pin probe."""

from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware.board.inputs.buttons import MIN_PRESS, NOISE_EDGES, Buttons, PinProbe
from firmware.board_events import Edge
from hardware.board.board import BoardError, Key, our_boards, wires
from hardware.board.uses import known_pins
from tests.hardware.board.own_boards import OWN_BOARDS
from tests.hil.replay import SimulatedFingers

# buttons


SIX = OWN_BOARDS["six"]
FIRST, SECOND = Key("call", 0), Key("call", 1)


def open_buttons(factory: MockFactory) -> tuple[Buttons, "SimpleQueue[Edge]"]:
    queue: SimpleQueue[Edge] = SimpleQueue()
    return Buttons(SIX, queue.put, factory), queue


def edges_heard(queue: "SimpleQueue[Edge]") -> list[tuple[Key, bool]]:
    edges = [queue.get() for _edge in range(queue.qsize())]
    assert sorted(edge.at for edge in edges) == [edge.at for edge in edges]
    return [(edge.wire, edge.is_down) for edge in edges]


def test_each_edge_has_its_wire_and_timestamp(factory: MockFactory) -> None:
    buttons, queue = open_buttons(factory)
    for key, gpio in wires(SIX).items():
        pin = factory.pin(gpio)
        pin.drive_low()
        pin.drive_high()
        assert edges_heard(queue) == [(key, True), (key, False)]
    buttons.close()


def test_failing_handler_leaves_buttons_working(factory: MockFactory) -> None:
    edges = list[Edge]()

    def put(edge: Edge) -> None:
        if edge.wire == FIRST:
            raise ValueError("broken")
        edges.append(edge)

    buttons = Buttons(SIX, put, factory)
    for gpio in (SIX.call[0], SIX.call[1]):
        factory.pin(gpio).drive_low()
    assert [edge.wire for edge in edges] == [SECOND]
    assert buttons.failures == 1
    assert buttons.is_alive()
    buttons.close()


def test_lost_edge_is_found_at_second_poll(factory: MockFactory) -> None:
    buttons, queue = open_buttons(factory)
    pin = factory.pin(SIX.call[0])
    pin.edges = "none"
    pin.drive_low()
    pin.edges = "both"
    assert buttons.lost_edges(1.0) == []
    assert buttons.lost_edges(2.0) == [Edge(FIRST, 2.0, is_down=True)]
    assert buttons.lost_edges(3.0) == buttons.lost_edges(4.0) == []
    pin.drive_high()
    assert edges_heard(queue) == [(FIRST, False)]
    buttons.close()


class LatePin(MockPin):  # type: ignore[misc]
    """A pin that reports its edges only when the test asks."""

    def _call_when_changed(self) -> None:
        self.on_its_way = super()._call_when_changed


def test_delayed_edge_is_not_counted_as_lost() -> None:
    factory = MockFactory(pin_class=LatePin)
    buttons, queue = open_buttons(factory)
    pin = factory.pin(SIX.call[0])
    for now in (1.0, 2.0, 3.0, 4.0):
        (pin.drive_low if now % 2 else pin.drive_high)()
        assert buttons.lost_edges(now) == []
        pin.on_its_way()
    assert edges_heard(queue) == [(FIRST, True), (FIRST, False)] * 2
    buttons.close()
    factory.reset()


def test_bouncing_wire_counts_as_held_until_quiet(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # all at one timestamp, so a slow machine changes nothing
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: 1.0)
    buttons, queue = open_buttons(factory)
    pin = factory.pin(SIX.call[0])
    for _swing in range(10 * NOISE_EDGES):
        pin.drive_low()
        pin.drive_high()
    edges = edges_heard(queue)
    assert len(edges) <= NOISE_EDGES + 1
    assert edges[-1] == (FIRST, True)
    factory.pin(SIX.call[1]).drive_low()
    assert edges_heard(queue) == [(SECOND, True)]
    assert buttons.lost_edges(1.0) == []
    assert buttons.lost_edges(2.0) == [Edge(FIRST, 2.0, is_down=False)]
    buttons.close()


class GroundedPin(MockPin):  # type: ignore[misc]
    """A pin whose wire touches ground, whatever the pull-up."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def test_button_down_at_start_is_listed_but_not_pressed() -> None:
    factory = MockFactory(pin_class=GroundedPin)
    buttons, queue = open_buttons(factory)
    assert set(buttons.held) == set(wires(SIX)) - {Key("a"), Key("b")}
    assert {edge.wire for now in (1.0, 2.0) for edge in buttons.lost_edges(now)} == {Key("a"), Key("b")}
    factory.pin(SIX.call[0]).drive_high()
    assert edges_heard(queue) == [(FIRST, False)]
    buttons.close()
    factory.reset()


def test_pin_in_use_is_reported_and_others_are_released(factory: MockFactory) -> None:
    buttons, _queue = open_buttons(factory)
    with pytest.raises(BoardError) as error:
        open_buttons(factory)
    assert error.value.trouble.key == "no pin"
    buttons.close()
    again, _queue = open_buttons(factory)
    again.close()


# pin probe


PINS = known_pins(our_boards())


def test_probe_finds_pressed_pin_ignores_flicker_and_drives_nothing() -> None:
    fingers = SimulatedFingers()
    # down at the start: it counts once it was released
    fingers.press(12)
    opened = PinProbe(PINS, fingers)
    fingers.time += 1.0
    fingers.release(12)
    for _time in range(20):
        fingers.tap(9, MIN_PRESS / 2)
    fingers.tap(17)
    assert opened.pressed == {17}
    fingers.tap(12, MIN_PRESS)
    assert opened.pressed == {12, 17}
    assert {(fingers.pin(gpio).function, fingers.pin(gpio).pull) for gpio in PINS} == {("input", "up")}
    opened.close()


def test_probe_reports_machine_without_pins() -> None:
    def refuse(*_pins: object) -> None:
        raise OSError("no gpiochip")

    opened = PinProbe((4, 17), SimpleNamespace(reserve_pins=refuse, pin=refuse))
    assert opened.failure is not None
    assert opened.pressed == frozenset()
    opened.close()
