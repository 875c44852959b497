"""Trials of incomplete decks, with a small one."""

from tests.long.incomplete_decks import Counted, best_of, count, try_without
from tests.vision.sets.drawn_decks import line_drawings


def test_incomplete_deck_is_tried_with_all_its_faces() -> None:
    drawn = line_drawings()
    names = list(drawn.faces)[:3]
    tried = try_without(0, {name: [drawn.face(name)] for name in names}, drawn.size, 0)
    assert {each.face for each in tried.cards if each.is_stranger} == set(sorted(names)[::3])
    assert {each.face for each in tried.cards} == set(names)
    # no card is as exact as its picture
    assert count([tried], 0.0, 1.0) == Counted(0.0, 1.0, 0.0, 0.0, 0.0)
    assert count([tried], 1.5, 1.0).right > 0


def test_limits_name_few_untaught_cards() -> None:
    strict, loose = Counted(1.0, 1.0, 0.8, 0.0, 0.01), Counted(2.0, 1.0, 0.9, 0.0, 0.02)
    assert best_of([strict, loose]) == strict
    # where all of them name too many, those that name fewest
    assert best_of([loose, Counted(3.0, 1.0, 0.95, 0.0, 0.03)]) == loose
