"""Whose pictures and clips are: those of a match by its number, as long as it is the match that began then.

A backup that takes the journal's place may give a number again. Its pictures then lie aside, named after the
mark of their own match (`14-3f0c….000003.clip`): they are shown to no one, they make room as all do, and they
come back once their match does.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from firmware.state_folder import BEGINNINGS, EVIDENCE
from firmware.storage.forgotten_marks import mark_of
from vision.files import make_folder, read_json, write_whole
from vision.process.evidence import CLIP, match_of

LARGEST = 10_000_000
"""Most bytes of all marks."""
GONE = "gone"
"""The mark of a match that isn't known any more."""


def part_pictures(state: Path, matches: Iterable[tuple[int, str]]) -> None:
    """Put aside what belongs to another match of the same number, and bring back what belongs to these."""
    known, now = _known(state), {str(number): mark_of(begun) if begun else "" for number, begun in matches}
    for file in [*_files(state)]:
        number = match_of(file)
        here = now.get(number, GONE)
        # nothing but its number tells a match whose beginning isn't known
        was = known.get(number, GONE if here == GONE else here)
        if "-" not in number and here and (here == GONE or was != here):
            _rename(file, f"{number}-{was}")
    for file in [*_files(state)]:
        number, _dash, mark = match_of(file).partition("-")
        if mark and mark == now.get(number):
            _rename(file, number)
    marks = {number: mark for number, mark in now.items() if mark}
    if marks != known:
        _keep(state, marks)


def note_beginning(state: Path, number: int, begun: str) -> None:
    """Note when a match began: from now on pictures with its number are its own."""
    if begun:
        _keep(state, {**_known(state), str(number): mark_of(begun)})


def pictures_aside(state: Path, begun: Iterable[str]) -> list[Path]:
    """List what lies aside of matches that began then."""
    marks = {mark_of(each) for each in begun if each}
    return [file for file in _files(state) if match_of(file).partition("-")[2] in marks]


def clips_aside(state: Path) -> list[Path]:
    """List all clips that lie aside."""
    return [file for file in _files(state) if file.suffix == CLIP and "-" in match_of(file)]


def _files(state: Path) -> Iterator[Path]:
    return (file for file in (state / EVIDENCE).glob("*.*") if match_of(file).partition("-")[0].isdecimal())


def _rename(file: Path, match: str) -> None:
    file.rename(file.with_name(f"{match}{file.name[len(match_of(file)) :]}"))


def _known(state: Path) -> Mapping[str, str]:
    """Give the mark of each number, as it was last; without any, all pictures belong to who has the number."""
    try:
        return read_json(state / BEGINNINGS, dict[str, str], LARGEST)
    except OSError:
        return {}


def _keep(state: Path, marks: Mapping[str, str]) -> None:
    make_folder(state)
    write_whole(state / BEGINNINGS, msgspec.json.encode(marks))
