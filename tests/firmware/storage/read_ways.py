"""Readers of a journal compared with opening it: none may silently return less."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from click.testing import CliRunner

from firmware.cli.replay import save
from firmware.storage.backups.archive import TablePlaces, backup, verify_backup
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from tests.firmware.playing import kept_lines
from tests.firmware.storage.backups.tables import places_in
from tests.firmware.storage.damages import DATABASE, LOG, LeftFiles, flip, kept_in

Lines = dict[int, list[str]]
MADE = "2026-11-26T20:15:00+01:00"


def flips(left: LeftFiles, count: int, rng: Random) -> Iterator[dict[str, bytes]]:
    for _flip in range(count):
        for name in (DATABASE, LOG, rng.choice(left.copies)):
            content = left.files[name]
            if content:
                yield {name: flip(content, rng.randrange(8 * len(content)))}


def incomplete_readers(left: LeftFiles, damaged: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return the names of readers that silently return less than opening for writing."""
    with open_journal(left.lay(folder / "written", damaged)) as opened:
        wanted = kept_in(opened)
    path = left.lay(folder / "read", damaged)
    before = {file: file.read_bytes() for file in path.parent.rglob("*") if file.is_file()}
    ways = {"save": _save, "history": _history, "backup": _backup}
    found = {name: way(path, {match for match, _number in wanted}) for name, way in ways.items()}
    short = [name for name, lines in found.items() if lines is not None and _lacks(lines, wanted)]
    left_there = {file: file.read_bytes() for file in before}
    return short + (["it was written to"] if left_there != before else [])


def _lacks(lines: Lines, wanted: Mapping[tuple[int, int], str]) -> bool:
    texts = {(match, number): text for match, each in lines.items() for number, text in enumerate(each) if text}
    return texts != dict(wanted)


def _save(path: Path, matches: set[int]) -> Lines | None:
    lines = Lines()
    for match in matches:
        result = CliRunner().invoke(save, [str(match), "--journal", str(path)])
        if result.exit_code:
            return None
        lines[match] = result.stdout.splitlines()
    return lines


def _history(path: Path, _matches: set[int]) -> Lines | None:
    history = History(path)
    with suppress(OSError):
        return {entry.number: history.lines(entry.number) for entry in history.all()}
    return None


def _backup(path: Path, _matches: set[int]) -> Lines | None:
    """Make a backup and restore it elsewhere; None if one refuses or reports missing lines."""
    here = TablePlaces(path.parent, path, path.with_name("coyote.toml"))
    with TemporaryDirectory(dir=path.parent.parent) as folder:
        file, there = Path(folder, "b.zip"), places_in(Path(folder))
        try:
            file.write_bytes(b"".join(backup(here, MADE)))
            manifest = verify_backup(file)
            with ZipFile(file) as packed:
                assert packed.testzip() is None
            stage(file, there)
        except (JournalError, BackupError):
            return None
        finish_restore(there)
        return None if manifest.lines < manifest.told else kept_lines(there.journal)
