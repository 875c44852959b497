"""The artwork, defined in art.toml."""

from hardware.decks.art.sheet import own_artwork

ARTWORK = own_artwork(__file__, "#8a2338", "#561322")
