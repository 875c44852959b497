"""Strangers in the network silence no seated phone; `python -m tests.trust.attack` prints what was measured."""

from collections.abc import Callable, Iterator

import pytest

from tests.firmware.start.attacks import ATTACKS, Outcome, Target, target


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with target(tmp_path_factory.mktemp("attacked")) as it:
        yield it


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_is_withstood(table: Target, attack: Callable[[Target], Outcome]) -> None:
    outcome = attack(table)
    assert outcome.is_withstood, outcome.measured
