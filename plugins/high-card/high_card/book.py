"""The rule book in our own words; each ruling names its rule."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The deal": {
            "deal": "Everybody gets five cards. The winner of the last match leads first.",
            "worth/one": "A trick is worth one point.",
            "worth/said": "The leader of a deal says whether its tricks are worth one point or two.",
        },
        "The tricks": {
            "card": "In turn, everybody lays one card.",
            "take": "The highest card takes the trick and leads the next one.",
            "end/short": "Five points win.",
            "end/long": "Ten points win.",
        },
    },
    agreed={
        "doubling": {False: "worth/one", True: "worth/said"},
        "length": {"short": "end/short", "long": "end/long"},
    },
)
BOOK = Book(chapters=CHAPTERS, options={"single": "worth", "double": "worth"})
