"""What only the simulated table knows: with it and the record, it deals the same cards again after a start.

A record is public, down to the microsecond in which its match was begun: by that alone anybody could deal them.
"""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes

from firmware.state_folder import DEAL
from vision.files import make_folder, read_small, sync

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
        _keep(file, drawn)
    return drawn


def _keep(file: Path, drawn: bytes) -> None:
    """Keep it, readable by its owner alone from the first byte."""
    make_folder(file.parent)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    draft.touch(0o600, exist_ok=False)
    with draft.open("wb") as out:
        out.write(drawn)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    sync(file.parent)
