"""All printable decks: faces, counts, backs and extras."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from hardware.decks.art.plain import plain_artwork
from hardware.decks.artwork import Artwork, Draw
from hardware.decks.card import HEIGHT, WIDTH
from hardware.decks.drawing import Drawing
from referee.contract import Deck, Game


class LazyFaces(Mapping[str, Drawing]):
    """Faces by name, drawn on first use and cached."""

    def __init__(self, names: tuple[str, ...], draw: Draw) -> None:
        self._names = names
        self._draw = cache(draw)

    def __getitem__(self, name: str) -> Drawing:
        if name not in self._names:
            raise KeyError(name)
        return self._draw(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class PrintedDeck(Struct, frozen=True):
    """A deck to print."""

    name: str
    counts: Mapping[str, int]
    faces: Mapping[str, Drawing]
    draw_back: Callable[[], Drawing]
    extras: Mapping[str, int] = {}
    """Cards outside the pile, such as summaries; they have the same back."""
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def back(self) -> Drawing:
        return self.draw_back()


FindArtwork = Callable[[], Artwork | None]


class PrintedDecks(Mapping[str, PrintedDeck]):
    """The decks of all games by name, loaded and drawn on first use."""

    def __init__(self) -> None:
        self._decks: dict[str, tuple[Game, Deck, FindArtwork | None]] = {}
        self._printed: dict[str, PrintedDeck] = {}

    def add(self, game: Game, find: FindArtwork | None) -> None:
        """Add the decks of a game; without artwork its cards are drawn plainly."""
        for house in game.rules.settings.values():
            deck = game.table.deck(house)
            self._decks.setdefault(deck.name, (game, deck, find))

    def __getitem__(self, name: str) -> PrintedDeck:
        if name not in self._printed:
            game, deck, _find = self._decks[name]
            artwork = self._own_artwork(name) or plain_artwork(game, deck)
            self._printed[name] = PrintedDeck(
                deck.name,
                deck.counts,
                LazyFaces((*deck.counts, *artwork.extras), artwork.draw_face),
                cache(artwork.draw_back),
                artwork.extras,
            )
        return self._printed[name]

    def is_plain(self, name: str) -> bool:
        return self._own_artwork(name) is None

    def _own_artwork(self, name: str) -> Artwork | None:
        _game, _deck, find = self._decks[name]
        return None if find is None else find()

    def __iter__(self) -> Iterator[str]:
        return iter(self._decks)

    def __len__(self) -> int:
        return len(self._decks)


PRINTED = PrintedDecks()  # the decks of all installed games
