"""Ogallala: canoes that grow card by card, carry booty, and attack each other."""

from referee.contract import Game
from referee.ogallala import rules
from referee.ogallala.audit import audited_span
from referee.ogallala.counting import COUNTING
from referee.ogallala.grids import grids
from referee.ogallala.hands import is_fair, moves, sources
from referee.ogallala.house import SETTINGS, House, deck_of, seats_of, with_box
from referee.ogallala.insight import insight
from referee.ogallala.state import State
from referee.ogallala.view import view
from referee.ogallala.words import WORDS

OGALLALA = Game(
    name="ogallala",
    words=WORDS,
    house=House,
    settings=SETTINGS,
    state=State,
    seats=seats_of,
    start=rules.start,
    asks=rules.asks,
    hear=rules.hear,
    standings=rules.standings,
    outcome=rules.outcome,
    view=view,
    insight=insight,
    deck=deck_of,
    moves=moves,
    sources=sources,
    is_fair=is_fair,
    no_way_back=frozenset({"refill"}),
    counting=COUNTING,
    boxed=with_box,
    grids=grids,
    audited=audited_span,
)
