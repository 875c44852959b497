"""Camera readings: cards read, cards corrected, and the confidence of the error rate."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.player import play_on
from referee.camera_readings import CameraReadings, readings_in, worst_share
from referee.contract import Answer, Option
from referee.match import Correct, log, standing_answers
from referee.summaries import Summary, deck_readings, summary_of
from tests.referee.read_cards import READ, called_match
from tests.referee.tables import NAMES

TOLD = Answer(4, "reveal", ("5", "5", "0"), sense="phone")


@pytest.mark.parametrize(
    ("entries", "named", "put_right"),
    [
        ((TOLD,), 0, 0),
        ((READ,), 3, 0),
        ((READ, Correct(5, 4, ("5", "10", "0"))), 3, 1),
        # the order of cards doesn't matter
        ((READ, Correct(5, 4, ("0", "5", "5"))), 3, 0),
        # only the last correction counts
        ((READ, Correct(5, 4, ("10", "15", "0")), Correct(6, 4, ("5", "5", "0"))), 3, 0),
        # corrections of typed cards don't count against the camera
        ((TOLD, Correct(5, 4, ("5", "10", "0"))), 0, 0),
        # cards entered after a struck reading correct it; without such cards, the camera isn't blamed
        ((READ, Correct(5, 4), Answer(6, "reveal", ("5", "15", "10"), sense="phone")), 3, 2),
        ((READ, Correct(5, 4), Answer(6, "reveal", ("5", "5", "0"), sense="camera")), 6, 0),
        ((READ, Correct(5, 4)), 3, 0),
        ((READ, Correct(5, 4), Correct(6, 3), Answer(7, "turn", Option("coyote"), 2)), 3, 0),
    ],
)
def test_read_and_corrected_cards_are_counted(
    entries: tuple[Answer | Correct, ...], named: int, put_right: int
) -> None:
    found = readings_in(log(called_match(*entries)))
    assert (found.named, found.put_right) == (named, put_right)


@given(st.integers(0, 10_000))
def test_uncorrected_readings_count_as_right(seed: int) -> None:
    match = play_on(called_match(), Random(seed))
    entries = [step.answer for step in standing_answers(match)]
    cards = [entry.value for entry in entries if isinstance(entry.value, tuple)]
    seen = [Answer(e.moment, e.ask, e.value, e.seat, "camera") for e in entries]
    assert readings_in(seen) == CameraReadings(sum(map(len, cards)), 0)


@given(st.integers(1, 100_000), st.data())
def test_worst_share_exceeds_observed_share(named: int, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, named))
    seen, more = CameraReadings(named, wrong), CameraReadings(2 * named, 2 * wrong)
    tiny = 1e-12
    assert wrong / named - tiny <= worst_share(seen) <= 1 + tiny
    assert worst_share(more) <= worst_share(seen) + tiny


def test_worst_share_without_errors() -> None:
    # z^2 / (n + z^2), computed by hand
    assert 1 / worst_share(CameraReadings(5_200)) == pytest.approx(1 + 5_200 / 3.8416)


def summed(begun: str, edition: str, named: int, put_right: int = 0) -> Summary:
    readings = CameraReadings(named, put_right) if named else None
    return Summary("coyote", NAMES[:3], edition, begun=begun, camera=readings)


def test_readings_are_summed_by_deck_and_last_day() -> None:
    kidult, oliphante = deck_readings(
        [
            summed("2026-11-02T20:00:00+01:00", "kidult", 100, 1),
            summed("2026-11-01T20:00:00+01:00", "kidult", 50, 2),
            summed("2026-11-02T21:00:00+01:00", "kidult", 10),
            summed("2026-11-03T20:00:00+01:00", "kidult", 0),
            summed("2026-11-03T20:00:00+01:00", "oliphante", 7),
        ]
    )
    assert (kidult.edition, kidult.overall, kidult.day) == ("kidult", CameraReadings(160, 3), "2026-11-02")
    assert kidult.last_day == CameraReadings(110, 1)
    assert (oliphante.overall, oliphante.day) == (CameraReadings(7, 0), "2026-11-03")


def test_summary_includes_readings() -> None:
    assert summary_of(called_match(READ, Correct(5, 4, ("5", "10", "0")))).camera == CameraReadings(3, 1)
    assert summary_of(called_match()).camera is None
