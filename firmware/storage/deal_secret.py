"""What only the simulated table knows: with it and the record, it deals the same cards again after a start.

A record is public, down to the microsecond in which its match was begun: by that alone anybody could deal them.
"""

from contextlib import suppress
from pathlib import Path
from secrets import token_bytes

from firmware.state_folder import DEAL
from firmware.storage.files import write_private
from vision.files import read_small

BYTES = 32


def deal_secret(state: Path) -> bytes:
    """Find the secret, or draw it; one that can't be kept holds until the next start."""
    file = state / DEAL
    with suppress(OSError):
        kept = read_small(file, BYTES)
        if len(kept) == BYTES:
            return kept
    drawn = token_bytes(BYTES)
    with suppress(OSError):
        write_private(file, drawn)
    return drawn
