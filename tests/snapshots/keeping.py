"""Location, creation and comparison of the snapshots."""

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import click
from click.testing import CliRunner

from firmware.start.commands import coyote
from tests.snapshots.evening import GAMES, evening, script
from tests.snapshots.plain import without_random_parts

REVEAL = ("count", "gigamic", "20", "max-", "15", "10", "6", "-5")
OF_A_JOURNAL = (("record", "list"), ("record", "statistics", "--json"), ("record", "evening", "2026-03-01"))
ALONE = (REVEAL, (*REVEAL, "--json"), ("rules", "coup", "--find", "contessa"), ("count", "gigamic", "no-card"))


def command_output() -> dict[str, str]:
    """Run commands; return their output by snapshot file."""
    told = {f"help/{name.replace(' ', '-')}.txt": _type(*name.split(), "--help") for name in _names(coyote, ())}
    told["help.txt"] = _type("--help")
    told.update((f"commands/{'-'.join(words)}.txt", _type(*words)) for words in ALONE)
    return told


def journal_output(journal: Path, place: str) -> dict[str, str]:
    """Return the output of journal commands: exported matches, replays, and a backup's contents."""
    told: dict[str, str] = {
        f"{place}/{'-'.join(words[1:])}.txt": _type(*words, "--journal", str(journal)) for words in OF_A_JOURNAL
    }
    for line in told[f"{place}/list.txt"].splitlines():
        number = line.strip().partition(" ")[0]
        if number.isdecimal():
            match = journal.with_name(f"match-{number}.jsonl")
            _type("record", "save", number, "-o", str(match), "--journal", str(journal))
            told[f"{place}/match-{number}.jsonl"] = without_random_parts(match.read_text(encoding="utf-8"))
            told[f"{place}/match-{number}-replayed.json"] = _type("record", "replay", "--json", str(match))
    archive = journal.with_name("backup.zip")
    _type("table", "backup", str(archive), "--journal", str(journal))
    with ZipFile(archive) as packed:
        told[f"{place}/backup.txt"] = "".join(f"{name}\n" for name in sorted(packed.namelist()))
    return told


def _type(*words: str) -> str:
    result = CliRunner().invoke(coyote, words, prog_name="coyote", terminal_width=100)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return without_random_parts(f"{result.output}code {result.exit_code}\n")


def _names(group: click.Group, above: tuple[str, ...]) -> Iterator[str]:
    for name in group.list_commands(context := click.Context(group)):
        yield " ".join((*above, name))
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _names(command, (*above, name))


KEPT = Path(__file__).parent / "kept"


def take_snapshots() -> dict[str, str]:
    """Play the evening and run the commands; return all output by snapshot file."""
    with evening() as table:
        for game in GAMES:
            table.play(game, script(game))
        table.look_round()
        today = journal_output(table.journal, "commands/today")
    return {**table.seen, **today, **command_output()}


def stored_snapshots() -> dict[str, str]:
    files = (path for path in KEPT.rglob("*") if path.is_file())
    return {str(path.relative_to(KEPT)): path.read_text(encoding="utf-8") for path in files}


def keep(record: dict[str, str]) -> list[str]:
    """Replace the stored snapshots, and list the changed ones."""
    before = stored_snapshots()
    for name in before.keys() - record.keys():
        (KEPT / name).unlink()
    for name, text in record.items():
        (KEPT / name).parent.mkdir(parents=True, exist_ok=True)
        (KEPT / name).write_text(text, encoding="utf-8")
    return sorted(name for name in before.keys() | record.keys() if before.get(name) != record.get(name))
