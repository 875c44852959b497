"""Power cuts, disks that are full or broken, kills: what was acknowledged is there, once, and play goes on."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
import pytest

from firmware.storage.errors import JournalError
from firmware.storage.journal import hear, open_journal
from referee.record import read_record, record_lines
from tests.firmware.playing import any_entry, kept_lines
from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.firmware.storage.killing import Figures
from tests.firmware.storage.power_cuts import Player, cut_power, look_after_cuts, noting_rewrites
from tests.tiers import slow, tiered

FAULTS, CUTS = tiered(18, 80), tiered(120, 1000)


# Faults


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_fault_loses_nothing_and_is_told(tmp_path: Path, kind: Literal["write", "sync"], full: bool) -> None:
    told = "journal disk full" if full else "journal disk "
    silent = 0
    for first in range(1, FAULTS + 1):
        player = play_with_fault(tmp_path / str(first), Fault(kind, first, 1 + first % 7 // 3, full))
        first_told = player.troubles[:1]
        assert all(told in trouble for trouble in first_told)
        silent += not first_told
    assert silent < FAULTS / 2


def play_with_fault(folder: Path, fault: Fault) -> Player:
    """Play until the fault has struck and a few answers more; then look at the journal with a sound disk."""
    path = folder / "journal.sqlite3"
    disk = Disk(f"faulty {folder.name}", fault)
    player = Player(path, disk, Random(fault.first))
    player.open()
    while not fault.fired:
        assert len(player.lines) < 5000, "the disk is never asked for it"
        player.give()
        if player.rng.random() < 0.02:
            player.close()
            player.open()
    for _ in range(5):
        player.give()
    player.close()
    disk.unregister()
    with open_journal(path) as opened:
        assert opened.aside is None
    lines = kept_lines(path)
    for (match_id, number), line in player.lines.items():
        assert lines[match_id][number] == line
    assert lines[player.match_id] == record_lines(player.match)
    for match_lines in lines.values():
        assert read_record(match_lines).fault is None
    return player


# Power cuts


@pytest.mark.parametrize("syncs_fail", [False, True], ids=["syncs work", "syncs fail"])
@pytest.mark.parametrize("killed", [0.0, 0.7], ids=["closed", "killed"])
def test_power_cut_loses_nothing(tmp_path: Path, killed: float, syncs_fail: bool) -> None:
    rng = Random(f"{killed} {syncs_fail}")
    cut_power(tmp_path, CUTS // 4, rng, killed=killed, syncs_fail=syncs_fail)


def test_an_answer_that_is_shown_after_a_failed_sync_and_a_kill_lasts(tmp_path: Path) -> None:
    disk = Disk("shown")
    player = Player(tmp_path / "table" / "journal.sqlite3", disk, Random(1), killed=1.0)
    with noting_rewrites(disk):
        player.open()
        number, disk.fault = player.match.number, Fault("sync", 1, 1, full=False)
        with pytest.raises(JournalError):
            hear(player.opened.journal, player.match_id, player.match, any_entry(player.match, player.rng))
        player.close()
        player.open()
    assert player.match.number == number + 1
    disk.unregister()
    for seed in range(20):
        player.rng = Random(seed)
        look_after_cuts(player, 1, tmp_path / "left", len(disk.trail.events))


KILLS = tiered(60, 500)


@slow("real kills of a real table: 60 lives of it")
def test_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    # In a process of its own: a fork of one that runs threads, as a test runner may, is asking for trouble.
    command = [sys.executable, "-m", "tests.long.kill", str(KILLS)]
    root = Path(__file__).parents[3]
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    figures = msgspec.json.decode(run.stdout, type=Figures)
    assert (figures.lost, figures.doubled, figures.wrong_state) == (0, 0, 0)
    assert figures.kills == KILLS
    assert figures.acknowledged > KILLS
