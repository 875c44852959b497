"""Whole benchmarks, for a release."""

from pathlib import Path

import pytest

from tests.bench.cameras import accuracy_of
from tests.bench.laid import CAMERA, LAID, do_part, lay_table
from tests.tiers import release
from tests.vision.rendered_tables import heights_to_try
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import SMALL

CARDS = 8
SMALLER = tuple((name, SMALL.share, 2000) for name in ("imx708", "imx708_wide"))


whole_bench = release("a bench measures, and takes long; a commit needs its sums alone")


@whole_bench
@pytest.mark.parametrize(
    ("name", "share", "seed"), [*((name, 1.0, 1000 + 3 * at) for at, name in enumerate(CAMERAS)), *SMALLER]
)
def test_camera_reads_cards_all_over_the_table(name: str, share: float, seed: int) -> None:
    """At the greatest height cards have the fewest pixels, and a short exposure has the most noise."""
    optics = CAMERAS[name] if share == 1.0 else made_smaller(CAMERAS[name], share)
    found = accuracy_of(optics, heights_to_try(optics)[-1], "33 ms", range(seed, seed + 1), CARDS)
    assert (found["not_found"], found["cards"], found["wrong"]) == (0, CARDS, 0)
    # one may be on a printed line or in glare; people are asked to move it
    assert found["right"] >= CARDS - 1


@whole_bench
@pytest.mark.parametrize("cards", LAID)
def test_cards_laid_at_once_are_all_read(tmp_path: Path, cards: int) -> None:
    lay_table(tmp_path, made_smaller(CAMERAS[CAMERA], SMALL.share), cards)
    do_part(str(tmp_path), str(cards))
