"""Presses that are lost, doubled or taken in the wrong order."""

from collections.abc import Iterable
from queue import SimpleQueue
from random import Random
from time import monotonic, perf_counter, sleep

import click
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec import Struct

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.debounce import Contact, hear_edge, settle_contact
from firmware.board.senses.order import HELD, Waiting, hold_back, take_ready
from firmware.board_events import Edge
from hardware.board.board import Board, Key, our_boards
from tests.bench.measured import json_option, print_figures
from tests.hardware.board.bounce import presses

LATE = 0.05
"""Seconds by which the loop is late."""
APART = 0.0002
"""Seconds between two presses."""


class BounceFigures(Struct, frozen=True):
    """What the debouncer makes of many presses."""

    presses: int
    edges: int
    lost: int
    doubled: int
    wrong_stamps: int
    seconds: float


class OrderFigures(Struct, frozen=True):
    """In which order pairs of close presses came out, and how far apart their stamps were."""

    pairs: int
    right: int
    closest: float
    widest: float


@click.command(help="Presses through the debouncer, and the order of presses that are close together.")
@click.option(
    "--presses",
    "count",
    default=1_000_000,
    show_default=True,
    type=click.IntRange(1),
    help="How many presses.",
)
@click.option(
    "--pairs", default=1000, show_default=True, type=click.IntRange(1), help="How many pairs of presses."
)
@json_option
def firmware(count: int, pairs: int, *, as_json: bool) -> None:
    """Measure the senses."""
    bounced, ordered = _measure_bounce(count), _measure_order(pairs)
    figures: dict[str, object] = {"bounced": bounced, "ordered": ordered}
    print_figures("firmware", figures, _table(bounced, ordered), as_json=as_json)


def _measure_bounce(count: int) -> BounceFigures:
    """Let a contact be pressed so often, and compare what is told with what was done."""
    contact, edges = Contact(), 0
    lost = doubled = wrong = 0
    start = perf_counter()
    for at, flips in presses(Random(1), count):
        edges += len(flips)
        told = []
        for flip in flips:
            contact, heard = hear_edge(contact, flip.at, is_down=flip.is_down)
            told += [turn.at for turn in heard if turn.is_down]
        lost += not told
        doubled += max(0, len(told) - 1)
        wrong += bool(told) and told[0] != at
    contact, _heard = settle_contact(contact, float("inf"))
    lost += contact.is_down  # a press that never ended
    return BounceFigures(count, edges, lost, doubled, wrong, round(perf_counter() - start, 1))


def _measure_order(pairs: int) -> OrderFigures:
    """Press two buttons of a simulated chip close together; the later one is heard first, the loop late."""
    board, factory, queue = our_boards()["six"], MockFactory(), SimpleQueue[Edge]()
    buttons = Buttons(board, queue.put, factory)
    rng, gaps, right = Random(1), list[float](), 0
    for _pair in range(pairs):
        first, second = rng.sample(range(board.seats), 2)
        edges = _press_pair(board, factory, queue, (first, second))
        gaps.append(edges[1].at - edges[0].at)
        rng.shuffle(edges)
        right += _keys_in_order(edges) == [Key("call", first), Key("call", second)]
    buttons.close()
    factory.reset()
    return OrderFigures(pairs, right, round(1000 * min(gaps), 3), round(1000 * max(gaps), 3))


def _press_pair(
    board: Board, factory: MockFactory, queue: "SimpleQueue[Edge]", seats: tuple[int, int]
) -> list[Edge]:
    """Press two buttons one after the other, let them go, and read the queue late."""
    pins = [factory.pin(board.call[seat]) for seat in seats]
    pins[0].drive_low()
    until = monotonic() + APART
    while monotonic() < until:
        pass
    pins[1].drive_low()
    sleep(LATE)
    for pin in pins:
        pin.drive_high()
    return [heard for heard in (queue.get() for _edge in range(queue.qsize())) if heard.is_down]


def _keys_in_order(edges: list[Edge]) -> list[Key]:
    """Hold presses back, and give them in their order."""
    waiting = Waiting[Key]()
    for heard in edges:
        waiting = hold_back(waiting, heard.at, heard.wire)
    _waiting, groups = take_ready(waiting, monotonic() + HELD)
    return [group[0] for group in groups if len(group) == 1]


def _table(bounced: BounceFigures, ordered: OrderFigures) -> Iterable[str]:
    told = (
        "{presses} presses, {edges} edges: {lost} lost, {doubled} doubled, {wrong} wrong stamps ({seconds} s)"
    )
    yield told.format(
        presses=bounced.presses,
        edges=bounced.edges,
        lost=bounced.lost,
        doubled=bounced.doubled,
        wrong=bounced.wrong_stamps,
        seconds=bounced.seconds,
    )
    told = "{pairs} pairs {closest} to {widest} ms apart, the loop {late} ms late: {right} in the right order"
    yield told.format(
        pairs=ordered.pairs,
        closest=ordered.closest,
        widest=ordered.widest,
        late=round(1000 * LATE),
        right=ordered.right,
    )
