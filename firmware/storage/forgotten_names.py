"""Keyed hashes of forgotten names, so that an older backup doesn't bring them back.

The hashes and their key are in no backup. A new card therefore can't recognize the names.
"""

import hmac
from collections.abc import Iterable
from datetime import datetime
from secrets import token_hex

from msgspec import Struct

from firmware.state_folder import FORGOTTEN_NAMES
from firmware.storage.aside import Gone
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.files import Kept
from firmware.storage.match_marks import MAX_BYTES, MAX_MARKS
from referee.match import name_key


class ForgottenNames(Struct, frozen=True):
    """The key, and for each hash of a name the time when it was forgotten last."""

    key: str = ""
    times: dict[str, str] = {}

    def hash_of(self, name: str) -> str:
        return hmac.new(self.key.encode(), name_key(name).encode(), "sha256").hexdigest()[:32]

    def are_gone(self, names: Iterable[str], begun: str) -> set[str]:
        """Return which players of a match were forgotten after it began; its time may be unknown."""
        times = {name: self.times.get(self.hash_of(name), "") for name in names}
        return {name for name, forgotten in times.items() if forgotten and not _is_later(begun, forgotten)}


KEPT_NAMES = Kept(FORGOTTEN_NAMES, ForgottenNames, ForgottenNames(), largest=MAX_BYTES)


def forget(here: TablePlaces, gone: Gone) -> None:
    known = KEPT_NAMES.read(here.state)
    known = ForgottenNames(known.key or token_hex(16), known.times)
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    again = {known.hash_of(name): now for name in gone.names}
    others = [(name, at) for name, at in known.times.items() if name not in again]
    KEPT_NAMES.keep(here.state, ForgottenNames(known.key, dict([*others, *again.items()][-MAX_MARKS:])))


def _is_later(begun: str, forgotten: str) -> bool:
    try:
        return datetime.fromisoformat(begun) > datetime.fromisoformat(forgotten)
    except (ValueError, TypeError):
        # without a time zone or a time
        return False
