"""Button inputs on kernel pins with the real lgpio: order, bounce, taps, failing handlers, busy pins."""

import os
import subprocess
import sys
from contextlib import closing
from random import Random
from time import monotonic, sleep

from firmware.board.inputs.buttons import Buttons
from firmware.board_events import BoardAnswers, BoardEvent, Edge, PressUnderstood
from hardware.board.board import Key, our_boards, wires
from tests.firmware.board.inputs.waves import SHORTEST_TAP, Flip, press
from tests.hil.figures import end, print_count, print_figure, spread
from tests.hil.hands import Chip, spin, taps
from tests.hil.replay import Listener, answered
from tests.waiting import came

FAB = our_boards()["fab"]
PRESSES, ROUNDS = 200, 334
APART, LATE = 0.0002, 0.05  # seconds between two presses, and the loop's delay
REST = 0.04  # seconds until a contact settles
EDGE_TIMEOUT, IN_TIME = 1.0, 0.002
"""Maximum latency of an answer, and of our simulated presses, in seconds."""


class Loop(Listener):
    """The loop for inputs, with an adjustable delay; the first press opens."""

    def run_until_answered(self, count: int) -> tuple[list[int], list[float]]:
        """Run until this many have answered; return the seats in order, and the times of their presses."""
        events = list[BoardEvent]()

        def have_answered() -> bool:
            events.extend(self.events(monotonic()))
            return sum(isinstance(event, BoardAnswers) for event in events) >= count

        came(have_answered, seconds=EDGE_TIMEOUT, look=0.001)
        return answered(events), [event.at for event in events if isinstance(event, PressUnderstood)]

    def rest(self) -> bool:
        """Let all contacts settle; return whether there is no further answer."""
        sleep(REST)
        return not any(isinstance(event, BoardAnswers) for event in self.events(monotonic()))


def order(chip: Chip, loop: Loop, rng: Random) -> None:
    """Press pairs while the loop is delayed; all seats, one pair after another."""
    right = 0
    for _round in range(ROUNDS):
        seats = rng.sample(range(FAB.seats), FAB.seats)
        for first, second in zip(seats[::2], seats[1::2], strict=True):
            chip.press(FAB.call[first])
            spin(monotonic() + APART)
            chip.press(FAB.call[second])
            sleep(0.002)  # pairs are far enough apart to be distinguished
        sleep(LATE)
        said, _downs = loop.run_until_answered(FAB.seats)
        right += sum(said[place : place + 2] == seats[place : place + 2] for place in (0, 2, 4))
        for seat in seats:
            chip.release(FAB.call[seat])
        loop.rest()
    what = f"pairs {1000 * APART:.1f} ms apart, the loop {1000 * LATE:.0f} ms late, in the right order"
    print_count(what, right, 3 * ROUNDS)


def bounces(chip: Chip, loop: Loop, rng: Random) -> None:
    made, once, late = 0, 0, list[float]()
    # a busy machine distorts the press, so it doesn't count
    while made < PRESSES:
        seat = rng.randrange(FAB.seats)
        begun, was_in_time = _bounce(chip, FAB.call[seat], press(rng, monotonic() + 0.001, kind="even"))
        said, downs = loop.run_until_answered(1)
        is_once = loop.rest() and said == [seat]
        made, once = made + was_in_time, once + (was_in_time and is_once)
        late += [down - begun for down in downs if was_in_time]
    print_count("presses that bounce, told once each", once, PRESSES)
    print_figure("pin -> kernel's stamp", spread(late), "median 0.1 ms")


def _bounce(chip: Chip, gpio: int, flips: list[Flip]) -> tuple[float, bool]:
    """Bounce; return the start, and whether the kernel stamped every flip in time."""
    begun, made = [], []
    for flip in flips:
        spin(flip.at)
        begun.append((chip.press if flip.is_down else chip.release)(gpio))
        made.append(monotonic())
    was_in_time = all(at - flip.at < IN_TIME for at, flip in zip(made, flips, strict=True))
    return begun[0], was_in_time


def short_taps(chip: Chip, loop: Loop) -> None:
    heard = 0
    for place in range(PRESSES):
        seat = place % FAB.seats
        at = chip.press(FAB.call[seat])
        spin(at + SHORTEST_TAP)
        chip.release(FAB.call[seat])
        heard += loop.run_until_answered(1)[0] == [seat] and loop.rest()
    print_count(f"taps of {1000 * SHORTEST_TAP:.0f} ms that count", heard, PRESSES)


def press_failing_button(chip: Chip) -> None:
    """Press a button whose handler fails; all others must work."""
    heard = list[Key]()

    def put(edge: Edge) -> None:
        if edge.wire.seat == 0:
            raise ValueError("broken")
        heard.append(edge.wire)

    with closing(Buttons(FAB, put)) as buttons:
        for _press in range(PRESSES):
            for gpio in FAB.call:
                chip.move(taps(gpio, held=0.001))
        sleep(REST)
        print_count("edges heard beside a handler that fails", len(heard), 2 * PRESSES * (len(FAB.call) - 1))
        print_count("failures noticed", buttons.failures, 2 * PRESSES)
        print_count("lgpio's thread alive", buttons.is_alive(), 1)


OTHER = "from tests.hil.pins import FAB, Buttons; Buttons(FAB, print)"


def open_taken_pins() -> None:
    other = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, check=False)
    print_count("pins that another program has are told", "'no pin'" in other.stderr, 1)


def measure_all() -> None:
    chip, loop, rng = Chip(wires(FAB).values()), Loop(FAB), Random(1)
    with closing(Buttons(FAB, loop.queue.put)):
        order(chip, loop, rng)
        bounces(chip, loop, rng)
        short_taps(chip, loop)
        open_taken_pins()
    press_failing_button(chip)
    end()


if __name__ == "__main__":
    os.environ.update(GPIOZERO_PIN_FACTORY="lgpio", LG_WD="/run")
    measure_all()
