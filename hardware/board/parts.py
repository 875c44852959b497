"""What to buy for a board, and how many of each."""

from msgspec import Struct

from hardware.board.board import Board, Lines, Register

METRES_A_SEAT = 1.5


class Part(Struct, frozen=True):
    """A kind of part: its key, how many, its value where it has one, and whether it may be left out."""

    key: str
    count: int
    value: str = ""
    optional: bool = False


def parts(board: Board) -> tuple[Part, ...]:
    """List what is needed."""
    found = (*_buttons(board), *_lamps(board), *_resistors(board), *_devices(board), *_common(board))
    return tuple(part for part in found if part.count)


def _buttons(board: Board) -> tuple[Part, ...]:
    return (
        Part("button", len(board.call) + len(board.table)),
        Part("second button", len(board.second), optional=True),
    )


def _lamps(board: Board) -> tuple[Part, ...]:
    chips = board.lamps.chips if isinstance(board.lamps, Register) else 0
    lit = lamp_counts(board)
    pairs = min(lit["green"], lit["red"])
    return (
        Part("pair", pairs),
        Part("green lamp", lit["green"] - pairs),
        Part("red lamp", lit["red"] - pairs),
        Part("attention lamp", lit["attention"]),
        Part("register", chips),
        Part("capacitor", chips, "100 nF"),
    )


def lamp_counts(board: Board) -> dict[str, int]:
    """Count the lamps of each colour, and the one for the table."""
    green = red = board.seats if isinstance(board.lamps, Register) else 0
    if isinstance(board.lamps, Lines):
        green, red = len(board.lamps.green), len(board.lamps.red)
    return {"green": green, "red": red, "attention": int(board.attention is not None)}


def _resistors(board: Board) -> tuple[Part, ...]:
    """Count the resistors of each value."""
    needed = lamp_counts(board) | {"buzzer": int(board.buzzer is not None)}
    counts: dict[int, int] = {}
    for what, count in needed.items():
        ohms = getattr(board.ohms, what)
        counts[ohms] = counts.get(ohms, 0) + count
    return tuple(Part("resistor", count, f"{ohms} Ω") for ohms, count in sorted(counts.items()))


def _devices(board: Board) -> tuple[Part, ...]:
    buzzer = int(board.buzzer is not None)
    return (
        Part("dial", int(board.dial is not None)),
        Part("display", int(board.display is not None)),
        Part("buzzer", buzzer),
        Part("transistor", buzzer, "BC337-40"),
        Part("diode", buzzer, "1N4148"),
    )


def _common(board: Board) -> tuple[Part, ...]:
    """Count what every board needs: the computer, something to solder on, wire."""
    places = max(board.seats, len(board.table))
    cores = f"{cores_a_place(board)}"
    return (
        Part("pi", 1),
        Part("camera", 1),
        Part("supply", 1),
        Part("card", 1),
        Part("header socket", 1),
        Part("breadboard", 1),
        Part("cable", round(METRES_A_SEAT * places), cores),
        Part("screw terminal", places, cores),
    )


def cores_a_place(board: Board) -> int:
    """Count the wires to each place: its buttons, its lamps, and ground."""
    lit = lamp_counts(board)
    return 2 + bool(board.second) + bool(lit["green"]) + bool(lit["red"])
