"""`coyote bench firmware`, small: its figures, and that it would see a press that is lost."""

import json

import pytest

from firmware.benches import firmware as bench
from tests.firmware.conftest import Coyote


def figures(coyote: Coyote) -> dict[str, dict[str, float]]:
    said = coyote("bench firmware --presses 500 --pairs 3 --json")
    assert said.code == 0
    told: dict[str, dict[str, float]] = json.loads(said.out)
    return told


def test_nothing_is_lost_doubled_or_out_of_order(coyote: Coyote) -> None:
    told = figures(coyote)
    assert [told["bounced"][name] for name in ("presses", "lost", "doubled", "wrong_stamps")] == [500, 0, 0, 0]
    assert told["ordered"]["right"] == told["ordered"]["pairs"] == 3


def test_a_debouncer_that_is_too_quick_is_seen(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.board.senses.debounce.STILL", 0.002)
    assert figures(coyote)["bounced"]["doubled"] > 0


def test_an_order_by_arrival_is_seen(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bench, "hold_back", lambda waiting, _at, key: bench.Waiting((*waiting.things, (0.0, key)))
    )
    assert figures(coyote)["ordered"]["right"] < 3
