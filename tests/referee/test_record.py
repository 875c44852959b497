"""Records: every fault is reported with its line, and no input breaks the reader."""

from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.twin.player import any_value, play_on
from referee.contract import Answer, Outcome
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Correct, standing_answers
from referee.record import FORMAT, entry_line, read_record, record_lines
from tests.given import present
from tests.referee.tables import new_match


@cache
def whole_record() -> tuple[str, ...]:
    return tuple(record_lines(play_on(new_match(GAMES["coyote"], "kidult", 3), Random(1))))


def a_record() -> list[str]:
    return [*whole_record()]


def fault_of(lines: list[str]) -> tuple[int, str]:
    fault = present(read_record(lines).fault)
    return fault.line, fault.key


@pytest.mark.parametrize("cut", [1, 5, 20, -1])
def test_truncated_line_preserves_earlier_lines(cut: int) -> None:
    lines = a_record()
    for number in (2, 7, len(lines)):
        damaged = [*lines[: number - 1], lines[number - 1][:cut]]
        assert fault_of(damaged) == (number, "damaged")
        assert present(read_record(damaged).match).number == number - 2


@pytest.mark.parametrize("goes_on", [4, 7], ids=["a line twice", "two lines missing"])
def test_inconsistent_lines_are_detected(goes_on: int) -> None:
    lines = a_record()
    assert fault_of(lines[:5] + lines[goes_on:]) == (6, "refused")


HEAD = '{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{}'
HEADS = [
    ([], "empty"),
    ([""], "missing"),
    (["[]"], "not-a-match"),
    (["\udcff"], "not-a-match"),
    (['{"coyote_table":1}'], "not-a-match"),
    (['{"coyote_table":"1","game":"coyote","names":["A","B"],"house":{}}'], "not-a-match"),
    ([f'{{"coyote_table":{FORMAT + 1},"unknown":[]}}'], "newer"),
    (['{"coyote_table":1,"game":"poker","names":["A","B"],"house":{}}'], "unknown-game"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limit":9}}'], "house"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limt":3}}'], "house"),
    (['{"coyote_table":1,"game":"coyote","names":["A"],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B\\u001b"],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{},"foo":1}'], "not-a-match"),
    (['{"coyote_table":0,"game":"coyote","names":["A","B"],"house":{}}'], "not-a-match"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limit":5}}'], "refused"),
    ([f'{HEAD},"names":["A","C"]}}'], "not-a-match"),
    ([f'{HEAD},"after":{{"reason":"x","reason":"y","winners":[1]}}}}'], "not-a-match"),
    ([f'{HEAD},"after":{{"reason":"x","winners":[2]}}}}'], "not-a-match"),
    ([f'{HEAD},"after":{{"reason":"x","winners":[-1]}}}}'], "not-a-match"),
    ([f'{HEAD},"after":{{"reason":"x","winners":[0,0]}}}}'], "not-a-match"),
]


@pytest.mark.parametrize(("lines", "key"), HEADS)
def test_rejects_invalid_first_line(lines: list[str], key: str) -> None:
    assert read_record(lines).match is None
    assert fault_of(lines) == (1, key)


def test_first_line_has_previous_outcome_and_house_rules() -> None:
    setup = present(read_record([f'{HEAD},"after":{{"reason":"x","winners":[1]}}}}']).match).setup
    assert (setup.after, setup.house) == (Outcome("x", (1,)), GAMES["coyote"].rules.settings["kidult"])


@example(b',"sum":"', 1)
@given(st.binary(max_size=200), st.integers(0, 40))
def test_no_bytes_break_the_reader(noise: bytes, place: int) -> None:
    lines = a_record()
    place = min(place, len(lines) - 1)
    text = noise.decode("utf-8", errors="surrogateescape")
    assert fault_of([*lines[:place], text, *lines[place:]])[0] in {place + 1, place + 2}


ANSWERS = st.builds(
    Answer,
    moment=st.integers(-5, 2**70),
    ask=st.sampled_from(["announce", "turn", "reveal", "x" * 300]),
    value=st.none() | st.integers() | st.lists(st.text(max_size=5), max_size=50).map(tuple),
    seat=st.none() | st.integers(),
    owners=st.lists(st.none() | st.integers(), max_size=4).map(tuple),
)


@given(ANSWERS)
def test_no_answer_breaks_the_referee(answer: Answer) -> None:
    lines = a_record()
    reading = read_record([*lines[:3], msgspec.json.encode(answer).decode()])
    assert reading.fault is None or reading.fault.line == 4


OWNERS = st.lists(st.none() | st.integers(-1, 3), max_size=4).map(tuple)


@given(st.lists(st.tuples(st.booleans(), OWNERS), min_size=1, max_size=4), st.randoms())
def test_no_owner_correction_breaks_the_reader(
    corrections: list[tuple[bool, tuple[int | None, ...]]], rng: Random
) -> None:
    """Each correction concerns the cards shown last, with equal or different cards."""
    lines = a_record()
    for keeps_cards, owners in corrections:
        match = present(read_record(lines).match)
        shown = [each for each in standing_answers(match) if isinstance(each.answer.value, tuple)]
        step = shown[-1]
        ask = present(ask_named(step.before.asks, step.answer.ask))
        value = step.answer.value if keeps_cards else any_value(ask, rng)
        line = entry_line(Correct(match.number, step.heard_at, value, owners))
        fault = read_record([*lines, line]).fault
        assert fault is None or (fault.line, fault.key) == (len(lines) + 1, "refused")
        lines += [] if fault else [line]


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"entry":' * 50_000])
def test_nested_noise_is_a_damaged_line(deep: str) -> None:
    assert fault_of([*a_record()[:3], deep])[1] == "damaged"
