"""What BG Stats is told of how long a match took: nothing that a clock which jumps has made up."""

import json
from urllib.parse import unquote

import pytest

from referee.games.coyote import COYOTE
from referee.summaries import Summary
from webui.drawing.bg_stats import play_link


@pytest.mark.parametrize(
    ("begun", "ended", "minutes"),
    [
        ("2026-01-02T19:00:00.123456+01:00", "2026-01-02T19:30:00+01:00", 30),
        ("2026-01-02T19:00:00+01:00", "2026-01-02T19:30:00+02:00", None),
        ("2026-01-02T19:00:00+01:00", "2026-01-02T18:30:00+01:00", None),
        ("1970-01-01T00:01:00+00:00", "2026-01-02T19:30:00+01:00", None),
    ],
)
def test_the_time_that_a_match_took_is_told_if_it_can_be(begun: str, ended: str, minutes: int | None) -> None:
    counts = ({}, {})
    summary = Summary(
        "coyote", ("Ana", "Bo"), begun=begun, ended=ended, places=(1, 2), counts=counts, winners=(0,)
    )
    link = play_link(summary, COYOTE, "Coyote", "here")
    play = json.loads(unquote(link.split("data=")[1]))
    assert play.get("durationMin") == minutes
