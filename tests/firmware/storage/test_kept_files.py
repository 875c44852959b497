"""After a power cut, disk fault or kill, stored state is as before or after the step, never half."""

import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from traceback import walk_tb

import pytest

from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.firmware.storage.kept_files import (
    REPORTED,
    STORED,
    Keeping,
    cut_power_often,
    kill,
    perform_steps,
    strike,
)
from tests.firmware.storage.power_cuts import cut_power
from tests.given import present
from tests.tiers import slow, tiered
from vision.files import sync

POWER_CUTS, MAX_STRIKES, STRIDE = tiered(40, 1000), 200, tiered(23, 1)


@pytest.mark.parametrize("name", STORED)
def test_power_cut_leaves_all_or_nothing(tmp_path: Path, name: str) -> None:
    keeping = STORED[name]
    done = perform_steps(keeping, tmp_path / "done")
    assert not list(cut_power_often(keeping, done, POWER_CUTS, Random(name), tmp_path))


@pytest.mark.parametrize("name", REPORTED)
def test_single_disk_fault_leaves_all_or_nothing(tmp_path: Path, name: str) -> None:
    strikes = list(strike(STORED[name], tmp_path, range(1, MAX_STRIKES, STRIDE)))
    assert strikes
    assert [each for each in strikes if each.wrong] == []


@slow("the last moment of a process is each of its operations on files in turn")
def test_kill_leaves_recut_deck_old_or_new(tmp_path: Path) -> None:
    strikes = list(kill(STORED["a deck that is cut again"], tmp_path))
    # folders, pictures, swaps, and clean-up
    assert len(strikes) > 100
    assert [each for each in strikes if each.wrong] == []


def write_in_place(folder: Path, content: bytes) -> None:
    """Write a file in place, without safeguards."""
    (folder / "file").write_bytes(content * 3000)


def rename_before_sync(folder: Path, content: bytes) -> None:
    """Rename a file before it is synced."""
    (folder / "new").write_bytes(content * 3000)
    (folder / "new").replace(folder / "file")
    sync(folder)


@pytest.mark.parametrize("write", [write_in_place, rename_before_sync])
def test_unsafe_writing_is_detected(tmp_path: Path, write: Callable[[Path, bytes], None]) -> None:
    steps = tuple(partial(write, content=content) for content in (b"b", b"c"))
    keeping = Keeping(
        steps, lambda folder: {"file": (folder / "file").read_bytes()}, partial(write_in_place, content=b"a")
    )
    done = perform_steps(keeping, tmp_path / "done")
    faults = list(cut_power_often(keeping, done, 200, Random(1), tmp_path))
    assert any("1 steps told" in fault for fault in faults)
    assert any("2 steps told" in fault for fault in faults)


# the journal


@pytest.mark.parametrize("syncs_fail", [False, True], ids=["syncs work", "syncs fail"])
@pytest.mark.parametrize("killed", [0.0, 0.7], ids=["closed", "killed"])
def test_power_cut_loses_nothing(tmp_path: Path, killed: float, syncs_fail: bool) -> None:
    rng = Random(f"{killed} {syncs_fail}")
    cut_power(tmp_path, tiered(30, 250), rng, killed=killed, syncs_fail=syncs_fail)


@contextmanager
def overwriting_freed_memory() -> Iterator[None]:
    """Make glibc overwrite freed memory at once, as happens sooner or later anyway."""
    libc, perturb = ctypes.CDLL(None), -6  # M_PERTURB of malloc.h
    libc.mallopt(perturb, 0x5A)
    try:
        yield
    finally:
        libc.mallopt(perturb, 0)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="only glibc overwrites what is freed")
def test_faulty_disk_file_has_name_after_connection_closes(tmp_path: Path) -> None:
    """The traceback of a failed test shows such files; Python crashed when they had no copy of their name."""
    # a name long enough for glibc to overwrite it: small blocks aren't overwritten
    disk, path = Disk(f"closing {tmp_path}"), tmp_path / ("x" * 200) / "journal.sqlite3"
    path.parent.mkdir()
    db = disk.connect(path)
    for statement in ("PRAGMA journal_mode = WAL", "CREATE TABLE note (text TEXT)"):
        db.execute(statement)
    disk.fault = Fault(1, kind="write", full=False)
    with (
        pytest.raises(sqlite3.OperationalError, match="the disk is broken") as failed,
        overwriting_freed_memory(),
    ):
        db.close()
    *_calls, (frame, _line) = walk_tb(present(failed.value.__cause__).__traceback__)
    assert f'filename "{path}"' in repr(frame.f_locals["self"])
