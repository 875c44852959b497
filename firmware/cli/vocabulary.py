"""What may be typed for each option: its word, then the player, the card and the cell that it names."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product

from msgspec import Struct

from referee.cells import with_cell_counted
from referee.contract import Ask, Choice, Grid, Option, Show
from referee.contract.cards import Deck
from referee.match import Match, Position
from referee.telling import Listener, tell_face, tell_option, tell_option_word, tell_player


class Typed(Struct, frozen=True):
    """An option that a text can mean: of which ask, and who says it where a name stood before it."""

    ask: Choice
    option: Option
    speaker: int | None = None


class Vocabulary:
    """What can be typed at a moment."""

    def __init__(self, listener: Listener, deck: Deck, grids: tuple[Grid, ...], asks: tuple[Ask, ...]) -> None:
        self.listener, self.deck, self.grids, self.asks = listener, deck, grids, asks
        self.choices = tuple(ask for ask in asks if isinstance(ask, Choice))
        self.has_cards = any(isinstance(ask, Show) for ask in asks)

    @cached_property
    def levels(self) -> tuple["Level", ...]:
        """List what each text means, the strictest reading first."""
        return tuple(
            Level(fold, _index(self, fold, texts))
            for fold, texts in (
                (plain, full_texts),
                (plain, short_texts),
                (bare, full_texts),
                (bare, short_texts),
            )
        )


Meanings = Mapping[str, tuple[tuple[Choice, Option], ...]]


class Level(Struct, frozen=True):
    """A way to read a text: what of it doesn't matter, and what each text then means."""

    fold: "Fold"
    meanings: Meanings


def _index(words: Vocabulary, fold: "Fold", texts: "Texts") -> Meanings:
    found: dict[str, tuple[tuple[Choice, Option], ...]] = {}
    for ask in words.choices:
        for option in ask.options:
            for text in {fold(name) for name in texts(words, ask, option)}:
                found[text] = (*found.get(text, ()), (ask, option))
    return found


def vocabulary_of(listener: Listener, match: Match, position: Position | None = None) -> Vocabulary:
    """Say what can be typed at a moment, or what could at an earlier position."""
    setup, state = match.setup, (position or match.position).state
    asks = match.asks if position is None else position.asks
    has_cells = any(option.cell for ask in asks if isinstance(ask, Choice) for option in ask.options)
    grids = setup.game.table.grids(setup.game.shown.view(state, None)) if has_cells else ()
    return Vocabulary(listener, setup.game.table.deck(setup.house), grids, asks)


# how texts are compared


def plain(text: str) -> str:
    """Leave out what doesn't matter: case and spaces; a comma between numbers is a space, too."""
    text = text.replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    return " ".join(text.replace(",", " ").split()).casefold()


def bare(text: str) -> str:
    """Leave out accents and the marks around words, too."""
    parts = unicodedata.normalize("NFKD", plain(text))
    kept = (sign for sign in parts if not unicodedata.combining(sign))
    return " ".join("".join(" " if sign in MARKS else sign for sign in kept).split())


MARKS = "!.:;'\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}«»()"
"""What stands around words and between them, and says nothing."""

Fold = Callable[[str], str]
Texts = Callable[[Vocabulary, Choice, Option], Iterator[str]]


# the parts of an option


def typed_face(listener: Listener, face: str) -> str:
    """Give what is typed for a card: its name, in small letters."""
    return tell_face(listener, face).casefold()


def face_names(listener: Listener, deck: Deck, face: str) -> tuple[str, ...]:
    """List what may be typed for a card: its name or the first word of it, its face, the deck's own names."""
    others = (alias for alias, meant in deck.aliases.items() if meant == face)
    return tuple(dict.fromkeys((typed_face(listener, face), face, *others, *_first_word(listener, deck, face))))


def _first_word(listener: Listener, deck: Deck, face: str) -> Iterator[str]:
    """Give the first word of a card's name, where it is that of no other card."""
    first = typed_face(listener, face).split()[0]
    named = {typed_face(listener, other) for other in deck.counts if other != face} | {*deck.aliases}
    if first.isalpha() and first not in {name.split()[0] for name in named}:
        yield first


def typed_cell(words: Vocabulary, ask: Choice, option: Option) -> str:
    """Give the column and the row of an option as people count them."""
    cell = with_cell_counted(words.grids, option, _asked_seat(ask)).cell or (0, 0)
    return f"{cell[0] + 1} {cell[1] + 1}"


def _asked_seat(ask: Choice) -> int | None:
    return ask.seats[0] if ask.seats else None


def _parts(words: Vocabulary, ask: Choice, option: Option) -> list[tuple[str, ...]]:
    """List what an option names beside its word, each with all that it may be called."""
    parts: list[tuple[str, ...]] = []
    if option.seat is not None:
        parts.append((tell_player(words.listener, option.seat),))
    if option.face is not None:
        parts.append(face_names(words.listener, words.deck, option.face))
    if option.cell is not None:
        parts.append((typed_cell(words, ask, option),))
    return parts


def full_texts(words: Vocabulary, ask: Choice, option: Option) -> Iterator[str]:
    """List the texts that name an option whole."""
    parts = _parts(words, ask, option)
    for said in product(option_words(words.listener, option.word), *parts):
        yield " ".join(said)


def short_texts(words: Vocabulary, ask: Choice, option: Option) -> Iterator[str]:
    """List the texts that leave something out, and the sentence that tells the option."""
    yield tell_option(words.listener, with_cell_counted(words.grids, option, _asked_seat(ask)))
    parts = [("", *names) for names in _parts(words, ask, option)]
    firsts = option_words(words.listener, option.word)
    is_only_word = len({other.word for other in ask.options}) == 1
    if option.cell is not None or (is_only_word and not words.has_cards):
        firsts = (*firsts, "")
    for said in product(firsts, *parts):
        text = " ".join(filter(None, said))
        if text:
            yield text


def option_words(listener: Listener, word: str) -> tuple[str, ...]:
    """List what may be typed for an option's word; a space does for a hyphen, too."""
    both = (tell_option_word(listener, word), word)
    return tuple(dict.fromkeys((*both, *(each.replace("-", " ") for each in both))))


# finding what was meant


def find_typed(words: Vocabulary, text: str) -> tuple[Typed, ...]:
    """Find the options that a text can mean: one that it names whole, else those that it names in part."""
    for level in words.levels:
        spoken = list(split_speakers(words.listener, text, level.fold))
        # "Bo opens" names an option before it is something that Bo says
        for speakers in (spoken[:1], spoken[1:]):
            found = [
                Typed(*meant, speaker) for speaker, rest in speakers for meant in level.meanings.get(rest, ())
            ]
            if found:
                return resolve(found)
    return ()


def split_speakers(listener: Listener, text: str, fold: Fold) -> Iterator[tuple[int | None, str]]:
    """Take a player's name off the front, in each way that there is; it may be no name, but the text itself."""
    whole = fold(text)
    yield None, whole
    for seat, name in enumerate(listener.names):
        for said in (f"{fold(name)}:", f"{fold(name)} ", f"{fold(name)} :"):
            if said.strip() and whole.startswith(said):
                yield seat, whole[len(said) :].strip()
                break


def resolve(found: Iterable[Typed]) -> tuple[Typed, ...]:
    """Keep each answer once, and one by a player who isn't asked only if there is no other."""
    distinct = tuple(dict.fromkeys(found))
    proper = tuple(
        typed for typed in distinct if not typed.ask.seats or typed.speaker in (None, *typed.ask.seats)
    )
    return proper or distinct[:1]


# what is offered


def offered_text(words: Vocabulary, ask: Choice, option: Option, seat: int | None = None) -> str:
    """Give the shortest plain text that means exactly this option, said by this seat."""
    candidates = list(_candidates(words, ask, option))
    name = "" if seat is None else tell_player(words.listener, seat)
    if name:
        candidates += [f"{name} {text}" for text in candidates] + [f"{name}: {text}" for text in candidates]
    return next((text for text in candidates if _is_exact(words, text, ask, option, seat)), candidates[-1])


def _candidates(words: Vocabulary, ask: Choice, option: Option) -> Iterator[str]:
    """Name the player and the cell; the card where nothing else tells options apart; at last all of it."""
    word = tell_option_word(words.listener, option.word)
    names = [names[0] for names in _parts(words, ask, option)]
    if option.cell is not None and option.face is not None:
        names.pop(0 if option.seat is None else 1)
    yield " ".join((word, *names))
    yield next(full_texts(words, ask, option))
    yield from full_texts(words, ask, option)


def _is_exact(words: Vocabulary, text: str, ask: Choice, option: Option, seat: int | None) -> bool:
    found = find_typed(words, text)
    if len(found) != 1 or (found[0].ask, found[0].option) != (ask, option):
        return False
    return len(ask.seats) < 2 or found[0].speaker == seat


def is_spoken(ask: Choice) -> bool:
    """Tell whether who says it has to be named: several may answer."""
    return len(ask.seats) > 1
