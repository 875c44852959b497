"""Learn the cards of one picture, like those on a table at rest: name the known ones, ask for the others."""

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.process.learning import (
    Learning,
    ShownCard,
    learn_from_table,
    obey_learning_order,
    read_while_learning,
)
from vision.process.messages import NameCard
from vision.sightings import PROBABLE, Outline
from vision.teaching.draft_deck import LearntCard, Origin, place_of, unnamed


class PictureLesson:
    """A picture, whose cards are learnt like those on a table at rest."""

    def __init__(self, source: str, picture: Picture, before: Learning) -> None:
        self.source, self.picture = source, picture
        # other cards lie on this table
        learning = replace(before, named=(), met=(), shown=())
        seen = read_while_learning(learning, picture, None, (0, 0))
        self.learning, self.known, _news = learn_from_table(learning, picture, seen.cards, None)
        self._asked = frozenset[Outline]()

    def next_question(self) -> ShownCard | None:
        """Return the next card to ask for; cards that resemble no face come first."""
        likely = {each.outline for each in self.known if (each.chance or 0.0) >= PROBABLE}
        open_ = [each for each in self.learning.shown if each.news.outline not in self._asked | likely]
        return min(open_, key=lambda each: bool(each.news.like), default=None)

    def answer(self, card: ShownCard, face: str) -> None:
        """Learn a card's name, also for cards like it; an empty name means nobody knows."""
        self._asked |= {card.news.outline}
        if face:
            order = NameCard(card.news.outline, face, self.source, 0)
            self.learning, self.known, _news = obey_learning_order(
                self.learning, order, self.picture, self.known, None
            )
        else:
            # it is learnt with the name of the same card
            origin = Origin(self.source, place_of(np.array(card.news.outline)))
            draft = unnamed(self.learning.draft, LearntCard(card.cut, origin))
            self.learning = replace(self.learning, draft=draft)
