"""The view of a moment for one reader: each player's line."""

from random import Random

from firmware.language.catalogues import language
from hardware.twin.player import play_on
from referee.contract import Board, Game
from referee.match import Match
from referee.moment_view import view_of
from referee.showing import board_of
from tests.given import altered
from tests.referee.tables import after_any, every_game, new_match

ENGLISH = language("en")
SOME = 40  # moments of a match to check


def full_table(game: Game) -> Match:
    rules = next(iter(game.rules.settings))
    return new_match(game, rules, game.rules.seats(game.rules.settings[rules])[-1])


def seats_with_the_turn(match: Match) -> set[int]:
    return {each.seat for each in view_of(match, ENGLISH).players if each.has_turn}


@every_game
def test_only_the_active_player_has_the_turn(game: Game) -> None:
    match, rng, turns = full_table(game), Random(3), set[int]()
    while match.number < SOME and match.asks:
        told, seated = seats_with_the_turn(match), {board_of(match).turn} & {*range(len(match.setup.names))}
        assert told == seated
        turns |= told
        match = after_any(match, rng)
    assert turns


@every_game
def test_nobody_has_the_turn_after_the_end(game: Game) -> None:
    match = full_table(altered(game, board=lambda _view: Board(turn=0)))
    told, at_the_end = seats_with_the_turn(match), seats_with_the_turn(play_on(match, Random(3)))
    assert (told, at_the_end) == ({0}, set())
