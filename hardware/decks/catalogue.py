"""Every deck that can be printed: its faces, how many of each, its back and what comes with it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from hardware.decks.art import coup, coyote, ogallala, piquet, plenty_coups
from hardware.decks.card import HEIGHT, WIDTH
from hardware.decks.drawing import Drawing
from referee.contract.cards import Deck
from referee.games.coup.deck import COUP, SUMMARY
from referee.games.coup_d_etat.deck import PIQUET
from referee.games.coyote.deck import GIGAMIC, KIDULT, OLIPHANTE
from referee.games.ogallala.deck import OGALLALA
from referee.games.plenty_coups.deck import PLENTY_COUPS

Draw = Callable[[str], Drawing]


class LazyFaces(Mapping[str, Drawing]):
    """Pictures by name, drawn when they are asked for and kept."""

    def __init__(self, names: tuple[str, ...], draw: Draw) -> None:
        """Know the names, and how each is drawn."""
        self._names = names
        self._draw = cache(draw)

    def __getitem__(self, name: str) -> Drawing:
        """Draw a face."""
        if name not in self._names:
            raise KeyError(name)
        return self._draw(name)

    def __iter__(self) -> Iterator[str]:
        """Name the faces in the order of the rule book."""
        return iter(self._names)

    def __len__(self) -> int:
        """Count the faces."""
        return len(self._names)


class PrintedDeck(Struct, frozen=True):
    """A deck as it leaves the printer."""

    name: str
    counts: Mapping[str, int]
    faces: Mapping[str, Drawing]
    draw_back: Callable[[], Drawing]
    extras: Mapping[str, int] = {}
    """Cards that belong to no pile, such as summaries; they have the same back."""
    width: float = WIDTH
    height: float = HEIGHT

    @property
    def back(self) -> Drawing:
        """Draw the back."""
        return self.draw_back()


def _printed_deck(
    deck: Deck, draw: Draw, draw_back: Callable[[], Drawing], extras: Mapping[str, int]
) -> PrintedDeck:
    names = (*deck.counts, *extras)
    return PrintedDeck(deck.name, deck.counts, LazyFaces(names, draw), cache(draw_back), extras)


PRINTED: Mapping[str, PrintedDeck] = {
    printed.name: printed
    for printed in (
        _printed_deck(KIDULT, coyote.face, coyote.reverse, {}),
        _printed_deck(GIGAMIC, coyote.face, coyote.reverse, {}),
        _printed_deck(OLIPHANTE, coyote.face, coyote.reverse, {}),
        _printed_deck(COUP, coup.face, coup.reverse, {SUMMARY: 6}),
        _printed_deck(PIQUET, piquet.face, piquet.reverse, {}),
        _printed_deck(PLENTY_COUPS, plenty_coups.face, plenty_coups.reverse, {}),
        _printed_deck(OGALLALA, ogallala.face, ogallala.reverse, {}),
    )
}
