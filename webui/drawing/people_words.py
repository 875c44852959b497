"""What the pages say about people, their devices and the table's screens."""

from collections.abc import Mapping

from referee.announcing import Level
from referee.contract.words import Phrase, phrase

LEVEL_WORDS: Mapping[Level, Phrase] = {
    "off": phrase("nothing"),
    "rulings": phrase("rulings"),
    "play": phrase("play by play"),
}
"""How much the announcer says."""
