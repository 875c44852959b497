"""The report on the size of the code."""

from pathlib import Path

from tests.size import ENTRIES, ROOT, Module, loaded_by, report_imports, spent


def test_what_is_counted() -> None:
    """Blank lines, comments and docstrings aren't code."""
    counted = Module('"""What it is."""\nimport os\n\n\ndef home() -> str:\n    # ours\n    return os.sep\n')
    assert (counted.lines, counted.code, counted.imports, counted.functions) == (7, 3, 1, (3,))


def test_processor_time_is_read_from_the_shell() -> None:
    assert spent("0m0.50s 0m0.50s\n9m58.00s 0m1.00s\n").startswith("processor time: 10.0 minutes")


def test_imports_of_a_module_are_counted() -> None:
    files = loaded_by("referee.contract.words")
    lines = sum(file.read_text(encoding="utf-8").count("\n") for file in files)
    assert {ROOT / "referee" / "__init__.py", ROOT / "referee" / "contract" / "words.py"} <= set(files)
    assert not any(file.is_relative_to(ROOT / "vision") for file in files)
    assert report_imports({"words": "referee.contract.words"}).splitlines()[1].split() == [
        "words", f"{lines:,}", str(len(files)),
    ]  # fmt: skip


def test_the_seat_page_loads_neither_the_composed_table_nor_services_that_it_only_calls() -> None:
    loaded = {str(file.relative_to(ROOT)) for file in loaded_by(ENTRIES["seat page"])}
    services = {Path(file).stem for file in loaded if file.startswith("firmware/services/")}
    assert services <= {"__init__", "attempt_limits"}
    assert not any(file.startswith("firmware/twin/") for file in loaded)
