"""Evenings of a table that spectators see late, beside a table that knows only what is old enough."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random

from flask import Flask
from msgspec import Struct, field

from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from firmware.table.door import TableSummary
from referee.contract import Game
from referee.match import moments
from referee.summaries import day_of
from tests.given import Clock
from tests.referee.tables import after_any
from tests.webui.access.hiding import FilmsHere
from tests.webui.matches import play_match
from tests.webui.room import Browser, Room, events_of, room_with
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading

NAMES = ("Ana", "Bo", "Chloé", "Dan")
STEPS = 12
OF_A_BROWSER = re.compile(
    r'name="form" value="[^"]*"|<p class="note late".*?</p>\n|data-ends="[^"]*"', re.DOTALL
)
"""What differs from one browser to another, and the note that this one sees the table late."""
STREAMS = ("score", "table", "overlay")


def let_wait(room: Room, minutes: int) -> None:
    host = room.browser().host()
    fields = {"minutes": str(minutes), "from": "people"}
    assert host.send("/host/people", "/host/spectators", **fields).status_code == 303


def pages_of(room: Room, browser: Browser) -> dict[str, str]:
    """Read every page that needs no more than its address, and the first event of each public stream."""
    rules = [
        rule for rule in room.app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments
    ]
    texts = {}
    for rule in rules:
        if not rule.rule.startswith("/events/"):
            texts[rule.rule] = OF_A_BROWSER.sub("", browser.get(rule.rule).get_data(as_text=True))
    for stream in STREAMS:
        texts[stream] = shown_by(browser, stream)
    return texts


def shown_by(browser: Browser, stream: str) -> str:
    with browser.get(f"/events/{stream}") as response:
        return next(event["data"] for event in events_of(response.iter_encoded()) if event["event"] == "moment")


class LateReport(Struct):
    """What evenings came to."""

    answers: int = 0
    pages: int = 0
    early: list[str] = field(default_factory=list)  # pages that weren't as those of the other table


def play_late_evening(game: Game, folder: Path, rng: Random, report: LateReport) -> None:
    """Play with pauses, and compare every page after each; what is equal tells no more."""
    clock, match = Clock(), list(moments(play_match(game, NAMES, moments=0)))[-1]
    room = room_with(match, folder / "now", clock=clock)
    then = room_with(match, folder / "then")
    let_wait(room, 10)
    stamped, shown = [(clock.seconds, match)], match
    for step in range(STEPS):
        for _answer in range(rng.choice((1, 1, 5))):
            if match.asks:
                match = after_any(match, rng)
                room.door.tell(match)
                room.browser().get("/")
                stamped.append((clock.seconds, match))
                report.answers += 1
        clock.seconds += rng.choice((1, 120, 400, 700))
        shown = [each for came, each in stamped if came <= clock.seconds - 600][-1:] or [shown]
        then.door.match = shown = shown[0]
        now, before = pages_of(room, room.browser()), pages_of(then, then.browser())
        report.pages += len(now)
        report.early += [f"{page} in step {step}" for page in now if now[page] != before[page]]


# what anybody may ask for, by any address

PAST, PRESENT = 12, 8  # answers that are old enough to be seen, and that aren't
ASKED = ("", "?bots=1&pictures=1&at=99")


def what_is_seen(game: Game, folder: Path, journal: Journal, present: int) -> Mapping[str, tuple[int, bytes]]:
    """Give what a stranger gets at every address, of a table whose last minutes differ by a number."""
    match, clock = play_match(game, NAMES, moments=PAST), Clock()
    number = journal.begin(match)
    doors = {"history": History(folder / "journal.sqlite3"), "films": FilmsHere()}
    room = room_with(match, folder, clock=clock, **doors)
    room.door.kept = TableSummary(number)
    let_wait(room, 10)
    clock.seconds += 700
    room.browser().get("/")
    rng = Random(present)
    for _answer in range(PRESENT):
        match = after_any(match, rng)
        assert match.entry is not None
        journal.append(number, match.number, match.entry)
        room.door.tell(match)
        room.browser().get("/")
        picture = b"%d at %d" % (present, match.number) * 99
        keep_evidence(folder / "evidence", picture, Sidecar(str(number), match.number, Reading(())))
    browser = room.browser()
    seen = {each: browser.get(each) for each in addresses(room.app, number, day_of(match.setup.begun))}
    pages = {each: (page.status_code, OF_A_PAGE.sub(b"", page.data)) for each, page in seen.items()}
    return pages | {each: (200, shown_by(browser, each).encode()) for each in STREAMS}


OF_A_PAGE = re.compile(OF_A_BROWSER.pattern.encode(), re.DOTALL)


def addresses(app: Flask, number: int, day: str) -> Iterator[str]:
    places = (0, PAST - 1, PAST, PAST + 2, PAST + PRESENT)
    numbers = {"number": (number,), "match": (number,), "at": places, "heard_at": places}
    values = {**numbers, "day": (day,), "name": tuple(map(str, places))}
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments <= values.keys() and "events" not in rule.rule:
            names = sorted(rule.arguments)
            for chosen in product(*(values[name] for name in names)):
                home = rule.build(dict(zip(names, chosen, strict=True)))
                assert home is not None
                yield from (f"{home[1]}{asked}" for asked in ASKED)
