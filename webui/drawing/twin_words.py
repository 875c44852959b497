"""What the page of the simulated table says."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

LAMP_COLOURS: Mapping[str, Phrase] = {
    "dark": phrase("dark"),
    "green": phrase("green"),
    "red": phrase("red"),
    "amber": phrase("amber"),
}
"""What a lamp of the simulated table shows."""

PRESSES: Mapping[str, Phrase] = {
    "short": phrase("Press your button"),
    "long": phrase("Long press"),
    "double": phrase("Double press"),
}
"""Ways to press a button of the simulated table."""

MISCHIEF_TEXTS: Mapping[str, Phrase] = {
    "hand": phrase("A hand stays in the picture"),
    "extra": phrase("There is a card too many"),
    "unplugged": phrase("The camera is unplugged"),
    "frozen": phrase("The camera is frozen"),
    "black": phrase("The camera picture is black"),
    "glare": phrase("A lamp is mirrored on a card"),
    "dirty": phrase("The buttons bounce"),
    "wrong": phrase("There is a wrong card"),
    "piece": phrase("A player has a piece too many"),
    "no piece": phrase("A player has a piece too few"),
}
"""What can go wrong on purpose at the simulated table; what does at real ones each evening comes first."""
