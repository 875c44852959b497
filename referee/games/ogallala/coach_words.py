"""What is said of decisions at Ogallala, once a match is over."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

REMARKS: Mapping[str, Phrase] = {
    "coach-turn": phrase("{seat:player}: as chosen, the turn could bring {gain:signed} points at best."),
    "coach-turn-best": phrase(
        "The best choice would have brought {gain:signed}: {lost} points were given away."
    ),
}
