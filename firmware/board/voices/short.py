"""Short names: four signs for each of several sentences, so that no two look alike on the display."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from firmware.board.voices.segments import plain_text, strokes, write_signs

WIDTH = 4
LONG = 5
"""Letters of a word that says something; shorter ones are "the", "from", "with"."""
DENIES = frozenset({"don", "not", "ne", "n"})
"""Words that deny: one word out of such a sentence would say its contrary."""
ALIKE = 3
"""Letters that a word of a sentence and its option's own word begin with, where they are the same word."""

KeyedSentences = tuple[tuple[str, str], ...]
"""Pairs of a key, in words with hyphens, and the sentence that says it."""


@lru_cache(maxsize=16)
def short_names(named: KeyedSentences, taken: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """Give each key its four signs, none that look like others', or like those that are taken."""
    said = {key: re.findall(r"[^\W_]+|-", plain_text(sentence)) for key, sentence in named}
    often = Counter(word.casefold() for words in said.values() for word in set(words))
    looks, names = {strokes(text) for text in taken}, {}
    for key, words in said.items():
        own = [word for word in words if often[word.casefold()] == 1]
        telling = [word for word in words if often[word.casefold()] <= max(1, len(said) // 2)]
        fitting = (write_signs(text)[:WIDTH].ljust(WIDTH) for text in _candidates(key, words, own, telling))
        names[key] = next(text for text in fitting if text.strip() and strokes(text) not in looks)
        looks.add(strokes(names[key]))
    return names


def _candidates(key: str, words: list[str], own: list[str], telling: list[str]) -> Iterator[str]:
    """Try the word that tells most, then two of them, then the key; at last a number makes the difference."""
    parts = [part for part in key.split("-") if part]
    if len(words) == 1:
        yield words[0]
    if not DENIES & {word.casefold() for word in words}:
        yield from (word for word in own if any(_is_same(word, part) for part in parts))
        yield from (word for word in own if word[0].isupper() and len(word) >= ALIKE)
        yield from sorted((word for word in own if len(word) >= LONG), key=len, reverse=True)
    if len(key) >= WIDTH:
        yield "".join(part[:2] for part in parts) if len(parts) > 1 else key
    if len(telling) > 1:
        yield telling[0][:2] + telling[-1][:2]
    yield " ".join(words)
    start = "".join(words) or key
    yield from (start[: WIDTH - len(str(number))] + str(number) for number in range(1, 10**WIDTH))


def _is_same(word: str, part: str) -> bool:
    return word.casefold()[:ALIKE] == part.casefold()[:ALIKE] and len(word) >= ALIKE


def sign_with_number(sign: str, number: int) -> str:
    """Write a sign with its number: S  3."""
    return write_signs(sign[:1]) + str(number).rjust(WIDTH - 1)


def is_number(text: str) -> bool:
    """Tell whether a text is a number that fits."""
    return re.fullmatch(r"-?\d{1,3}|\d{4}", plain_text(text)) is not None


def number_signs(text: str) -> str:
    """Write a number, set to the right."""
    return plain_text(text).rjust(WIDTH)


def common_words(sentences: Iterable[str]) -> str:
    """Give what sentences have in common, before and after what they differ in."""
    said = [sentence.split(" ") for sentence in dict.fromkeys(sentences)]
    first = said[0]
    if len(said) == 1:
        return " ".join(first)
    start = _count_shared(said)
    end = _count_shared([words[start:][::-1] for words in said])
    if not start and not end:
        return " ".join(first)
    return " ".join([*first[:start], "…", *(first[-end:] if end else ())])


def _count_shared(said: list[list[str]]) -> int:
    count = 0
    for together in zip(*said, strict=False):
        if len(set(together)) > 1:
            break
        count += 1
    return count
