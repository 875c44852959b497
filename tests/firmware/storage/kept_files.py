"""All that a table keeps beside its journal, as steps that change it, and what is read of it afterwards.

Each step leads from one whole state to the next. Wherever the power fails, or the disk, each part has to be as
it was before the step or as it is after it; once a step was told to be done, it lasts.
"""

import errno
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import TRIAL
from firmware.storage.backups.packing import backup, write_backup
from firmware.storage.backups.parts import JOURNAL, LOCK, BackupError
from firmware.storage.backups.placing import finish_restore
from firmware.storage.backups.unpacking import stage, verify_backup
from firmware.storage.chosen import HostChoice, effective_settings, keep
from firmware.storage.configuration import TableSettings
from firmware.storage.errors import JournalError
from firmware.storage.eyes_settings import load_calibration
from firmware.storage.found_table import Layout, keep_table, load_layout
from firmware.storage.journal import open_journal
from firmware.storage.second_copy.jobs import copy_to_table_folder
from firmware.storage.second_copy.mirror import versions_in
from firmware.storage.second_copy.nightly import nightly_copies
from firmware.storage.second_copy.sticks import CopySettings
from referee.record import record_lines
from tests.firmware.board.senses.matches import bidden
from tests.firmware.storage.backups.tables import MADE, TABLE, kept_content, places_in, table_in
from tests.firmware.storage.faulty_files import Files, Remains, Struck, Told, tidy
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from vision.teaching.taught_decks import DECK, TaughtDeck, load_deck, save_deck
from webui.access.evening import Device, Evening, SeatedMatch, join_seat, leave_seat
from webui.access.links import draw_token
from webui.access.links_file import LinksFile, read_links

Parts = Mapping[str, object]
"""What is read of a folder, by its parts; each part is whole by itself."""


class Keeping(Struct, frozen=True):
    """Something that is kept: how it begins, the steps, and how it is read."""

    begin: Callable[[Path], None]
    steps: tuple[Callable[[Path], None], ...]
    read: Callable[[Path], Parts]


def nothing(_folder: Path) -> None:
    """Begin with an empty folder."""


# what the host chose


def _choose(language: str, volume: int) -> Callable[[Path], None]:
    return lambda folder: keep(HostChoice(language, sound={"volume": volume}), folder / "state")


def _read_chosen(folder: Path) -> Parts:
    """Read what holds; a choice that isn't proven must be on trial."""
    state = folder / "state"
    is_on_trial = (state / TRIAL).exists() or not (state / "chosen.json").exists()
    now = effective_settings(TableSettings(), state)
    return {"settings": now.settings, "told": now.told, "trial": is_on_trial}


# a taught deck


def _picture(shade: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.full((88, 63, 3), shade, np.uint8)


def _teach(shade: int, *faces: str) -> Callable[[Path], None]:
    pictures = {face: (_picture(shade), _picture(shade + 1)) for face in faces}
    counts = dict.fromkeys(faces, shade)
    return lambda folder: save_deck(
        TaughtDeck("mine", (63.0, 88.0), counts, pictures), folder / "decks" / "mine"
    )


def _read_taught(folder: Path) -> Parts:
    home = folder / "decks" / "mine"
    if not (home / DECK).exists():
        return {}
    deck = load_deck(home)
    pictures = {face: tuple(int(each[0, 0, 0]) for each in some) for face, some in deck.faces.items()}
    return {**pictures, **{f"{face} counts": many for face, many in deck.counts.items()}}


# the table, the links, the evidence


def _find_table(first: int) -> Callable[[Path], None]:
    return lambda folder: keep_table(folder / "table.json", TABLE, Layout(first=first), None)


def _table(folder: Path) -> Parts:
    file = folder / "table.json"
    return {"table": load_calibration(file), "layout": load_layout(file)}


def _state(folder: Path) -> None:
    (folder / "state").mkdir()


def _draw_links(folder: Path) -> None:
    LinksFile(folder / "state" / "links.json").renew(lambda evening: _joined(evening, 0))


def _hand_over(folder: Path) -> None:
    LinksFile(folder / "state" / "links.json").renew(lambda evening: _joined(leave_seat(evening, 1, "BBBB"), 1))


def _joined(evening: Evening, seat: int) -> Evening:
    """Let one more device in at a seat."""
    there = SeatedMatch("now", ("Ana", "Bo", "Cleo"))
    evening = replace(evening, match=there, codes=("AAAA", "BBBB", "CCCC"), ran=0.0)
    return join_seat(evening, seat, Device(draw_token()), "DDDD")


def _links(folder: Path) -> Parts:
    """Read the file: with new links every time no phone could stay in."""
    file = folder / "state" / "links.json"
    return {"links": read_links(file) if file.exists() else None}


READING = Reading(())


def _keep_evidence(moment: int) -> Callable[[Path], None]:
    jpeg = bytes([moment]) * 5000
    return lambda folder: [keep_evidence(folder / "evidence", jpeg, Sidecar("1", moment, READING))].clear()


def _evidence(folder: Path) -> Parts:
    files = sorted((folder / "evidence").glob("[!.]*"))
    assert all(file.with_suffix(".jpg") in files for file in files)
    return {file.name: file.read_bytes() for file in files}


# a backup, made and put in place


def _two_tables(folder: Path) -> None:
    new = table_in(folder / "brought", "Ana")
    (folder / "b.zip").write_bytes(b"".join(backup(new, MADE)))
    shutil.rmtree(folder / "brought")
    table_in(folder / "here", "Zoë", bidden(7))


def _stage(folder: Path) -> None:
    stage(folder / "b.zip", places_in(folder / "here"))


def _put_in_place(folder: Path) -> None:
    finish_restore(places_in(folder / "here"))


def _restore_table(folder: Path) -> Parts:
    """Start the table, as it does after a power cut; all of it is one part."""
    here = places_in(folder / "here")
    finish_restore(here)
    assert not (here.state / "restoring").exists()
    mine = {name: content for name, content in kept_content(here).items() if "before-" not in name}
    return {"table": mine}


def _back_up(folder: Path) -> None:
    write_backup(folder / "b.zip", backup(places_in(folder / "here"), MADE))


def _restore_elsewhere(folder: Path) -> Parts:
    """Put the backup in place somewhere else."""
    there = places_in(folder / "there")
    stage(folder / "b.zip", there)
    finish_restore(there)
    return {"table": kept_content(there)}


# a second copy on a stick


def _plug_in(folder: Path) -> None:
    here = places_in(folder / "here")
    with open_journal(here.journal) as opened:
        opened.journal.begin(bidden(7))
    (folder / "stick").mkdir()


def _copy_to_stick(day: int) -> Callable[[Path], None]:
    def copy(folder: Path) -> None:
        here, home = places_in(folder / "here"), folder / "stick" / "mine"
        with open_journal(here.journal) as opened:
            opened.journal.take_in([record_lines(bidden(day, *range(day + 1, day + 3)))])
        keep(HostChoice("en", sound={"volume": day}), here.state)
        copy_to_table_folder(home, CopySettings("mine"), here, f"2026-11-{day:02}T20:15:00+01:00")

    return copy


def _copied(folder: Path) -> Parts:
    """Read the copies: those of earlier days are whole, however many there are."""
    home = folder / "stick" / "mine"
    for copy in nightly_copies(home):
        verify_backup(copy)
    choice = (home / "chosen.json").read_bytes() if (home / "chosen.json").exists() else None
    return {"journal": versions_in(home / JOURNAL), "choice": choice}


KEPT: Mapping[str, Keeping] = {
    "what the host chose": Keeping(
        nothing, (_choose("fr", 3), _choose("en", 5), _choose("fr", 8)), _read_chosen
    ),
    "a taught deck": Keeping(
        nothing, (_teach(10, "Qs"), _teach(20, "Qs", "Kh"), _teach(30, "Kh", "Qs", "2c")), _read_taught
    ),
    "the table that was found": Keeping(nothing, (_find_table(0), _find_table(1), _find_table(2)), _table),
    "the links of the phones": Keeping(_state, (_draw_links, _hand_over, _hand_over), _links),
    "evidence": Keeping(nothing, (_keep_evidence(1), _keep_evidence(2), _keep_evidence(3)), _evidence),
    "a backup put in place": Keeping(_two_tables, (_stage, _put_in_place), _restore_table),
    "a backup that is made": Keeping(_two_tables, (_back_up,), _restore_elsewhere),
    "a second copy": Keeping(_plug_in, (_copy_to_stick(3), _copy_to_stick(4)), _copied),
}


TOLD = [name for name in KEPT if name != "the links of the phones"]
"""What is told when it can't be kept; links hold no phone up, and are written with the next change."""


# what becomes of it


class Played(Struct, frozen=True):
    """Steps that were done while it was written down what happened: the files, and the state after each."""

    files: Files
    states: tuple[Parts, ...]


@contextmanager
def _copy_folder(folder: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=folder.parent) as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(folder, copy)
        yield copy


def state_of(keeping: Keeping, folder: Path) -> Parts:
    """Read what is kept, without changing it."""
    with _copy_folder(folder) as copy:
        return keeping.read(copy)


def perform_steps(keeping: Keeping, folder: Path) -> Played:
    """Do all steps, and write down what happens."""
    folder.mkdir()
    keeping.begin(folder)
    states = [state_of(keeping, folder)]
    files = Files(folder)
    for number, step in enumerate(keeping.steps, 1):
        with files.watch_python():
            step(folder)
        files.tell(number)
        states.append(state_of(keeping, folder))
    return Played(files, tuple(states))


def cut(keeping: Keeping, done: Played, cuts: int, rng: Random, scratch: Path) -> Iterator[str]:
    """Cut the power so many times; give what is wrong with what is left."""
    events, told, happened = done.files.events, 0, 0
    remains = Remains(done.files, rng)
    for at in sorted(rng.choices(range(len(events) + 1), k=cuts)):
        for event in events[happened:at]:
            remains.go_on(event)
            told = event.number if isinstance(event, Told) else told
        happened = at
        left = scratch / "left"
        remains.leave(left)
        fault = wrong(keeping, left, done.states[told : told + 2])
        if fault:
            yield f"after {at} of {len(events)} events, {told} steps told: {fault}"
        tidy(left)


def wrong(keeping: Keeping, left: Path, may: tuple[Parts, ...]) -> str:
    """Tell what is wrong with what is left: each part has to be as one of these states has it."""
    try:
        there = keeping.read(left)
    except Exception as error:  # noqa: BLE001 - whatever it is, it mustn't be
        return f"it can't be read: {type(error).__name__}: {error}"
    names = {name for state in (*may, there) for name in state}
    torn = [name for name in sorted(names) if there.get(name) not in [state.get(name) for state in may]]
    return f"{', '.join(torn)} is neither old nor new" if torn else ""


# a disk that fails


FAILURES = (OSError, BackupError, JournalError)
"""What people are told in one line."""


def drafts(folder: Path) -> list[Path]:
    """List what was only meant to be there for a moment."""
    return [path for path in folder.rglob(".*") if path.name != LOCK]


class Strike(Struct, frozen=True):
    """What became of a failure: at which operation, and what is wrong."""

    first: int
    wrong: tuple[str, ...]


def strike(keeping: Keeping, folder: Path, firsts: Iterable[int]) -> Iterator[Strike]:
    """Let the disk fail at each of these operations, in a folder of its own, until there are none so late."""
    states = perform_steps(keeping, folder / "done").states
    for first in firsts:
        fault = Struck(first, code=(errno.ENOSPC, errno.EIO)[first % 2])
        wrongs = tuple(strike_disk(keeping, folder / str(first), fault, states))
        shutil.rmtree(folder / str(first))
        if not fault.fired:
            return
        yield Strike(first, wrongs)


def strike_disk(keeping: Keeping, folder: Path, fault: Struck, states: tuple[Parts, ...]) -> Iterator[str]:
    """Do all steps while the disk fails once, and each again that failed; give what is wrong."""
    folder.mkdir()
    keeping.begin(folder)
    files = Files(folder, fault)
    for number, step in enumerate(keeping.steps, 1):
        try:
            with files.watch_python():
                step(folder)
        except FAILURES:
            with _copy_folder(folder) as copy:
                fault_left = wrong(keeping, copy, states[number - 1 : number + 1])
            if fault_left:
                yield f"step {number}: {fault_left}"
            step(folder)
        with _copy_folder(folder) as copy:
            fault_left = wrong(keeping, copy, states[number : number + 1])
        if fault_left:
            yield f"step {number}, done again: {fault_left}"
    yield from (f"{draft} is left behind" for draft in drafts(folder))
