"""Parses typed text into entries of the match."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import TypeVar

from msgspec import Struct

from firmware.cli.output import some_of
from firmware.language.speaking import _
from referee.cells import grid_of, inner_cell, with_cell_counted
from referee.contract import Answer, Ask, Choice, Done, Grid, Number, Option, Show
from referee.contract.cards import Deck, face_named
from referee.match import Correct, Entry, Match, Position, Step, TakeBack, standing_answers
from referee.moment_view import ask_text
from referee.sentences import Listener, face_name, option_text, option_word_text, player_name


class Typed(Struct, frozen=True):
    """A possible meaning of a text: an option of an ask, and the speaker if a name came first."""

    ask: Choice
    option: Option
    speaker: int | None = None


class Vocabulary:
    """Everything that can be typed at a moment."""

    def __init__(self, listener: Listener, deck: Deck, grids: tuple[Grid, ...], asks: tuple[Ask, ...]) -> None:
        self.listener, self.deck, self.grids, self.asks = listener, deck, grids, asks
        self.choices = tuple(ask for ask in asks if isinstance(ask, Choice))
        self.has_cards = any(isinstance(ask, Show) for ask in asks)

    @cached_property
    def levels(self) -> tuple[tuple["Fold", "Meanings"], ...]:
        """Return normalizations and the meanings of each normalized text, strictest first."""
        levels = list[tuple[Fold, Meanings]]()
        every = [(ask, each) for ask in self.choices for each in ask.options]
        for fold, texts in product((plain, bare), (full_texts, short_texts)):
            found: dict[str, tuple[tuple[Choice, Option], ...]] = {}
            for ask, option in every:
                for text in {fold(name) for name in texts(self, ask, option)}:
                    found[text] = (*found.get(text, ()), (ask, option))
            levels.append((fold, found))
        return tuple(levels)


Meanings = Mapping[str, tuple[tuple[Choice, Option], ...]]


def vocabulary_of(listener: Listener, match: Match, position: Position | None = None) -> Vocabulary:
    """Return the vocabulary of a moment, or of an earlier position."""
    setup, state = match.setup, (position or match.position).state
    asks = match.asks if position is None else position.asks
    has_cells = any(option.cell for ask in asks if isinstance(ask, Choice) for option in ask.options)
    grids = setup.game.table.grids(setup.game.shown.view(state, None)) if has_cells else ()
    return Vocabulary(listener, setup.deck, grids, asks)


def plain(text: str) -> str:
    """Normalize case, spaces, and commas between numbers."""
    text = text.replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    return " ".join(text.replace(",", " ").split()).casefold()


def bare(text: str) -> str:
    """Also remove accents and punctuation."""
    parts = unicodedata.normalize("NFKD", plain(text))
    kept = (sign for sign in parts if not unicodedata.combining(sign))
    return " ".join("".join(" " if sign in MARKS else sign for sign in kept).split())


MARKS = "!.:;'\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}«»()"
"""Punctuation without a meaning."""
Fold = Callable[[str], str]
Texts = Callable[[Vocabulary, Choice, Option], Iterator[str]]


# parts of an option


def typed_face(listener: Listener, face: str) -> str:
    return face_name(listener, face).casefold()


def face_names(listener: Listener, deck: Deck, face: str) -> tuple[str, ...]:
    """Return a card's typable names, including the first word of its name if that is unique."""
    others = (alias for alias, meant in deck.aliases.items() if meant == face)
    first = typed_face(listener, face).split()[0]
    named = {typed_face(listener, other) for other in deck.counts if other != face} | {*deck.aliases}
    is_its_own = first.isalpha() and first not in {name.split()[0] for name in named}
    names = (typed_face(listener, face), face, *others, *((first,) if is_its_own else ()))
    return tuple(dict.fromkeys(names))


def typed_cell(words: Vocabulary, ask: Choice, option: Option) -> str:
    """Return an option's column and row, counted from 1."""
    cell = with_cell_counted(words.grids, option, asked_seat(ask)).cell or (0, 0)
    return f"{cell[0] + 1} {cell[1] + 1}"


def asked_seat(ask: Ask) -> int | None:
    return ask.seats[0] if ask.seats else None


def _parts(words: Vocabulary, ask: Choice, option: Option) -> list[tuple[str, ...]]:
    """Return the names of each part of an option besides its word."""
    parts: list[tuple[str, ...]] = []
    if option.seat is not None:
        parts.append((player_name(words.listener, option.seat),))
    if option.face is not None:
        parts.append(face_names(words.listener, words.deck, option.face))
    if option.cell is not None:
        parts.append((typed_cell(words, ask, option),))
    return parts


def full_texts(words: Vocabulary, ask: Choice, option: Option) -> Iterator[str]:
    parts = _parts(words, ask, option)
    for said in product(option_words(words.listener, option.word), *parts):
        yield " ".join(said)


def short_texts(words: Vocabulary, ask: Choice, option: Option) -> Iterator[str]:
    """Yield abbreviated texts, and the option's full sentence."""
    yield option_text(words.listener, with_cell_counted(words.grids, option, asked_seat(ask)))
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
    """Return the typable forms of an option's word; a space may replace a hyphen."""
    both = (option_word_text(listener, word), word)
    return tuple(dict.fromkeys((*both, *(each.replace("-", " ") for each in both))))


def find_typed(words: Vocabulary, text: str) -> tuple[Typed, ...]:
    for fold, meanings in words.levels:
        spoken = list(split_speakers(words.listener, text, fold))
        # "Bo opens" may be an option, which takes precedence over Bo saying "opens"
        for speakers in (spoken[:1], spoken[1:]):
            found = (Typed(*meant, speaker) for speaker, rest in speakers for meant in meanings.get(rest, ()))
            if distinct := tuple(dict.fromkeys(found)):
                # speakers who aren't asked count only if there is no other meaning
                proper = (it for it in distinct if not it.ask.seats or it.speaker in (None, *it.ask.seats))
                return tuple(proper) or distinct[:1]
    return ()


def split_speakers(listener: Listener, text: str, fold: Fold) -> Iterator[tuple[int | None, str]]:
    """Yield the text as a whole, and then without each player's name that it starts with."""
    whole = fold(text)
    yield None, whole
    for seat, name in enumerate(listener.names):
        for said in (f"{fold(name)}:", f"{fold(name)} ", f"{fold(name)} :"):
            if said.strip() and whole.startswith(said):
                yield seat, whole[len(said) :].strip()
                break


# offered texts


def offered_text(words: Vocabulary, ask: Choice, option: Option, seat: int | None = None) -> str:
    """Return the shortest plain text that means exactly this option, if typed for this seat."""
    word = option_word_text(words.listener, option.word)
    names = [each[0] for each in _parts(words, ask, option)]
    if option.cell is not None and option.face is not None:
        # name the card only if nothing else distinguishes the options
        names.pop(0 if option.seat is None else 1)
    candidates = [" ".join((word, *names)), *full_texts(words, ask, option)]
    name = "" if seat is None else player_name(words.listener, seat)
    if name:
        candidates += [f"{name} {text}" for text in candidates] + [f"{name}: {text}" for text in candidates]
    speakers = (seat,) if is_spoken(ask) else (None, *range(len(words.listener.names)))
    exact = [(Typed(ask, option, speaker),) for speaker in speakers]
    return next((text for text in candidates if find_typed(words, text) in exact), candidates[-1])


def is_spoken(ask: Choice | Done) -> bool:
    return len(ask.seats) > 1


TYPED = ("back", "cards", "correct", "help", "log", "quit", "rules", "score", "table", "why", "yes", "no")
OWN: Mapping[str, str] = {word: _(word) for word in TYPED}
COMMANDS: Mapping[str, str] = {bare(said): word for word, own in OWN.items() for said in (word, own)}
"""Commands in the table's language and in English, without accents."""
DONE = {bare(text) for text in ("done", _("done"), _("finished"))}
MAX_DIGITS = 9  # maximum digits of a number
T = TypeVar("T")


class MisreadError(Exception):
    """The typed text can't be understood; the message gives the reason."""


def command_of(text: str) -> str:
    return COMMANDS.get(bare(text), "")


def parse_entry(listener: Listener, match: Match, text: str) -> Entry:
    first, _space, rest = text.partition(" ")
    if command_of(text) == "back":
        last = match.position
        return TakeBack(match.number, last.answer.seat if isinstance(last, Step) else None)
    if command_of(first) == "correct":
        words = rest.split(maxsplit=1)
        steps = {str(step.heard_at): step for step in standing_answers(match)}
        step = steps.get(words[0]) if words else None
        if step is None:
            raise MisreadError(_("Name the answer to correct by its number; log lists them."))
        if len(words) == 1:
            return Correct(match.number, step.heard_at)
        ask = next(ask for ask in step.before.asks if ask.key == step.answer.ask)
        then = vocabulary_of(listener, match, step.before)
        try:
            answer = parse_answer(match.number, Vocabulary(listener, then.deck, then.grids, (ask,)), words[1])
        except MisreadError:
            asked = ask_text(listener, match.setup.game, step.before, step.answer.ask)
            raise MisreadError(
                _("That doesn't answer the question of that time: {ask}").format(ask=asked)
            ) from None
        return Correct(match.number, step.heard_at, answer.value, answer.owners)
    return parse_answer(match.number, vocabulary_of(listener, match), text)


def parse_answer(moment: int, words: Vocabulary, text: str) -> Answer:
    """Parse an answer to any current ask: a number, an option, done, or cards."""
    answer = (
        _parse_number(moment, words, text)
        or _parse_option(moment, words, text)
        or _parse_done(moment, words, text)
        or _parse_cards(moment, words, text, is_known=True)
        or _parse_other_option(moment, words, text)
        or _parse_cards(moment, words, text, is_known=False)
    )
    if answer is None:
        typable = dict.fromkeys(each for ask in words.asks for each in _typable_for(words, ask))
        message = (
            _("Not understood. Type {words}; help shows more.") if typable else _("Not understood: type help.")
        )
        raise MisreadError(message.format(words=", ".join(typable)))
    return answer


def _typable_for(words: Vocabulary, ask: Ask) -> Iterator[str]:
    match ask:
        case Number():
            yield _("a number")
        case Choice():
            yield from (option_word_text(words.listener, option.word) for option in ask.options)
        case Show():
            yield _("cards")
        case Done():
            yield _("finished")


# options


def _parse_option(moment: int, words: Vocabulary, text: str) -> Answer | None:
    found = find_typed(words, text)
    if not found:
        return None
    if len({typed.option for typed in found}) > 1:
        names = [offered_text(words, typed.ask, typed.option, typed.speaker) for typed in found]
        raise MisreadError(_("Which one? {options}").format(options=some_of(names)))
    seats = {seat for typed in found for seat in typed.ask.seats}
    return Answer(moment, found[0].ask.key, found[0].option, _speaker(found[0].speaker, tuple(seats)))


def _speaker(speaker: int | None, seats: tuple[int, ...]) -> int | None:
    """Return the answering seat: the named one, or the only possible one."""
    if speaker is None and len(seats) > 1:
        raise MisreadError(_("Whose answer is this? Put the name first."))
    return seats[0] if speaker is None and seats else speaker


def _parse_other_option(moment: int, words: Vocabulary, text: str) -> Answer | None:
    """Parse an option of the game that isn't offered now, so that the referee gives the reason."""
    for speaker, rest in split_speakers(words.listener, text, bare):
        asks = words.choices or words.asks
        for ask in [ask for ask in asks if speaker is None or speaker in ask.seats][:1] or asks[:1]:
            option = _read_option(words, ask, rest)
            if option is not None:
                return Answer(moment, ask.key, option, _speaker(speaker, ask.seats))
    return None


def _read_option(words: Vocabulary, ask: Ask, text: str) -> Option | None:
    for key in words.listener.words.options:
        for word in map(bare, option_words(words.listener, key)):
            if text == word or text.startswith(f"{word} "):
                option = _read_aim(words, ask, key, text[len(word) :].strip())
                if option is not None:
                    return option
    return None


def _read_aim(words: Vocabulary, ask: Ask, word: str, text: str) -> Option | None:
    """Parse an option's target: a player, a card and a cell, each optional."""
    beside = {option.seat for ask in words.choices for option in ask.options if option.seat is not None}
    seats = beside | set(range(len(words.listener.names)))
    seat, rest = _take_name({bare(player_name(words.listener, seat)): seat for seat in seats}, text)
    face, rest = _take_name(_faces(words, words.deck, bare), rest)
    option = Option(word, seat, face)
    numbers = rest.split()
    if not numbers:
        return option
    grid = grid_of(words.grids, option, asked_seat(ask))
    if len(numbers) != len(("column", "row")) or not all(map(_is_number, numbers)):
        return None
    if grid is None:
        return option
    return Option(word, seat, face, inner_cell(grid, (int(numbers[0]) - 1, int(numbers[1]) - 1)))


def _take_name(names: Mapping[str, T], text: str) -> tuple[T | None, str]:
    """Split off the longest matching name."""
    for name in sorted(names, key=len, reverse=True):
        if name and (text == name or text.startswith(f"{name} ")):
            return names[name], text[len(name) :].strip()
    return None, text


# numbers, done and cards


def _parse_number(moment: int, words: Vocabulary, text: str) -> Answer | None:
    for ask in words.asks:
        for speaker, rest in split_speakers(words.listener, text, plain):
            if isinstance(ask, Number) and _is_number(rest):
                return Answer(moment, ask.key, int(rest), _speaker(speaker, ask.seats))
    return None


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS


def _parse_done(moment: int, words: Vocabulary, text: str) -> Answer | None:
    for ask in words.asks:
        for speaker, rest in split_speakers(words.listener, text, bare):
            if isinstance(ask, Done) and rest in DONE:
                return Answer(moment, ask.key, None, _speaker(speaker, ask.seats))
    return None


def _parse_cards(moment: int, words: Vocabulary, text: str, *, is_known: bool) -> Answer | None:
    """Parse cards with optional owners; unknown ones only if no other meaning fits."""
    for ask in words.asks:
        if isinstance(ask, Show):
            cards = _split_cards(words, ask.deck, text)
            if is_known and not all(card in ask.deck.counts for _owner, card in cards):
                continue
            owners, faces = zip(*cards, strict=True) if cards else ((), ())
            seat, is_said = ask.seats[0] if len(ask.seats) == 1 else None, {*owners} != {None}
            return Answer(moment, ask.key, faces, seat, owners=owners if is_said else ())
    return None


def _split_cards(words: Vocabulary, deck: Deck, text: str) -> list[tuple[int | None, str]]:
    """Split cards, each with its owner if "NAME=" precedes it; names may contain spaces."""
    owners = {f"{plain(name)}=": seat for seat, name in enumerate(words.listener.names)}
    faces = _faces(words, deck, bare) | _faces(words, deck, plain)
    rest, cards = plain(text.replace(" =", "=").replace("= ", "=")), list[tuple[int | None, str]]()
    while rest:
        owner = next((name for name in sorted(owners, key=len, reverse=True) if rest.startswith(name)), "")
        rest = rest.removeprefix(owner).strip()
        face, rest = _take_name(faces, rest)
        if face is None:
            # accents may be omitted
            face, rest = _take_name(faces, bare(rest))
        if face is None:
            unknown, _space, rest = rest.partition(" ")
            face = face_named(deck, unknown)
        cards.append((owners.get(owner), face))
    return cards


def _faces(words: Vocabulary, deck: Deck, fold: Fold) -> dict[str, str]:
    return {fold(name): face for face in deck.counts for name in face_names(words.listener, words.deck, face)}
