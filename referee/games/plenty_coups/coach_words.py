"""What is said of decisions at Plenty Coups, once a match is over."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

REMARKS: Mapping[str, Phrase] = {
    "coach-turn": phrase("{seat:player}: as chosen, the turn could bring {gain:signed} renown at best."),
    "coach-turn-best": phrase(
        "A turn that begins with “{action:option}”, with cards held for certain, would have brought"
        " {gain:signed}: {lost} given away."
    ),
}
