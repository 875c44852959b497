"""Short storms on the buttons; `tests/trust/storms.py` runs long ones."""

import pytest

from firmware.table.client import Stop
from hardware.board.board import Key
from referee.contract import Option
from referee.match import log
from tests.firmware.board.inputs.matches import after
from tests.firmware.board.inputs.waves import Flip
from tests.firmware.table.storms import Figures, Storm, doubters, is_kept, storm_beside_short
from tests.tiers import slow, tiered

OBJECTIONS = ("objections", Option("objections"), 0)
WINDOW_SECONDS = 8.0  # seconds the window is open


@pytest.mark.parametrize("seed", range(tiered(1, 10)))
def test_no_press_is_lost_or_doubled_and_first_finger_is_first(seed: int) -> None:
    figures = Figures()
    Storm(seed, figures).run(400)
    assert figures.presses >= 400
    assert figures.ties
    assert is_kept(figures), figures


@slow("a wire that swings is named only after a while of thousands of edges")
def test_oscillating_wire_and_held_button_are_reported_and_others_work() -> None:
    figures = Figures()
    storm = storm_beside_short(figures, 80, 0.001, 11.0)
    assert is_kept(figures), figures
    assert (figures.stuck, figures.freed) == (2, 2)
    # a loop that was busy for two seconds receives 2,000 edges
    assert figures.longest_queue < 2500
    told = [value for kind, value in storm.voices.told if kind == "said"]
    assert sum("stuck" in each for each in told) == sum("works again" in each for each in told) == 2
    assert storm.companion.client.troubles() == ()


def press_answers(storm: Storm, down: float) -> list[object]:
    """Press at seat 2 this long after the window opened. Returns the resulting answers and their sources."""
    match = after(doubters().match, OBJECTIONS)
    storm.companion.client.sit(match)
    at = storm.time.seconds + down
    storm.move(Key("call", 2), (Flip(at, is_down=True), Flip(at + 0.5, is_down=False)))
    storm.time.later(WINDOW_SECONDS + 3, lambda: storm.queue.put(Stop()))
    storm.companion.run()
    entries = log(storm.companion.table.match)[len(log(match)) :]
    return [(getattr(each, "seat", None), getattr(each, "sense", "")) for each in entries]


def test_timely_press_counts_when_settled_later_and_late_one_delays_no_clock() -> None:
    assert press_answers(Storm(1, Figures()), WINDOW_SECONDS - 0.1) == [(2, "button")]
    late = press_answers(Storm(1, Figures()), WINDOW_SECONDS + 0.3)
    assert late == [(seat, "clock") for seat in (1, 2, 3, 4, 5)]
