"""What is said of decisions at Coup, once a match is over."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

REMARKS: Mapping[str, Phrase] = {
    "coach-challenge": phrase(
        "{seat:player} challenged {claimant:player}'s {face:face}. By the cards that were known it was true"
        " with {chance:share}; with {honest:share} if one claim in eight is a bluff."
    ),
    "coach-pass": phrase(
        "{seat:player} let {claimant:player}'s {face:face} pass. By the cards that were known it was true with"
        " {chance:share}; with {honest:share} if one claim in eight is a bluff."
    ),
    "coach-played-on": phrase(
        "Played on {deals} times with hidden hands dealt anew, plain bots won {challenge:share} after a"
        " challenge and {passing:share} after a pass, give or take {error:share}; random bots"
        " {random_challenge:share} and {random_passing:share}."
    ),
}
