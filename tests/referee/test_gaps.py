"""Recovery of a record with a missing line: independent parts are kept, and nothing is invented."""

from collections import Counter
from itertools import combinations
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from hardware.twin.player import play_on
from referee.contract import CENTRE, Answer, Game, Show
from referee.contract.cards import Deck
from referee.games.catalogue import GAMES
from referee.gaps import _after_any, bridge_gap, count_combinations, legal_answers
from referee.match import Correct, Entry, Match, log
from referee.record import entry_line, read_record, record_lines
from tests.given import present
from tests.referee.tables import new_match
from tests.tiers import tiered

EACH = tiered(4, 8)  # missing lines to try per game


def records(game: Game) -> tuple[list[str], bytes]:
    match = play_on(new_match(game, next(iter(game.rules.settings)), 4), Random(3))
    return record_lines(match), msgspec.json.encode(match.state)


def blank(lines: list[str], *numbers: int) -> list[str]:
    return ["" if number in numbers else line for number, line in enumerate(lines)]


@pytest.mark.parametrize("name", list(GAMES))
def test_recovered_match_equals_the_original(name: str) -> None:
    lines, truth = records(GAMES[name])
    bridged = 0
    for missing in Random(name).sample(range(2, len(lines) - 1), EACH):
        reading = read_record([*lines[:missing], *lines[missing + 1 :]])
        match = present(reading.match)
        if reading.fault is None:
            [gap] = reading.gaps
            assert (gap.line, gap.fits >= 1) == (missing + 1, True)
            assert gap.line <= gap.certain_from <= len(lines)
            assert msgspec.json.encode(match.state) == truth
            bridged += 1
        else:
            assert (reading.fault.line, match.number) == (missing + 1, missing - 1)
    assert bridged > EACH / 3
    # a blank last line is treated like a removed one
    blanked = read_record(blank(lines, missing))
    match = present(blanked.match)
    assert (blanked.fault is None) == (reading.fault is None)
    if blanked.fault is None:
        assert (msgspec.json.encode(match.state), match.number) == (truth, len(lines) - 1)
    else:
        assert (blanked.fault.key, blanked.fault.line) == ("missing", missing + 1)


def test_too_many_combinations_are_not_guessed() -> None:
    """A reveal of six cards has up to a million combinations, so no other fitting answer may replace it."""
    match = play_on(new_match(GAMES["coyote"], "kidult", 6), Random(1))
    lines, truth = record_lines(match), msgspec.json.encode(match.state)
    for missing in (number for number, line in enumerate(lines[:-1]) if '"reveal"' in line):
        reading = read_record([*lines[:missing], *lines[missing + 1 :]])
        assert reading.fault is not None or msgspec.json.encode(present(reading.match).state) == truth


def read_whole(lines: list[str]) -> Match:
    return present(read_record(lines).match)


def read_before(missing: int) -> tuple[Match, list[Entry]]:
    """Return a match of Coup d'État before a missing line, and the entries after it."""
    lines, _truth = records(GAMES["coup-d-etat"])
    return read_whole(lines[:missing]), log(read_whole(lines))[missing:]


@pytest.mark.parametrize(("more", "is_bridged"), [(-1, False), (0, True), (1, True)])
def test_too_many_candidates_are_not_guessed(
    monkeypatch: pytest.MonkeyPatch, more: int, is_bridged: bool
) -> None:
    before, later = read_before(5)
    monkeypatch.setattr("referee.gaps.MAX_CANDIDATES", len(list(_after_any(before))) + more)
    assert (bridge_gap(before, later) is not None) == is_bridged


@pytest.mark.parametrize("missing", [5, 27])
def test_gap_is_bridged_within_the_line_limit(missing: int) -> None:
    before, later = read_before(missing)
    bridged = present(bridge_gap(before, later))
    assert bridged.match.number == before.number + 1 + bridged.fed
    assert bridge_gap(before, later[: bridged.fed]) is not None
    assert bridge_gap(before, later[: bridged.fed - 1]) is None


@pytest.mark.parametrize(("most", "bridged"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_number_of_gaps_is_bounded(monkeypatch: pytest.MonkeyPatch, most: int, bridged: int) -> None:
    monkeypatch.setattr("referee.record.MAX_GAPS", most)
    lines, truth = records(GAMES["coup"])
    reading = read_record([line for number, line in enumerate(lines) if number not in {5, 25}])
    state = msgspec.json.encode(present(reading.match).state)
    assert len(reading.gaps) == bridged
    assert (reading.fault is None) == (bridged == 2) == (state == truth)


def test_adjacent_gaps_are_not_guessed() -> None:
    lines, _truth = records(GAMES["coup"])
    assert present(read_record([*lines[:5], *lines[7:]]).fault).line == 6
    assert read_record(lines[:-1]).gaps == ()


@pytest.mark.parametrize("must", [(), ("a",), ("a", "b"), ("b", "b", "c")])
@pytest.mark.parametrize("count", [3, 4])
def test_combinations_are_counted_per_card(must: tuple[str, ...], count: int) -> None:
    among = {"a": 1, "b": 3, "c": 2}
    ask = Show("s", (0,), count, CENTRE, Deck("d", among), among, must=must)
    rest = Counter(among) - Counter(must)
    assert count_combinations(ask) == len(list(combinations(rest.elements(), count - len(must))))
    answers = list(legal_answers(replace(new_match(GAMES["coyote"], "kidult", 2), beside=(ask,))))
    laid = {tuple(sorted((*must, *more))) for more in combinations(rest.elements(), count - len(must))}
    assert [answer.value for answer in answers if answer.ask == "s"] == sorted(laid)


# lost lines, and the host's answers for them


def said_of(lines: list[str], *missing: int) -> list[str]:
    """Return the lines with the host's answers for lost ones."""
    whole = log(read_whole(lines))
    answers = [whole[number - 1] for number in missing]
    end = len(lines) - 1
    return [
        entry_line(Correct(end + at, number - 1, answer.value, answer.owners, seat=answer.seat))
        for at, (number, answer) in enumerate(zip(missing, answers, strict=True))
        if isinstance(answer, Answer)
    ]


@pytest.mark.parametrize("name", list(GAMES))
def test_host_answer_replaces_a_lost_line(name: str) -> None:
    lines, truth = records(GAMES[name])
    end = len(lines) - 1
    for first in Random(name).sample(range(1, end - 1), tiered(1, EACH)):
        missing = (first, first + 1)
        assert read_record(blank(lines, *missing)).fault is not None
        said = said_of(lines, *missing)
        one = read_record([*blank(lines, *missing), said[0]])
        assert one.fault is None or one.fault.line == first + 2
        both = read_record([*blank(lines, *missing), *said])
        match = present(both.match)
        assert both.fault is None
        assert (msgspec.json.encode(match.state), match.number) == (truth, end + 2)
        assert [gap.is_from_host for gap in both.gaps] == [True, True]
