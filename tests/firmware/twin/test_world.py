"""The world of the twin: it is dealt anew for each match."""

from pathlib import Path

from firmware.storage.table_zones import seat_zones
from firmware.twin.world import World
from hardware.twin.tabletop import Pose
from referee.contract import PILE, Zone
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
