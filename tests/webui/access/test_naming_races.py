"""Names that several phones give or take back at once, and wrong ones that a guest gives."""

from pathlib import Path
from random import Random

import pytest

from referee.games.coyote import COYOTE
from tests.tiers import tiered
from tests.webui.access.naming_races import poison_deck, race_names


def test_one_of_many_phones_names_a_card_and_one_takes_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    races = tiered(40, 1000)
    report = race_names(tmp_path, races)
    assert (report.wrong, report.named, report.undone) == ([], races, races)


def test_one_tap_takes_back_all_that_a_guest_said(tmp_path: Path) -> None:
    report = poison_deck(tmp_path, COYOTE.table.deck(COYOTE.rules.house()), Random(1))
    assert (report.wrong, report.left) == ([], 0)
    assert min(report.poisoned, report.others) > 5
