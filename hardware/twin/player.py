"""A random player that sees only the asks, and gives any legal answer."""

from functools import lru_cache
from random import Random

from referee.contract import Answer, Ask, Choice, Number, Option, Show, Value
from referee.contract.cards import expand_counts
from referee.match import Match, hear

REMEMBERED = 4096  # cached groupings of options; the same asks recur often


class RefusedError(Exception):
    """A game refused an answer that it had offered: a fault in its rules."""


def any_answer(asks: tuple[Ask, ...], moment: int, rng: Random) -> Answer:
    """Answer one of the asks at random; asks are equally likely, and so are words of a choice."""
    ask = asks[int(rng.random() * len(asks))]
    seat = ask.seats[int(rng.random() * len(ask.seats))] if ask.seats else None
    return Answer(moment, ask.key, any_value(ask, rng), seat, "twin")


def any_value(ask: Ask, rng: Random) -> Value:
    match ask:
        case Choice():
            if len(ask.options) == 1:
                return ask.options[0]
            # choose a word first, so that words with many targets aren't favoured
            words = _by_word(ask.options)
            same = words[int(rng.random() * len(words))]
            return same[int(rng.random() * len(same))]
        case Number():
            # mostly near the minimum, as people bid
            number = ask.least + int(12 * rng.random() ** 3)
            while number in ask.barred or number > ask.most:
                number = ask.least + int((ask.most - ask.least + 1) * rng.random())
            return number
        case Show():
            pool, cards = expand_counts(ask.among), list(ask.must)
            for face in cards:
                pool.remove(face)
            while len(cards) < ask.count:
                cards.append(pool.pop(int(rng.random() * len(pool))))
            return tuple(cards)
        case _:
            return None


def play_on(match: Match, rng: Random) -> Match:
    while asks := match.asks:
        after = hear(match, any_answer(asks, match.number, rng))
        if not isinstance(after, Match):
            raise RefusedError(f"{match.setup.game.name} refused a legal answer: {after}")
        match = after
    return match


@lru_cache(REMEMBERED)
def _by_word(options: tuple[Option, ...]) -> tuple[tuple[Option, ...], ...]:
    words: dict[str, list[Option]] = {}
    for option in options:
        words.setdefault(option.word, []).append(option)
    return tuple(map(tuple, words.values()))
