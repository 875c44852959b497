"""Texts of the pages; texts about the game come from the referee."""

from firmware.language.speaking import as_typed
from referee.contract.words import Phrase, phrase
from referee.house_rules import edition_name
from referee.match import Match
from referee.sentences import Language, phrase_text


class Texts:
    """Texts used in several places; all others are written where they are used."""

    cry_win = phrase("Won!")
    seat_gone = phrase("This phone no longer has a seat.")
    twin_not_free = phrase("That seat can't be taken from here. Enter its code under “My seat”.")
    forgotten_player = phrase("Player {number}")
    over = phrase("The match is over.")
    wins = phrase("Won by {names}.")
    no_winner = phrase("There is no winner.")
    busy = phrase("The table is busy. Wait a minute, then try again.")
    too_often = phrase("Too many wrong codes. Wait a while, then try again.")
    wrong_pin = phrase("Wrong PIN.")
    is_open = phrase("unfinished")
    ended_early = phrase("ended early by the host")
    no_such_match = phrase("There is no unfinished match with this number. Check the history.")
    photo_unasked = phrase("This phone isn't asked for cards right now, so the photo wasn't read.")
    file_cut = phrase("The file arrived incomplete. Send it again.")
    backup_checked = phrase("The backup is being restored. An unfinished match in it goes on.")
    cell = phrase("row {row}, column {column}")
    slow_answer = phrase("The table hasn't answered yet. Check whether it counted before you try again.")
    shutting_down = phrase("The table is shutting down. That didn't count.")
    stale_form = phrase("That page was out of date. Here is a fresh one.")
    not_found = phrase("Page not found.")
    not_understood = phrase("The table didn't understand that.")
    no_number = phrase("Type a number, or choose one.")
    no_choice = phrase("Choose something first, then confirm it.")
    too_many_watching = phrase("Too many people are watching already.")


def page_text(language: Language, text: Phrase, **values: object) -> str:
    """Return a page text in a language, with its values filled in; singular or plural by its count."""
    if not values:
        return as_typed(language.gettext(text.one))
    count = values.get(text.by)
    words = language.ngettext(text.one, text.many, count) if isinstance(count, int) else text.one
    return phrase_text(language, words, values)


LAMPS = (
    ("green", phrase("Green, steady: it is your turn.")),
    ("green", phrase("Green, slow: you may react.")),
    ("green", phrase("Green, two short and one long: well done, or you won the trick.")),
    ("amber", phrase("Amber, two short: you called.")),
    ("amber", phrase("Amber, once: your press was received.")),
    ("red", phrase("Red, three long: you lose.")),
    ("red", phrase("Red, flickering: presses don't count right now.")),
    ("red", phrase("Red, an occasional flash: you are out.")),
    ("amber", phrase("Amber at all seats, blinking now and then: the computer is shutting down.")),
    ("", phrase("Dark: it is someone else's turn.")),
)
"""The table's lamps by colour and rhythm; phones draw the slow green as an amber diamond."""


def match_title(match: Match, language: Language) -> str:
    game, house = match.setup.game, match.setup.house
    title, edition = language.gettext(game.words.title), edition_name(game, house)
    return f"{title}, {edition}" if edition else title


def as_headline(sentence: str) -> str:
    """Return the sentence of a problem, which may begin small and end without a full stop, as a headline."""
    return f"{sentence[:1].upper()}{sentence[1:]}{'' if sentence[-1:] in '.!?' else '.'}"
