"""`coyote bench film`: matches that are long enough, and figures of their films within what is promised."""

from firmware.benches.film import figures_of, long_match
from referee.games.catalogue import GAMES

PAGE, FILE = 200_000, 1_000_000
"""The most bytes of a page and of a file before pictures."""


def test_a_film_is_measured() -> None:
    figures = figures_of(long_match(GAMES["coyote"], 40, 3))
    assert figures.game == "coyote"
    assert figures.rulings >= 40
    assert 0 < figures.step < figures.page < PAGE
    assert 0 < figures.page_packed < PAGE
    assert 0 < figures.file < FILE
    assert figures.card > 0
    assert min(figures.opened, figures.stepped, figures.file_made, figures.card_made) > 0
