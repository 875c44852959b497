"""What the host's page says about what is kept of people, for how long, and how an evening is forgotten."""

from collections.abc import Mapping

from firmware.parts.privacy import KeptKind
from referee.contract.words import Phrase, phrase

NAMES: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Matches"),
    "pictures": phrase("Camera pictures that rulings rest on"),
    "photographs": phrase("Photographs from phones"),
    "clips": phrase("Clips of rulings"),
    "live": phrase("Live picture"),
    "people": phrase("People of the evening"),
    "decks": phrase("Pictures of taught decks"),
    "aside": phrase("Earlier states of this table"),
    "log": phrase("Log"),
    "sticks": phrase("Second copies"),
    "club": phrase("Club"),
    "webhooks": phrase("Other programs"),
    "broker": phrase("Broker of the house"),
}
"""How each kind is called."""

BOUNDS: Mapping[KeptKind, Phrase] = {
    "matches": phrase("Who played, every answer and ruling, with the time. Kept until you forget them."),
    "pictures": phrase(
        "The table as it lay when it was read, no hand in sight. At most {most} with photographs; the oldest "
        "go first, and sooner when the disk fills."
    ),
    "photographs": phrase(
        "Only the part around the cards, and only if an answer rests on it. Counted with the camera's pictures."
    ),
    "clips": phrase(
        "The ten seconds around a ruling that rests on the camera, of the table's open places alone. At most "
        "{most}; the oldest go first. Switched on under Settings."
    ),
    "live": phrase(
        "The open places of the table as they are now, for whoever may see the score at once. Not kept: where "
        "a stream's picture comes late, a minute of it is held in memory at most. Switched on under Settings."
    ),
    "people": phrase(
        "Names, and by which phones they play: at most {most}. A phone's right ends after 24 hours in which "
        "the table runs; the name stays until you delete it."
    ),
    "decks": phrase("Of the cards alone. Kept until you remove the deck."),
    "aside": phrase(
        "What was here before a backup was put in place or the version changed: the newest few. What is "
        "forgotten leaves them, too."
    ),
    "log": phrase("Presses, notices and faults. At most {most}; the oldest go first."),
    "sticks": phrase("Matches, settings and decks, on places that you chose. Copies of {most} days."),
    "club": phrase("Every answer goes to the club, and a picture with each call for the director. Kept there."),
    "webhooks": phrase("Each moment goes to these addresses as anybody may see it, no hidden card in it."),
    "broker": phrase("Each moment goes there as anybody may see it, no hidden card in it."),
}
"""What each is, and for how long it is kept."""
