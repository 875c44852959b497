"""Stand-ins for the doors behind the pages: they note what is asked, and answer as a test wants."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from threading import Event
from typing import IO, Any

from referee.telling import Language
from webui.doors.companion import (
    BackupContents,
    CopyInPlace,
    Guess,
    Photograph,
    PlaceOfCopies,
    ReadCard,
    TableChoice,
    UnreadPhotograph,
)
from webui.doors.guides import (
    FindingProgress,
    LessonFace,
    TablePart,
    TeachableDeck,
    TeachingProgress,
)
from webui.doors.privacy import EveningKept, Kept
from webui.doors.simulated_table import BotStrength, Chair, LaidCardView, LampView, OffTableCard, TableView
from webui.doors.sound import SpeakerOption
from webui.doors.usb_buttons import UsbKind, UsbPlace, UsbStatus


class FakeBackups:
    """Takes anything for a backup that begins so."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.rooms = self.restarts = self.ended = 0
        self.staged: list[bytes] = []
        self.is_full = False

    def holding(self) -> BackupContents:
        """Tell sizes."""
        return BackupContents(1_500_000, {"my <deck>": 10}, 0, 5_000, [("before-0001", 999)])

    def backup(self) -> Iterator[bytes]:
        """Give it in pieces."""
        try:
            if self.is_full:
                raise OSError("The disk is full.")
            yield b"one "
            yield b"two"
        finally:
            self.ended += 1

    @contextmanager
    def room(self, _size: int) -> Iterator[IO[bytes]]:
        """Give some."""
        self.rooms += 1
        yield BytesIO()

    def stage(self, file: IO[bytes]) -> Sequence[str]:
        """Look at how it begins."""
        file.seek(0)
        content = file.read()
        if not content.startswith(b"good"):
            raise OSError("That is no backup.")
        self.staged.append(content)
        return ("Not in it: <x>",)

    def restart(self) -> None:
        """Count it."""
        self.restarts += 1


SQUARE = ((10.0, 10.0), (300.0, 10.0), (300.0, 200.0), (10.0, 200.0))


FOUND = FindingProgress(
    is_open=True, photograph=3, size=(1200, 900), markers=(SQUARE,), apart=(844.0, 556.0),
    parts=tuple(TablePart(name, SQUARE, (100.0, 90.0)) for name in ("centre", "seat 3", "seat 9")),
)  # fmt: skip


COUP = TeachableDeck("coup", "coup", "", 2, 0, 1, has_draft=True)


LESSON = TeachingProgress(
    COUP,
    (
        LessonFace("duke", 3, "drafted", "0a1b"),
        LessonFace("captain", 2, "missing"),
        LessonFace("back", 0, "missing"),
    ),
    "turn",
    "captain",
    1,
    3,
    "card",
    size=(1200, 900),
    outline=SQUARE,
)


class FakeFinder:
    """A finder that notes what is asked."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.asked: list[Any] = []
        self.shown, self.answer = FindingProgress(), None

    def sight(self) -> FindingProgress:
        """Show."""
        return self.shown

    def photograph(self) -> bytes | None:
        """Give a picture once there is one."""
        return b"\xff\xd8jpeg" if self.shown.photograph else None

    def markers(self) -> bytes:
        """Give what is to be printed."""
        return b"%PDF-markers"

    def __getattr__(self, name: str) -> Any:
        """Note a step."""

        def step(*values: Any, **more: Any) -> Any:
            self.asked.append((name, *values, *more.values()))
            return self.answer

        return step


class FakeTeacher(FakeFinder):
    """A teacher that notes what is asked."""

    def __init__(self) -> None:
        """Begin with a deck to choose."""
        super().__init__()
        self.now: TeachingProgress | None = None

    def decks(self) -> tuple[TeachableDeck, ...]:
        """List two."""
        return (COUP, TeachableDeck("coyote-gigamic", "coyote", "gigamic", 20, 20, 0))

    def lesson(self) -> TeachingProgress | None:
        """Show."""
        return self.now

    def picture(self, shot: str) -> bytes | None:
        """Give the picture of the only face that is taught."""
        return b"\xff\xd8face" if shot == "0a1b" else None


SURE = (
    ReadCard("20", True, True, True, 0.9, (Guess("10", 0.4),)),
    ReadCard("10", True, True, True, 0.9),
    ReadCard("10", True, True, True, 0.9),
    ReadCard(None, True, True, False, 0.9),
)


class FakeReader:
    """Reads photographs as a test says, and remembers them."""

    def __init__(self) -> None:
        """See three cards, and one that lies face down."""
        self.says: Photograph | UnreadPhotograph = Photograph(SURE, b"a picture")
        self.sent: list[bytes] = []
        self.begun, self.may_end = Event(), Event()
        self.may_end.set()

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        """Read one."""
        self.sent.append(photograph.read())
        self.begun.set()
        self.may_end.wait()
        return self.says


NOW = TableChoice("", 80, 165, None, "pi", mat=False, across=844.0, down=556.0)


class FakeSettings:
    """Keeps a choice in memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self.kept: list[TableChoice] = []
        self.tried: list[TableChoice] = []
        self.mistakes: tuple[str, ...] = ()
        self.small_pictures = False
        self.restarts = 0

    def now(self) -> TableChoice:
        """Give what was kept last."""
        return self.kept[-1] if self.kept else NOW

    def languages(self) -> Sequence[tuple[str, str]]:
        """List two."""
        return ("", "English"), ("en", "English"), ("fr", "Français")

    def choose(self, choice: TableChoice) -> Sequence[str]:
        """Keep it, unless there are mistakes."""
        if not self.mistakes:
            self.kept.append(choice)
        return self.mistakes

    def has_small_pictures(self) -> bool:
        """Tell whether pictures are smaller."""
        return self.small_pictures

    def try_sound(self, choice: TableChoice) -> str | None:
        """Note it."""
        self.tried.append(choice)
        return None if choice.volume else "no <voice>"

    def restart(self) -> None:
        """Count it."""
        self.restarts += 1


class FakeTwin:
    """A simulated table that remembers what was done to it; seats 2 and 3 are bots'."""

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.done: list[tuple[Any, ...]] = []
        self.bots, self.can = {1, 2}, True
        self.strength: BotStrength = "plain"
        self.is_compared = self.is_brought = self.is_astray = False

    def table(self, seat: int | None) -> TableView:
        """Show each viewer the other foreheads."""
        faces = ("20", "max-", "?")
        return TableView(
            deck="coyote-kidult",
            chairs=tuple(
                Chair(
                    (0.0, 0.0),
                    (
                        OffTableCard(
                            "worn", 0, None if seat in (None, other) else faces[other], may=seat == other
                        ),
                    ),
                    is_worn=True,
                    has_button=True,
                    has_second=True,
                    is_bot=other in self.bots,
                )
                for other in range(3)
            ),
            laid=(
                LaidCardView(
                    7, "x2", 1.0, 2.0, 3.0, may=seat is not None, is_own=True, is_astray=self.is_astray
                ),
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

    def lamps(self) -> LampView:
        """Shine."""
        return LampView(("green", "", "amber"), attention=True, digits="  12")

    def picture(self, deck: str, face: str) -> bytes | None:
        """Draw one card."""
        return b"PNG" if (deck, face) == ("coyote-kidult", "?") else None

    def camera(self) -> bytes | None:
        """See nothing."""
        return None

    def leave(self, seat: int) -> None:
        """Remember."""
        self.bots.discard(seat)

    def play_for(self, seat: int) -> None:
        """Remember."""
        self.bots.add(seat)

    def let_bots_play_as(self, strength: BotStrength) -> None:
        """Remember."""
        self.strength = strength

    def hurry(self) -> None:
        """Remember."""
        self.done.append(("hurry",))

    def set_right(self) -> None:
        """Remember."""
        self.done.append(("well",))

    def __getattr__(self, name: str) -> Any:
        """Remember all other actions."""

        def do(*how: Any) -> bool:
            self.done.append((name, *how))
            return self.can

        return do


OWN = CopyInPlace("a1", "", "2026-11-20 21:04", 12, is_own=True)
OTHER = CopyInPlace("b2", "0003-2026-11-18.zip", "2026-11-18", None, is_own=False)


class FakeCopies:
    """Two sticks: one is used and full, the other isn't used."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.used: list[str] = []
        self.restored: list[tuple[str, str, str]] = []
        self.restarts = 0
        self.there = (
            PlaceOfCopies("/media/A", "A <&>", 4_000_000, True, (OWN, OTHER), "It is full."),
            PlaceOfCopies("/media/B", "B", 5_000_000, False, ()),
        )

    def places(self, _language: Language) -> Sequence[PlaceOfCopies]:
        """List them."""
        return self.there

    def use(self, root: str) -> None:
        """Note it."""
        if root != "/media/B":
            raise OSError("That stick isn't there.")
        self.used.append(root)

    def restore(self, root: str, table: str, name: str) -> Sequence[str]:
        """Note it."""
        if root != "/media/A":
            raise OSError("That copy isn't there.")
        self.restored.append((root, table, name))
        return ("Not in it: <x>",)

    def restart(self) -> None:
        """Count it."""
        self.restarts += 1


class FakeWifi:
    """A Wi-Fi of the table's own that waits; one device has come by it."""

    def __init__(self, inside: str) -> None:
        """Take the address of that device."""
        self.inside, self.is_waiting, self.is_kept = inside, True, False

    def seconds_left(self) -> int | None:
        """Wait for as long as nothing else is said."""
        return 77 if self.is_waiting and not self.is_kept else None

    def is_reached_by(self, address: str) -> bool:
        """Know that one device."""
        return address == self.inside

    def portal(self, host: str, address: str) -> str | None:
        """Lead that one device here by one name."""
        return "10.42.0.1" if (host, address) == ("captive.apple.com", self.inside) else None

    def keep(self) -> bool:
        """Stay."""
        self.is_kept = self.is_waiting
        return self.is_kept


class FakeSound:
    """A loudspeaker that is there, and what was done with it."""

    def __init__(self) -> None:
        """Be plugged in."""
        self.why, self.is_there, self.is_used = "", True, True
        self.played, self.chosen = list[str](), list[str]()

    def options(self) -> Sequence[SpeakerOption]:
        """List it."""
        there = SpeakerOption("Device", "A <b>loud</b> one", "by USB", self.is_used, bool(self.chosen))
        return (there,) if self.is_there else ()

    def play(self, card: str) -> str:
        """Remember."""
        if not self.why:
            self.played.append(card)
        return self.why

    def choose(self, card: str) -> str:
        """Remember."""
        if not self.why:
            self.chosen.append(card)
        return self.why


class FakeUsb:
    """A button by USB that is learned, and what was done."""

    def __init__(self) -> None:
        """Know one."""
        self.done: list[str] = []
        self.learns: UsbKind | None = None

    def status(self) -> UsbStatus:
        """Tell it."""
        return UsbStatus((UsbPlace(0, "A <b>box</b>", "A box"),), self.learns, 1)

    def learn(self, kind: UsbKind) -> None:
        """Remember."""
        self.learns = kind

    def stop(self) -> None:
        """Remember."""
        self.learns = None

    def keep(self) -> str | None:
        """Remember, if there is anything to keep."""
        self.done.append("kept")
        return None if self.learns else "Nothing <was> pressed."

    def forget(self) -> str | None:
        """Remember."""
        self.done.append("forgotten")
        return None

    def restart(self) -> None:
        """Remember."""
        self.done.append("restarted")


class FakePower:
    """Remembers how it was switched."""

    has_dial = True

    def __init__(self) -> None:
        """Be allowed, and do what is asked."""
        self.why = self.fails = ""
        self.switched: list[str] = []

    def hindrance(self, _kind: str) -> str:
        """Say why not."""
        return self.why

    def switch(self, kind: str) -> str:
        """Remember."""
        if not self.fails:
            self.switched.append(kind)
        return self.fails


class FakePrivacy:
    """Keeps two evenings, and remembers what it was to forget."""

    def __init__(self, *kept: Kept) -> None:
        """Keep something."""
        self._kept = kept
        self.why, self.unfinished = "", False
        self.done: list[str] = []

    def kept(self) -> tuple[Kept, ...]:
        """Say what is kept."""
        return self._kept

    def evenings(self) -> tuple[EveningKept, ...]:
        """List them."""
        return EveningKept("2026-11-21", 3), EveningKept("2026-11-14", 1)

    def is_unfinished(self) -> bool:
        """Tell what was said."""
        return self.unfinished

    def forget_clips(self) -> None:
        """Remember it."""
        self.done.append("clips")

    def forget(self, day: str) -> None:
        """Remember it, or fail."""
        if self.why:
            raise OSError(self.why)
        self.done.append(day)

    def restart(self) -> None:
        """Remember that, too."""
        self.done.append("restarted")


class FakeSaving:
    """Knows two cures."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.restarts = 0

    def cures(self, _language: Language) -> Sequence[str]:
        """Name both."""
        return ("Delete <this>.", "Start again.")

    def restart(self) -> None:
        """Count it."""
        self.restarts += 1
