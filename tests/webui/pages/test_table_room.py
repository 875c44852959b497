"""The drawing of the simulated table: which cards are counted."""

import pytest

from firmware.language.catalogues import language
from referee.moment_view import view_of
from tests.browser.moments import Moment, find_match, has_row, is_revealed
from webui.pages.twin.room import is_counted


@pytest.mark.parametrize(
    ("moment", "is_summed"),
    [
        (Moment("count", "coyote", 5, has_row("counted", 5), "gigamic"), True),
        (Moment("canoe", "ogallala", 4, is_revealed("completed")), False),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_only_cards_that_add_up_are_turned_one_by_one(moment: Moment, *, is_summed: bool) -> None:
    scene = view_of(find_match(moment), language("en"), 0).short.scene
    assert scene is not None
    assert is_counted(scene) == is_summed
