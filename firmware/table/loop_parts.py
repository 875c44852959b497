"""The dependencies of the loop, and the items that come through its queue."""

from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from firmware import board_events
from firmware.table import client, watcher
from firmware.table.logbook import Logbook
from firmware.table.notices import Notice
from firmware.table.writer import FromWriter, Writer
from referee.match import Match
from referee.sentences import Listener
from vision.process.messages import EyesOrder
from vision.troubles import Problem

if TYPE_CHECKING:
    # imported for type checking only: the loop must not load the board's drivers
    from firmware.board.inputs.button_input import ButtonInput
    from firmware.board.inputs.buttons import Buttons
    from firmware.board.outputs.voices import Voices


Item = board_events.Edge | FromWriter | client.TableRequest | watcher.FromEyes | Exception
"""An item of the loop's queue; it raises the error of another thread that the table can't run without."""


class Parts(Struct, frozen=True, eq=False):
    """Inputs, outputs, writer, log and settings of the loop."""

    queue: "SimpleQueue[Item]"
    button_input: "ButtonInput"
    buttons: "Buttons"
    voices: "Voices"
    writer: Writer
    eyes: watcher.Watcher
    log: Logbook
    listener: Callable[[Match], Listener]
    sights: Callable[[Match], Sequence[EyesOrder]] = lambda _match: ()
    """Return the camera process's orders for another match. May be slow: it doesn't run in the loop."""
    clock: Callable[[], float] = monotonic
    is_wanted: Callable[[], bool] = lambda: True
    """Return whether the parent process is still alive."""
    at_ready: Callable[[], None] = lambda: None
    """Called after the camera process has sent its first message since it started."""
    at_blind: Callable[[], None] = lambda: None
    """Called when the table lacks a camera process that it needs."""
    set_aside: Notice | None = None
    """A notice about the start, listed for as long as the table runs."""
    unsaved: Problem | None = None  # the reason why the match is in memory only, if it is
    was_paused: bool = False  # whether the match was paused when the table stopped
    needs_eyes: bool = True  # whether the table restarts if the camera process doesn't start
    slowness: float = 1.0  # factor for the start timeout of the camera process; 1 on a Raspberry Pi
    dial_words: Callable[[Listener, board_events.DialState], Mapping[str, str]] = lambda *_: {
        "shown": "",
        "said": "",
    }
    """Return the dial's choice, as its display shows it and in full."""
    other_match: Callable[[Match], Match] = lambda match: match
    """Return the match that replaces one whose game is disabled."""
