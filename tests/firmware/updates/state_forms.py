"""A table's state in a first form, and in the next one."""

import sqlite3
from contextlib import closing
from pathlib import Path

OLD = {"links.json": "old", "decks/shop/deck.json": "taught", "journal.sqlite3": "1: Ana, Bo"}


def make_state(state: Path) -> Path:
    """Make a state in the first form; the last answer is only in SQLite's log yet."""
    (state / "decks" / "shop").mkdir(parents=True)
    (state / "evidence").mkdir()
    (state / "evidence" / "1.jpg").write_bytes(b"large")
    for name in ("links.json", "decks/shop/deck.json"):
        (state / name).write_text(OLD[name], encoding="utf-8")
    journal = state / "journal.sqlite3"
    with closing(sqlite3.connect(journal, isolation_level=None)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA user_version = 1")
        made.execute("CREATE TABLE line (text TEXT)")
        made.execute("INSERT INTO line VALUES ('Ana')")
        log = journal.with_name(f"{journal.name}-wal")
        made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        made.execute("INSERT INTO line VALUES ('Bo')")
        kept, logged = journal.read_bytes(), log.read_bytes()
    journal.write_bytes(kept)
    log.write_bytes(logged)
    return state


def migrate(state: Path) -> None:
    """Write it in the next form, as a newer version does, and play on."""
    (state / "links.json").write_text("new", encoding="utf-8")
    with closing(sqlite3.connect(state / "journal.sqlite3", isolation_level=None)) as journal:
        journal.execute("PRAGMA user_version = 2")
        journal.execute("INSERT INTO line VALUES ('Eve')")


def kept_in(folder: Path) -> dict[str, str]:
    """Read what is kept, without changing it."""
    kept = {
        name: (folder / name).read_text(encoding="utf-8")
        for name in ("links.json", "decks/shop/deck.json")
        if (folder / name).exists()
    }
    journal = folder / "journal.sqlite3"
    if journal.exists():
        with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as opened:
            [(form,)] = opened.execute("PRAGMA user_version")
            lines = ", ".join(text for (text,) in opened.execute("SELECT text FROM line"))
        kept[journal.name] = f"{form}: {lines}"
    return kept
