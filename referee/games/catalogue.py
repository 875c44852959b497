"""The games at this table and their decks; `firmware/start` finds them and hands them in."""

import re

from referee.contract import Deck, Game

GAMES: dict[str, Game] = {}

LONGEST = 40
NAME = re.compile(rf"(?=.{{1,{LONGEST}}}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""How a game is called: it stands in addresses, in files, and in what is typed."""

DECKS: dict[str, Deck] = {}


def add_game(game: Game) -> None:
    GAMES[game.name] = game
    for house in game.rules.settings.values():
        deck = game.table.deck(house)
        DECKS.setdefault(deck.name, deck)
