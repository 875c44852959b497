"""Another user of the table's computer, and a forwarder on it, try to become host without the PIN."""

import codecs
import os
from contextlib import closing
from multiprocessing import get_context
from socket import gethostname

from msgspec import Struct

from plugins.club.tests.processes import NetworkPath
from tests.firmware.start.browsing import Phone, own_browser
from tests.firmware.start.whole_table import WholeTable

NOBODY = 65534
KINDS = {"simulated": ("--twin",), "real": ("--camera", "phone", "--seats", "Ana,Bo,Cleo")}
NAMES = ("localhost", "127.0.0.1", "192.0.2.7", gethostname())
"""Host names that browsers send: the computer's own, and a forwarder's address in the network."""
PAGES = ("/welcome", "/welcome/me?game=coyote", "/twin", "/camera", "/camera/state", "/screen/number")
FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    ("/host/here", {}),
    ("/welcome", {"game": "coyote", "names": "1"}),
    ("/welcome/me", {"game": "coyote", "name": "Eve"}),
    ("/twin/sit", {"seat": "0"}),
    ("/camera/ask", {}),
    ("/here", {"token": "0" * 64}),
)


class Gains(Struct):
    """What browsers without the PIN got from tables."""

    requests: int = 0
    hosts: int = 0
    seats: int = 0
    cameras: int = 0
    backups: int = 0

    @property
    def rights(self) -> int:
        return self.hosts + self.seats + self.cameras + self.backups


def attack_table(table: WholeTable, who: str) -> Gains:
    """Attack as `nobody`, through a `forwarder`, or, for comparison, as the table's own `computer`."""
    with closing(NetworkPath(table.port)) as path:
        port = path.port if who == "forwarder" else table.port
        with get_context("fork").Pool(1, _become_nobody if who == "nobody" else None) as pool:
            phone = own_browser(table.folder / "state") if who == "computer" else Phone()
            gains = pool.apply(_try_everything, (phone, port))
        evening = table.evening()
    gains.hosts, gains.seats = len(evening.hosts), sum(len(person.devices) for person in evening.people)
    gains.cameras = sum(camera.is_in for camera in evening.cameras)
    return gains


def _become_nobody() -> None:
    # a lookup loads it, perhaps from a home that only its owner may read
    codecs.lookup("idna")
    os.setgroups(())
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def _try_everything(phone: Phone, port: int) -> Gains:
    """Request everything that this computer's own browser may do, under each host name."""
    gains = Gains()
    for name in NAMES:
        for page in PAGES:
            phone.ask(port, page, Host=name)
        for address, fields in FORMS:
            # for the form's token
            phone.ask(port, "/host/enter", Host=name)
            phone.ask(port, address, fields, Host=name)
        gains.backups += phone.ask(port, "/host/backup/file", Host=name)[0] == 200
        gains.requests += len(PAGES) + 2 * len(FORMS) + 1
    return gains
