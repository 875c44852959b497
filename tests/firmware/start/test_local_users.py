"""Only the table's user leads from its computer without the PIN."""

import os
from pathlib import Path

import pytest

from tests.firmware.start.local_users import KINDS, attack_table
from tests.firmware.start.program import run_table
from tests.tiers import slow, tiered


@slow("a table, and hundreds of requests by each of three users")
@pytest.mark.parametrize("kind", tiered(["simulated"], list(KINDS)))
def test_only_the_table_user_leads_from_its_computer(tmp_path: Path, kind: str) -> None:
    # only root can become another user
    others = ("forwarder",) if os.geteuid() else ("nobody", "forwarder")
    with run_table(tmp_path, *KINDS[kind]) as table:
        for other in others:
            assert attack_table(table, other).rights == 0, other
        gains = attack_table(table, "computer")
    assert gains.hosts, gains
    assert gains.seats or kind == "real", gains
    assert gains.backups, gains
