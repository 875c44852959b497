"""Tables take turns; a table that floods waits, is dropped, and must be quiet before it returns."""

from hypothesis import given
from hypothesis import strategies as st

from club.hearing import Heard
from club.hub import BEAT, SILENCE, Pulse
from club.turns import AT_ONCE, BYTES, BYTES_SAVED, FLOOD, MESSAGES, MESSAGES_SAVED, Turns


def said(table: str, payload: bytes = b"x") -> Heard:
    return Heard(table, "lines", payload)


def keep_all(turns: Turns, now: float, until: float) -> list[Heard]:
    kept = []
    while now <= until:
        taken, seconds = turns.take(now)
        kept += taken
        if seconds is None:
            return kept
        now += max(seconds, 1e-3)
    return kept


def test_tables_take_turns() -> None:
    turns = Turns()
    for table in ("a", "a", "a", "b", "c", "c"):
        turns.hear(said(table), 0.0)
    order = [[each.table for each in turns.take(0.0)[0]] for _round in range(4)]
    assert order == [["a", "b", "c"], ["a", "c"], ["a"], []]


def test_worker_is_notified_of_remaining_work() -> None:
    turns = Turns()
    assert turns.take(0.0) == ([], None)
    for number in range(AT_ONCE + 1):
        turns.hear(said(f"table-{number}"), 0.0)
    taken, seconds = turns.take(0.0)
    assert (len(taken), seconds) == (AT_ONCE, 0.0)
    assert [len(turns.take(0.0)[0]), turns.take(0.0)[1]] == [1, None]


@given(st.lists(st.tuples(st.floats(0.0, 0.2), st.integers(0, 120_000)), max_size=400))
def test_queued_messages_per_table_are_bounded(spoken: list[tuple[float, int]]) -> None:
    turns, now, kept, kept_bytes = Turns(), 0.0, 0, 0
    for pause, size in spoken:
        now += pause
        turns.hear(said("a", b"x" * size), now)
        taken = turns.take(now)[0]
        kept, kept_bytes = kept + len(taken), kept_bytes + sum(len(each.payload) for each in taken)
        assert kept <= MESSAGES_SAVED + MESSAGES * now + 1
        assert kept_bytes <= BYTES_SAVED + BYTES * now + 120_000


def test_flood_is_reported_once_and_spares_other_tables() -> None:
    turns, told, kept = Turns(), 0, list[str]()
    for number in range(20_000):
        now = number / 5_000
        told += turns.hear(said("bad"), now) == "floods"
        if number % 500 == 0:
            assert turns.hear(said("good"), now) == "waits"
        kept += [each.table for each in turns.take(now)[0]] if number % 50 == 0 else []
    assert told == 1
    assert kept.count("good") == 40
    assert kept.count("bad") < MESSAGES_SAVED + FLOOD / 50
    assert not [each for each in keep_all(turns, 5.0, 6.0) if each.table == "bad"]


def test_second_flood_after_a_pause_is_reported_again() -> None:
    turns = Turns()
    assert [turns.hear(said("bad"), 0.0) for _each in range(5_000)].count("floods") == 1
    turns.hear(said("bad"), 5.0)
    assert turns.take(5.0)[0] == []
    turns.hear(said("bad"), 30.0)
    assert turns.take(30.0)[0] == [said("bad")]
    assert [turns.hear(said("bad"), 30.0) for _each in range(5_000)].count("floods") == 1


def test_silent_tables_use_no_memory() -> None:
    turns = Turns()
    for number in range(1_000):
        turns.hear(said(f"{number}"), 0.0)
    keep_all(turns, 0.0, 1.0)
    turns.hear(said("one"), 1_000.0)
    turns.take(1_000.0)
    assert turns.remembered() <= 2


def test_idle_session_is_dropped_each_time() -> None:
    pulse, beats, ends = Pulse(0.0), list[float](), list[float]()
    for second in range(100):
        if pulse.has_stopped(second):
            ends.append(second)
            pulse.hear(second)
        if pulse.is_due(second):
            beats.append(second)
            if second < 30:
                pulse.hear(second + 0.1)
    assert beats == [BEAT * each for each in range(1, 20)]
    assert [ends[0] > 25.1 + SILENCE, ends[1] - ends[0] > SILENCE, len(ends)] == [True, True, 3]
