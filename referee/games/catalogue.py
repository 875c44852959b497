"""The games at this table, and their decks: the composition finds them, and hands them in at the start."""

from referee.contract import Deck, Game

GAMES: dict[str, Game] = {}

DECKS: dict[str, Deck] = {}
"""Decks as data: the faces of a game's cards and how many of each there are."""


def add_game(game: Game) -> None:
    """Take a game in, with the decks of all its settings."""
    GAMES[game.name] = game
    for house in game.settings.values():
        deck = game.deck(house)
        DECKS.setdefault(deck.name, deck)
