"""The record: every match goes through text unharmed, and every fault is named by its line."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.player import play_on
from referee.contract import Answer, Outcome
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, TakeBack, correct, standing_answers, take_back
from referee.record import FORMAT, read_record, record_lines
from tests.referee.tables import after_any, new_match


def a_record(seed: int = 1) -> list[str]:
    """Write a whole match of three down."""
    return record_lines(play_on(new_match(GAMES["coyote"], "kidult", 3), Random(seed)))


def test_every_line_is_plain_json() -> None:
    for text in a_record():
        assert isinstance(msgspec.json.decode(text), dict)


def test_entries_of_every_kind_come_back() -> None:
    rng, match = Random(5), new_match(GAMES["coyote"], "gigamic, all powers", 4)
    for _turn in range(300):
        if match.outcome is not None:
            break
        match = after_any(match, rng)
        if rng.random() < 0.2:
            undone = take_back(match, TakeBack(match.number, rng.randrange(4), at="now"))
            match = undone if isinstance(undone, Match) else match
        if rng.random() < 0.1:
            step = rng.choice(standing_answers(match) or [None])
            if step is not None:
                changed = correct(match, Correct(match.number, step.heard_at, step.answer.value))
                match = changed if isinstance(changed, Match) else match
    again = read_record(record_lines(match))
    assert again.fault is None
    assert again.match is not None
    assert record_lines(again.match) == record_lines(match)
    assert msgspec.json.encode(again.match.state) == msgspec.json.encode(match.state)


@pytest.mark.parametrize("cut", [1, 5, 20, -1])
def test_a_truncated_line_keeps_everything_before_it(cut: int) -> None:
    lines = a_record()
    for number in (2, 7, len(lines)):
        reading = read_record([*lines[: number - 1], lines[number - 1][:cut]])
        assert reading.fault is not None
        assert (reading.fault.line, reading.fault.key) == (number, "damaged")
        assert reading.match is not None
        assert reading.match.number == number - 2


def test_missing_lines_are_found() -> None:
    lines = a_record()
    reading = read_record(lines[:5] + lines[7:])
    assert reading.fault is not None
    assert (reading.fault.line, reading.fault.key) == (6, "refused")


def test_a_doubled_line_is_found() -> None:
    lines = a_record()
    reading = read_record(lines[:5] + lines[4:])
    assert reading.fault is not None
    assert (reading.fault.line, reading.fault.key) == (6, "refused")


HEADS = [
    ([], "empty"),
    ([""], "not-a-match"),
    (["hello"], "not-a-match"),
    (["[]"], "not-a-match"),
    (["\udcff"], "not-a-match"),
    (['{"coyote_table":1}'], "not-a-match"),
    (['{"coyote_table":"1","game":"coyote","names":["A","B"],"house":{}}'], "not-a-match"),
    ([f'{{"coyote_table":{FORMAT + 1},"unknown":[]}}'], "newer"),
    (['{"coyote_table":1,"game":"poker","names":["A","B"],"house":{}}'], "unknown-game"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limit":9}}'], "house"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limt":3}}'], "house"),
    (['{"coyote_table":1,"game":"coyote","names":["A"],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A","a"],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A",""],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B\\u001b"],"house":{}}'], "refused"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{},"foo":1}'], "not-a-match"),
    (['{"coyote_table":0,"game":"coyote","names":["A","B"],"house":{}}'], "not-a-match"),
    (['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{"limit":5}}'], "refused"),
]


@pytest.mark.parametrize(("lines", "key"), HEADS)
def test_a_first_line_that_begins_no_match(lines: list[str], key: str) -> None:
    reading = read_record(lines)
    assert reading.match is None
    assert reading.fault is not None
    assert (reading.fault.line, reading.fault.key) == (1, key)


def test_house_rules_that_are_not_named_are_the_default() -> None:
    reading = read_record(['{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{}}'])
    assert reading.match is not None
    assert reading.match.setup.house == GAMES["coyote"].settings["kidult"]


def test_a_rematch_remembers_the_match_before() -> None:
    head = (
        '{"coyote_table":1,"game":"coyote","names":["A","B"],"house":{},"after":{"reason":"x","winners":[1]}}'
    )
    reading = read_record([head])
    assert reading.match is not None
    assert reading.match.setup.after == Outcome("x", (1,))


@given(st.binary(max_size=200), st.integers(0, 40))
def test_no_bytes_break_the_reader(noise: bytes, place: int) -> None:
    lines = a_record()
    place = min(place, len(lines) - 1)
    text = noise.decode("utf-8", errors="surrogateescape")
    reading = read_record([*lines[:place], text, *lines[place:]])
    assert reading.fault is not None
    assert reading.fault.line in {place + 1, place + 2}


ANSWERS = st.builds(
    Answer,
    moment=st.integers(-5, 2**70),
    ask=st.sampled_from(["announce", "turn", "reveal", "x" * 300]),
    value=st.none() | st.integers() | st.lists(st.text(max_size=5), max_size=50).map(tuple),
    seat=st.none() | st.integers(),
    owners=st.lists(st.integers(), max_size=4).map(tuple),
)


@given(ANSWERS)
def test_no_answer_breaks_the_referee(answer: Answer) -> None:
    lines = a_record()
    reading = read_record([*lines[:3], msgspec.json.encode(answer).decode()])
    assert reading.fault is None or reading.fault.line == 4


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"entry":' * 50_000])
def test_nested_noise_is_a_damaged_line(deep: str) -> None:
    reading = read_record([*a_record()[:3], deep])
    assert reading.fault is not None
    assert reading.fault.key == "damaged"
