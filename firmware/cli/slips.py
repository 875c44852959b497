"""What happens when a board runs with the profile of another one, as a table."""

from collections.abc import Iterator

from firmware.cli.wiring import table
from firmware.language.speaking import _
from hardware.board.board import Boards
from hardware.board.checks import use_name
from hardware.board.header import ALL_MILLIAMPS, PIN_MILLIAMPS
from hardware.board.slips import PinCurrent, Slip, all_slips

COLUMNS = (_("runs as"), _("built as"), _("worst pin"), _("meets"), "mA", _("all pins, mA"))


def slips_document(boards: Boards) -> str:
    """Tell the worst of each pair of profiles, with every button pressed."""
    slips = tuple(all_slips(boards))
    lines = [_("# The wrong profile"), "", *table(COLUMNS, map(_cells, slips)), "", *_verdict(slips)]
    return "\n".join(lines) + "\n"


def _cells(slip: Slip) -> tuple[str, ...]:
    worst = slip.pins[0] if slip.pins else None
    pin = ("", "", "") if worst is None else (f"GPIO{worst.gpio}", _met(worst), f"{worst.most:.1f}")
    return slip.run_as, slip.built_as, *pin, f"{slip.together:.1f}"


def _met(pin: PinCurrent) -> str:
    return _("nothing") if pin.meets is None else use_name(pin.meets)


def _verdict(slips: tuple[Slip, ...]) -> Iterator[str]:
    limits = {"pin": PIN_MILLIAMPS, "all": ALL_MILLIAMPS}
    most = max((pin.most for slip in slips for pin in slip.pins), default=0.0)
    together = max((slip.together for slip in slips), default=0.0)
    told = _("At most a pin gives {most:.1f} mA ({pin:g} are allowed), all together {together:.1f} ({all:g}).")
    yield told.format(most=most, together=together, **limits)
    if most > PIN_MILLIAMPS or together > ALL_MILLIAMPS:
        yield _("That is too much: take larger resistors in the lines.")
