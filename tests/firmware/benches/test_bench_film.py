"""`coyote bench film`: matches that are long enough, and figures of their films within what is promised."""

from firmware.benches.clips import clip_figures
from firmware.benches.film import figures_of, long_match, overlay_figures
from referee.games.catalogue import GAMES
from vision.process.clip_files import LARGEST
from webui.pages.live_picture import WATCHERS

PAGE, FILE = 200_000, 1_000_000
"""The most bytes of a page and of a file before pictures."""
OVERLAY = 35_000
"""The most bytes of an overlay's first visit."""


def test_a_film_is_measured() -> None:
    figures = figures_of(long_match(GAMES["coyote"], 40, 3))
    assert figures.game == "coyote"
    assert figures.rulings >= 40
    assert 0 < figures.step < figures.page < PAGE
    assert 0 < figures.page_packed < PAGE
    assert 0 < figures.file < FILE
    assert figures.card > 0
    assert min(figures.opened, figures.stepped, figures.file_made, figures.card_made) > 0


def test_clips_are_measured() -> None:
    match = long_match(GAMES["coyote"], 40, 3)
    figures = clip_figures(match)
    assert figures.percent > 0
    assert figures.longest > 0
    assert 100_000 < figures.bytes < LARGEST + 10_000
    assert figures.rulings > 0
    assert figures.match == figures.rulings * figures.bytes
    assert figures.live_percent > 0
    assert figures.live_second > 10_000


def test_an_overlay_is_light_even_with_five_new_cards() -> None:
    figures = overlay_figures(2, 2.0)
    assert 0 < figures.plain < figures.cards < OVERLAY
    assert figures.overlays.count > 0
    assert figures.phones.count > 0
    assert figures.beside.count > 0
    assert 0 < figures.watchers <= WATCHERS
    assert figures.watched > 0
