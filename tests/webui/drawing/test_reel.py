"""The time line of a film: nothing on it is cut off."""

import pytest

from referee.film import film_of
from referee.games.catalogue import GAMES
from tests.webui.matches import play_match
from webui.drawing.reel import EDGE, LEFT, WIDTH, reel_of


@pytest.mark.parametrize("game", GAMES)
def test_all_marks_are_seen_whole(game: str) -> None:
    film = film_of(play_match(GAMES[game]))
    for number in (0, film.last):
        reel = reel_of(film, number)
        for x in (*reel.rulings, *reel.put_right, *reel.turns, reel.head):
            assert LEFT + EDGE <= x <= LEFT + WIDTH - EDGE
