"""A disk that is full, broken or without power: what was acknowledged is there, once, and play goes on."""

from pathlib import Path
from random import Random
from typing import Literal

import pytest

from firmware.storage.journal import open_journal
from referee.record import read_record, record_lines
from tests.firmware.playing import kept_lines
from tests.firmware.storage.faulty_disk import Disk, Fault
from tests.firmware.storage.power_cuts import Player, cut_power

FAULTS = 80
CUTS = 400


# Faults


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_fault_loses_nothing_and_is_told(
    tmp_path: Path, kind: Literal["write", "sync"], full: bool, part: int
) -> None:
    told = "journal disk full" if full else "journal disk "
    silent = 0
    for first in range(1 + part, FAULTS + 1, 4):
        player = play_with_fault(tmp_path / str(first), Fault(kind, first, 1 + first % 7 // 3, full))
        first_told = player.troubles[:1]
        assert all(told in trouble for trouble in first_told)
        silent += not first_told
    assert silent < FAULTS / 8


def play_with_fault(folder: Path, fault: Fault) -> Player:
    """Play until the fault has struck and a few answers more; then look at the journal with a sound disk."""
    path = folder / "journal.sqlite3"
    disk = Disk(f"faulty {folder.name}", fault)
    player = Player(path, disk, Random(fault.first))
    player.open()
    while not fault.fired:
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
