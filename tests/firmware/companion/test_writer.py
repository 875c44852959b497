"""The journal's thread: whatever goes wrong with the disk, an answer comes back."""

from queue import SimpleQueue

from firmware.companion.table import Write
from firmware.companion.writer import Kept, NotKept, Writer
from firmware.journal import Journal
from referee.match import Match
from tests.firmware.senses.matches import new_match


class Broken(Journal):
    """A journal that fails once as nobody expected."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.fails = True

    def begin(self, match: Match) -> int:
        """Fail the first time."""
        if self.fails:
            self.fails = False
            raise MemoryError(f"at move {match.number}")
        return 7


def test_a_fault_that_nobody_expected_is_told_and_the_next_entry_is_written() -> None:
    queue = SimpleQueue[Kept | NotKept]()
    writer = Writer(Broken(), queue.put)
    for _time in range(2):
        writer.give(Write(None, new_match()))
    assert queue.get(timeout=30) == NotKept("MemoryError: at move 0")
    assert queue.get(timeout=30) == Kept(7)
    assert writer.close(30)
