"""The artwork, defined in art.toml."""

from hardware.decks.art.sheet import own_artwork

ARTWORK = own_artwork(__file__, "#4a2545", "#2b1529")
