"""Whatever happens in an evening, no device sees or answers for another."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.storage.scratch import scratch
from tests.webui.access.evenings import EveningReport, play_evening
from webui.access.evening import Evening, seated_match

EVENINGS = 40


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    """Give a folder in memory: each step of an evening is synced."""
    with scratch() as folder:
        (folder / "state").mkdir()
        yield folder / "state"


def test_no_device_has_the_seat_of_another(folder: Path) -> None:
    report = EveningReport()
    for number in range(EVENINGS):
        play_evening(folder, f"short {number}", report)
    assert report.wrong == []
    assert report.evenings == EVENINGS


def test_no_page_shows_the_seat_of_another(folder: Path) -> None:
    report = EveningReport()
    play_evening(folder, "pages", report, with_pages=True)
    assert report.wrong == []
    assert report.answers


def find_fault(folder: Path) -> list[str]:
    """Play until something is wrong."""
    report = EveningReport()
    for number in range(EVENINGS):
        play_evening(folder, f"faulty {number}", report)
        if report.wrong:
            break
    return report.wrong


def keep_places(evening: Evening, match: Any, fresh: Any) -> Evening:
    """Give rights to the names that sit where their people sat, as version 0.1.0 did."""
    before = () if evening.match is None else evening.match.names
    moved = dict(zip(before, match.setup.names, strict=False))
    people = tuple(replace(person, name=moved.get(person.name, person.name)) for person in evening.people)
    return replace(evening, match=seated_match(match), codes=tuple(fresh), people=people)


FAULTS = {"sit_down": keep_places, "expire": lambda evening, _now: evening}


@pytest.mark.parametrize("name", FAULTS)
def test_a_table_that_lets_others_in_is_found(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"webui.access.links_file.{name}", FAULTS[name])
    assert find_fault(folder)
