"""Changes that are called equivalent are still changes of a line that is there."""

import pytest

from tests.long.equivalent_mutants import EQUIVALENTS, Equivalent
from tests.long.mutating import mutants_in


@pytest.mark.parametrize("equivalent", EQUIVALENTS, ids=lambda each: each.code)
def test_an_equivalent_mutant_can_be_made(equivalent: Equivalent) -> None:
    assert equivalent.code in {mutant.code for mutant in mutants_in(equivalent.file)}
    assert equivalent.reason
