"""A club for a trial, and what its tables play."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random

from msgspec import Struct

from club.start.trying import any_new_match, play
from firmware.storage.journal import open_journal
from plugins.club.tests.databases import passable_folder
from plugins.club.tests.processes import Processes
from referee.record import record_lines


class Sizes(Struct, frozen=True):
    """How much a trial does."""

    tables: int
    rate: float
    minutes: float
    count: int
    nats: bool
    seed: int


@contextmanager
def opened_club(wish: Sizes, *, has_hub_way: bool = False) -> Iterator[Processes]:
    broker = "nats" if wish.nats else "mosquitto"
    with (
        passable_folder() as folder,
        closing(Processes(folder / "club", broker, has_hub_way=has_hub_way)) as processes,
    ):
        yield processes


def any_bodies(number: int, seed: int) -> list[list[str]]:
    rng, played = Random(seed), []
    while len(played) < number:
        with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder, "j.sqlite3")) as opened:
            for match in islice(play(opened.journal, any_new_match(rng), rng), 400):
                last = match
        played.append(record_lines(last))
    return played
