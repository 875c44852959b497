"""What the lamps at the seats say, in words: the key to them."""

from msgspec import Struct

from referee.contract.words import Phrase, phrase


class LampLine(Struct, frozen=True):
    """A colour, and what it says by its rhythm."""

    colour: str
    text: Phrase


LAMPS = (
    LampLine("green", phrase("Green, steady: it is your turn.")),
    LampLine("green", phrase("Green, slow: you may react.")),
    LampLine("green", phrase("Green, two short and a long: well done, or the trick is yours.")),
    LampLine("amber", phrase("Amber, two short: you called.")),
    LampLine("amber", phrase("Amber, once: your press arrived.")),
    LampLine("red", phrase("Red, three long: you take the loss.")),
    LampLine("red", phrase("Red, flickering: a press means nothing now.")),
    LampLine("red", phrase("Red, a spark now and then: you are out.")),
    LampLine("amber", phrase("Amber at all seats, with a wink now and then: the computer shuts down.")),
    LampLine("", phrase("Dark: others are asked.")),
)
"""The lamps of the table; on a phone, a diamond in amber stands for the slow green."""
