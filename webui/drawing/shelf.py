"""The shelf of games that people choose from: each by its look, in a sentence, with a few of its cards."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.telling import Language
from webui.drawing.looks import Look, LookBook, Scene

CARDS = 3
"""Cards of each game that are shown."""


class GameOnShelf(Struct, frozen=True):
    """A game as it is offered."""

    name: str
    title: str
    pitch: str
    least: int
    most: int
    look: Look
    scene: Scene
    wide: Scene
    faces: tuple[str, ...]
    is_chosen: bool


def games_on_shelf(book: LookBook, language: Language, chosen: str) -> tuple[GameOnShelf, ...]:
    """Offer all games; the one that is played stands out."""
    return tuple(_offer(book, game, language, is_chosen=game.name == chosen) for game in GAMES.values())


def _offer(book: LookBook, game: Game, language: Language, *, is_chosen: bool) -> GameOnShelf:
    house, words = game.rules.house(), game.words
    look, seats = book.look(game.name, game.table.deck(house).name), game.rules.seats(house)
    return GameOnShelf(
        name=game.name,
        title=language.gettext(words.title),
        pitch=language.gettext(words.pitch) if words.pitch else "",
        least=seats.start,
        most=seats.stop - 1,
        look=look,
        scene=look.poster_scene(is_small=True),
        wide=look.poster_scene(),
        faces=tuple(poster_faces(look, tuple(game.table.deck(house).counts)))[:CARDS],
        is_chosen=is_chosen,
    )


def poster_faces(look: Look, faces: tuple[str, ...]) -> Iterator[str]:
    """Name the faces that are shown: those of the look first, then any that have a picture."""
    own = (face for face in look.style.poster if face in faces)
    return (face for face in dict.fromkeys((*own, *faces)) if look.card_address(face))
