"""The games that the referee knows. A new game is added here."""

from referee.contract import Game
from referee.coyote import COYOTE

GAMES: dict[str, Game] = {game.name: game for game in (COYOTE,)}
