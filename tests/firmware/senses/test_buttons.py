"""Buttons on simulated pins: edges with their stamps, handlers that fail, edges that get lost."""

from collections.abc import Iterator
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.senses.buttons import Buttons, Edge
from hardware.board.board import Key, our_boards, wires
from hardware.board.troubles import BoardError

SIX = our_boards()["six"]
FIRST, OTHER = Key("call", 0), Key("call", 1)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


def opened(factory: MockFactory) -> tuple[Buttons, "SimpleQueue[Edge]"]:
    queue: SimpleQueue[Edge] = SimpleQueue()
    return Buttons(SIX, queue.put, factory), queue


def heard(queue: "SimpleQueue[Edge]") -> list[Edge]:
    return [queue.get() for _edge in range(queue.qsize())]


def test_every_wire_is_heard_with_the_stamp_of_its_edge(factory: MockFactory) -> None:
    buttons, queue = opened(factory)
    for key, gpio in wires(SIX).items():
        pin = factory.pin(gpio)
        pin.drive_low()
        pin.drive_high()
        assert [(edge.wire, edge.is_down) for edge in heard(queue)] == [(key, True), (key, False)]
    buttons.close()


def test_bounce_is_passed_on_edge_by_edge(factory: MockFactory) -> None:
    buttons, queue = opened(factory)
    pin = factory.pin(SIX.call[0])
    for _bounce in range(10):
        pin.drive_low()
        pin.drive_high()
    edges = heard(queue)
    assert len(edges) == 20
    assert sorted(edge.at for edge in edges) == [edge.at for edge in edges]
    buttons.close()


def test_a_handler_that_fails_leaves_every_button_alive(factory: MockFactory) -> None:
    edges = list[Edge]()

    def put(edge: Edge) -> None:
        if edge.wire == FIRST:
            raise ValueError("broken")
        edges.append(edge)

    buttons = Buttons(SIX, put, factory)
    for gpio in (SIX.call[0], SIX.call[1]):
        factory.pin(gpio).drive_low()
    assert [edge.wire for edge in edges] == [OTHER]
    assert buttons.failures == 1
    assert buttons.is_alive()
    buttons.close()


def test_an_edge_that_got_lost_is_found_at_the_second_look(factory: MockFactory) -> None:
    buttons, queue = opened(factory)
    pin = factory.pin(SIX.call[0])
    pin.edges = "none"
    pin.drive_low()
    pin.edges = "both"
    assert buttons.lost(1.0) == []
    assert buttons.lost(2.0) == [Edge(FIRST, 2.0, is_down=True)]
    assert buttons.lost(3.0) == buttons.lost(4.0) == []
    pin.drive_high()
    assert [edge.is_down for edge in heard(queue)] == [False]
    buttons.close()


def test_a_pin_that_is_taken_is_told_and_the_others_are_given_back(factory: MockFactory) -> None:
    buttons, _queue = opened(factory)
    with pytest.raises(BoardError) as error:
        opened(factory)
    assert error.value.trouble.key == "no pin"
    buttons.close()
    again, _queue = opened(factory)
    again.close()
