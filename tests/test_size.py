"""The report on the size of the code."""

from tests.size import Module, spent


def test_what_is_counted() -> None:
    """Blank lines, comments and docstrings aren't code."""
    counted = Module('"""What it is."""\nimport os\n\n\ndef home() -> str:\n    # ours\n    return os.sep\n')
    assert (counted.lines, counted.code, counted.imports, counted.functions) == (7, 3, 1, (3,))


def test_processor_time_is_read_from_the_shell() -> None:
    assert spent("0m0.50s 0m0.50s\n9m58.00s 0m1.00s\n").startswith("processor time: 10.0 minutes")
