"""Record what the eyes report during a match, for replays without pictures.

A table that is started with `PROGRAM` writes its matches to the file that the variable `RECORDING` names. A
line is a match's head, a report with all cards in view, or an entry that was stored, with the seconds since the
start.
"""

import os
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.start import supervisor
from firmware.start.program import main as run_program
from firmware.table import camera_handler
from firmware.table.state import TableState, TableStep
from firmware.table.step_runner import StepRunner
from referee.match import Match
from referee.record import entry_line, first_setup, head_line
from vision.process.messages import TableRead
from vision.table.values import PlacedCard

PROGRAM = "from tests.long.recording import main; main()"
VARIABLE = "RECORDING"


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of a recording: one of its fields `head`, `entry` and `cards` is given."""

    at: float
    head: str = ""
    entry: str = ""
    cards: tuple[PlacedCard, ...] | None = None
    reading: int = 0
    asked: str = ""
    is_change: bool = False
    """Whether a change elsewhere was reported, and not the whole table read."""


class Recorder:
    """Appends lines to a file."""

    def __init__(self, file: Path) -> None:
        self._file, self._began = file, monotonic()

    def note_view(self, view: TableRead) -> None:
        cards = tuple(map(_rounded, view.cards))
        self._write(Line(self._at(), "", "", cards, view.reading, view.asked, is_change=view.is_change))

    def note_moment(self, match: Match) -> None:
        if match.entry is None:
            self._write(Line(self._at(), head=head_line(first_setup(match))))
        else:
            self._write(Line(self._at(), entry=entry_line(match.entry)))

    def _at(self) -> float:
        return round(monotonic() - self._began, 2)

    def _write(self, line: Line) -> None:
        with self._file.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")


def _rounded(each: PlacedCard) -> PlacedCard:
    """Round positions, so that a recording stays small."""
    card = replace(each.card, outline=tuple((round(x, 1), round(y, 1)) for x, y in each.card.outline))
    middle = None if each.middle is None else (round(each.middle[0], 1), round(each.middle[1], 1))
    return replace(each, card=card, middle=middle, outline=None)


def main() -> None:
    """Run a table and record its matches."""
    recorder = Recorder(Path(os.environ[VARIABLE]))
    take_in, show = camera_handler.take_in_view, StepRunner._show_moment

    def take_in_noted(table: TableState, view: TableRead, now: float) -> TableStep:
        recorder.note_view(view)
        return take_in(table, view, now)

    def show_noted(self: StepRunner, match: Match) -> None:
        recorder.note_moment(match)
        show(self, match)

    with (
        patch.object(supervisor, "PROGRAM", PROGRAM),
        patch.object(camera_handler, "take_in_view", take_in_noted),
        patch.object(StepRunner, "_show_moment", show_noted),
    ):
        run_program()
