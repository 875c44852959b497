"""What the live picture says by itself."""

from referee.contract.words import phrase


class LiveTexts:
    """The texts of the live picture, by name; `Texts` has them, too."""

    live_picture = phrase("Live picture")
    live_help = phrase(
        "The open middle as it is now, for all who see the score at once: no faces. It isn't kept, and pages "
        "say that it is on."
    )
    live_told = phrase(
        "The open middle of the table is shown live to whoever may see the score; it isn't kept."
    )
    live_alt = phrase("The open middle of the table now, seen from above")
    live_none = phrase(
        "It stays dark while the table pauses, or isn't found, and where cards may lie hidden: players' places,"
        " and piles."
    )
    live_off = phrase("There is no live picture: the host can switch it on among the settings.")
    live_late = phrase(
        "You see the table late, so you get no live picture: to show it late, all of it would have to be kept."
    )
    live_full = phrase("Too many are watching just now. It is tried again every few seconds.")
    live_in_obs = phrase("For a stream: {address}")
