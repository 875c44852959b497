"""A scripted evening with the real program: `scripts` are sent by phones, and all output is stored."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from tests.firmware.integrations.house_broker import MOSQUITTO
from tests.firmware.start.browsing import Leaf, Page, Phone
from tests.firmware.start.known_decks import share_known_decks
from tests.firmware.start.program import Program, run_program
from tests.snapshots.listening import Address, Broker, ReceivedEvents, Stream
from tests.snapshots.plain import plain_page, without_random_parts, without_words

HERE = Path(__file__).parent
SCRIPTS = HERE / "scripts"
NAMES = ("Ana", "Bo", "Chloé")
GAMES = ("coyote", "coup", "coup-d-etat", "plenty-coups", "ogallala")
SHOWN_SEAT = 1  # the seat whose pages are stored, in French, too
OUTSIDE = "outside/"  # file with the events sent to other programs, for all games
LENGTH = 40  # maximum answers of a script
LOOK = 7  # answers before a snapshot of each seat's page
GAME_PAGES = ("/", "/screen", "/overlay")
# those of other games differ by words, so they are stored for one game
SHARED_PAGES = ("/host", "/host/new", "/rules", "/rules/why", "/why")
# without pages of cameras and loudspeakers, and the simulated table, whose LEDs blink and hands move
HOUSE_PAGES = (
    "/welcome",
    "/join",
    "/certificate",
    "/host/more",
    "/host/check",
    "/host/people",
    "/host/people/0",
    "/host/privacy",
    "/host/backup",
    "/host/club",
    "/host/table",
    "/host/teach",
    "/host/usb-buttons",
    "/history",
    "/history/1",
    "/history/1/film",
    "/statistics",
    "/history/delete",
    "/no-such-page",
)
STRANGERS_PAGES = ("/", "/host", "/seat", "/screen", "/history")
BESIDE = frozenset({"which-way", "whole-turn"})  # the table's own asks, besides the game's
DONE = 303


class Said(Struct, frozen=True):
    """Form fields sent from a seat's phone, without the page's hidden fields."""

    seat: int
    ask: str
    fields: dict[str, str]


class Evening:
    """A running table, its phones, and the snapshots so far."""

    def __init__(self, program: Program, listeners: dict[str, ReceivedEvents]) -> None:
        links = program.links()
        self._port, self.journal, self.seen = program.port, program.journal, dict[str, str]()
        self._secrets = (links.pin, *(seat.code for seat in links.seats))
        self._host, self._seats = Phone(), [Phone() for _name in NAMES]
        self._submit(self._host, "/host", "/host/enter", {"pin": links.pin})
        for phone, seat in zip(self._seats, links.seats, strict=True):
            self._submit(phone, "/seat", "/seat/take", {"code": seat.code})
        self._listeners, self._stream = listeners, Stream(program.port)
        self._stream.wait_for(0)

    def _submit(self, phone: Phone, page: str, action: str, fields: dict[str, str], **needed: str) -> None:
        preset = Page(phone.get(self._port, page)).preset(action, **needed)
        assert phone.post(self._port, action, {**preset, **fields}) == DONE, (page, fields)

    def play(self, game: str, script: Iterable[Said]) -> None:
        self._begin(game)
        number = 0
        for number, said in enumerate(script, 1):
            self._submit(self._seats[said.seat], "/seat", "/seat/answer", said.fields, ask=said.ask)
            self._stream.wait_for(number)
            if number == LOOK:
                self._look_at_seat(game, number)
                self._look_at_other_kind(game, number, 0)
        self._look_at_seat(game, number)
        self._look(self._host, game, (*GAME_PAGES, *SHARED_PAGES) if game == GAMES[0] else GAME_PAGES)
        self.seen[f"{game}/stream.jsonl"] = without_random_parts(self._stream.take(), self._secrets)

    def _begin(self, game: str) -> None:
        names = {f"seat-{seat}": name for seat, name in enumerate(NAMES)}
        page = f"/host/new?game={game}"
        preset = Page(self._host.get(self._port, page)).preset("/host/new")
        # no timeout of the table may expire on a busy machine
        patient = {name: "120" for name in preset if name.endswith("_seconds")}
        self._submit(self._host, page, "/host/new", {**names, **patient})
        self._stream.wait_for(0)

    def _look_at_seat(self, game: str, number: int) -> None:
        self._look(self._seats[SHOWN_SEAT], f"{game}/{number:02}-{SHOWN_SEAT}", ("/seat",))

    def _look_at_other_kind(self, game: str, number: int, seat: int) -> None:
        """Store a seat's page if it isn't as the shown seat's, such as if only one of them is asked."""
        page = self._page(self._seats[seat], "/seat", "en")
        if _phone_line(page) != _phone_line(self.seen[f"{game}/{number:02}-{SHOWN_SEAT}/seat.txt"]):
            self.seen[f"{game}/{number:02}-{seat}/seat.txt"] = page

    def _look(self, phone: Phone, place: str, paths: Sequence[str]) -> None:
        """Store pages in English, and in French if more than the words differs."""
        for path in paths:
            name = f"{place}/{path.strip('/').replace('/', '-') or 'score'}"
            english = self.seen[f"{name}.txt"] = self._page(phone, path, "en")
            french = self._page(phone, path, "fr")
            if without_words(french) != without_words(english):
                self.seen[f"{name}.fr.txt"] = french

    def _page(self, phone: Phone, path: str, language: str) -> str:
        html = phone.get(self._port, f"{path}{'&' if '?' in path else '?'}lang={language}")
        return without_random_parts(plain_page(html), self._secrets)

    def look_round(self) -> None:
        self._look(self._host, "house", HOUSE_PAGES)
        self._look(Phone(), "stranger", STRANGERS_PAGES)
        for name, listener in self._listeners.items():
            self.seen[f"{OUTSIDE}{name}.jsonl"] = without_random_parts(listener.drain(), self._secrets)

    def improvise(self, game: str) -> Iterator[Said]:
        """Play a match with random inputs offered by the pages; return the sent fields."""
        self._begin(game)
        rng = Random(game)
        for number in range(1, LENGTH + 1):
            found = self._find_asked(rng)
            if found is None:
                return
            seat, leaf = found
            drawn = {name: value for name, value in leaf.fill_in(rng) if name not in leaf.hidden}
            said = Said(seat, leaf.ask, drawn)
            self._submit(self._seats[seat], "/seat", "/seat/answer", drawn, ask=leaf.ask)
            self._stream.wait_for(number)
            yield said

    def _find_asked(self, rng: Random) -> tuple[int, Leaf] | None:
        for seat, phone in enumerate(self._seats):
            leaves = [leaf for leaf in Page(phone.get(self._port, "/seat")).asks if leaf.ask not in BESIDE]
            if leaves:
                return seat, rng.choice(leaves)
        return None


def _phone_line(page: str) -> str:
    """Return the element around a seat's page, with its layout and whether the seat is asked."""
    return next(line for line in page.splitlines() if "class='phone" in line)


@contextmanager
def evening() -> Iterator[Evening]:
    """Start the table in its own folder, with a webhook and, if available, a broker."""
    with TemporaryDirectory(prefix="record") as place, ExitStack() as ends:
        folder, listeners = Path(place), dict[str, ReceivedEvents]()
        listeners["webhook"] = hook = Address(ends)
        lines = ["[outside]", f'webhooks = ["{hook.address}"]']
        if MOSQUITTO is not None:
            listeners["broker"] = broker = Broker(folder, ends)
            lines += ["[broker]", 'host = "127.0.0.1"', f"port = {broker.port}"]
        configuration = folder / "coyote.toml"
        configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        share_known_decks(folder / "state", *GAMES)
        program = run_program(folder, NAMES, "--config", str(configuration))
        yield Evening(ends.enter_context(program), listeners)


def script(game: str) -> list[Said]:
    lines = (SCRIPTS / f"{game}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Said) for line in lines]
