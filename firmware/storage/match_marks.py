"""Matches identified by a hash of their start: forgotten ones, the paused one, and owners of pictures.

A mark reveals nothing about a match to people who don't know when it began.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import BEGINNINGS, EVIDENCE, FORGOTTEN, MATCH_KINDS, PAUSE
from firmware.storage.aside import Gone
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import Kind
from firmware.storage.files import Kept
from referee.match import Match
from vision.files import sync
from vision.process.evidence import match_of

MAX_BYTES, MAX_MARKS = 10_000_000, 100_000  # most bytes of all marks, and most marks stored
GONE = "gone"
FORGOTTEN_MARKS = Kept(FORGOTTEN, tuple[str, ...], (), largest=MAX_BYTES)
"""Marks of all matches that this table has forgotten, the newest last."""
OWNERS = Kept(BEGINNINGS, dict[str, str], {}, largest=MAX_BYTES)
"""The last mark of each match number; pictures without one belong to the match with that number."""


KINDS = Kept(MATCH_KINDS, dict[str, Kind], {}, largest=MAX_BYTES)
"""The kind of table that played each match last, by its mark."""
MAX_KINDS = 1000  # most matches whose table is stored; older ones are over


def mark_of(begun: str) -> str:
    return sha256(begun.encode()).hexdigest()[:16]


def forget(here: TablePlaces, gone: Gone) -> None:
    """Mark the matches of an evening as forgotten, and delete their pictures."""
    if not gone.begun:
        return
    known, pictures = FORGOTTEN_MARKS.read(here.state), here.state / EVIDENCE
    marks = (*known, *sorted(set(map(mark_of, gone.begun)) - set(known)))[-MAX_MARKS:]
    if marks != known:
        FORGOTTEN_MARKS.keep(here.state, marks)
    numbered = chain.from_iterable(pictures.glob(f"{number}.*") for number in gone.numbers)
    for file in (*pictures_aside(here.state, gone.begun), *numbered):
        file.unlink(missing_ok=True)
    if pictures.is_dir():
        sync(pictures)


class KeptPause(Struct, frozen=True):
    """Whether the table is paused, and the mark of the paused match."""

    is_paused: bool
    match: str
    has_answers: bool
    """A match without answers isn't stored; its pause then applies to the one that replaces it."""


KEPT_PAUSE = Kept(PAUSE, KeptPause, KeptPause(is_paused=False, match="", has_answers=True))


def keep_pause(state: Path, match: Match, is_paused: bool) -> None:
    KEPT_PAUSE.keep(state, KeptPause(is_paused, mark_of(match.setup.begun), match.entry is not None))


def is_kept_paused(state: Path, match: Match, number: int | None) -> bool:
    """Return whether a match was paused when the table stopped; `number` is its number in the journal."""
    kept = KEPT_PAUSE.read(state)
    is_same = kept.match == mark_of(match.setup.begun)
    return kept.is_paused and (is_same or (number is None and not kept.has_answers))


def note_kind(state: Path, mark: str, kind: Kind) -> None:
    """Record which table plays a match."""
    known = KINDS.read(state)
    if mark and known.get(mark) != kind:
        others = [(each, other) for each, other in known.items() if each != mark]
        KINDS.keep(state, dict([*others, (mark, kind)][-MAX_KINDS:]))


def may_go_on(state: Path, match: Match, kind: Kind, *, is_raspberry: bool) -> bool:
    """Return whether a table may continue a match unasked: one of its own kind.

    A match of unknown kind, as from a backup, counts as simulated unless this is a Raspberry Pi.
    """
    known = KINDS.read(state).get(mark_of(match.setup.begun))
    return known == kind if known is not None else kind == "simulated" or is_raspberry


def part_pictures(state: Path, matches: Iterable[tuple[int, str]]) -> None:
    """Hide pictures of other matches with the same number, and restore those of these matches."""
    known, now = OWNERS.read(state), {str(number): mark_of(begun) if begun else "" for number, begun in matches}
    for file in [*_files(state)]:
        number = match_of(file)
        here = now.get(number, GONE)
        # a match with an unknown start is identified by its number only
        was = known.get(number, GONE if here == GONE else here)
        if "-" not in number and here and (here == GONE or was != here):
            _rename(file, f"{number}-{was}")
    for file in [*_files(state)]:
        number, _dash, mark = match_of(file).partition("-")
        if mark and mark == now.get(number):
            _rename(file, number)
    marks = {number: mark for number, mark in now.items() if mark}
    if marks != known:
        OWNERS.keep(state, marks)


def note_beginning(state: Path, number: int, begun: str) -> None:
    """Record when a match began: pictures with its number now belong to it."""
    if begun:
        OWNERS.keep(state, {**OWNERS.read(state), str(number): mark_of(begun)})


def pictures_aside(state: Path, begun: Iterable[str]) -> list[Path]:
    marks = {mark_of(each) for each in begun if each}
    return [file for file in _files(state) if match_of(file).partition("-")[2] in marks]


def _files(state: Path) -> Iterator[Path]:
    return (file for file in (state / EVIDENCE).glob("*.*") if match_of(file).partition("-")[0].isdecimal())


def _rename(file: Path, match: str) -> None:
    file.rename(file.with_name(f"{match}{file.name[len(match_of(file)) :]}"))
