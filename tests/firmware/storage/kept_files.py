"""All stored state beside the journal: steps that change it, and readers that check it.

Each step leads from one complete state to the next. After a power cut or a disk fault, each part must be as
before or after the step; once a step is reported as done, it must last.
"""

import errno
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import reduce
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.backups.archive import LOCK, backup, filed_or_none, kept_copies, verify_backup
from firmware.storage.backups.copies import CopyJob, CopySettings, copy_to_table_folder
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.configuration import HostChoice, TableSettings, effective_settings, keep
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.found_table import Layout, keep_table, load_calibration, load_layout
from firmware.storage.journal import open_journal
from firmware.storage.match_marks import is_kept_paused, keep_pause
from firmware.storage.people.evening import Device, Evening, SeatedMatch, join_seat, leave_seat
from firmware.storage.people.links import draw_token
from firmware.storage.people.links_file import LinksFile, read_links
from referee.match import Match
from referee.record import record_lines
from tests.firmware.board.inputs.matches import begun_at, bidden, new_match
from tests.firmware.storage.backups.tables import MADE, TABLE, kept_content, places_in, table_in
from tests.firmware.storage.faulty_files import FailingOperation, Files, cut_power
from vision.files import read_json_or, write_whole
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from vision.teaching.draft_deck import DraftDeck, LearntCard, Origin, named
from vision.teaching.kept_cuts import CutCard
from vision.teaching.stored_drafts import DRAFT, DraftFile, save_draft
from vision.teaching.taught_decks import bare_deck, is_deck, last_whole, load_deck, save_deck

Parts = Mapping[str, object]  # content of a folder by parts, each complete in itself
Step = Callable[[Path], object]


class Keeping(Struct, frozen=True):
    """Some stored state: its beginning, its steps, and its reader."""

    steps: tuple[Step, ...]
    read: Callable[[Path], Parts]
    begin: Step = Path.exists
    is_repeatable: bool = False  # a step that a power cut interrupted can be done again


# the host's choices, taught decks, the found table, and phones


def _choose(language: str, volume: int) -> Step:
    return lambda folder: keep(HostChoice(language, sound={"volume": volume}), folder)


def _read_chosen(folder: Path) -> Parts:
    now = effective_settings(TableSettings(), folder)
    return {"settings": now.settings, "told": now.told}


def _teach(shade: int, *faces: str) -> Step:
    both = tuple(np.full((88, 63, 3), each, np.uint8) for each in (shade, shade + 1))
    deck = bare_deck("mine", (63.0, 88.0), dict.fromkeys(faces, shade), dict.fromkeys(faces, both))
    return lambda folder: save_deck(deck, folder / "decks" / "mine")


def _read_taught(folder: Path) -> Parts:
    home = folder / "decks" / "mine"
    if not is_deck(home):
        return {}
    deck = load_deck(home)
    pictures = {face: tuple(int(each[0, 0, 0]) for each in some) for face, some in deck.faces.items()}
    return {**pictures, **{f"{face} counts": many for face, many in deck.counts.items()}}


def _read_whole_deck(folder: Path) -> Parts:
    """Read a deck, no two faces of which may have different outlines, and people's files beside it."""
    home = folder / "decks" / "mine"
    notes = last_whole(home) / "notes.txt"
    return {"deck": (*_read_taught(folder).items(), notes.exists() and notes.read_bytes())}


def _teach_with_notes(folder: Path) -> None:
    _teach(10, "J", "K", "Q")(folder)
    (folder / "decks" / "mine" / "notes.txt").write_bytes(b"from the flea market")


def _learn(*cards: tuple[str, int]) -> Step:
    """Store a draft that has grown by the last card; the others are stored already."""

    def step(folder: Path) -> None:
        after = reduce(lambda draft, each: named(draft, _learnt_card(each[1]), each[0]), cards, EMPTY)
        last, _shade = cards[-1]
        stored = {face: some for face, some in after.faces.items() if face != last}
        save_draft(after, stored, folder / "decks" / "mine")

    return step


Q, K, AGAIN = ("Q", 10), ("K", 20), ("Q", 30)  # faces and shades of learnt cards
EMPTY = DraftDeck("mine", (63.0, 88.0))


def _learnt_card(shade: int) -> LearntCard:
    picture = np.full((88, 63, 3), shade, np.uint8)
    return LearntCard(CutCard(picture), Origin("now", (float(shade), 0.0), "seat 1", shade))


def _read_learnt(folder: Path) -> Parts:
    """Read a deck, whose faces must have origins: they decide who may see a new face."""
    taught = _read_taught(folder)
    origins = read_json_or(folder / "decks" / "mine" / DRAFT, DraftFile, DraftFile()).origins
    return {**taught, "are known": {face for face in taught if " " not in face} <= origins.keys()}


def _find_table(first: int) -> Step:
    return lambda folder: keep_table(folder / "table.json", TABLE, Layout(first=first), None)


def _read_table(folder: Path) -> Parts:
    file = folder / "table.json"
    return {"table": load_calibration(file), "layout": load_layout(file)}


def _draw_links(folder: Path) -> None:
    LinksFile(folder / "links.json").renew(lambda evening: _joined(evening, 0))


def _hand_over(folder: Path) -> None:
    LinksFile(folder / "links.json").renew(lambda evening: _joined(leave_seat(evening, 1, "BBBB"), 1))


def _joined(evening: Evening, seat: int) -> Evening:
    there = SeatedMatch("now", ("Ana", "Bo", "Cleo"))
    evening = replace(evening, match=there, codes=("AAAA", "BBBB", "CCCC"), ran=0.0)
    return join_seat(evening, seat, Device(draw_token()), "DDDD")


def _read_links(folder: Path) -> Parts:
    """Read the file: if the links changed each time, every phone would be signed out."""
    file = folder / "links.json"
    return {"links": read_links(file) if file.exists() else None}


def _pause(match: Match, is_paused: bool) -> Step:
    return lambda folder: keep_pause(folder, match, is_paused)


def _read_pause(folder: Path) -> Parts:
    return {
        "its match": is_kept_paused(folder, bidden(5), 1),
        "one that begins": is_kept_paused(folder, begun_at(new_match(), "later"), None),
    }


def _keep_evidence(moment: int) -> Step:
    sidecar = Sidecar("1", moment, Reading(()))
    return lambda folder: keep_evidence(folder / "evidence", bytes([moment]) * 5000, sidecar)


def _read_evidence(folder: Path) -> Parts:
    files = sorted((folder / "evidence").glob("[!.]*"))
    assert all(file.with_suffix(".jpg") in files for file in files)
    return {file.name: file.read_bytes() for file in files}


# making and restoring a backup; a second copy


def _two_tables(folder: Path) -> None:
    new = table_in(folder / "brought", "Ana")
    (folder / "b.zip").write_bytes(b"".join(backup(new, MADE)))
    shutil.rmtree(folder / "brought")
    table_in(folder / "here", "Zoë", bidden(7))


def _restore_table(folder: Path) -> Parts:
    """Start the table as after a power cut; its state is a single part."""
    here = places_in(folder / "here")
    finish_restore(here)
    assert not (here.state / "restoring").exists()
    return {"table": {name: each for name, each in kept_content(here).items() if "before-" not in name}}


def _restore_elsewhere(folder: Path) -> Parts:
    there = places_in(folder / "there")
    stage(folder / "b.zip", there)
    finish_restore(there)
    return {"table": kept_content(there)}


def _begin_copies(folder: Path) -> None:
    with open_journal(places_in(folder / "here").journal) as opened:
        opened.journal.begin(bidden(7))
    (folder / "copies").mkdir()


def _copy_on(day: int) -> Step:
    def copy(folder: Path) -> None:
        here, home = places_in(folder / "here"), folder / "copies" / "mine"
        with open_journal(here.journal) as opened:
            opened.journal.take_in([record_lines(bidden(day, *range(day + 1, day + 3)))])
        keep(HostChoice("en", sound={"volume": day}), here.state)
        job = CopyJob("backup", here, f"2026-11-{day:02}T20:15:00+01:00", folder)
        copy_to_table_folder(home, CopySettings("mine"), job)

    return copy


def _read_copy(folder: Path) -> Parts:
    """Read the newest copy, a single part; earlier days' copies are complete, however many there are."""
    copies = kept_copies(folder / "copies" / "mine")
    said = [verify_backup(copy).files["chosen.json"] for copy in copies]
    return {"copy": said and ([each.line for each in filed_or_none(copies[0])], said[0])}


STORED: Mapping[str, Keeping] = {
    "what the host chose": Keeping((_choose("fr", 3), _choose("en", 5), _choose("fr", 8)), _read_chosen),
    "a deck that is taught again": Keeping(
        (_teach(20, "J", "K", "Q"), _teach(30, "J", "Q"), _teach(40, "J", "K", "Q", "2")),
        _read_whole_deck,
        _teach_with_notes,
        is_repeatable=True,
    ),
    "a deck that is learnt": Keeping(
        (_learn(Q), _learn(Q, K), _learn(Q, K, AGAIN)), _read_learnt, is_repeatable=True
    ),
    "the table that was found": Keeping(tuple(map(_find_table, range(3))), _read_table),
    "the links of the phones": Keeping((_draw_links, _hand_over, _hand_over), _read_links),
    "a pause": Keeping(
        (_pause(new_match(), True), _pause(bidden(5), True), _pause(bidden(5), False)), _read_pause
    ),
    "evidence": Keeping(tuple(map(_keep_evidence, range(1, 4))), _read_evidence),
    "a backup put in place": Keeping(
        (
            lambda folder: stage(folder / "b.zip", places_in(folder / "here")),
            lambda folder: finish_restore(places_in(folder / "here")),
        ),
        _restore_table,
        _two_tables,
    ),
    "a backup that is made": Keeping(
        (lambda folder: write_whole(folder / "b.zip", backup(places_in(folder / "here"), MADE)),),
        _restore_elsewhere,
        _two_tables,
    ),
    "a second copy": Keeping((_copy_on(3), _copy_on(4)), _read_copy, _begin_copies),
}
REPORTED = [name for name in STORED if name != "the links of the phones"]
"""Message if it can't be stored. Links delay no phone: they are written with the next change."""


# checks


class PerformedSteps(Struct, frozen=True):
    """Performed steps with the logged events: the files, and the state after each step."""

    files: Files
    states: tuple[Parts, ...]


def read_copy_of(keeping: Keeping, folder: Path) -> Parts:
    """Read the stored state without changing it."""
    with TemporaryDirectory(dir=folder.parent) as scratch:
        return keeping.read(Path(shutil.copytree(folder, Path(scratch) / "copy")))


def perform_steps(keeping: Keeping, folder: Path) -> PerformedSteps:
    folder.mkdir()
    keeping.begin(folder)
    states = [read_copy_of(keeping, folder)]
    files = Files(folder)
    for step in keeping.steps:
        with files.watch_python():
            step(folder)
        files.tell(step)
        states.append(read_copy_of(keeping, folder))
    return PerformedSteps(files, tuple(states))


def cut_power_often(
    keeping: Keeping, done: PerformedSteps, cuts: int, rng: Random, scratch: Path
) -> Iterator[str]:
    """Cut the power several times. Returns the faults of the resulting files."""
    for when, told in cut_power(done.files, cuts, rng, scratch / "left"):
        steps = len(told)
        fault = find_faults(keeping, scratch / "left", done.states[steps : steps + 2])
        if not fault and keeping.is_repeatable and steps < len(keeping.steps):
            keeping.steps[steps](scratch / "left")
            fault = find_faults(keeping, scratch / "left", done.states[steps + 1 : steps + 2])
        if fault:
            yield f"{when}, {steps} steps told: {fault}"


def find_faults(keeping: Keeping, left: Path, may: tuple[Parts, ...]) -> str:
    """Return the faults of the files: each part must match one of these states."""
    try:
        there = read_copy_of(keeping, left)
    except Exception as error:  # noqa: BLE001 - any error is a fault
        return f"it can't be read: {type(error).__name__}: {error}"
    names = {name for state in (*may, there) for name in state}
    torn = [name for name in sorted(names) if there.get(name) not in [state.get(name) for state in may]]
    return f"{', '.join(torn)} is neither old nor new" if torn else ""


# a failing disk


class Strike(Struct, frozen=True):
    """Result of a failure: the failed operation, and the faults."""

    first: int
    faults: tuple[str, ...]


def strike(keeping: Keeping, folder: Path, firsts: Iterable[int]) -> Iterator[Strike]:
    states = perform_steps(keeping, folder / "done").states
    for first in firsts:
        fault = FailingOperation(first, code=(errno.ENOSPC, errno.EIO)[first % 2])
        wrongs = tuple(_strike_disk(keeping, folder / str(first), fault, states))
        shutil.rmtree(folder / str(first))
        if not fault.fired:
            return
        yield Strike(first, wrongs)


def _strike_disk(
    keeping: Keeping, folder: Path, fault: FailingOperation, states: tuple[Parts, ...]
) -> Iterator[str]:
    """Do all steps on a disk that fails once, and repeat failed steps. Returns the faults."""
    folder.mkdir()
    keeping.begin(folder)
    files, faults = Files(folder, fault), list[str]()
    for number, step in enumerate(keeping.steps, 1):
        is_done = False
        # people see it in one line; while the error exists, so does the lock of a backup
        with suppress(OSError, BackupError, JournalError), files.watch_python():
            step(folder)
            is_done = True
        if not is_done:
            faults.append(find_faults(keeping, folder, states[number - 1 : number + 1]))
            step(folder)
        faults.append(find_faults(keeping, folder, states[number : number + 1]))
    drafts = [path for path in folder.rglob(".*") if path.name != LOCK]
    yield from (f"{draft} is left behind" for draft in drafts)
    yield from filter(None, faults)
