"""Fakes of the services behind the pages: they return given values, and record all other calls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from threading import Event
from typing import IO, Any, ClassVar

from firmware.board.outputs.loudspeakers import Loudspeaker, UsedLoudspeaker
from firmware.services.areas import PartOutline
from firmware.services.backups import BackupContents
from firmware.services.finding import CardsLaid, FindingProgress
from firmware.services.photographs import Photograph, ReadCard, UnreadReason
from firmware.services.privacy import Kept
from firmware.services.settings import TableChoice
from firmware.services.usb_learning import UsbStatus
from firmware.storage.access_point import WifiAccess
from firmware.storage.backups.copies import FolderReport, KeptCopy
from firmware.storage.configuration import CameraSettings, SoundSettings
from firmware.storage.errors import BackupError
from firmware.storage.forgetting import UNDATED, KeptEvening
from firmware.storage.found_table import Layout
from firmware.twin.simulated_board import BoardOutput
from firmware.twin.simulated_table import BotStrength, Chair, LaidCardView, OffTableCard, TableView
from vision.sightings import RunnerUp
from vision.troubles import Problem
from webui.server.film_making import FilmRequest, film_bytes, score_card_bytes


class CallRecorder:
    """A fake that returns given values, and records all other calls with their arguments."""

    tells: ClassVar[Mapping[str, Any]] = {}
    reply: Any = None
    """Result of all other calls that `answers` doesn't contain; an error is raised."""

    def __init__(self, **told: Any) -> None:
        self.told, self.answers = {**self.tells, **told}, dict[str, Any]()
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        if name in self.told:
            return self.told[name]

        def note(*values: Any, **more: Any) -> Any:
            self.asked.append((name, *values, *more.values()))
            answer = self.answers.get(name, self.reply)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return note


class FakeBackups(CallRecorder):
    """Accepts any file that starts like a backup."""

    tells: ClassVar = {
        "holding": lambda: BackupContents(1_500_000, {"my <deck>": 10}, 0, 5_000, [("before-0001", 999)])
    }
    rooms = ended = 0
    is_full = False

    def backup(self) -> Iterator[bytes]:
        try:
            if self.is_full:
                raise BackupError("backup needs room", needed=5)
            yield b"one "
            yield b"two"
        finally:
            self.ended += 1

    @contextmanager
    def room(self, _size: int) -> Iterator[IO[bytes]]:
        self.rooms += 1
        yield BytesIO()

    def stage(self, file: IO[bytes], is_gone: Callable[[], bool]) -> Sequence[str]:
        if is_gone():
            raise BackupError("backup too heavy")
        file.seek(0)
        content = file.read()
        if not content.startswith(b"good"):
            raise BackupError("no backup")
        self.asked.append(("stage", content))
        return ("Not in it: <x>",)


SQUARE = ((10.0, 10.0), (300.0, 10.0), (300.0, 200.0), (10.0, 200.0))
FOUND = FindingProgress(
    is_open=True, by="markers", is_seated=True,
    photograph=3, size=(1200, 900), markers=(SQUARE,), layout=Layout((844.0, 556.0)),
    parts=tuple(PartOutline(name, SQUARE, (100.0, 90.0)) for name in ("centre", "seat 3", "seat 9")),
)  # fmt: skip


class FakeFinder(CallRecorder):
    """A table finder that isn't open yet."""

    tells: ClassVar = {
        "sight": FindingProgress,
        "photograph": lambda: b"\xff\xd8jpeg",
        "live": lambda number: b"\xff\xd8live" if number == 1 else None,
        "cut": lambda number, place: b"\xff\xd8cut" if (number, place) < (1, 4) else None,
        "markers": lambda: b"%PDF-markers",
    }
    is_measured = False
    seeks: CardsLaid | None = None
    seen_deck: str | None = None


def read_card(
    face: str | None,
    *,
    sure: bool = True,
    up: bool = True,
    score: float = 0.9,
    guesses: tuple[RunnerUp, ...] = (),
) -> ReadCard:
    outline = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    return ReadCard(face, sure, score, guesses, outline, "up" if up else "down", 1.0)


SURE = (
    read_card("20", guesses=(RunnerUp("10", 0.4),)),
    read_card("10"),
    read_card("10"),
    read_card(None, up=False),
)


class FakeReader:
    """Returns given readings of photographs, and records them."""

    def __init__(self) -> None:
        self.says: Photograph | UnreadReason = Photograph(SURE, b"a picture")
        self.sent: list[bytes] = []
        self.begun, self.may_end = Event(), Event()
        self.may_end.set()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadReason:
        self.sent.append(photograph.read())
        self.begun.set()
        self.may_end.wait()
        return self.says


NOW = TableChoice("", SoundSettings(), CameraSettings())


class FakeSettings(CallRecorder):
    """Settings that accept any value."""

    tells: ClassVar = {
        "now": lambda: NOW,
        "languages": lambda: (("", "English"), ("en", "English"), ("fr", "Français")),
        "has_small_pictures": lambda: False,
    }

    def choose(self, choice: TableChoice) -> Sequence[str]:
        self.asked.append(("choose", choice))
        return self.answers.get("choose", ())


class FakeTwin(CallRecorder):
    """A simulated table that allows everything; seats 2 and 3 are bots."""

    tells: ClassVar = {
        "read_output": lambda: BoardOutput(("green", "", "amber"), attention=True, digits="  12"),
        "picture": lambda deck, face: b"PNG" if (deck, face) == ("coyote-kidult", "?") else None,
        "camera": lambda: None,
        "is_possible": lambda *_answer: True,
        "prepare": lambda *_answer: None,
        "why_not_back": lambda _match: None,
        "cards_to_choose": lambda *_ask: None,
    }
    reply = True
    is_there = True
    strength: BotStrength = "plain"
    is_compared = is_brought = is_astray = False

    def __init__(self) -> None:
        super().__init__()
        self.seats = {1, 2}
        self.bots = self.world = self.shining = self

    def table(self, seat: int | None) -> TableView:
        """Show each viewer the other foreheads."""
        faces, may = ("20", "max-", "?"), seat is not None
        shown = [None if seat in (None, other) else face for other, face in enumerate(faces)]
        worn = [OffTableCard("worn", 0, face, may=seat == other) for other, face in enumerate(shown)]
        kind = {"is_worn": True, "has_button": True, "has_second": True}
        return TableView(
            deck="coyote-kidult",
            chairs=tuple(
                Chair((0.0, 0.0), (card,), is_bot=other in self.seats, **kind)
                for other, card in enumerate(worn)
            ),
            laid=(
                LaidCardView(7, "x2", 1.0, 2.0, 3.0, may=may, is_own=True, is_astray=self.is_astray),
                LaidCardView(8, None, 0.0, 0.0, 0.0),
            ),
            pile=30,
            draw=None,
            discard=1,
            top="5",
            zone=((0.0, 0.0), (10.0, 0.0), (10.0, 10.0)),
            zone_seat=None,
            has_dial=True,
            has_button=True,
            wrong=("hand",),
            is_compared=self.is_compared,
            is_brought=self.is_brought,
            zone_middle=(4.0, 5.0),
        )

    def bot_seats(self) -> frozenset[int]:
        return frozenset(self.seats)

    def leave(self, seat: int) -> None:
        self.seats.discard(seat)

    def play_for(self, seat: int) -> None:
        self.seats.add(seat)

    def play_as(self, strength: BotStrength) -> None:
        self.strength = strength


class FakeCopies(CallRecorder):
    """A folder whose disk is full, with a copy of this table and one of another."""

    tells: ClassVar = {
        "folder": lambda: FolderReport("/mnt/A <&>", 4_000_000, (
            KeptCopy("a1", "", "2026-11-20T21:04:00+01:00", 12),
            KeptCopy("b2", "0003-2026-11-18.zip", "2026-11-18", None, is_own=False),
        ), Problem("copy full")),
    }  # fmt: skip
    reply = ("Not in it: <x>",)


LOUD = Loudspeaker("Device", "A <b>loud</b> one", "usb")


class FakeSound(CallRecorder):
    """An available loudspeaker without tunes."""

    tells: ClassVar = {
        "options": lambda: ((LOUD, "by USB"),),
        "used": lambda: UsedLoudspeaker(LOUD, ""),
        "tune": lambda _match: (),
        "ruling_tune": lambda _match: (),
        "is_quiet": lambda: False,
    }
    reply = ""


class FakeUsb(CallRecorder):
    """A known USB button."""

    tells: ClassVar = {"status": lambda: UsbStatus((("A <b>box</b>", "A box"),), None, 1)}


class FakePower(CallRecorder):
    """A computer that may be shut down."""

    tells: ClassVar = {"has_dial": True, "hindrance": lambda _kind: ""}
    reply = ""


class FakePrivacy(CallRecorder):
    """Stored data of two evenings, and some pictures."""

    tells: ClassVar = {
        "kept": lambda: (Kept("pictures", count=3, size=4_000_000, most=80_000_000),),
        "evenings": lambda: (
            KeptEvening("2026-11-21", ((1, "x"),) * 3),
            KeptEvening("2026-11-14", ((4, "x"),)),
            KeptEvening(UNDATED, ((5, ""),), ("Ana",)),
        ),
        "seated": lambda names: {"file": "coyote.toml", "name": "Ana"} if "Ana" in names else {},
        "is_unfinished": lambda: False,
    }


class FakeWifi(CallRecorder):
    """The table's own Wi-Fi, waiting; the device at `INSIDE` is connected through it."""

    INSIDE = "10.42.0.17"
    tells: ClassVar = {
        "seconds_left": lambda: 77,
        "access": lambda: None,
        "portal": lambda host, address: (
            "10.42.0.1" if (host, address) == ("captive.apple.com", FakeWifi.INSIDE) else None
        ),
    }
    reply = True


ACCESS = WifiAccess("coyote-table", "k7mq2w9xha")  # network name and password


class UpWifi(FakeWifi):
    """The table's own Wi-Fi, in use by phones."""

    tells: ClassVar = {**FakeWifi.tells, "seconds_left": lambda: None, "access": lambda: ACCESS}


class FakePresence(CallRecorder):
    """Announces a code, and rejects every code."""

    CODE = "441702"
    tells: ClassVar = {
        "ways": lambda: frozenset({"speech"}),
        "wait": lambda _network="": 0,
        "code_for_screen": lambda *, is_wanted: FakePresence.CODE,  # noqa: ARG005 - as the client's
        "is_told": lambda: True,
        "tell": lambda: True,
        "try_code": lambda _said: False,
        "blink": lambda _phone, _network: False,
        "turn": lambda _phone: "free",
        "take_presses": lambda _phone: False,
    }


class LocalFilms:
    """Renders films and score pictures in this process."""

    def film(self, record: Sequence[str], code: str, _pictures_of: int | None = None) -> bytes | None:
        return film_bytes(FilmRequest(tuple(record), code))

    def score_card(self, record: Sequence[str], code: str) -> bytes | None:
        return score_card_bytes(FilmRequest(tuple(record), code))
