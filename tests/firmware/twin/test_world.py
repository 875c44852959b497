"""The world of the twin: it is dealt anew for each match."""

from pathlib import Path

from firmware.storage.table_zones import seat_zones
from firmware.twin.world import World
from hardware.twin.tabletop import Pose
from referee.contract import PILE, Show, Zone, before_seat
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin


def begun_match(game: str) -> Match:
    """Begin a match in which nothing has happened yet."""
    plays = GAMES[game]
    match = begin(Setup(plays, plays.house(), ("Ana", "Bo", "Chloé"), begun="2026-12-24"))
    assert isinstance(match, Match)
    return match


def test_cards_are_shuffled_for_a_match_that_takes_the_place_of_one_that_never_went_on(tmp_path: Path) -> None:
    coyote, deal = begun_match("coyote"), begun_match("coup-d-etat")
    world = World(coyote, lambda seats: seat_zones(seats, 844.0, 556.0), tmp_path / "camera.bmp")
    try:
        top = world.truth(coyote)[PILE][-1]
        world.place(coyote, 0, (Zone("pile"), 0), Pose(0, 0), None)
        assert top not in world.truth(deal)[PILE]
        assert world.sight(deal, None).lying == ()
        assert world.deck("coyote-kidult") is None
    finally:
        world.close()


def test_a_card_that_stays_before_a_seat_is_not_taken_for_one_that_was_laid_there(tmp_path: Path) -> None:
    match = begun_match("coup")
    world = World(match, lambda seats: seat_zones(seats, 844.0, 556.0), tmp_path / "camera.bmp")
    try:
        one, other = world.truth(match)[Zone("hand", 0)]
        deck = match.setup.game.deck(match.setup.house)
        ask = Show("lose", (0,), 1, before_seat(0), deck, {one: 3, other: 3})
        world.lay_from(match, ask, before_seat(0), [one])
        assert not world.has_laid(ask)
        world.lay_from(match, ask, Zone("hand", 0), [other])
        assert world.has_laid(ask)
    finally:
        world.close()
