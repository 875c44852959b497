"""The house doesn't grow unseen."""

from tests.house import count, overfull


def test_each_room_keeps_to_its_budget() -> None:
    """A room that needs more says so in tests/house.py, where it is read."""
    assert overfull() == []


def test_what_is_counted() -> None:
    """Blank lines, comments and docstrings aren't code."""
    counted = count('"""What it is."""\nimport os\n\n\ndef home() -> str:\n    # ours\n    return os.sep\n')
    assert (counted.lines, counted.code, counted.imports, counted.functions) == (7, 3, 1, (3,))
