"""Reviewed photographs that become evidence: those of each phone are remembered until it taps."""

from collections import OrderedDict
from threading import Lock

from flask import request
from msgspec import Struct

from firmware.parts.evidence import PhotographEvidence
from firmware.parts.photographs import Photograph
from firmware.storage.people.links import draw_token, is_same
from firmware.table.table import Table
from referee.contract import Answer, Show
from referee.match import Correct, Match
from webui.access.viewers import Viewer
from webui.drawing.reviews import Said, said_of_cards
from webui.pages.players.entering import Rejection, enter
from webui.server.drawn_pages import match_id

REMEMBERED, EACH = 12, 3
"""Phones whose photographs can still be reviewed, and photographs of each."""
PHOTOGRAPH = "photograph"
"""The field by which the form of a review says which photograph it shows."""


class ReadPhotograph(Struct, frozen=True):
    """A photograph that was read, for which purpose, and the mark that its review carries."""

    key: str
    photograph: Photograph
    mark: str


class ReviewedPhotograph(Struct, frozen=True):
    """What may be kept of a photograph, and what its review says of each card."""

    evidence: PhotographEvidence
    said: Said


def seat_key(match: Match, moment: int, ask: str) -> str:
    """Name the purpose of a seat's photograph."""
    return f"{match_id(match)} {moment} {ask}"


def correction_key(match: Match, heard_at: int) -> str:
    """Name the purpose of a photograph with which the host corrects an answer."""
    return f"{match_id(match)} corrects {heard_at}"


class RecentPhotographs:
    """The last photographs of each phone; the oldest make room for new ones."""

    def __init__(self) -> None:
        """Start without photographs."""
        self._lock = Lock()
        self._taken: OrderedDict[str, tuple[ReadPhotograph, ...]] = OrderedDict()
        self._busy: set[str] = set()

    def begin(self, phone: str) -> bool:
        """Let a phone upload, unless it is uploading already."""
        with self._lock:
            is_free = phone not in self._busy
            self._busy.add(phone)
            return is_free

    def end(self, phone: str) -> None:
        """Let a phone upload again."""
        with self._lock:
            self._busy.discard(phone)

    def keep(self, phone: str, key: str, photograph: Photograph) -> None:
        """Keep a phone's photograph; those before it stay for a while, because one of them may be reviewed."""
        with self._lock:
            before = self._taken.pop(phone, ())
            self._taken[phone] = (ReadPhotograph(key, photograph, draw_token()), *before)[:EACH]
            while len(self._taken) > REMEMBERED:
                self._taken.popitem(last=False)

    def latest_of(self, phone: str) -> ReadPhotograph | None:
        """Give a phone's last photograph."""
        with self._lock:
            return next(iter(self._taken.get(phone, ())), None)

    def find(self, phone: str, key: str, mark: str) -> ReadPhotograph | None:
        """Find the photograph that a phone reviewed for this purpose."""
        with self._lock:
            taken = self._taken.get(phone, ())
        return next((each for each in taken if each.key == key and is_same(each.mark, mark)), None)


class PhotographKeeper:
    """Submits what phones answer, and keeps the photographs that accepted answers rest on."""

    def __init__(self, table: Table, recent: RecentPhotographs) -> None:
        """Take the table and the photographs that phones may be reviewing."""
        self._table, self._recent = table, recent

    def enter(self, viewer: Viewer, entry: Answer | Correct, ask: object, key: str) -> Rejection | None:
        """Submit what a form says; if it is a review's and counts, keep its photograph as evidence."""
        door, reviewed = self._table.evidence, self._reviewed(viewer, ask, key)
        if reviewed is None:
            return enter(self._table, viewer, entry)
        # cards are answered at their own moment alone, so that is the answer's number
        with door.expect_photograph(entry.moment) as keep:
            rejection = enter(self._table, viewer, entry)
            if rejection is None:
                keep(reviewed.evidence, reviewed.said)
        return rejection

    def _reviewed(self, viewer: Viewer, ask: object, key: str) -> ReviewedPhotograph | None:
        """Find the photograph of which a form is the review."""
        taken = self._recent.find(viewer.form, key, request.form.get(PHOTOGRAPH, ""))
        if taken is None or taken.photograph.evidence is None or not isinstance(ask, Show):
            return None
        said = said_of_cards(taken.photograph.cards, ask, request.form)
        return None if said is None else ReviewedPhotograph(taken.photograph.evidence, said)
