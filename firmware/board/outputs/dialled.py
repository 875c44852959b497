"""The dial's choice: the seat whose lamp blinks, the spoken sentence, four signs for the display.

The signs are short names of sentences; no two look alike.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import takewhile

from firmware.board.outputs.segments import plain_text, strokes, write_signs
from firmware.board_events import DialMoved, Menu, Pick, Step
from referee.cells import with_cell_counted
from referee.contract import Option
from referee.contract.words import wording_of
from referee.match import Match
from referee.sentences import Listener, face_name, labelled_text, option_text, value_text

WIDTH = 4
MIN_WORD = 5  # minimum letters of a meaningful word; shorter ones are "the", "from", "with"
NEGATIONS = frozenset({"don", "not", "ne", "n"})
"""Negations; a single word of a negative sentence would mean the opposite."""
NUMBER = re.compile(r"-?\d{1,3}|\d{4}")
MATCHING_LETTERS = 3
"""Leading letters in which a word of the sentence matches the option's word."""

KeyedSentences = tuple[tuple[str, str], ...]
"""Pairs of a hyphenated key and its sentence."""


@lru_cache(maxsize=16)
def short_names(named: KeyedSentences, taken: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """Return four signs for each key; none look like another's or like those in `taken`."""
    split_names = {key: re.findall(r"[^\W_]+|-", plain_text(sentence)) for key, sentence in named}
    often = Counter(word.casefold() for words in split_names.values() for word in set(words))
    looks, names = {strokes(text) for text in taken}, {}
    for key, words in split_names.items():
        own = [word for word in words if often[word.casefold()] == 1]
        telling = [word for word in words if often[word.casefold()] <= max(1, len(split_names) // 2)]
        fitting = (write_signs(text)[:WIDTH].ljust(WIDTH) for text in _candidates(key, words, own, telling))
        names[key] = next(text for text in fitting if text.strip() and strokes(text) not in looks)
        looks.add(strokes(names[key]))
    return names


def _candidates(key: str, words: list[str], own: list[str], telling: list[str]) -> Iterator[str]:
    """Yield candidates: distinctive words, then the key, then two words; numbered ones at last."""
    parts = [part for part in key.split("-") if part]
    if len(words) == 1:
        yield words[0]
    if not NEGATIONS & {word.casefold() for word in words}:
        starts = {part.casefold()[:MATCHING_LETTERS] for part in parts}
        yield from (
            word
            for word in own
            if word.casefold()[:MATCHING_LETTERS] in starts and len(word) >= MATCHING_LETTERS
        )
        yield from (word for word in own if word[0].isupper() and len(word) >= MATCHING_LETTERS)
        yield from sorted((word for word in own if len(word) >= MIN_WORD), key=len, reverse=True)
    if len(key) >= WIDTH:
        yield "".join(part[:2] for part in parts) if len(parts) > 1 else key
    if len(telling) > 1:
        yield telling[0][:2] + telling[-1][:2]
    yield " ".join(words)
    start = "".join(words) or key
    yield from (start[: WIDTH - len(str(number))] + str(number) for number in range(1, 10**WIDTH))


def common_words(sentences: Iterable[str]) -> str:
    """Return the common start and end of sentences, with an ellipsis for the differing part."""
    split_sentences = [sentence.split(" ") for sentence in dict.fromkeys(sentences)]
    start = _begin_alike(split_sentences)
    end = _begin_alike([words[len(start) :][::-1] for words in split_sentences])[::-1]
    return " ".join([*start, "…", *end] if len(split_sentences) > 1 and (start or end) else split_sentences[0])


def _begin_alike(split_sentences: list[list[str]]) -> list[str]:
    return [
        words[0] for words in takewhile(lambda words: len(set(words)) == 1, zip(*split_sentences, strict=False))
    ]


_PLACE = re.compile(r"\{[^}]*\}")


def dial_signs(match: Match, listener: Listener, dialled: DialMoved) -> str:
    pick = dialled.dial.at
    return "" if pick is None else signs(match, listener, dialled.menu, pick)


def signs(match: Match, listener: Listener, menu: Menu, pick: Pick) -> str:
    """Return the display's text for a choice; it is always the same, except beside cards."""
    faces = _faces(match, listener)
    match pick.step:
        case "number":
            return plain_text(str(pick.value)).rjust(WIDTH)
        case "who":
            return _seat_signs(listener, pick.seat or 0)
        case "card":
            return faces[str(pick.value)]
    option = pick.options[0] if pick.options else None
    if option is None or pick.step == "word":
        taken = faces.values() if any(other.step == "card" for other in menu.picks) else ()
        key = "done" if option is None else option.word
        return _words(listener, frozenset(taken))[key]
    return _aim(listener, faces, pick.step, _counted_options(match, pick)[0])


def _counted_options(match: Match, pick: Pick) -> tuple[Option, ...]:
    if not any(option.cell for option in pick.options):
        return pick.options
    game = match.setup.game
    grids = game.table.grids(game.shown.view(match.state, None))
    return tuple(with_cell_counted(grids, option, pick.seat) for option in pick.options)


def _aim(listener: Listener, faces: Mapping[str, str], step: Step, option: Option) -> str:
    """Return the signs of an option's target; an option without one gets those of its word."""
    if step == "seat" and option.seat is not None:
        return _seat_signs(listener, option.seat)
    if step == "face" and option.face is not None:
        return faces[option.face]
    if step == "cell" and option.cell is not None:
        column, row = option.cell
        return f"{column + 1:2}{row + 1:2}"
    own = f"{option.word}-own"
    return _words(listener)[own if step == "seat" and own in listener.words.options else option.word]


def _seat_signs(listener: Listener, seat: int) -> str:
    """Return the seat's number after the first letter of "Seat" in the table's language: "S  3"."""
    return write_signs(listener.language.gettext("Seat {number}")[:1]) + str(seat + 1).rjust(WIDTH - 1)


def _words(listener: Listener, taken: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """Return the signs of all options of the game, so that each is the same at every moment."""
    gettext = listener.language.gettext
    options = {
        key: _PLACE.sub("", gettext(wording_of(words).told.one))
        for key, words in listener.words.options.items()
    }
    return short_names((*options.items(), ("done", gettext("done"))), taken)


def _faces(match: Match, listener: Listener) -> Mapping[str, str]:
    """Return the signs of all faces of the deck; numeric faces are their number."""
    deck = match.setup.deck
    names = {face: face_name(listener, face) for face in deck.counts}
    plain = {face: plain_text(text) for face, text in names.items()}
    numbers = {face: text.rjust(WIDTH) for face, text in plain.items() if NUMBER.fullmatch(text)}
    others = tuple((face, text) for face, text in names.items() if face not in numbers)
    return {**numbers, **short_names(others, frozenset(numbers.values()))}


def dial_words(match: Match, listener: Listener, dialled: DialMoved) -> Mapping[str, str]:
    return {"shown": dial_signs(match, listener, dialled), "said": dial_sentence(match, listener, dialled)}


def dial_sentence(match: Match, listener: Listener, dialled: DialMoved) -> str:
    """Return the dial's choice as a sentence, with its seat if that was chosen first."""
    dial = dialled.dial
    if dial.at is None:
        return ""
    text = _pick_text(match, listener, dial.at)
    for taken in reversed(dial.path):
        if taken.step == "who" and taken.seat is not None:
            text = labelled_text(listener.language, listener.names[taken.seat], text)
    return text


def _pick_text(match: Match, listener: Listener, pick: Pick) -> str:
    match pick.step:
        case "number":
            return str(pick.value)
        case "who":
            return listener.names[pick.seat or 0]
        case "card":
            return face_name(listener, str(pick.value))
        case "done":
            return value_text(listener, None)
    return common_words([option_text(listener, option) for option in _counted_options(match, pick)])


def pointed_seat(dialled: DialMoved) -> int | None:
    """Return the seat to point out: the target, or else the seat that answers."""
    dial = dialled.dial
    pick = dial.at
    if pick is None:
        return None
    aims = {option.seat for option in pick.options}
    aim = aims.pop() if len(aims) == 1 else None
    if aim is not None:
        return aim
    return next((taken.seat for taken in (pick, *dial.path) if taken.step == "who"), None)
