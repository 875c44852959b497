"""A table of all rules of a game, and how each stands to the printed text: `docs/rules/<game>.md`.

`python -m tests.referee.rule_tables coup` writes it anew from the book; the words of the text, by which a
status was judged, are written into it by hand and stay.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.contract import Game, Rule, heading
from referee.games.catalogue import GAMES

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
STATUS = {"printed": "printed", "left-open": "left open", "otherwise": "printed otherwise"}
HEAD = ("rule", "status", "heading", "words of the text")


def rule_table(game: Game, words: Mapping[str, str], edition: str = "") -> str:
    """Write all rules of a game as a table, with the words of the text that are known."""
    rules = (rule for chapter in game.book.chapters for rule in chapter.rules)
    rows = [HEAD, ("---",) * len(HEAD), *(_row(rule, words, edition) for rule in rules)]
    title = f"# The rules of {game.words.title.one}, and how each stands to the printed text\n"
    return "\n".join([title, *(f"| {' | '.join(row)} |" for row in rows), ""])


def _row(rule: Rule, words: Mapping[str, str], edition: str) -> tuple[str, ...]:
    place = heading(rule.place, edition) or heading(rule.otherwise, edition) or "-"
    return rule.id, STATUS[rule.status(edition)], place, words.get(rule.id, "-")


def words_of(table: str) -> Mapping[str, str]:
    """Read from a table the words of the text."""
    return dict(_quoted(table))


def _quoted(table: str) -> Iterator[tuple[str, str]]:
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(HEAD):
            yield cells[0], cells[-1]


def main(names: list[str]) -> None:
    for name in names:
        path = FOLDER / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        old = path.read_text("utf-8") if path.exists() else ""
        path.write_text(rule_table(GAMES[name], words_of(old)), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
