"""What is said while a deck is taught: tasks, what the camera sees, and how far each face is."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

TEACHING_TASKS: Mapping[str, Phrase] = {
    "bare": phrase("Clear the table, hands too, then confirm."),
    "lay": phrase("Lay {face} on the table: alone and upright."),
    "turn": phrase("Now move {face} and turn it a little."),
    "away": phrase("Take {face} away."),
}
"""What to do next while a deck is taught, by task."""

CARDS_SEEN: Mapping[str, Phrase] = {
    "empty": phrase("I see nothing new."),
    "card": phrase("I see a card."),
    "several": phrase("I see more than one thing. Leave only the card."),
    "unclear": phrase("I see something, but no card edges."),
    "reaching": phrase("Something reaches into the picture. Take hands and arms away."),
    "upright": phrase("It has to be upright the first time. Turn it."),
    "another card": phrase("This doesn't look like {face} did before. Is it the same card? Lay it again."),
}
"""What the camera saw last while a deck is taught."""

SEEN_ADVICE: Mapping[str, Phrase] = {
    "empty": phrase("Does a card lie there already? Take it away, then look again."),
    "unclear": phrase("Move it a little or change the background. If the table is empty, look again."),
}
"""What helps while a card is waited for, by what was seen instead."""

FACE_STATES: Mapping[str, Phrase] = {
    "missing": phrase("not taught"),
    "drafted": phrase("taught just now"),
    "taught": phrase("taught"),
}
"""How far a face has been taught."""
