"""A newcomer plays Coyote with real cards in Chromium, from `./run` in an empty folder to the end of the match.

    python -m tests.long.real_cards [stream | browser | learn] [DEGREES]

A camera sees cards on a rendered table, from DEGREES off the vertical (25): with `stream` a network camera,
with `browser` this computer's camera page. Friends join by code. The camera sleeps twice and is nudged once.
The script prints each tap up to the first bid, and for each round the seconds until the cards are counted.

With `learn`, the table has never seen the deck: friends name cards by phone, which the script prints.
"""

import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic

import cv2
import numpy as np
from msgspec.structs import replace
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import sync_playwright

from firmware.storage.decks import draw_faces
from firmware.storage.journal import open_readonly, read_again
from firmware.storage.people.links_file import read_links
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from referee.contract import Answer
from referee.match import Match, standing_answers
from tests.browser.house import launch_chromium
from tests.firmware.start.browsing import HOME, Page, Phone
from tests.firmware.start.program import run_table
from tests.firmware.start.whole_table import WholeTable
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from vision.pictures import Picture, packed_jpeg, unpack_picture

DECK = "coyote-kidult"
HEIGHT, PAUSE, DEALING = 754.0, 0.2, 4000
LAID = (
    SceneCard("5", -120.0, -80.0, 5.0),
    SceneCard("-5", 110.0, -90.0, -8.0),
    SceneCard("20", -100.0, 90.0, 2.0),
    SceneCard("3", 120.0, 80.0, 12.0),
)
"""The four cards that give the table."""
PLACES = ((10.0, 62.0, 4.0), (-85.0, -40.0, 120.0), (88.0, -42.0, -110.0))
"""Where each player lays a card after a call: in the middle, towards its owner."""
PILE = ("15", "10", "5", "4", "3", "2", "1") * 2 + ("10", "5", "4", "3", "2", "1") + ("5", "4", "3", "2", "1")
"""Cards of the printed deck that only count, drawn one after the other."""
SLEEPS, NUDGED, MOST_ROUNDS = (1, 3), 2, 12
"""Rounds before which the camera sleeps, and is nudged; most rounds until three players have a winner."""
ASLEEP = 9.0  # seconds, longer than a lost camera takes to be reported
CALL = '{"word":"coyote"}'
OWN_CAMERA = """
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [1600, 1200];
  const show = async () => {
    const bytes = Uint8Array.from(atob(await window.seenTable()), (letter) => letter.charCodeAt(0));
    pen.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
    setTimeout(show, 200);
  };
  await show();
  return canvas.captureStream(5);
};
"""
"""This computer's camera, which shows the rendered table."""


class SeenTable:
    """A table with cards, as a camera sees it: each frame has its own noise."""

    def __init__(self, degrees: float) -> None:
        slant = np.radians(degrees)
        at = (0.0, HEIGHT * float(np.sin(slant)), HEIGHT * float(np.cos(slant)))
        camera = SceneCamera(at=at, tilt=degrees, focal=1300.0, resolution=(1600, 1200), k1=0.02)
        self._camera, self._rng, self._lock = aim_camera(camera, 0.0, 0.0), np.random.default_rng(7), Lock()
        self.is_asleep = False
        self.lay(*LAID)

    def nudge(self) -> None:
        x, y, z = self._camera.at
        self._camera = replace(self._camera, at=(x + 20.0, y - 10.0, z))
        self.lay()

    def lay(self, *cards: SceneCard) -> None:
        table = SceneTable("wood", plates=(), width=1800.0, depth=1600.0)
        self._picture: Picture = render(Scene(self._camera, table, SceneLight(), cards), faces_of(DECK))

    def frame(self) -> bytes:
        with self._lock:
            noise = self._rng.normal(0, 1.5, self._picture.shape).round()
        return packed_jpeg(np.clip(self._picture + noise, 0, 255).astype(np.uint8), 88)


@contextmanager
def network_camera(seen: SeenTable) -> Iterator[str]:
    """Serve the table as an MJPEG stream; yields its address."""
    over = Event()

    class Stream(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                while not over.wait(PAUSE):
                    if seen.is_asleep:
                        continue
                    jpeg = seen.frame()
                    head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
                    self.wfile.write(head + jpeg + b"\r\n")
            except OSError:
                pass

        def log_message(self, *_said: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/stream"
    finally:
        over.set()
        server.shutdown()


class Newcomer:
    """Somebody at the laptop: each tap is counted and printed."""

    def __init__(self, page: BrowserPage) -> None:
        self.page, self.taps, self._began = page, 0, monotonic()

    def tap(self, what: str) -> None:
        try:
            self.page.locator(what).first.wait_for(timeout=60_000)
        except PlaywrightError as error:
            error.add_note(f"{self.page.url} shows: {' '.join(self.page.inner_text('body').split())}")
            raise
        self.taps += 1
        words = self.page.locator(what).first
        name = " ".join((words.inner_text() or words.get_attribute("aria-label") or what).split())
        print(f"{monotonic() - self._began:5.1f} s  tap {self.taps}: {name}", flush=True)
        words.click()


def choose_stream(newcomer: Newcomer, address: str) -> None:
    newcomer.page.fill("#net", address)
    newcomer.tap(".network button, form:has(#net) button")


def choose_browser(newcomer: Newcomer, _address: str) -> None:
    newcomer.tap("button[name=here]")
    newcomer.page.wait_for_url("**/camera?**")
    newcomer.tap("main .say:visible")
    with newcomer.page.expect_popup() as opened:
        newcomer.tap("a[target=_blank]:visible")
    newcomer.page = opened.value


def reach_match(newcomer: Newcomer, choose: Callable[[Newcomer, str], None], address: str, cards: str) -> None:
    """Go from the first page to a match with real cards."""
    newcomer.tap("button[name=cards][value=real]")
    newcomer.page.wait_for_url("**/welcome/camera**")
    choose(newcomer, address)
    newcomer.page.wait_for_url("**/host/table**", timeout=90_000)
    newcomer.tap("form[action='/host/table/laid'] button")
    newcomer.page.wait_for_url("**/host/new**")
    newcomer.tap(f".kind:has(input[value='{cards}'])")
    newcomer.tap("main .say:visible")
    newcomer.page.wait_for_url("**/host/table")
    newcomer.tap("button.below")
    newcomer.tap("form[action='/host/table/keep'] button")
    newcomer.page.wait_for_url("**/host")


def friends(table: WholeTable) -> list[Phone]:
    """Seat a friend at each place, by its code."""
    phones = []
    for code in present(read_links(table.folder / "state" / "links.json")).codes[: len(PLACES)]:
        phone = Phone()
        phone.get(table.port, "/seat")
        assert phone.post(table.port, "/seat/take", {"code": code}) == 303
        phones.append(phone)
    return phones


def bid_and_call(table: WholeTable, phones: list[Phone]) -> None:
    """Send answers by phone until a player calls Coyote on the first bid."""
    rng = Random(3)
    for _time in range(30):
        for phone in phones:
            asks = Page(phone.get(table.port, "/seat")).asks
            call = next((leaf for leaf in asks for button in leaf.buttons if CALL in button), None)
            if call is not None:
                phone.post(table.port, "/seat/answer", {**call.hidden, "option": CALL})
                return
            for leaf in asks[:1]:
                phone.post(table.port, "/seat/answer", dict(leaf.fill_in(rng)))
    raise AssertionError("nobody can call")


def match_at(table: WholeTable) -> Match:
    with open_readonly(table.folder / "state" / "journal.sqlite3") as journal:
        return present(present(read_again(journal, present(journal.last_written()))).match)


def count_shown(match: Match) -> int:
    """Return the number of reveals that the camera answered."""
    return sum(each.ask == "reveal" and each.sense == "camera" for each in answers_of(match))


def last_reveal(match: Match) -> tuple[str, ...]:
    *_before, shown = (each.value for each in answers_of(match) if each.ask == "reveal")
    assert isinstance(shown, tuple)
    return shown


def answers_of(match: Match) -> list[Answer]:
    return [step.answer for step in standing_answers(match)]


def answer_question(table: WholeTable, phone: Phone, asked: list[str]) -> None:
    """Name the card that a phone shows, as a person would who looks at its picture."""
    shown = Page(phone.get(table.port, "/seat"))
    leaf = next(
        (leaf for leaf in shown.leaves if leaf.action == "/seat/card" and "number" in leaf.hidden), None
    )
    if leaf is not None:
        face = face_in(picture_of_card(table, phone, leaf.hidden["number"]))
        asked.append(face)
        assert phone.post(table.port, "/seat/card", {**leaf.hidden, "face": face}) == 303


def picture_of_card(table: WholeTable, phone: Phone, number: str) -> Picture:
    cookies = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    with closing(HTTPConnection(HOME, table.port)) as line:
        line.request("GET", f"/seat/card/{number}.jpg", headers={"Cookie": cookies})
        return present(unpack_picture(line.getresponse().read()))


def face_in(picture: Picture) -> str:
    """Return the face of the printed deck that a picture shows, either way up."""
    faces = {face: _small(pictures[0]) for face, pictures in draw_faces(DECK).items()}
    ways = [_small(picture), _small(np.ascontiguousarray(picture[::-1, ::-1]))]
    return min(faces, key=lambda face: min(float(np.abs(faces[face] - way).mean()) for way in ways))


def _small(picture: Picture) -> Picture:
    """Return a picture without its light."""
    small = cv2.resize(picture, (63, 88), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray((small - small.mean()) / small.std(), np.float32)  # type: ignore[return-value]


def play_round(
    table: WholeTable, seen: SeenTable, phones: list[Phone], page: BrowserPage, pile: list[str]
) -> None:
    """Bid, call, lay a card for each player who is in, and wait until the camera has counted them."""
    bid_and_call(table, phones)
    before = match_at(table)
    alive = before.position.state.alive
    faces = [pile.pop() for _seat in alive]
    seen.lay(*(SceneCard(face, *PLACES[seat]) for face, seat in zip(faces, alive, strict=True)))
    began, number, asked = monotonic(), count_shown(before) + 1, list[str]()
    for _time in range(300):
        if count_shown(match_at(table)) == number:
            seconds = f"{monotonic() - began:.1f} s after the cards were laid"
            print(f"round {number}: counted {seconds}; {len(faces)} cards, named by phone: {' '.join(asked)}")
            shown = last_reveal(match_at(table))
            assert sorted(shown) == sorted(faces), (shown, faces)
            return
        for phone in phones:
            answer_question(table, phone, asked)
        # the page's camera goes on meanwhile
        page.wait_for_timeout(200)
    raise AssertionError(f"round {number} isn't counted, in which {alive} laid {faces}")


def play_match(table: WholeTable, seen: SeenTable, phones: list[Phone], page: BrowserPage) -> None:
    pile = Random(5).sample(PILE, len(PILE))
    for number in range(MOST_ROUNDS):
        seen.lay()
        # people deal first
        page.wait_for_timeout(DEALING)
        if number in SLEEPS:
            seen.is_asleep = True
            page.wait_for_timeout(ASLEEP * 1000)
            seen.is_asleep = False
            page.wait_for_timeout(DEALING)
        if number == NUDGED:
            seen.nudge()
            page.wait_for_timeout(DEALING)
        play_round(table, seen, phones, page, pile)
        if match_at(table).outcome is not None:
            print(f"the match is over after {number + 1} rounds")
            return
    raise AssertionError("nobody has won")


def play(way: str, degrees: float, folder: Path) -> None:
    seen = SeenTable(degrees)
    choose = {"stream": choose_stream, "browser": choose_browser, "learn": choose_stream}[way]
    with network_camera(seen) as address, run_table(folder) as table, sync_playwright() as playwright:
        chromium = launch_chromium(playwright)
        context = chromium.new_context(
            viewport={"width": 1366, "height": 650}, base_url=f"http://localhost:{table.port}"
        )
        context.expose_function("seenTable", lambda: b64encode(seen.frame()).decode())
        if way == "browser":
            context.add_init_script(OWN_CAMERA)
        newcomer = Newcomer(context.new_page())
        newcomer.page.goto("/welcome")
        reach_match(newcomer, choose, address, "" if way == "learn" else "printed")
        print(f"{newcomer.taps} taps")
        play_match(table, seen, friends(table), newcomer.page)
        chromium.close()


if __name__ == "__main__":
    words = sys.argv[1:]
    with TemporaryDirectory(prefix="real-cards-") as there:
        play(words[0] if words else "stream", float(words[1]) if len(words) > 1 else 25.0, Path(there))
