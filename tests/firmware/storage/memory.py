"""What tables that could keep nothing have left in memory."""

import shutil
from pathlib import Path

from firmware.storage.state_place import possible_folders


def forget_memory(state: Path) -> None:
    for folder in possible_folders(state):
        shutil.rmtree(folder, ignore_errors=True)
