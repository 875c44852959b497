"""What is acknowledged outlasts a crash of the database; only what can be told anew doesn't wait for it."""

from firmware.club.database import Pool
from firmware.club.telling import without_waiting


def test_commits_wait_for_the_disk_again_once_matches_are_told(pool: Pool) -> None:
    with pool.connection() as db:
        asked = "SHOW synchronous_commit"
        assert db.execute(asked).fetchone() == ("on",)
        with without_waiting(db):
            assert db.execute(asked).fetchone() == ("off",)
        assert db.execute(asked).fetchone() == ("on",)
