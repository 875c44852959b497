"""From the press to the lamp, while the club is hung, swallowed or not to be found."""

import argparse
import signal
import socket
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from time import sleep

from firmware.benches.companion import _time_press
from firmware.benches.simulated_table import coyote_match, open_companion, unplug_camera
from firmware.outside.club_link import ClubLink
from firmware.storage.club_membership import Membership
from tests.firmware.club.processes import send_process
from tests.trust.club.figures import opened_club, tell

NAMES = ("Ana", "Bo", "Chloé", "Dan")


def try_lamp(wish: argparse.Namespace) -> bool:
    """Press buttons without a club, and while it is hung, swallowed or not to be found, by turns."""
    with ExitStack() as ends:
        silent = socket.create_server(("127.0.0.1", 0))
        ends.callback(silent.close)
        swallowing = Membership("one", "One", "Club", "127.0.0.1", silent.getsockname()[1], "k" * 43)
        nowhere = Membership("one", "One", "Club", "hub.invalid", 1883, "k" * 43)
        club = ends.enter_context(opened_club(wish))
        [mine] = club.join("One")
        send_process(club.hub, signal.SIGSTOP)
        ends.callback(send_process, club.hub, signal.SIGCONT)
        kinds = {"no club": None, "hub hung": mine, "broker swallows": swallowing, "name unknown": nowhere}
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        with open_companion(coyote_match(NAMES), folder / "table") as sat:
            unplug_camera(sat)
            rng, left = Random(wish.seed), wish.presses
            while left > 0:
                for kind, membership in kinds.items():
                    with ExitStack() as linked:
                        if membership is not None:
                            link = ClubLink(membership, folder / "table" / "journal.sqlite3")
                            linked.callback(link.close)
                            link.look()
                        # the link has begun to try
                        sleep(0.5)
                        times[kind] += [_time_press(sat, rng.randrange(len(NAMES))) for _press in range(10)]
                left -= 10
    base = median(times["no club"])
    tell(f"lamp: {wish.presses} presses each, by turns in blocks of 10")
    for kind, found in times.items():
        told = f"median {median(found):.2f} ms ({median(found) - base:+.2f}), most {max(found):.2f} ms"
        tell(f"  {kind}: {told}")
    return all(median(found) - base < 1.0 for found in times.values())
