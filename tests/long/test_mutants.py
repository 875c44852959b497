"""Detection of the test that killed a mutant."""

import shutil
from pathlib import Path

import pytest

from tests.long.mutant_trials import ROOT, killer_of
from tests.long.mutants import EQUIVALENTS, Equivalent
from tests.long.mutating import mutants_in


def test_killers_are_existing_tests(tmp_path: Path) -> None:
    """Pytest also fails if a file or a test is missing."""
    mutant = mutants_in("referee/kit/ranking.py")[0]
    (tmp_path / "referee" / "kit").mkdir(parents=True)
    shutil.copy(ROOT / mutant.file, tmp_path / mutant.file)
    (tmp_path / "test_there.py").write_text("def test_mutant_dies():\n    raise ValueError\n", encoding="utf-8")
    asked = ("test_there.py::test_mutant_dies", "test_there.py::test_gone", "test_gone.py::test_mutant_dies")
    assert [killer_of(mutant, [test], tmp_path) for test in asked] == [asked[0], None, None]


# those that change nothing


@pytest.mark.parametrize("equivalent", EQUIVALENTS, ids=lambda each: each.code)
def test_equivalent_mutants_exist(equivalent: Equivalent) -> None:
    assert equivalent.code in {mutant.code for mutant in mutants_in(equivalent.file)}
    assert equivalent.reason
