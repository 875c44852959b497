"""Failing starts: counted, reported, and after two in a row made without the suspected files.

These are the rules; `tests/trust/safe_start.py` damages everything, in processes.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import click
import pytest
from msgspec.structs import replace

from firmware.start import safe_start
from firmware.start.safe_start import (
    ANYTHING,
    KEPT_STARTS,
    MOST_TOLD,
    FailurePolicy,
    Proof,
    Start,
    StartCount,
    StartError,
    Suspect,
    forget_failed_starts,
    left_out,
    readmit_camera,
    start_safely,
    unused_sentences,
)
from firmware.state_folder import FORM, LINKS, RESTORING
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import MARK, finish_restore, stage
from firmware.storage.configuration import SettingsError
from firmware.storage.errors import JournalError
from firmware.storage.state_copies import keep_form
from firmware.table.systemd import AGAIN
from tests.firmware.start.safely import contents, lay_backup_ready, table
from tests.firmware.storage.backups.tables import backup_of, kept_content, places_in, table_in
from tests.firmware.storage.faults import run_and_kill
from tests.tiers import tiered
from vision.troubles import Problem

Fails = Callable[[Start], int]


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return places_in(table(tmp_path))


def failing_start(error: BaseException) -> Fails:
    return Mock(side_effect=error)


def fail_twice(here: TablePlaces, error: BaseException) -> Start:
    """Let two starts fail without moving files. Returns how the next start is made."""
    for _start in range(2):
        assert asides(here) == set()
        assert try_start(here, failing_start(error)) == AGAIN
    return start_cleanly(here)


def try_start(here: TablePlaces, run: Fails, *, is_typed: bool = False) -> int:
    return start_safely(here, run, FailurePolicy(here.state.parent / "log" / "coyote.jsonl", lambda: is_typed))


def start_cleanly(here: TablePlaces) -> Start:
    how: list[Start] = []

    def runs(start: Start) -> int:
        how.append(start)
        forget_failed_starts(here.state)
        return 0

    assert try_start(here, runs) == 0
    return Start(how[0].with_defaults, how[0].told)


def asides(here: TablePlaces) -> set[str]:
    return {path.name for path in here.state.glob("set-aside-*/*")}


# counting


def test_after_two_failures_everything_is_set_aside_and_reported(
    here: TablePlaces, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(here.state.parent)
    how = fail_twice(here, RuntimeError("nothing\nforesaw this"))
    assert how.with_defaults
    assert asides(here) == {"chosen.json", "table.json", "table.png", "decks"}
    assert all(any(f"/{name}." in line for line in how.told) for name in asides(here))
    assert unused_sentences(here.configuration, here.state)
    assert before.keys() <= contents(here.state.parent).keys()
    lines = capsys.readouterr().err.splitlines()
    assert lines.count(lines[0]) == 2
    assert "(RuntimeError: nothing foresaw this, in `_execute_mock_call`, line " in lines[0]
    # a successful start in between resets the count, and moves no intact files
    now = contents(here.state)
    for _start in range(2):
        assert start_cleanly(here) == Start()
        assert try_start(here, failing_start(RuntimeError("once"))) == AGAIN
    assert contents(here.state) == now


def test_next_start_reports_what_failed_starts_set_aside(here: TablePlaces) -> None:
    fails = failing_start(JournalError("the disk is full"))

    def fail_with_a_folder() -> None:
        (here.state / LINKS).unlink(missing_ok=True)
        (here.state / LINKS).mkdir()
        try_start(here, fails)

    fail_with_a_folder()
    (here.state / "table.json").write_bytes(b"[[[[")
    try_start(here, fails)
    told = start_cleanly(here).told
    for name in (LINKS, "table.json"):
        assert sum(f"/{name}." in line for line in told) == 1
    assert start_cleanly(here) == Start()
    for _start in range(MOST_TOLD + 1):
        fail_with_a_folder()
    assert len(start_cleanly(here).told) == MOST_TOLD


@pytest.mark.parametrize(
    ("error", "is_typed"),
    [
        (SystemExit(0), False),
        (KeyboardInterrupt(), False),
        (JournalError("the disk is full"), False),
        (click.UsageError("no such game"), True),
    ],
    ids=["an end on request", "Ctrl-C", "the disk", "what was typed"],
)
def test_failure_independent_of_settings_is_not_counted(
    here: TablePlaces, error: BaseException, *, is_typed: bool
) -> None:
    for _start in range(3):
        if isinstance(error, SystemExit | KeyboardInterrupt):
            with pytest.raises(type(error)):
                try_start(here, failing_start(error))
        else:
            assert try_start(here, failing_start(error), is_typed=is_typed) in {1, 2}
    assert KEPT_STARTS.read(here.state).failed == 0
    assert asides(here) == set()


def test_power_cuts_alone_set_nothing_aside(here: TablePlaces) -> None:
    for boot in ("first", "second", "third", "fourth"):
        with ExitStack() as held:
            assert StartCount(here.state, held, boot).blamed is None
    with ExitStack() as held:
        assert StartCount(here.state, held, "fourth").blamed == ANYTHING


def test_running_table_and_interrupted_start_keep_the_count(here: TablePlaces) -> None:
    with ExitStack() as held:
        StartCount(here.state, held, "this")
        for _start in range(3):
            assert try_start(here, failing_start(RuntimeError("another table"))) == 1
        assert KEPT_STARTS.read(here.state).failed == 1
    assert try_start(here, failing_start(RuntimeError("once"))) == AGAIN
    failed = KEPT_STARTS.read(here.state).failed
    assert try_start(here, lambda _how: 0) == 0
    assert KEPT_STARTS.read(here.state).failed == failed


def test_failure_with_defaults_ends_and_writes_nothing_more(here: TablePlaces) -> None:
    fails, file = failing_start(RuntimeError("always")), here.state / safe_start.STARTS
    assert [try_start(here, fails) for _start in range(3)] == [AGAIN, AGAIN, 1]
    before = file.stat().st_mtime_ns
    assert [try_start(here, fails) for _start in range(3)] == [1, 1, 1]
    assert file.stat().st_mtime_ns == before


# suspects


def test_faulty_configuration_is_ignored_until_changed(here: TablePlaces) -> None:
    before = here.configuration.read_bytes()
    assert not fail_twice(here, SettingsError(Problem("a mistake"))).with_defaults
    assert asides(here) == set()
    assert here.configuration.read_bytes() == before
    assert start_cleanly(here) == Start()
    assert unused_sentences(here.configuration, here.state)
    here.configuration.write_bytes(before + b"# better")
    assert not unused_sentences(here.configuration, here.state)


def test_configuration_corrected_after_two_failures_is_used_at_once(here: TablePlaces) -> None:
    for _start in range(2):
        assert try_start(here, failing_start(SettingsError(Problem("a mistake")))) == AGAIN
    here.configuration.write_bytes(here.configuration.read_bytes() + b"# better")
    assert start_cleanly(here) == Start()
    assert not unused_sentences(here.configuration, here.state)
    # it may fail as often as any other
    error = SettingsError(Problem("another mistake"))
    assert [try_start(here, failing_start(error)) for _start in range(2)] == [AGAIN, AGAIN]
    assert not start_cleanly(here).with_defaults


def test_other_configuration_is_not_accused(here: TablePlaces) -> None:
    other = here.configuration.with_name("other.toml")
    other.write_bytes(here.configuration.read_bytes())
    for _start in range(2):
        assert try_start(here, failing_start(SettingsError(Problem("a mistake")))) == AGAIN
    there = replace(here, configuration=other)
    assert not start_cleanly(there).with_defaults
    assert not unused_sentences(other, here.state)
    assert unused_sentences(here.configuration, here.state)


def test_eyes_of_a_failing_camera_are_not_needed_until_they_work(here: TablePlaces) -> None:
    def blind(start: Start) -> int:
        start.blame(Suspect("camera", "usb:0"))
        raise RuntimeError

    for _start in range(2):
        assert try_start(here, blind) == AGAIN
    assert not start_cleanly(here).with_defaults
    assert left_out(here.state) == (Suspect("camera", "usb:0"),)
    readmit_camera(here.state)
    assert left_out(here.state) == ()


def test_state_of_a_newer_version_is_refused_in_one_line(
    here: TablePlaces, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_form(here.state, FORM + 1)
    (here.state / LINKS).write_bytes(b"of a newer version")
    before = contents(here.state)
    run = Mock()
    assert try_start(here, run) == 1
    assert not run.called
    assert capsys.readouterr().err.count("\n") == 1
    assert {**contents(here.state), **before} == contents(here.state)
    assert asides(here) == set()


@pytest.mark.parametrize("steps", tiered((7, 22), tuple(range(1, 30))))
def test_failed_restore_is_undone(tmp_path: Path, steps: int) -> None:
    here, there = table_in(tmp_path / "here", "Ana"), table_in(tmp_path / "there", "Zoe")
    (here.state / "links.json").unlink()
    stage(backup_of(there, tmp_path / "b.zip"), here)
    before = kept_content(here)
    run_and_kill(lambda: finish_restore(here), steps, os.environ)
    if MARK.read(here.state) is None:
        return
    fail_twice(here, StartError("no room", Suspect("backup")))
    assert asides(here) == {RESTORING}
    assert kept_content(here) == before


def test_waiting_backup_is_set_aside_whole_even_with_damaged_mark(here: TablePlaces) -> None:
    folder = lay_backup_ready(here.state.parent)
    files = {path.name for path in (folder / "new").iterdir()}
    fail_twice(here, StartError("no room", Suspect("backup")))
    (aside,) = here.state.glob(f"set-aside-*/{RESTORING}")
    assert {path.name for path in (aside / "new").iterdir()} == files
    shutil.rmtree(aside.parent)
    folder.mkdir()
    (folder / "ready.json").write_bytes(b"\xff")
    start_cleanly(here)
    assert asides(here) == {RESTORING}


# unusable files are set aside at once


def test_folders_for_files_and_files_for_folders(here: TablePlaces) -> None:
    (here.state / "chosen.json").unlink()
    (here.state / "chosen.json").mkdir()
    (here.state / "restoring").write_bytes(b"a file")
    how = start_cleanly(here)
    assert asides(here) == {"chosen.json", "restoring"}
    assert how.told[-1].startswith("To restore a file, stop the table and move the file from ")
    assert not how.with_defaults


@pytest.mark.parametrize(
    ("name", "content"),
    [("table.json", b""), ("table.png", b"{"), ("table.json", b'{"a":' * 100_000)],
    ids=["empty", "no picture", "too deep"],
)
def test_unreadable_file_is_set_aside(here: TablePlaces, name: str, content: bytes) -> None:
    (here.state / name).write_bytes(content)
    assert any(f"{name} can't be read: set aside, as " in line for line in start_cleanly(here).told)
    (aside,) = here.state.glob(f"set-aside-*/{name}")
    assert aside.read_bytes() == content


def test_last_part_confirms_start_once() -> None:
    proven: list[None] = []
    proof = Proof(("eyes", "pages"), lambda: proven.append(None))
    for part, times in (("pages", 0), ("pages", 0), ("eyes", 1), ("pages", 1)):
        proof.note(part)
        assert len(proven) == times
