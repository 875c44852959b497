"""The house doesn't grow unseen."""

from pathlib import Path

import pytest

from tests import house
from tests.house import ROOMS, Module, budget, differences, figures, lower, modules_of, one_line, spent
from tests.tiers import slow


@slow("it reads each file of the house")
def test_the_house_is_exactly_as_large_as_its_budget_says() -> None:
    """What grows says why in tests/house.json's commit; what shrinks is written by `--lower`."""
    rooms = {name: modules_of(room) for name, room in ROOMS.items()}
    assert differences(figures(rooms), budget()) == []
    assert one_line(rooms).startswith(f"{budget()['wheel']:,} lines in ")


def test_what_is_counted() -> None:
    """Blank lines, comments and docstrings aren't code."""
    counted = Module('"""What it is."""\nimport os\n\n\ndef home() -> str:\n    # ours\n    return os.sep\n')
    assert (counted.lines, counted.code, counted.imports, counted.functions) == (7, 3, 1, (3,))


def test_a_budget_is_lowered_and_never_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.json"
    file.write_text('{"a": 5, "b": 5, "c": 5}')
    monkeypatch.setattr(house, "BUDGET", file)
    now = {"a": 4, "b": 5, "c": 6}
    assert differences(now, budget()) == [
        "c: 6, and 5 are allowed",
        "a: 4 of 5",
        "lower the budget: python -m tests.house --lower",
    ]
    assert lower(now) == ["c: 6, and 5 are allowed"]
    assert budget() == {"a": 4, "b": 5, "c": 5}


def test_processor_time_is_read_from_what_the_shell_says() -> None:
    assert spent("0m0.50s 0m0.50s\n9m58.00s 0m1.00s\n").startswith("processor time: 10.0 minutes; ")
