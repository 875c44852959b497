"""The header of the emulated computer: fingers on its buttons, and eyes on its lamps, from a shell inside."""

from collections.abc import Sequence
from typing import Literal

from hardware.board.board import DialPins, our_boards
from hardware.board.lamps import all_lamps, lamp_path
from tests.hil.chip import CLICKS, HELD, STEP
from tests.pi.machine import Machine

SIX = our_boards()["six"]
LINES = "/sys/devices/platform/header/gpiochip*/sim_gpio"
FINGER = """
import glob, sys, time
for move in sys.argv[1:]:
    gpio, pull, seconds = move.split(":")
    with open(glob.glob(f"{lines}{gpio}/pull")[0], "w") as line:
        line.write(pull)
    time.sleep(float(seconds))
"""
Move = tuple[int, Literal["pull-down", "pull-up"], float]


def _move(machine: Machine, moves: Sequence[Move]) -> None:
    told = " ".join(f"{gpio}:{pull}:{seconds}" for gpio, pull, seconds in moves)
    program = FINGER.replace("{lines}", LINES).strip()
    said = machine.ask(f"python3 - {told} <<'END'\n{program}\nEND\n")
    if said:
        raise OSError(said)


def tap(machine: Machine, *gpios: int) -> None:
    """Press buttons, one after another."""
    _move(machine, [move for gpio in gpios for move in ((gpio, "pull-down", HELD), (gpio, "pull-up", 0.5))])


def announce(machine: Machine, clicks: int) -> None:
    """Turn the dial from nothing, and push it."""
    dial = SIX.dial
    assert isinstance(dial, DialPins)
    turn: list[Move] = [
        (dial.a, "pull-down", STEP),
        (dial.b, "pull-down", STEP),
        (dial.a, "pull-up", STEP),
        (dial.b, "pull-up", CLICKS),
    ]
    _move(machine, turn * clicks)
    tap(machine, dial.push)


def buttons() -> tuple[int, ...]:
    """List the pins of all buttons and of the dial."""
    dial = SIX.dial
    assert isinstance(dial, DialPins)
    return (*SIX.call, dial.a, dial.b, dial.push)


def lit(machine: Machine) -> tuple[int, ...]:
    """List the lamps' pins that are high."""
    said = machine.ask(f"grep -l 1 {LINES}*/value")
    return tuple(gpio for gpio in lamps() if f"sim_gpio{gpio}/value" in said)


def lamps() -> tuple[int, ...]:
    """List the pins of the lamps, as the host's page shows them."""
    paths = (lamp_path(SIX, lamp).gpio for lamp in all_lamps(SIX))
    return tuple(gpio for gpio in paths if gpio is not None)
