"""What each moment of a random match asks, told to everybody and to each seat."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from firmware.language.catalogues import language
from referee.contract import Game, Question, Refusal
from referee.match import Match, Setup, begin
from referee.showing import questions_of
from referee.telling import Listener, tell_question, tell_questions
from tests.referee.tables import after_any

LONG_NAMES = (
    "Anastasianna", "Bartholomeus", "Chrysostomos", "Desiderianus", "Emmanuelanna", "Maximilianus",
    "Gwendolinnen", "Hildegardine", "Isabellanina", "Josephinetta", "Konstantinos", "Leopoldinchi",
)  # fmt: skip
"""Names as long as a question has to bear."""


class AskedSentence(NamedTuple):
    """A question as one reader sees it; everybody reads it where no seat is named."""

    text: str
    question: Question
    reader: int | None
    code: str


def matches_with_long_names(game: Game, rules: str, seats: int, matches: int = 1) -> Iterator[Match]:
    """Play matches at random, and give each moment."""
    for number in range(matches):
        match = begin(Setup(game, game.settings[rules], LONG_NAMES[:seats]))
        assert not isinstance(match, Refusal)
        rng = Random(f"{rules} {seats} {number}")
        while match.outcome is None:
            yield match
            match = after_any(match, rng)


def asked_sentences(match: Match, codes: tuple[str, ...] = ("en", "fr")) -> Iterator[AskedSentence]:
    """Tell all that is asked at a moment to everybody, and to each seat what it is asked itself."""
    questions = questions_of(match)
    for code in codes:
        listener = Listener(match.setup.game.words, match.setup.names, language(code))
        for question, text in zip(questions, tell_questions(listener, questions), strict=True):
            yield AskedSentence(text, question, None, code)
        for question in questions:
            for seat in question.seats:
                yield AskedSentence(tell_question(listener, question, seat), question, seat, code)
