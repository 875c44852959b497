"""Only the table's user leads from its computer without the PIN."""

import os
from pathlib import Path

import pytest

from tests.firmware.start.local_users import attack
from tests.tiers import slow


@slow("three tables")
@pytest.mark.parametrize("who", ["computer", "nobody", "forwarder"])
def test_only_the_table_user_leads_from_its_computer(tmp_path: Path, who: str) -> None:
    if who == "nobody" and os.geteuid():
        pytest.skip("only root can become another user")
    gains = attack(tmp_path, "simulated", who)
    assert bool(gains.hosts and gains.seats and gains.backups) == (who == "computer"), gains
    assert (gains.rights > 0) == (who == "computer"), gains
