"""Which cards people should look at first, and how a deck was cut out: lines as hands draw them."""

from collections.abc import Mapping

import numpy as np
import pytest
from msgspec.structs import replace

from vision.teaching.kept_cuts import Corners, KeptCut, as_corners
from vision.teaching.odd_cuts import Why, odd_cuts, sum_up

SIZE = (470, 600)
STRAIGHT = np.array([(0.17, 0.13), (0.83, 0.13), (0.83, 0.87), (0.17, 0.87)])


def line(seed: int, off: object = 0.0) -> Corners:
    """Draw a line by hand, a little askew, and moved as told."""
    return as_corners(STRAIGHT + np.random.default_rng(seed).normal(0, 0.004, (4, 2)) + np.asarray(off))


def deck(**odd: KeptCut) -> Mapping[str, KeptCut]:
    usual = {
        f"{n}": KeptCut(line(n), SIZE, "ground", 0.08, light=30 + n, steps=(150, 140 - n, 150, 160))
        for n in range(12)
    }
    return {**usual, **odd}


SMALLER = 0.12 * (0.5 - STRAIGHT)
CASES: Mapping[Why, KeptCut] = {
    "no edge": KeptCut(line(50), SIZE, light=30, is_sure=False),
    "other ground": KeptCut(line(51, SMALLER), SIZE, light=220),
    "other shape": KeptCut(line(52, [(0.12, 0), (-0.12, 0), (-0.12, 0), (0.12, 0)]), SIZE, light=30),
    "askew": KeptCut(line(53, [(0, 0), (0, 0), (-0.4, 0), (0, 0)]), SIZE, light=30),
    "side without edge": KeptCut(line(55), SIZE, light=30, steps=(150, 140, 12, 2)),
    "picture ends": KeptCut(line(54, (0.17, 0)), SIZE, light=30),
}


@pytest.mark.parametrize("why", CASES)
def test_unusual_outline_is_a_reason_to_check(why: Why) -> None:
    assert odd_cuts(deck(one=CASES[why])) == {"one": why}


def test_oddest_cuts_come_first() -> None:
    assert odd_cuts(deck()) == {}
    found = odd_cuts(deck(light=replace(CASES["no edge"]), far=CASES["other ground"]))
    assert list(found) == ["far", "light"]
    assert odd_cuts({}) == {}


def test_edge_on_three_sides_is_enough_if_shape_is_usual() -> None:
    cut = replace(CASES["side without edge"], steps=(150, 2, 150, 150))
    assert odd_cuts(deck(one=cut)) == {}
    narrower = replace(cut, corners=line(55, [(0, 0), (-0.06, 0), (-0.06, 0), (0, 0)]))
    assert odd_cuts(deck(one=narrower)) == {"one": "side without edge"}
    assert odd_cuts(deck(one=replace(narrower, steps=(150, 140, 150, 150)))) == {}


def test_faint_edges_are_edges_however_clear_the_others_are() -> None:
    assert odd_cuts(deck(one=replace(CASES["side without edge"], steps=(20, 140, 20, 150)))) == {}


def test_tight_scans_are_not_odd() -> None:
    whole = KeptCut(((0, 0), (1, 0), (1, 1), (0, 1)), (315, 440), "nothing")
    assert odd_cuts({f"{n}": whole for n in range(9)}) == {}
    assert odd_cuts({"one": CASES["other shape"], "two": whole}) == {}


def test_summary_describes_most_cards() -> None:
    told = sum_up([*deck(one=CASES["no edge"]).values()], 1, 63.0)
    assert (told.count, told.odd, told.kind, told.ground, told.millimetres) == (13, 1, "ground", "dark", 5)
    pale = [replace(cut, kind="table", light=200) for cut in deck().values()]
    assert (sum_up(pale, 0, 63.0).kind, sum_up(pale, 0, 63.0).ground) == ("table", "light")
    assert sum_up([], 0, 63.0).kind == "nothing"
