"""Looks whose scene is a pattern: Coup's lattice, Coup d'État's crowns, Ogallala's river."""

from hardware.decks.art.sheet import SYMBOLS
from hardware.decks.looks.painting import read_look

COUP, COUP_D_ETAT, OGALLALA = (read_look(name, SYMBOLS) for name in ("coup", "coup_d_etat", "ogallala"))
