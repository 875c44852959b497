"""What the seat page loads."""

from pathlib import Path

from tests.size import ENTRIES, ROOT, loaded_by


def test_the_seat_page_loads_neither_the_composed_table_nor_services_that_it_only_calls() -> None:
    loaded = {str(file.relative_to(ROOT)) for file in loaded_by(ENTRIES["seat page"])}
    services = {Path(file).stem for file in loaded if file.startswith("firmware/services/")}
    assert services <= {"__init__", "attempt_limits"}
    assert not any(file.startswith("firmware/twin/") for file in loaded)
