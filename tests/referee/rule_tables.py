"""Tables of a game's rules with their relation to the printed text: `docs/rules/<game>.md`.

`python -m tests.referee.rule_tables coup` rewrites one from the book. Quotations of the printed text are
entered
by hand and preserved.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.contract import Game, Rule
from referee.games.catalogue import GAMES
from referee.grounds import rules_of
from referee.house_rules import EDITION
from tests.referee.rule_coverage import houses_around

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
STATUS = {"printed": "printed", "left-open": "left open", "otherwise": "printed otherwise"}
HEAD = ("rule", "status", "heading", "words of the text")


def rule_table(game: Game, words: Mapping[str, str], edition: str = "") -> str:
    """Return all rules of a game or edition as a table, with known quotations of the printed text."""
    houses = (house for house in houses_around(game) if getattr(house, EDITION, "") == edition)
    rules = {rule.id: rule for house in houses for rule in rules_of(game, house)}
    every = [rule for chapter in game.book.chapters for rule in chapter.rules]
    held = (rule for rule in every if not edition or rule.id in rules)
    rows = [HEAD, ("---",) * len(HEAD), *(_row(rule, words, edition) for rule in held)]
    box = f" ({game.words.editions[edition]})" if edition else ""
    title = f"# The rules of {game.words.title}{box}, and how each stands to the printed text\n"
    return "\n".join([title, *(f"| {' | '.join(row)} |" for row in rows), ""])


def names_of(game: Game) -> dict[str, str]:
    """Return a game's tables with their editions: one per edition if they differ."""
    return {f"{game.name}-{edition}": edition for edition in game.words.editions} or {game.name: ""}


def _row(rule: Rule, words: Mapping[str, str], edition: str) -> tuple[str, ...]:
    place = rule.heading(edition) or "-"
    return rule.id, STATUS[rule.status(edition)], place, words.get(rule.id, "-")


def words_of(table: str) -> Mapping[str, str]:
    return dict(_quoted(table))


def _quoted(table: str) -> Iterator[tuple[str, str]]:
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(HEAD):
            yield cells[0], cells[-1]


def main(names: list[str]) -> None:
    for game in map(GAMES.__getitem__, names):
        for name, edition in names_of(game).items():
            path = FOLDER / f"{name}.md"
            path.parent.mkdir(exist_ok=True)
            old = path.read_text("utf-8") if path.exists() else ""
            path.write_text(rule_table(game, words_of(old), edition), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
