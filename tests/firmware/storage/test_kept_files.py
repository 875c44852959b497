"""After a power cut, disk fault or kill, stored state is as before or after the step, never half."""

from pathlib import Path
from random import Random

import pytest

from tests.firmware.storage.kept_files import REPORTED, STORED, cut_power_often, perform_steps, strike
from tests.firmware.storage.power_cuts import cut_power
from tests.tiers import tiered

POWER_CUTS, MAX_STRIKES, STRIDE = tiered(20, 1000), 200, tiered(41, 1)


@pytest.mark.parametrize("name", STORED)
def test_power_cut_leaves_all_or_nothing(tmp_path: Path, name: str) -> None:
    keeping = STORED[name]
    done = perform_steps(keeping, tmp_path / "done")
    assert not list(cut_power_often(keeping, done, POWER_CUTS, Random(name), tmp_path))


@pytest.mark.parametrize("name", REPORTED)
def test_single_disk_fault_leaves_all_or_nothing(tmp_path: Path, name: str) -> None:
    strikes = list(strike(STORED[name], tmp_path, range(1, MAX_STRIKES, STRIDE)))
    assert strikes
    assert [each for each in strikes if each.faults] == []


# the journal


@pytest.mark.parametrize("syncs_fail", [False, True], ids=["syncs work", "syncs fail"])
@pytest.mark.parametrize("killed", [0.0, 0.7], ids=["closed", "killed"])
def test_power_cut_loses_nothing(tmp_path: Path, killed: float, syncs_fail: bool) -> None:
    rng = Random(f"{killed} {syncs_fail}")
    cut_power(tmp_path, tiered(15, 250), rng, killed=killed, syncs_fail=syncs_fail)
