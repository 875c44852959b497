"""Where the record is kept, how it is taken, and how it is compared with what is there."""

from pathlib import Path

from tests.record.commands import told_by_commands, told_of_a_journal
from tests.record.evening import GAMES, evening, script

KEPT = Path(__file__).parent / "kept"


def take_record() -> dict[str, str]:
    """Play the evening and type the commands; give all that was seen, by its place in the record."""
    with evening() as table:
        for game in GAMES:
            table.play(game, script(game))
        table.look_round()
        today = told_of_a_journal(table.journal, "commands/today")
    return {**table.seen, **today, **told_by_commands()}


def kept_record() -> dict[str, str]:
    """Read what is kept."""
    files = (path for path in KEPT.rglob("*") if path.is_file())
    return {str(path.relative_to(KEPT)): path.read_text(encoding="utf-8") for path in files}


def keep(record: dict[str, str]) -> list[str]:
    """Write a record in the place of the kept one, and name what is another now."""
    before = kept_record()
    for name in before.keys() - record.keys():
        (KEPT / name).unlink()
    for name, text in record.items():
        (KEPT / name).parent.mkdir(parents=True, exist_ok=True)
        (KEPT / name).write_text(text, encoding="utf-8")
    return sorted(name for name in before.keys() | record.keys() if before.get(name) != record.get(name))
