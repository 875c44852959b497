"""Which test a mutant is shown to first."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.long import mutants
from tests.long.mutants import EQUIVALENTS, Equivalent
from tests.long.mutating import Mutant, mutants_in


@pytest.mark.parametrize(
    ("file", "asked"), [("test_there.py", ["test_there.py::test_it"]), ("test_gone.py", [])]
)
def test_only_a_test_that_is_there_can_have_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, asked: list[str]
) -> None:
    """Pytest fails for want of a file, too."""

    def notices(_mutant: Mutant, tests: Sequence[str], _tree: Path) -> str | None:
        shown.extend(tests)
        return tests[0] if tests else None

    shown: list[str] = []
    (tmp_path / "test_there.py").touch()
    monkeypatch.setattr(mutants, "killer_of", notices)
    monkeypatch.setattr(mutants, "EVERYWHERE", ())
    mutant = mutants_in("referee/kit/ranking.py")[0]
    killer = next(iter(asked), None)
    assert list(mutants.try_mutants([mutant], {mutant.name: f"{file}::test_it"}, (), tmp_path)) == [
        (mutant, killer)
    ]
    assert shown == asked


# those that change nothing


@pytest.mark.parametrize("equivalent", EQUIVALENTS, ids=lambda each: each.code)
def test_an_equivalent_mutant_can_be_made(equivalent: Equivalent) -> None:
    assert equivalent.code in {mutant.code for mutant in mutants_in(equivalent.file)}
    assert equivalent.reason
