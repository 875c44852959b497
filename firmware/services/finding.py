"""Finding the table by phone: by cards or by markers, then the seats; then it is saved.

Cards of a known deck give the table by their names. Of others, a person may show which outlines are cards, or
clear the table for one picture: what is laid after it is new.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from itertools import count
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Literal, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.services.areas import PartOutline, seat_places, visible_parts
from firmware.services.pausing import Pausing
from firmware.storage.decks import laid_decks
from firmware.storage.found_table import Layout, keep_table, load_calibration, load_layout, parting_of
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import LastingTrouble, Notice
from referee.contract import TableLayout
from vision.pictures import Picture, small_jpeg
from vision.process.messages import (
    CardsShown,
    FrameTable,
    FrameTaken,
    SeekCards,
    ShowCards,
    ShownCard,
    TableFramed,
    TakeFrame,
    UseTable,
    UseZones,
)
from vision.sightings import Outline, Point
from vision.table import calibration
from vision.table.card_plane import middle_of, with_middle, with_seat, without_cards
from vision.table.framing import USUAL_APART, denied_by_size, plates_apart, sight_problems
from vision.table.plane import as_outline, holds
from vision.table.plates import BRIGHT, DARK
from vision.table.values import Calibration, Framing, Zones
from vision.troubles import Problem

GOOD_FROM, GOOD_TO = 55.0, 92.0  # the good range of a gauge from 0 to 100
MARKERS = 4


class Gauge(Struct, frozen=True):
    """A gauge's value from 0 to 100 (55 to 92 is good), and a word for it."""

    part: Literal["markers", "focus", "light"]
    share: float
    word: Literal["count", "sharp", "blurred", "good", "too dark", "too bright", "unknown"]

    @property
    def is_good(self) -> bool:
        return self.share > GOOD_FROM and self.word in {"count", "sharp", "good"}


def wrong_besides(framing: Framing) -> tuple[Problem, ...]:
    """Return the problems that neither a move of the camera nor the table's own status covers."""
    cured = {"too far"} | ({"marker hidden", "too low"} if framing.moves or not framing.seen else set())
    return tuple(problem for problem in framing.wrong if problem.key not in cured)


def gauges_of(framing: Framing) -> Iterator[Gauge]:
    seen, blur, light, good = len(framing.seen), framing.blur, framing.light, GOOD_TO - GOOD_FROM
    yield Gauge("markers", GOOD_TO if seen == MARKERS else GOOD_FROM * seen / MARKERS, "count")
    if blur <= calibration.BLURRED:
        yield Gauge("focus", GOOD_TO - good * blur / calibration.BLURRED, "sharp")
    else:
        yield Gauge("focus", GOOD_FROM * calibration.BLURRED / blur, "blurred")
    if light is None:
        yield Gauge("light", 0.0, "unknown")
    elif light < DARK:
        yield Gauge("light", GOOD_FROM * light / DARK, "too dark")
    elif light >= BRIGHT:
        yield Gauge("light", 100.0, "too bright")
    else:
        yield Gauge("light", GOOD_FROM + good * (light - DARK) / (BRIGHT - DARK), "good")


# steps of finding the table


T = TypeVar("T")
SNAPSHOT_TIMEOUT = 20.0  # seconds for a picture; the camera measures light, and slow computers seek cards first
LOOK_TIMEOUT = 2.0  # seconds for a single look
PICTURE_WIDTH = 1280  # width in pixels of a picture on a page
MIN_DISTANCE, MAX_DISTANCE = 20.0, 10_000.0  # limits in millimetres for distances between corners
GUIDED = "table"
Home = tuple[Path, Callable[[Layout, TableLayout], Zones]]
"""The file of the table, and a function that returns its areas for a layout."""


LATELY = 4  # pictures that pages may still load
CUT_WIDTH, CUT_HEIGHT = 126, 176  # pixels of a card that is cut out
MOST_TAPS = 24  # places that a person may show
BESIDE = 0.08  # distance of a tap from an earlier one that it takes back, as a share of the picture's width


UNNAMED = 3.0  # seconds of cards without a name after which the page asks for a picture without cards


class CardsLaid(Struct, frozen=True):
    """A picture of the table by its number, and the cards in it."""

    number: int
    shown: CardsShown
    unnamed: float | None = None
    """Time since when there have been only outlines that may be print of the ground."""
    told: ShowCards = ShowCards()
    is_clearing: bool = False  # whether people are to clear the table for a picture without cards

    @property
    def free(self) -> tuple[Outline, ...]:
        return self.shown.outlines

    @property
    def outlined(self) -> tuple[ShownCard, ...]:
        """The free cards, then outlines that may be cards."""
        return tuple(each for each in self.shown.cards if each.why in {None, "doubtful"})

    @property
    def is_enough(self) -> bool:
        return self.shown.table is not None


class FindingProgress(Struct, frozen=True):
    """The progress of finding the table: a picture and the results in it."""

    is_open: bool = False
    by: Literal["cards", "markers"] = "cards"
    laid: CardsLaid | None = None
    """The cards in the live picture; None by markers, or once a photograph was taken."""
    is_seated: bool = False  # whether seat 1 has been tapped; always so by markers
    is_kept: bool = False
    told: ShowCards = ShowCards()
    """Places where a person sees cards, and where none are."""
    is_clearing: bool | None = None
    """Whether the table is being cleared for a picture without cards; None until that was suggested."""
    empty: bytes = b""
    deck: str = ""  # folder of the deck whose names gave the table
    photograph: int = 0  # number of the photograph; 0 if none was taken
    size: tuple[int, int] = (0, 0)
    markers: tuple[Outline, ...] = ()
    parts: tuple[PartOutline, ...] = ()
    seats: tuple[tuple[int, Point], ...] = ()  # numbers, and where their players sit in the picture
    wrong: tuple[LastingTrouble, ...] = ()
    framing: Framing | None = None
    """The table in the live picture; None once a photograph was taken."""
    frame: bytes = b""
    layout: Layout = Layout()
    found: Calibration | None = None

    @property
    def middle(self) -> Point:
        """Return the table's middle in the picture; (0, 0) before the table is found."""
        if self.found is None:
            return 0.0, 0.0
        x, y = calibration.to_pixels(self.found, np.zeros((1, 2)))[0].tolist()
        return x, y

    @property
    def is_framed(self) -> bool:
        return self.framing is not None and len(self.framing.seen) == MARKERS and not self.framing.moves


class TableFinder:
    """Finds the table step by step while it is paused; one person at a time."""

    def __init__(self, client: TableClient, home: Home, pausing: Pausing, scratch: Path) -> None:
        """Use a scratch folder for drawing printed decks."""
        self._client, self._pausing, self._scratch = client, pausing, scratch
        self._file, self._parted = home
        self._decks: tuple[str, ...] = ()
        self._lock, self._numbers = RLock(), count(1)
        self._now = FindingProgress()
        self._lately: tuple[CardsLaid, ...] = ()
        self._looking: Future[CardsShown] | None = None

    @property
    def is_measured(self) -> bool:
        """Whether the table was found by cards; its seats come next."""
        return bool(self._now.photograph) and self._now.by == "cards"

    @property
    def seen_deck(self) -> str | None:
        """Folder of the own deck whose cards gave the table; empty for printed cards, None without names."""
        if not self._now.deck:
            return None
        # an own deck may have the name of a printed one
        folder = Path(self._now.deck)
        return "" if folder.parent == self._scratch else folder.name

    @property
    def seeks(self) -> CardsLaid | None:
        """The newest picture of the guide, while it seeks cards."""
        now = self._now
        return now.laid if now.is_open and now.by == "cards" and not now.photograph else None

    def sight(self) -> FindingProgress:
        now = replace(self._now, is_kept=self._file.exists())
        if now.found is not None:
            zones = self._zones(now.layout)
            return replace(now, parts=visible_parts(now.found, zones), seats=seat_places(now.found, zones))
        if now.photograph or not now.is_open:
            return now
        if now.by == "cards":
            return self._sight_cards(now)
        framed = self._frame()
        if framed is None:
            return replace(now, wrong=self._client.troubles())
        return replace(now, wrong=wrong_besides(framed.framing), framing=framed.framing)

    def _frame(self) -> TableFramed | None:
        order = FrameTable(load_layout(self._file).apart)
        return _in_time(self._client.show(order, TableFramed), LOOK_TIMEOUT)

    def _sight_cards(self, now: FindingProgress) -> FindingProgress:
        # one look at a time: on a slow computer, further ones would pile up before the photograph
        with self._lock:
            looking = self._looking or self._client.show(now.told, CardsShown)
            self._looking = looking
        shown = _in_time(looking, LOOK_TIMEOUT)
        self._looking = None if looking.done() else looking
        wrong = tuple(each for each in self._client.troubles() if each.key not in SAID_BY_CARDS)
        if shown is None and not any("camera" in each.values for each in wrong):
            return replace(now, wrong=wrong)
        with self._lock:
            if shown is None:
                # cards of an old picture may be gone
                self._now = replace(self._now, laid=None)
                return replace(now, laid=None, wrong=wrong)
            is_unnamed = shown.table is None and any(each.why == "doubtful" for each in shown.cards)
            since = monotonic() if now.laid is None or now.laid.unnamed is None else now.laid.unnamed
            is_hard = is_unnamed and monotonic() >= since + UNNAMED and not (now.empty or now.told.cards)
            is_clearing = is_hard if self._now.is_clearing is None else self._now.is_clearing
            laid = CardsLaid(
                next(self._numbers),
                shown,
                since if is_unnamed else None,
                now.told,
                is_clearing and shown.table is None,
            )
            if self._now.is_open and self._now.by == "cards" and not self._now.photograph:
                self._now = replace(self._now, laid=laid, is_clearing=is_clearing or self._now.is_clearing)
                self._lately = (*self._lately, laid)[-LATELY:]
        return replace(now, laid=laid, wrong=wrong)

    def live(self, number: int) -> bytes | None:
        """Return one of the latest pictures, in which cards were sought."""
        laid = self._laid(number)
        return None if laid is None else laid.shown.jpeg

    def _laid(self, number: int) -> CardsLaid | None:
        return next((each for each in self._lately if each.number == number), None)

    def cut(self, number: int, place: int) -> bytes | None:
        """Return one of the outlined cards as cut out of its picture."""
        laid = self._laid(number)
        if laid is None or not 0 <= place < len(laid.outlined):
            return None
        picture = _decode_picture(laid.shown.jpeg)
        corners = np.array(laid.outlined[place].outline, np.float32) * (picture.shape[1] / laid.shown.size[0])
        upright = np.array([(0, 0), (CUT_WIDTH, 0), (CUT_WIDTH, CUT_HEIGHT), (0, CUT_HEIGHT)], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, upright)
        card = np.asarray(cv2.warpPerspective(picture, matrix, (CUT_WIDTH, CUT_HEIGHT)), np.uint8)
        return small_jpeg(card, CUT_WIDTH)

    def tap(self, at: Point) -> Notice | None:
        """Take a tap on the picture: an outline that counts is no card, and anything else is one."""
        with self._lock:
            laid, told = self._now.laid, self._now.told
            wide, high = (0, 0) if laid is None else laid.shown.size
            if laid is None or not (0 <= at[0] < wide and 0 <= at[1] < high) or not self._touch():
                return Notice(NoticeKey.NO_PLACE)
            counted = next((each for each in laid.free if holds(each, at)), None)
            refused = tuple(each for each in told.others if np.hypot(*np.subtract(each, at)) < BESIDE * wide)
            if counted is not None:
                cards = tuple(each for each in told.cards if not holds(counted, each))
                told = replace(told, cards=cards, others=(*told.others, at)[-MOST_TAPS:])
            elif refused:
                told = replace(told, others=tuple(each for each in told.others if each not in refused))
            else:
                told = replace(told, cards=(*told.cards, at)[-MOST_TAPS:])
            self._now = replace(self._now, told=told)
        return None

    def refuse(self) -> None:
        """None of the outlines is a card."""
        with self._lock:
            laid, told = self._now.laid, self._now.told
            if laid is not None and self._touch():
                others = tuple(middle_of((each,)) for each in laid.free)
                told = ShowCards((), (*told.others, *others)[-MOST_TAPS:])
                self._now = replace(self._now, told=told)

    def forget_taps(self) -> None:
        with self._lock:
            if self._touch():
                self._now = replace(self._now, told=ShowCards())

    def clear(self, *, is_clearing: bool = True) -> None:
        """Ask for a picture of the table without cards, or go on without one."""
        with self._lock:
            if self._touch():
                laid = self._now.laid
                laid = None if laid is None else replace(laid, is_clearing=is_clearing)
                self._now = replace(self._now, laid=laid, is_clearing=is_clearing)

    def take_empty(self) -> Notice | None:
        """Take a picture of the cleared table: cards that are laid now are new, print of the ground isn't."""
        if not self._touch():
            return None
        frame = _in_time(self._client.show(TakeFrame(), FrameTaken), SNAPSHOT_TIMEOUT)
        if frame is None:
            return Notice(NoticeKey.NO_FRAME)
        self._client.do(SeekCards(self._decks, frame.jpeg))
        self._show(FindingProgress(is_open=True, empty=frame.jpeg))
        return None

    def take_cards(self) -> Notice | None:
        """Accept the table measured by the cards. The next step is a tap where seat 1 sits."""
        laid = self._now.laid
        if laid is None or laid.shown.table is None or not self._touch():
            return Notice(NoticeKey.FEW_CARDS)
        frame = _in_time(self._client.show(TakeFrame(), FrameTaken), SNAPSHOT_TIMEOUT)
        if frame is None:
            return Notice(NoticeKey.NO_FRAME)
        self._show(
            FindingProgress(
                photograph=next(self._numbers),
                size=laid.shown.size,
                markers=laid.free,
                frame=frame.jpeg,
                layout=Layout(),
                found=with_middle(laid.shown.table, middle_of(laid.free)),
                empty=self._now.empty,
                deck=laid.shown.deck,
            )
        )
        return None

    def seat(self, at: Point) -> Notice | None:
        """Turn the table so that seat 1 is in the direction of a point of the picture."""
        return self._point(at, with_seat, is_seated=True)

    def centre(self, at: Point) -> Notice | None:
        """Move the table's middle to a point of the picture."""
        return self._point(at, with_middle, is_seated=self._now.is_seated)

    def stand_up(self) -> None:
        """Ask again where seat 1 sits."""
        with self._lock:
            if self._touch() and self._now.by == "cards":
                self._now = replace(self._now, is_seated=False)

    def _point(
        self, at: Point, apply: Callable[[Calibration, Point], Calibration], *, is_seated: bool
    ) -> Notice | None:
        shown = self._now
        wide, high = shown.size
        is_inside = 0 <= at[0] < wide and 0 <= at[1] < high
        if shown.found is None or shown.by != "cards" or not is_inside or not self._touch():
            return Notice(NoticeKey.NO_PLACE)
        found = apply(shown.found, at)
        if not calibration.is_sound(found):
            return Notice(NoticeKey.NO_PLACE)
        layout = replace(shown.layout, apart=apart_from_seat(found))
        self._show(replace(shown, found=found, is_seated=is_seated, layout=layout))
        return None

    def use(self, by: Literal["cards", "markers"]) -> None:
        """Find the table by cards, or by printed markers."""
        with self._lock:
            if not self._touch():
                return
            self._now = FindingProgress(is_open=True, by=by)
        if by == "cards":
            self._client.do(SeekCards(self._decks))

    def markers(self) -> bytes:
        # imported here, so that a table starts without the drawing code
        from hardware.decks.print.documents import markers  # noqa: PLC0415

        return markers()

    def open(self, names: Sequence[str] = ()) -> None:
        """Begin for the decks of a game: by markers if some are visible, otherwise by cards."""
        self._decks = laid_decks(names, self._scratch)
        with self._lock:
            self._now = FindingProgress(is_open=True)
        self._pausing.enter(GUIDED, self.close)
        framed = self._frame()
        self.use("cards" if framed is None or not framed.framing.seen else "markers")

    def close(self) -> None:
        """Close without changes."""
        with self._lock:
            closed, self._now = self._now, FindingProgress()
        if closed.is_open and closed.by == "cards":
            table = load_calibration(self._file)
            self._client.do(SeekCards() if table is None else UseTable(table))
        self._pausing.leave(GUIDED)

    def find(self, apart: Point | None) -> Notice | None:
        if not self._touch():
            return None
        frame = _in_time(self._client.show(TakeFrame(), FrameTaken), SNAPSHOT_TIMEOUT)
        if frame is None:
            return Notice(NoticeKey.NO_FRAME)
        picture = _decode_picture(frame.jpeg)
        if apart is not None and (not _is_plausible(apart) or denied_by_size(picture, apart)):
            return Notice(NoticeKey.MARKERS_TOO_FAR)
        found, wrong = calibration.calibrate(picture, apart), sight_problems(picture, frame.optics, apart)
        found = found if found is not None and calibration.is_sound(found) else None
        markers = tuple(as_outline(corners) for corners in calibration.find_markers(picture).values())
        seen_apart = None if found is None else _corner_distances(found)
        layout = replace(load_layout(self._file), apart=apart or seen_apart)
        missing = (Notice(NoticeKey.NOT_FOUND),) if found is None and not wrong else ()
        size = picture.shape[1], picture.shape[0]
        self._show(
            FindingProgress(
                photograph=next(self._numbers),
                size=size,
                markers=markers,
                wrong=(*wrong, *missing),
                frame=frame.jpeg,
                layout=layout,
                found=found,
                by="markers",
                is_seated=True,
            )
        )
        return None

    def turn(self) -> None:
        """Shift every seat by one place."""
        with self._lock:
            if self._now.photograph and self._touch():
                layout = self._now.layout
                seats = sum(name.startswith("seat ") for name in self._zones(layout))
                self._now = replace(self._now, layout=replace(layout, first=(layout.first + 1) % seats))

    def keep(self, *, is_empty: bool) -> Notice | None:
        shown = self._now
        if shown.found is None:
            return Notice(NoticeKey.NOT_FOUND)
        if not shown.is_seated:
            return Notice(NoticeKey.NO_PLACE)
        try:
            bare = self._empty_table(shown, is_empty=is_empty)
            keep_table(self._file, shown.found, shown.layout, bare)
        except OSError as error:
            return Notice(NoticeKey.NOT_WRITTEN, {"why": error.strerror or str(error)})
        self._client.do(UseZones(self._zones(shown.layout)))
        self._client.do(UseTable(shown.found, len(shown.markers)))
        with self._lock:
            self._now = FindingProgress()
        self._pausing.leave(GUIDED)
        return None

    @staticmethod
    def _empty_table(shown: FindingProgress, *, is_empty: bool) -> Picture | None:
        if shown.empty:
            return _decode_picture(shown.empty)
        if shown.by == "cards":
            return without_cards(_decode_picture(shown.frame), shown.markers)
        return _decode_picture(shown.frame) if is_empty else None

    def photograph(self) -> bytes | None:
        shown = self._now
        return small_jpeg(_decode_picture(shown.frame), PICTURE_WIDTH) if shown.photograph else None

    def _touch(self) -> bool:
        """Restart the idle timer; returns whether the guide is still open."""
        self._pausing.touch()
        return self._now.is_open

    def _show(self, shown: FindingProgress) -> None:
        with self._lock:
            # discard the result if the person has left
            if self._now.is_open:
                self._now = replace(shown, is_open=True)

    def _zones(self, layout: Layout) -> Zones:
        return self._parted(layout, parting_of(self._client.moment()))


GAUGED = ("too far", "too flat", "too dark", "too bright", "out of focus")
SAID_BY_CARDS = frozenset({"lay cards", "did the camera move", *GAUGED})  # problems that the guide itself shows


def apart_from_seat(table: Calibration) -> tuple[float, float]:
    """Return the usual distances across and down, as seen from seat 1: pictures are as wide as their tables."""
    middle, seat = calibration.to_pixels(table, np.array([(0.0, 0.0), (0.0, 100.0)]))
    across, down = np.abs(seat - middle)
    wide, high = table.size
    is_turned = (across > down) == (wide > high)
    return (min(USUAL_APART), max(USUAL_APART)) if is_turned else (max(USUAL_APART), min(USUAL_APART))


def _in_time(asked: "Future[T]", seconds: float) -> T | None:
    try:
        return asked.result(seconds)
    except (TimeoutError, CancelledError):
        return None


def _decode_picture(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _is_plausible(apart: Point) -> bool:
    return all(MIN_DISTANCE < length < MAX_DISTANCE for length in apart)


def _corner_distances(found: Calibration) -> Point | None:
    apart = plates_apart(found)
    return apart if _is_plausible(apart) else None
