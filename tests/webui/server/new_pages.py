"""Hostile forms for the pages of real cards, while guide, camera and questions about a deck are open."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from firmware.services.browser_camera import BrowserCamera
from firmware.services.settings import SettingsKeeper
from firmware.state_folder import DECKS
from firmware.storage.cards_choice import choose_deck
from firmware.storage.people.links import form_token
from firmware.table.client import TableSummary
from referee.games.catalogue import GAMES
from tests.firmware.services.finding_client import finder_of
from tests.given import present
from tests.webui.laptop import Cards
from tests.webui.pages.test_naming import question
from tests.webui.pages.test_screen import confirmed_screen
from tests.webui.room import Browser, Room, match_of, reply, room_with
from tests.webui.server.hostile import KINDS, METHODS, ODD
from vision.process.messages import ViewTaken
from vision.table.phone_frames import PHONE_FRAMES
from vision.teaching.taught_decks import bare_deck, save_deck
from webui.access.viewers import VISITOR

PAGES = re.compile(r"/(camera|film|host/(people|table|teach)|seat/(card|photo)|view|welcome)")
NAMES = (
    *("match", "moment", "number", "face", "from", "moved", "seat", "by", "at", "across", "down", "empty"),
    *("camera", "here", "game", "cards", "names", "name", "device", "title", "to", "count", "suit", "level"),
)
PLACES = ("7", "8", "1", "coup", "coup", "duke", "x", "..", "9" * 20, "%00", "é")
VALUES = (
    *(b"7", b"1", b"duke", b"captain", b"coup", b"Our Coup", b"host", b"view", b"people", b"markers", b"cards"),
    *(b"640,400", b"99999,99999", b"99999,999", b"phone", b"usb:1", b"real", b"simulated", b"rtsp://cam/live"),
    *(b"http://[::1", b"http://cam:99999999/", b"http://a@b@c/", b"rtsp://u:p@[fe80::1%25eth0]/x"),
)


def room_in(folder: Path) -> Room:
    faces = {face: (np.full((88, 63, 3), 90, np.uint8),) for face in ("duke", "captain", "summary")}
    deck = bare_deck("Our Coup", (63, 88), {"duke": 3, "captain": 3, "summary": 1}, faces)
    save_deck(deck, folder / DECKS / "coup")
    choose_deck(folder, "coup", "coup", "Our Coup")
    settings, (finder, _eyes) = SettingsKeeper(folder, folder / "coyote.toml"), finder_of(folder)
    finder.open()
    services: dict[str, Any] = {
        "finder": finder,
        "camera": BrowserCamera(folder / PHONE_FRAMES),
        "cards": Cards(folder, settings, kind="real", camera="pi", is_pi=False, is_fixed=False),
    }
    room = room_with(match_of(GAMES["coup"]), folder, **services)
    match = room.client.match
    asked = question(match, 7), question(match, 8, seats=(1, 2), before=0, is_open=False)
    room.client.kept = TableSummary(1, questions=asked, unknown=tuple(each.unknown for each in asked))
    room.client.picture_size = (1280, 800)
    room.client.show = lambda order, _kind: reply(ViewTaken(b"jpeg", getattr(order, "is_read", ())))
    return room


def senders_in(room: Room) -> Sequence[Browser]:
    """Return a stranger, a seat, the host, a screen, and the browser of this computer, which is the camera."""
    here = room.browser().host()
    here.send("/camera", "/camera/ask")
    seat, host = room.browser("192.0.2.4").sit(0), room.browser("192.0.2.5").host()
    return room.browser("192.0.2.3"), seat, host, confirmed_screen(room), here


def routes_of(room: Room) -> list[tuple[str, str]]:
    rules = (rule for rule in room.app.url_map.iter_rules() if PAGES.match(rule.rule))
    return sorted((method, rule.rule) for rule in rules for method in {"GET", "POST"} & (rule.methods or set()))


def attempt(browser: Browser, method: str, rule: str, rng: Random) -> tuple[int, str]:
    """Send a hostile request; return the status code and a description."""
    browser.get("/camera")
    token = form_token(browser.links.secret, present(browser.client.get_cookie(VISITOR)).value)
    fields = [(name, _value(rng)) for name in rng.sample(NAMES, rng.randrange(len(NAMES) // 2))]
    fields += [("form", token.encode())] if rng.random() < 0.9 else []
    part = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    body = b"".join(part % (name.encode(), b"", value) for name, value in fields)
    file = rng.choice((b"photo", b"picture", b"match"))
    body += part % (file, b'; filename="a"', _value(rng)) + b"--x--\r\n"
    path = re.sub(r"<(?:\w+:)?\w+>", lambda _place: rng.choice(PLACES), rule)
    method = rng.choice(METHODS[2:]) if rng.random() < 0.1 else method
    kind = rng.choice((KINDS[2], KINDS[2], *KINDS, "image/jpeg"))
    answer = browser.client.open(
        path,
        method=method,
        data=body[: rng.randrange(len(body))] if rng.random() < 0.1 else body,
        content_type=kind,
        query_string={rng.choice(("game", "from", "screen", "page", "lang", "at")): _value(rng)},
    )
    return answer.status_code, f"{method} {path} {kind} {fields}"


def _value(rng: Random) -> bytes:
    return rng.choice(VALUES if rng.random() < 0.6 else ODD)
