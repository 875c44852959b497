"""An evening at the emulated table, from outside: a host's phone, and presses on its header."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from hardware.board.board import DialPins, our_boards
from hardware.board.lamps import all_lamps, lamp_path
from tests.firmware.start.browsing import Page, Phone
from tests.hil.hands import CLICKS, HELD, STEP
from tests.pi.camera import LAID, plug_in, show
from tests.pi.machine import Machine, tell

FAB = our_boards()["fab"]
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
    _move(machine, [move for gpio in gpios for move in ((gpio, "pull-down", HELD), (gpio, "pull-up", 0.5))])


def announce(machine: Machine, clicks: int) -> None:
    dial = FAB.dial
    assert isinstance(dial, DialPins)
    down: list[Move] = [(dial.a, "pull-down", STEP), (dial.b, "pull-down", STEP)]
    up: list[Move] = [(dial.a, "pull-up", STEP), (dial.b, "pull-up", CLICKS)]
    _move(machine, (down + up) * clicks)
    tap(machine, dial.push)


def buttons() -> tuple[int, ...]:
    dial = FAB.dial
    assert isinstance(dial, DialPins)
    return (*FAB.call, dial.a, dial.b, dial.push)


def lit(machine: Machine) -> tuple[int, ...]:
    said = machine.ask(f"grep -l 1 {LINES}*/value")
    return tuple(gpio for gpio in lamps().values() if f"sim_gpio{gpio}/value" in said)


def lamps() -> dict[int, int]:
    """Return the pins of LEDs by place; the others are behind registers."""
    paths = (lamp_path(FAB, lamp) for lamp in all_lamps(FAB))
    return {place: path.gpio for place, path in enumerate(paths) if path.gpio is not None}


RUN = "runuser -u coyote -- /home/coyote/coyote-table/run"
DONE = 303
SLOW = 600.0  # maximum seconds of a step
SEATS = {f"seat-{seat}": name for seat, name in enumerate(("Ana", "Bo", "Cleo", "Dan"))}
BID = 12
BIDDEN = 2  # the moment after the first bid
FULL = "Not saving: the disk is full."
LOG, FOUND = "/var/log/coyote-table/coyote.jsonl", '"what":"table found"'


class Host:
    """The host's phone."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self._phone, self.told = machine, Phone(), ""
        self._phone.patience = SLOW

    def look(self, path: str) -> str:
        return self._phone.get(self.machine.port, path)

    def send(self, path: str, fields: Mapping[str, str] = {}, code: int = DONE) -> None:
        got, text = self._phone.ask(self.machine.port, path, fields)
        if got != code:
            said = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))
            raise AssertionError(f"{path} {fields}: {got} and not {code}: {said[:600]}")

    def offers(self, page: str, action: str) -> bool:
        return any(leaf.action == action for leaf in Page(self.look(page)).leaves)

    def moment(self) -> str:
        events = self._phone.events(self.machine.port, "/events/score")
        return next((event["id"] for event in events if "id" in event), "")

    def number(self) -> int:
        return int(self.moment().rpartition("#")[2] or -1)


def claim(host: Host) -> None:
    said = host.machine.ask(f"{RUN} table pin")
    pin = re.search(r"PIN[^:]*: (\S+)", said)
    if pin is None:
        raise AssertionError(f"no PIN: {said}")
    host.look("/host/enter")
    host.send("/host/enter", {"pin": pin[1]})
    print("the host is in by the PIN", flush=True)


def choose_board(host: Host) -> None:
    host.look("/host/board")
    host.send("/host/board", {"profile": "fab"})
    tell("the board is tried, and nothing driven", _comes_back(host, "/host/board", "Press each button once"))
    tap(host.machine, *buttons())
    are_heard = partial(host.offers, "/host/board", "/host/board/confirm")
    waited = host.machine.wait_for("all buttons heard", are_heard, SLOW)
    tell(f"all {len(buttons())} lines of buttons and dial are heard", waited)
    host.look("/host/board")
    # it reports a new start of the table
    host.send("/host/board/confirm", code=200)
    tell("the board is driven", _comes_back(host, "/host/board", "/host/board/lamps"))


def _comes_back(host: Host, path: str, text: str) -> float:
    return host.machine.wait_for(f"{path} with {text}", lambda: text in host.look(path), SLOW)


def confirm_leds(host: Host) -> None:
    """Confirm each LED; the table's own is on a pin, and must be high only in its turn."""
    host.look("/host/board")
    host.send("/host/board/lamps", code=200)
    count, pins = len(all_lamps(FAB)), lamps()
    for place in range(count):
        if place in pins:
            tell("the table's lamp: its line is high", _is_alone(host, pins[place]))
        said = {"lamp": str(place), "said": "seen"}
        host.send("/host/board/lamps", said, code=DONE if place == count - 1 else 200)
    print(f"each of {count} lamps is tried", flush=True)


def _is_alone(host: Host, gpio: int) -> float:
    return host.machine.wait_for(f"lamp at GPIO{gpio}", lambda: lit(host.machine) == (gpio,), SLOW)


def play(host: Host) -> None:
    """Begin a match; a press opens the round, the dial announces."""
    host.look("/host/new?game=coyote")
    host.send("/host/new", {"game": "coyote", **SEATS})
    host.machine.wait_for("the match", lambda: host.number() == 0, SLOW)
    say(host, "first press: it opens the round", partial(tap, host.machine, FAB.call[1]))
    say(host, "the dial: it announces", partial(announce, host.machine, BID))


def say(host: Host, what: str, act: Callable[[], None]) -> None:
    before = host.number()
    act()
    tell(what, host.machine.wait_for(what, lambda: host.number() == before + 1, SLOW))


def fill_disk(host: Host) -> None:
    """Fill the disk, press, and free space; the table reports it in a line, continues, and loses nothing."""
    host.machine.ask(
        "fallocate -l $(df --output=avail -B1 / | tail -1) /filler; cat /dev/zero >/filler-2; sync"
    )

    def is_reported() -> bool:
        is_there = FULL in host.look("/host")
        if not is_there and host.number() == BIDDEN:
            tap(host.machine, FAB.call[2])
        return is_there

    tell(f"on a full disk the page says: {FULL}", host.machine.wait_for(FULL, is_reported, SLOW))
    tell("the press counts", host.machine.wait_for("the press", lambda: host.number() == BIDDEN + 1, SLOW))
    host.told = host.moment()
    host.machine.ask("rm -f /filler /filler-2; sync")
    host.look("/host")
    host.send("/host/save")
    tell(
        "with room again all is saved",
        host.machine.wait_for("room", lambda: FULL not in host.look("/host"), SLOW),
    )


def check_cards(host: Host) -> None:
    """Connect a camera, and show the previous round's cards: they are read, and the round is ruled."""
    plug_in(host.machine)
    found = f"grep -c {FOUND!r} {LOG}"
    waited = host.machine.wait_for("the table is found", lambda: host.machine.ask(found) != "0", SLOW)
    tell("a camera is plugged in, named and started anew: the table is found", waited)
    say(host, "first round by camera: the cards are read, and ruled", partial(show, host.machine, LAID))
    host.told = host.moment()
