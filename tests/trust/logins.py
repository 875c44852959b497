"""Search backups for camera logins: `python -m tests.trust.logins 200` makes 200 for each place of a login."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.firmware.storage.backups.camera_logins import PLACES, LoginFigures, attack_logins
from tests.scripts import script


@script
def main(addresses: int, scratch: Path) -> Iterator[LoginFigures]:
    for place in PLACES:
        for number in range(addresses):
            (folder := scratch / f"{number} {place}").mkdir()
            yield attack_logins(folder, Random(folder.name), place)
