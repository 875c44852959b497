"""The cards on a real table: own boxes, the printed deck, or a new box that the table learns."""

from typing import TYPE_CHECKING

from msgspec import Struct

from firmware.language.speaking import Sentence
from firmware.storage.decks import is_french, is_worth_printing
from referee.contract import Game
from referee.contract.words import phrase
from referee.sentences import Language
from webui.views.words import page_text

if TYPE_CHECKING:
    from firmware.services.real_cards import RealCards

PRINTED_DECK = "printed"
"""Form value of the printed deck; an own one has its folder's name, and a new one has none."""


class BoxChoice(Struct, frozen=True):
    """A box of cards that can be chosen."""

    value: str
    title: str
    help: str
    is_chosen: bool


def boxes_for(cards: "RealCards", game: Game, language: Language, seen: str | None) -> list[BoxChoice]:
    """Return the boxes of cards for a game; the one whose cards gave the table is chosen, if they had names."""

    def say(text: str, **values: object) -> str:
        return page_text(language, phrase(text), **values)

    names, counts = decks_of(game), game.table.deck(game.rules.house()).counts
    own = [each for each in cards.own_decks(names) if each.known]
    used = next((each.folder for each in own if each.is_used and each.like == names[0]), "")
    chosen = PRINTED_DECK if cards.is_printed(names[0]) else used
    if seen is not None:
        chosen = seen or PRINTED_DECK
    learnt = say("The table knows these cards.")
    boxes = [
        BoxChoice(each.folder, each.title or say("A box of your own"), learnt, each.folder == chosen)
        for each in own
    ]
    if is_worth_printing(names[0]):
        printed, known = say("The printed deck"), say("From “print deck”: nothing to learn.")
        boxes.append(BoxChoice(PRINTED_DECK, printed, known, chosen == PRINTED_DECK))
    fresh = say("52 playing cards") if is_french(counts) else say("A new box")
    boxes.append(BoxChoice("", fresh, say("The table learns it while you play."), not chosen))
    return boxes


def choose_box(cards: "RealCards", game: Game, chosen: str, language: Language) -> Sentence | None:
    """Use the printed deck, an own one by its folder, or a new one that the table learns."""
    names = decks_of(game)
    if chosen == PRINTED_DECK:
        return cards.use_printed(names)
    own = next((deck for deck in cards.own_decks(names) if deck.folder == chosen), None)
    if own is not None:
        return cards.use_own(own.like, own.folder)
    title = page_text(language, phrase("Our {game}"), game=language.gettext(game.words.title))
    return cards.learn(names, title)


def deck_of(game: Game) -> str:
    """Return the name of a game's usual deck."""
    return game.table.deck(game.rules.house()).name


def decks_of(game: Game) -> tuple[str, ...]:
    """Return the names of the decks of a game's editions, the usual one first."""
    editions = (game.table.deck(house).name for house in game.rules.settings.values())
    return tuple(dict.fromkeys((deck_of(game), *editions)))
