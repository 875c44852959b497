"""Match files alone: a damaged line damages no other, every loss is reported, foreign lines are never taken."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import open_journal
from tests.firmware.storage import damages
from tests.firmware.storage.damages import DATABASE, LOG, LeftFiles, kept_in, leave_files
from tests.tiers import slow, tiered


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> LeftFiles:
    return leave_files(tmp_path_factory.mktemp("left"), 0, 3, is_killed=False, begun=3)


@slow("a journal that is opened hundreds of times")
@pytest.mark.parametrize("database", ["gone", "headless"])
def test_flipped_bit_in_copy_loses_one_line(database: str, left: LeftFiles, tmp_path: Path) -> None:
    there = {DATABASE: b"" if database == "gone" else damages.blank_match_heads(left)}
    for copy in left.copies:
        content = left.files[copy]
        for at in range(0, len(content), tiered(97, 1)):
            damaged = {**there, copy: damages.flip(content, 8 * at + at % 8)}
            assert damages.count_unreported(left, damaged, tmp_path / "left") == (0, 0), at


@slow("a journal that is opened many times")
@pytest.mark.parametrize("is_killed", [True, False])
def test_reports_lines_cut_off_in_all_files(is_killed: bool, tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 4, is_killed=is_killed, begun=4)
    for damaged in damages.truncate_files(left, tiered(14, 400), Random(5)):
        assert damages.count_unreported(left, damaged, tmp_path / "left") == (0, 0), {
            name: len(each) for name, each in damaged.items()
        }


def test_foreign_log_is_moved_aside(tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 5, is_killed=True, begun=2)
    other = leave_files(tmp_path / "other", 0, 6, is_killed=True, begun=3)
    path = left.lay(tmp_path / "left", {LOG: other.files[LOG]})
    with open_journal(path) as opened:
        assert kept_in(opened) == left.lines
        [told] = [each for each in opened.repairs() if each.key == "log laid aside"]
    assert (Path(str(told.values["aside"])) / LOG).read_bytes() == other.files[LOG]


@pytest.mark.parametrize("seed", range(tiered(4, 12)))
def test_foreign_files_beside_a_flipped_bit_lose_no_line(seed: int, tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 5 + seed, is_killed=seed % 2 == 0, begun=2)
    other = leave_files(tmp_path / "other", 0, 20 + seed, is_killed=False, begun=2)
    files, rng = {name: other.files[name] for name in other.copies}, Random(seed)
    name = LOG if left.files[LOG] else DATABASE
    damaged = {**files, name: damages.flip(left.files[name], rng.randrange(8 * len(left.files[name])))}
    assert damages.count_unreported(left, damaged, tmp_path / "left") == (0, 0)
    path = left.lay(tmp_path / "left", damaged)
    with open_journal(path) as opened:
        assert all(left.lines.get(place) == text for place, text in kept_in(opened).items())
        assert "copy laid aside" in [each.key for each in opened.repairs()]


def test_files_with_unique_lines_are_moved_aside(tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 7, is_killed=False, begun=2)
    other = leave_files(tmp_path / "other", 0, 8, is_killed=False)
    path = left.lay(tmp_path / "left", {name: other.files[name] for name in other.copies})
    with open_journal(path) as opened:
        assert kept_in(opened) == left.lines
        [told] = [each for each in opened.repairs() if each.key == "copy laid aside"]
    # by chance they may have an answer in common
    assert len(other.lines) - 2 <= float(told.values["lines"]) <= len(other.lines)
    for name in other.copies:
        assert (Path(str(told.values["aside"])) / Path(name).name).read_bytes() == other.files[name]
    with open_journal(path) as again:
        assert again.repairs() == ()
