"""What is said of decisions at Coup d'État, once a match is over."""

from collections.abc import Mapping

from referee.contract.words import Phrase, phrase

REMARKS: Mapping[str, Phrase] = {
    "coach-card": phrase(
        "{seat:player} laid {card:face}: the trick was theirs with {chance:share}, as none still to come could"
        " beat it; {stake:money} F lay in it."
    ),
    "coach-card-coup": phrase(
        "{seat:player} laid {card:face} in the coup: the trick was theirs with {chance:share}, as none still to"
        " come could beat it; {stake:money} F hung on it."
    ),
    "coach-card-lost": phrase("{seat:player} laid {card:face}: that couldn't win the trick any more."),
    "coach-rather-card": phrase(
        "With {card:face} it would have been {chance:share}, for {stake:money} F: on average {lost:money} F"
        " were given away."
    ),
}
