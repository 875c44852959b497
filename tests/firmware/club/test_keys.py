"""The director's PIN: the same for all hubs, and another one for a club that runs."""

from pathlib import Path

import msgspec
import pytest

from firmware.club.database import Pool
from firmware.club.errors import ClubError
from firmware.club.keys import ensure_keys
from firmware.start.club.running import RUNNING, RunningClub, renew_pin


def test_two_hubs_have_the_same_secrets(pool: Pool) -> None:
    with pool.connection() as db:
        assert ensure_keys(db, "11111111", "one") == ensure_keys(db, "22222222", "other")


def test_a_running_club_gets_another_pin(pool: Pool, database: str, tmp_path: Path) -> None:
    with pool.connection() as db:
        before = ensure_keys(db, "11111111", "one")
        (tmp_path / RUNNING).write_bytes(msgspec.json.encode(RunningClub(database, "Club", 1)))
        pin = renew_pin(tmp_path)
        after = ensure_keys(db, "22222222", "other")
    assert (after.pin, after.secret) == (pin, before.secret)
    assert pin != before.pin


def test_where_no_club_runs_nothing_is_renewed(tmp_path: Path) -> None:
    with pytest.raises(ClubError):
        renew_pin(tmp_path)
