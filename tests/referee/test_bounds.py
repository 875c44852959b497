"""Work and memory per match are bounded, whatever its record contains."""

import gc
from collections.abc import Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from referee.contract import Reason
from referee.match import Correct, Entry, Match, Position, TakeBack, hear
from referee.record import read_record
from tests.given import allowed, present, refused
from tests.referee.long_records import SHAPES, bid, record_of
from tests.tiers import tiered


def read_part(entries: Iterator[Entry], count: int) -> Match:
    record = read_record(islice(record_of(entries), count + 1))
    assert record.fault is None
    return present(record.match)


def positions_held() -> int:
    gc.collect()
    return sum(isinstance(held, Position) for held in gc.get_objects())


@pytest.mark.parametrize("shape", SHAPES)
def test_positions_are_bounded_by_twice_the_lines(shape: str) -> None:
    before = positions_held()
    lines = tiered(1060, 1400)
    match = read_part(SHAPES[shape](), lines)
    assert match.number == lines
    assert positions_held() - before <= 2 * lines + 2


def test_long_match_is_freed_without_overflow() -> None:
    assert read_part(SHAPES["numbers that rise"](), 20_000).number == 20_000


def test_repr_of_a_match_is_short() -> None:
    """Failed tests print matches: 1,000 nested positions would take hours and gigabytes."""
    match = read_part(SHAPES["numbers that rise"](), 100)
    assert len(repr(match)) + len(repr(match.position)) < 10_000


@pytest.mark.parametrize(
    ("bound", "shape", "key"),
    [
        ("MAX_ENTRIES", "each number taken back", Reason.TOO_LONG),
        ("MAX_ENTRIES", "each number corrected at once", Reason.TOO_LONG),
        ("MAX_REPLAYED", "1,000 numbers struck at once", Reason.TOO_MUCH),
    ],
)
def test_rejects_too_long_match_in_one_line(
    monkeypatch: pytest.MonkeyPatch, bound: str, shape: str, key: Reason
) -> None:
    monkeypatch.setattr(f"referee.match.{bound}", 150)
    record = read_record(islice(record_of(SHAPES[shape]()), 2000))
    assert record.match is not None
    assert present(present(record.fault).refusal).reason is key


@pytest.mark.parametrize("entry", ["answer", "taken back", "corrected"])
@pytest.mark.parametrize(("number", "is_heard"), [(59_999, True), (60_000, False)])
def test_match_accepts_sixty_thousand_entries(entry: str, number: int, is_heard: bool) -> None:
    match = replace(read_part(SHAPES["numbers that rise"](), 3), number=number)
    said = {"answer": bid(number, 3), "taken back": TakeBack(number, 1), "corrected": Correct(number, 1, 1)}
    after = hear(match, said[entry])
    too_long = (Reason.TOO_LONG, {"most": 60_000})
    assert isinstance(after, Match) if is_heard else (refused(after).reason, refused(after).values) == too_long


@pytest.mark.parametrize(("replayed", "is_heard"), [(499_998, True), (499_999, False)])
def test_corrections_replay_up_to_half_a_million_answers(replayed: int, is_heard: bool) -> None:
    """Two answers are replayed from the corrected one on."""
    match = replace(read_part(SHAPES["numbers that rise"](), 3), replayed=replayed)
    after = hear(match, Correct(3, 1, 1))
    assert isinstance(after, Match) if is_heard else refused(after).reason is Reason.TOO_MUCH


def test_replay_counter_starts_at_zero() -> None:
    match = read_part(SHAPES["numbers that rise"](), 4)
    assert match.replayed == 0
    for moment, heard_at, heard in ((4, 1, 3), (5, 3, 4), (6, 2, 6)):
        match = allowed(hear(match, Correct(moment, heard_at, heard_at)))
        assert match.replayed == heard
