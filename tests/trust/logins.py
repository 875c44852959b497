"""Search backups for camera logins: `python -m tests.trust.logins 200` makes 200 for each place of a login."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.firmware.storage.backups.camera_logins import PLACES, LoginFigures, attack_logins
from tests.trust.telling import add_up, finish, wishes


def main() -> None:
    wish, several = wishes(__doc__, "addresses"), list[LoginFigures]()
    for place in PLACES:
        for number in range(wish.addresses):
            with TemporaryDirectory() as folder:
                several.append(attack_logins(Path(folder), Random(f"{number} {place}"), place))
    finish(add_up(several))


if __name__ == "__main__":
    main()
