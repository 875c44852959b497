"""An evening at the emulated table, from outside: a host's phone, and presses on its header."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hardware.board.board import our_boards
from hardware.board.lamps import all_lamps, lamp_path
from tests.firmware.start.browsing import Page, Phone
from tests.hil.hands import Move, clicks, taps
from tests.pi.camera import LAID, plug_in, show
from tests.pi.machine import SLOW, Machine

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
REST = 0.5  # seconds after a tap


def _move(machine: Machine, moves: Sequence[Move]) -> None:
    told = " ".join(f"{gpio}:{pull}:{seconds}" for gpio, pull, seconds in moves)
    program = FINGER.replace("{lines}", LINES).strip()
    said = machine.ask(f"python3 - {told} <<'END'\n{program}\nEND\n")
    if said:
        raise OSError(said)


def tap(machine: Machine, *gpios: int) -> None:
    _move(machine, taps(*gpios, rest=REST))


def announce(machine: Machine, number: int) -> None:
    _move(machine, [*clicks(FAB.dial, number), *taps(FAB.dial.push, rest=REST)])


BUTTONS = (*FAB.call, FAB.dial.a, FAB.dial.b, FAB.dial.push)


def lit(machine: Machine) -> tuple[int, ...]:
    said = machine.ask(f"grep -l 1 {LINES}*/value")
    return tuple(gpio for gpio in lamps().values() if f"sim_gpio{gpio}/value" in said)


def lamps() -> dict[int, int]:
    """Return the pins of LEDs by place; the others are behind registers."""
    paths = (lamp_path(FAB, lamp) for lamp in all_lamps(FAB))
    return {place: path.gpio for place, path in enumerate(paths) if path.gpio is not None}


RUN = "runuser -u coyote -- /home/coyote/coyote-table/run"
DONE = 303
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

    def shows(self, path: str, text: str) -> bool:
        return text in self.look(path)

    def offers(self, page: str, action: str) -> bool:
        return any(leaf.action == action for leaf in Page(self.look(page)).leaves)

    def moment(self) -> str:
        events = self._phone.events(self.machine.port, "/events/score")
        return next((event["id"] for event in events if "id" in event), "")

    def number(self) -> int:
        return int(self.moment().rpartition("#")[2] or -1)


def claim(host: Host) -> None:
    pin = host.machine.require(f"{RUN} table pin", r"PIN[^:]*: (\S+)")
    host.look("/host/enter")
    host.send("/host/enter", {"pin": pin[1]})
    print("the host is in by the PIN", flush=True)


def choose_board(host: Host) -> None:
    host.look("/host/board")
    host.send("/host/board", {"profile": "fab"})
    is_there = partial(host.shows, "/host/board")
    host.machine.step("the board is tried, and nothing driven", partial(is_there, "Press each button once"))
    tap(host.machine, *BUTTONS)
    are_heard = partial(host.offers, "/host/board", "/host/board/confirm")
    host.machine.step(f"all {len(BUTTONS)} lines of buttons and dial are heard", are_heard)
    host.look("/host/board")
    # it reports a new start of the table
    host.send("/host/board/confirm", code=200)
    host.machine.step("the board is driven", partial(is_there, "/host/board/lamps"))


def confirm_leds(host: Host) -> None:
    """Confirm each LED; the table's own is on a pin, and must be high only in its turn."""
    host.look("/host/board")
    host.send("/host/board/lamps", code=200)
    count, pins = len(all_lamps(FAB)), lamps()
    for place in range(count):
        if place in pins:
            is_alone = partial(_is_alone, host.machine, pins[place])
            host.machine.step("the table's lamp: its line is high", is_alone)
        said = {"lamp": str(place), "said": "seen"}
        host.send("/host/board/lamps", said, code=DONE if place == count - 1 else 200)
    print(f"each of {count} lamps is tried", flush=True)


def _is_alone(machine: Machine, gpio: int) -> bool:
    return lit(machine) == (gpio,)


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
    host.machine.step(what, lambda: host.number() == before + 1)


def fill_disk(host: Host) -> None:
    """Fill the disk, press, and free space; the table reports it in a line, continues, and loses nothing."""
    host.machine.ask(
        "fallocate -l $(df --output=avail -B1 / | tail -1) /filler; cat /dev/zero >/filler-2; sync"
    )

    def is_reported() -> bool:
        is_there = host.shows("/host", FULL)
        if not is_there and host.number() == BIDDEN:
            tap(host.machine, FAB.call[2])
        return is_there

    host.machine.step(f"on a full disk the page says: {FULL}", is_reported)
    host.machine.step("the press counts", lambda: host.number() == BIDDEN + 1)
    host.told = host.moment()
    host.machine.ask("rm -f /filler /filler-2; sync")
    host.look("/host")
    host.send("/host/save")
    host.machine.step("with room again all is saved", lambda: not host.shows("/host", FULL))


def check_cards(host: Host) -> None:
    """Connect a camera, and show the previous round's cards: they are read, and the round is ruled."""
    plug_in(host.machine)
    found = f"grep -c {FOUND!r} {LOG}"
    told = "a camera is plugged in, named and started anew: the table is found"
    host.machine.step(told, lambda: host.machine.ask(found) != "0")
    say(host, "first round by camera: the cards are read, and ruled", partial(show, host.machine, LAID))
    host.told = host.moment()
