"""The games at this table and their decks; `firmware/start` finds them and hands them in."""

from referee.contract import Deck, Game

GAMES: dict[str, Game] = {}

DECKS: dict[str, Deck] = {}
"""The decks of all games, by name."""


def add_game(game: Game) -> None:
    """Add a game, with the decks of all its settings."""
    GAMES[game.name] = game
    for house in game.rules.settings.values():
        deck = game.table.deck(house)
        DECKS.setdefault(deck.name, deck)
