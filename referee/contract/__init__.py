"""The contract: what the referee and the world say to each other, and what a game is.

At every moment the referee asks something of one seat, of several, or of the whole table. The asks are the
list of legal moves, and nothing else decides what is legal. `docs/dev/contract.md` shows how five games go
through these shapes.
"""

from referee.contract.asks import *
from referee.contract.board import *
from referee.contract.cards import *
from referee.contract.coaching import *
from referee.contract.facts import *
from referee.contract.game import *
from referee.contract.layout import *
from referee.contract.rule_book import *
from referee.contract.verdicts import *
from referee.contract.words import *
