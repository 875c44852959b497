"""Draw how far stated probabilities hold, from the figures that `tests.long.foreign read` has written.

`python -m tests.long.reliability_diagram PICTURE.svg FIGURES...`; docs/pictures/reliability.svg is drawn so.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.long.foreign import CardFigures
from tests.vision.counting import Reliability, Stated, reliability, reliability_lines

LEFT, WIDE, ROW, TOP = 150, 420, 30, 58
"""Where the bars begin, how long all is, and the rows' height, in pixels."""

FONT = 'font-family="sans-serif" font-size="14"'


def main() -> None:
    asked = argparse.ArgumentParser(description="Draw told against right.")
    asked.add_argument("picture", type=Path)
    asked.add_argument("figures", type=Path, nargs="+")
    told = asked.parse_args()
    cards = [
        msgspec.json.decode(line, type=CardFigures)
        for file in told.figures
        for line in file.read_bytes().splitlines()
    ]
    rows = tuple(
        reliability("all", [Stated(card.chance, card.right) for card in cards if card.chance is not None])
    )
    told.picture.write_text(diagram(rows), encoding="utf-8")
    print("\n".join(reliability_lines(rows)))


def diagram(rows: Sequence[Reliability]) -> str:
    """Draw a bar for each class: how many names were right; a line where they were said to be."""
    high = TOP + ROW * len(rows) + 20
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + 150} {high}" {FONT}>',
            f'<rect width="100%" height="{high}" fill="#fdf8ec"/>',
            '<text x="20" y="28" font-size="17" font-weight="bold">Told against right</text>',
            f'<text x="{LEFT}" y="48" fill="#6b5b45">bar: right; line: what was told</text>',
            *(line for number, row in enumerate(rows) for line in _row(row, TOP + ROW * number)),
            "</svg>\n",
        )
    )


def _row(row: Reliability, y: int) -> Iterator[str]:
    share, stated = row.right / row.names, LEFT + WIDE * row.stated
    yield f'<text x="20" y="{y + 20}">from {row.least:g}</text>'
    yield f'<rect x="{LEFT}" y="{y + 6}" width="{WIDE * share:.1f}" height="18" fill="#3f7f6c"/>'
    yield f'<path d="M{stated:.1f} {y + 2}v26" stroke="#b5322a" stroke-width="3"/>'
    yield f'<text x="{LEFT + WIDE + 10}" y="{y + 20}">{100 * share:.1f} % of {row.names}</text>'


if __name__ == "__main__":
    main()
