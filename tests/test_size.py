"""What the seat page loads, and what tests import."""

import re
from pathlib import Path

from tests.size import ENTRIES, ROOT, loaded_by


def test_the_seat_page_loads_neither_the_composed_table_nor_services_that_it_only_calls() -> None:
    loaded = {str(file.relative_to(ROOT)) for file in loaded_by(ENTRIES["seat page"])}
    services = {Path(file).stem for file in loaded if file.startswith("firmware/services/")}
    assert services <= {"__init__", "attempt_limits"}
    assert not any(file.startswith("firmware/twin/") for file in loaded)


def test_test_files_do_not_import_each_other() -> None:
    files = [file for folder in ("tests", "plugins") for file in (ROOT / folder).rglob("*.py")]
    imported = re.compile(r"^ *(?:from|import) .*\btest_\w+", re.MULTILINE)
    assert [str(file) for file in files if imported.search(file.read_text("utf-8"))] == []
