"""What the host's page says about what is kept of people, for how long, and how an evening is forgotten."""

from collections.abc import Mapping

from firmware.parts.privacy import KeptKind
from referee.contract.words import Phrase, phrase


class PrivacyTexts:
    """The texts about what is kept, by name; `Texts` has them, too."""

    privacy = phrase("What is kept")
    privacy_why = phrase("of whom, for how long; forget an evening")
    privacy_help = phrase(
        "All of it stays on this computer, unless you have switched on what stands under “Who is told”."
    )
    kept_here = phrase("On this computer")
    who_is_told = phrase("Who is told")
    kept_off = phrase("off")
    kept_on = phrase("on")
    kept_none = phrase("nothing yet")
    kept_since = phrase("since {day}")
    forget_evening = phrase("Forget an evening")
    forget_help = phrase(
        "Its matches go for good, and with them their pictures and photographs, what the log has of that day, "
        "and the names and phones of people who played then only. A match that goes on ends by it."
    )
    forget_cannot = phrase(
        "What was taken along can't be reached from here: films, pictures and files that people have saved, "
        "backups that were downloaded, and the system's own log. A stick forgets when it is plugged in again."
    )
    forget_club = phrase(
        "The club {name} keeps what it was sent. If names are to leave it, delete them first, under "
        "Statistics, while the club can be reached."
    )
    forget_told = phrase("Whoever was told each moment ({places}) may have kept it.")
    forget_unsaved = phrase("Nothing is saved just now, so that nothing can be forgotten for good.")
    forget_unfinished = phrase(
        "An evening isn't forgotten to the last trace: another program read the journal. Start the table again."
    )
    forget_one = phrase("{day}, matches: {count}")
    forget_ask = phrase("It can't be taken back. Nobody sees this evening again.")
    forget_sure = phrase("Yes, forget {day} for good")
    forget_clips = phrase("Forget all clips")
    forget_clips_ask = phrase("Clips of all evenings go for good. It can't be taken back.")
    forget_clips_sure = phrase("Yes, forget all clips for good")
    no_evening = phrase("No evening is kept.")
    no_such_evening = phrase("That evening isn't kept any more.")


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
