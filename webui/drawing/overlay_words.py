"""What the overlay says by itself."""

from referee.contract.words import phrase


class OverlayTexts:
    """The texts of the overlay; a cry is one word that is read at a glance."""

    the_overlay = phrase("Overlay")
    cry_win = phrase("Won!")
    cry_call = phrase("Challenge!")
    cry_lie = phrase("Caught!")
    cry_truth = phrase("It is true!")
    cry_counter = phrase("Blocked!")
    cry_out = phrase("Out!")
