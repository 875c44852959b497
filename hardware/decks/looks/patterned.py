"""Patterned looks: Coup's lattice, Coup d'État's crowns, Ogallala's river, the suits of 52 cards."""

from hardware.decks.art.sheet import SYMBOLS
from hardware.decks.looks.painting import read_look

COUP, COUP_D_ETAT, OGALLALA, FRENCH = (
    read_look(name, SYMBOLS) for name in ("coup", "coup_d_etat", "ogallala", "french")
)
