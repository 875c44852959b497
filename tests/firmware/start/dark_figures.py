"""What comes of tables that start where something is wrong: how soon a page says so, and what is lost."""

import re
from pathlib import Path
from random import Random
from time import monotonic
from traceback import format_exc

from msgspec import Struct

from firmware.storage.second_copy.mirror import versions_in
from referee.record import read_record
from tests.firmware.start.browsing import Page, Phone
from tests.firmware.start.dark_starts import FILLING, OPEN, PLUGGED, DarkStart, DarkTable, fill
from tests.firmware.start.people import DONE

TAKE_ALONG = re.compile(r'<a class="button" href="(/history/\d+\.jsonl)" download')
UNSAVED = "Not saving"
COPIED = 180.0
"""Seconds within which a change has to be on the stick; a copy is made once a minute."""


class DarkFigures(Struct):
    """What is counted over many starts in one world."""

    pages: list[float] = []
    """Seconds to the first page that says what is wrong."""
    answers: int = 0
    """Answers that were told to count."""
    taken: int = 0
    """Matches that were played to their end and taken along, and are what was played."""
    moved: list[float] = []
    """Seconds from a full disk to a match that goes on in memory."""
    copied: list[float] = []
    """Seconds from an answer to its copy on a stick."""
    wrong: list[str] = []


def start_dark(folder: Path, world: DarkStart, rng: Random, figures: DarkFigures) -> None:
    """Start in a world; where nothing is kept, play, be killed, go on, and take the match along."""
    there = DarkTable(folder, world)
    try:
        there.wait_until(lambda: "<h1>" in (page := there.look("/")) and world.says in page)
        figures.pages.append(monotonic() - there.table.began)
        if UNSAVED in there.look("/"):
            _play_in_memory(there, rng, figures)
        elif there.answer(there.phones()) == DONE:
            figures.answers += 1
        else:
            figures.wrong.append(f"{world.name}: an answer doesn't count")
        if there.table.hang_up() != 0:
            figures.wrong.append(f"{world.name}: it doesn't end well")
    except Exception:  # noqa: BLE001 - whatever it is, it is told with the figures
        figures.wrong.append(f"{world.name}: {format_exc(limit=3)}")
    finally:
        there.close()


def _play_in_memory(there: DarkTable, rng: Random, figures: DarkFigures) -> None:
    if (OPEN.setup.names[-1] in there.look("/")) != there.world.is_read:
        figures.wrong.append(f"{there.world.name}: another match goes on")
    phones = there.phones()
    told = sum(there.answer(phones) == DONE for _time in range(rng.randrange(1, 4)))
    before = there.look("/history/1.json")
    there.start_again()
    there.wait_until(lambda: UNSAVED in there.look("/"))
    if there.look("/history/1.json") != before:
        figures.wrong.append(f"{there.world.name}: what was told is lost after a kill")
    figures.answers += told + there.play(there.phones(), rng)
    found = TAKE_ALONG.search(there.look("/"))
    lines = [] if found is None else Phone().get(there.table.port, found[1]).splitlines()
    taken = read_record(lines).match
    if taken is None or taken.outcome is None:
        figures.wrong.append(f"{there.world.name}: the match can't be taken along")
    else:
        figures.taken += 1


def fill_while_playing(folder: Path, rng: Random, figures: DarkFigures) -> None:
    """Fill the disk while people play; play on in memory, make room, and see that all is saved."""
    there = DarkTable(folder, FILLING)
    try:
        phones, host = there.phones(), there.host()
        told = sum(there.answer(phones) == DONE for _time in range(rng.randrange(4)))
        filler = there.inside() / "state" / "filler"
        fill(filler)
        since = monotonic()
        there.wait_until(lambda: UNSAVED in there.look("/") or there.answer(phones) == DONE)
        figures.moved.append(monotonic() - since)
        told += sum(there.answer(phones) == DONE for _time in range(rng.randrange(1, 5)))
        filler.unlink()
        host.post(there.table.port, "/host/start-again", {})
        there.wait_until(lambda: "is saved now" in there.look("/"))
        figures.answers += told
        if len(there.lines_on_disk(1)) != 1 + OPEN.number + told:
            figures.wrong.append(f"{len(there.lines_on_disk(1))} lines on the disk, {told} answers were told")
        there.table.hang_up()
    except Exception:  # noqa: BLE001 - as above
        figures.wrong.append(f"{FILLING.name}: {format_exc(limit=3)}")
    finally:
        there.close()


def lose_card(folder: Path, rng: Random, figures: DarkFigures) -> None:
    """Choose a stick, play, lose the card, and go on from the stick with a new one; each by one tap."""
    there = DarkTable(folder, PLUGGED)
    try:
        _tap(there, "/host/copy/use")
        phones = there.phones()
        told = sum(there.answer(phones) == DONE for _time in range(rng.randrange(1, 5)))
        since = monotonic()
        there.wait_until(lambda: OPEN.number + told + 1 == _lines_on(there.folder / "stick"), COPIED)
        figures.copied.append(monotonic() - since)
        there.take_new_card()
        _tap(there, "/host/copy/restore")
        there.wait_until(lambda: OPEN.setup.names[-1] in there.look("/"))
        figures.answers += told
        if len(there.lines_on_disk(1)) != OPEN.number + told + 1:
            figures.wrong.append(f"{len(there.lines_on_disk(1))} lines came back, {told} answers were told")
        there.table.hang_up()
    except Exception:  # noqa: BLE001 - as above
        figures.wrong.append(f"{PLUGGED.name}: {format_exc(limit=3)}")
    finally:
        there.close()


def _tap(there: DarkTable, action: str) -> None:
    """Wait until the host's page has a form that leads there, and send it."""
    host, pages = there.host(), list[Page]()

    def is_there() -> bool:
        pages.append(Page(host.get(there.table.port, "/host/backup")))
        return any(leaf.action == action for leaf in pages[-1].leaves)

    there.wait_until(is_there)
    form = next(leaf for leaf in pages[-1].leaves if leaf.action == action)
    host.post(there.table.port, action, form.hidden)


def _lines_on(stick: Path) -> int:
    """Count the lines of the only copy's matches."""
    copies = list(stick.glob("coyote-table/*/journal.sqlite3"))
    return sum(version.lines for version in versions_in(copies[0])) if copies else 0
