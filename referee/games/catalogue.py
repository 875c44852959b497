"""The games that the referee knows, and every deck of cards. A new game is added here."""

from referee.contract import Game
from referee.contract.cards import Deck
from referee.games.coup import COUP
from referee.games.coup.deck import COUP as COURT
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.deck import PIQUET
from referee.games.coyote import COYOTE
from referee.games.coyote.deck import GIGAMIC, KIDULT, OLIPHANTE
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import OGALLALA as CANOES
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.deck import PLENTY_COUPS as CAMPS

GAMES: dict[str, Game] = {game.name: game for game in (COYOTE, COUP, COUP_D_ETAT, PLENTY_COUPS, OGALLALA)}

DECKS: dict[str, Deck] = {
    deck.name: deck for deck in (KIDULT, GIGAMIC, OLIPHANTE, COURT, PIQUET, CAMPS, CANOES)
}
