"""The contract between the referee, its inputs and the games.

At every moment the referee asks one seat, several seats or the whole table. The asks list the legal moves;
nothing else decides legality. `docs/dev/contract.md` shows five games in terms of these types.
"""

from referee.contract.asks import *
from referee.contract.board import *
from referee.contract.cards import *
from referee.contract.coaching import *
from referee.contract.facts import *
from referee.contract.finish import *
from referee.contract.game import *
from referee.contract.layout import *
from referee.contract.rule_book import *
from referee.contract.verdicts import *
from referee.contract.words import *
