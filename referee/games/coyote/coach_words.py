"""What is said of decisions at Coyote, once a match is over."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

REMARKS: Mapping[str, Phrase] = {
    "coach-bid": phrase("{seat:player} said {number}: called at once, it would have held with {chance:share}."),
    "coach-approve": phrase(
        "{seat:player} took {number} over: called at once, it would have held with {chance:share}."
    ),
    "coach-call": phrase(
        "{seat:player} called Coyote on {bidder:player}'s {number}: right with {chance:share}."
    ),
    "coach-least": phrase("The least number, {number}, would have held with {chance:share}."),
    "coach-rather-call": phrase(
        "A call of Coyote on {bidder:player}'s {number} would have been right with {chance:share}."
    ),
}
