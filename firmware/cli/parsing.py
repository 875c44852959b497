"""The keyboard's sense: what is typed becomes an entry of the match."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from firmware.cli.output import some_of
from firmware.cli.vocabulary import (
    Vocabulary,
    bare,
    face_names,
    find_typed,
    offered_text,
    option_words,
    plain,
    split_speakers,
    vocabulary_of,
)
from firmware.language.speaking import _
from referee.cells import grid_of, inner_cell
from referee.contract import Answer, Ask, Choice, Done, Number, Option, Show
from referee.contract.cards import Deck, face_named
from referee.match import Correct, Entry, Match, Step, TakeBack, standing_answers
from referee.showing import question_at
from referee.telling import Listener, tell_option_word, tell_player, tell_question

OWN: Mapping[str, str] = {
    "back": _("back"),
    "cards": _("cards"),
    "correct": _("correct"),
    "help": _("help"),
    "log": _("log"),
    "quit": _("quit"),
    "rules": _("rules"),
    "score": _("score"),
    "table": _("table"),
    "why": _("why"),
    "yes": _("yes"),
    "no": _("no"),
}
COMMANDS: Mapping[str, str] = {said: word for word, own in OWN.items() for said in (word, own)}
"""Words that mean something else than an answer, in the table's language and in English."""

DONE = {bare(text) for text in ("done", _("done"), _("finished"))}
LONGEST = 9
"""Digits that anybody would type for a number."""

T = TypeVar("T")


class MisreadError(Exception):
    """What was typed can't be understood; the text says why."""


def command_of(text: str) -> str:
    """Name the command that a text is; an empty word if it is none."""
    return COMMANDS.get(text.casefold(), "")


def parse_entry(listener: Listener, match: Match, text: str) -> Entry:
    """Make an entry of what was typed."""
    first, _space, rest = text.partition(" ")
    if command_of(text) == "back":
        last = match.position
        return TakeBack(match.number, last.answer.seat if isinstance(last, Step) else None)
    if command_of(first) == "correct":
        return _parse_correction(listener, match, rest.split(maxsplit=1))
    return parse_answer(match.number, vocabulary_of(listener, match), text)


def _parse_correction(listener: Listener, match: Match, words: Sequence[str]) -> Correct:
    steps = {str(step.heard_at): step for step in standing_answers(match)}
    step = steps.get(words[0]) if words else None
    if step is None:
        raise MisreadError(_("Say which answer to correct by its number; log lists them."))
    if len(words) == 1:
        return Correct(match.number, step.heard_at)
    answer = _parse_other_answer(listener, match, step, words[1])
    return Correct(match.number, step.heard_at, answer.value, answer.owners)


def _parse_other_answer(listener: Listener, match: Match, step: Step, text: str) -> Answer:
    """Read what should have been answered to what was asked then."""
    ask = next(ask for ask in step.before.asks if ask.key == step.answer.ask)
    words = vocabulary_of(listener, match, step.before)
    try:
        return parse_answer(match.number, Vocabulary(listener, words.deck, words.grids, (ask,)), text)
    except MisreadError:
        asked = tell_question(listener, question_at(match, step))
        text = _("That is no answer to what was asked then: {ask}").format(ask=asked)
        raise MisreadError(text) from None


def parse_answer(moment: int, words: Vocabulary, text: str) -> Answer:
    """Find the ask that a text can be an answer to: a number, an option, done, or cards."""
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
        told = _("That isn't understood. Type {words}; help says more.")
        raise MisreadError(told.format(words=", ".join(typable)))
    return answer


def _typable_for(words: Vocabulary, ask: Ask) -> Iterator[str]:
    match ask:
        case Number():
            yield _("a number")
        case Choice():
            yield from (tell_option_word(words.listener, option.word) for option in ask.options)
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
    ask = found[0].ask
    seats = {seat for typed in found for seat in typed.ask.seats}
    seat = _speaker(found[0].speaker, tuple(seats))
    return Answer(moment, ask.key, found[0].option, seat)


def _speaker(speaker: int | None, seats: tuple[int, ...]) -> int | None:
    """Say who answers: the one who is named, or the only one who can."""
    if speaker is None and len(seats) > 1:
        raise MisreadError(_("Who says it? Put the name first."))
    return seats[0] if speaker is None and seats else speaker


def _parse_other_option(moment: int, words: Vocabulary, text: str) -> Answer | None:
    """Read an option that the game has, but doesn't offer now: the referee says why."""
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
    """Read at what an option is aimed: a player, a card and a cell, each where it is there."""
    seats = {bare(tell_player(words.listener, seat)): seat for seat in _all_seats(words)}
    seat, rest = _take_name(seats, text)
    faces = {bare(name): face for face in words.deck.counts for name in _face_names(words, face)}
    face, rest = _take_name(faces, rest)
    option = Option(word, seat, face)
    numbers = rest.split()
    if not numbers:
        return option
    grid = grid_of(words.grids, option, ask.seats[0] if ask.seats else None)
    if len(numbers) != len(("column", "row")) or not all(map(_is_number, numbers)):
        return None
    if grid is None:
        return option
    return Option(word, seat, face, inner_cell(grid, (int(numbers[0]) - 1, int(numbers[1]) - 1)))


def _all_seats(words: Vocabulary) -> set[int]:
    """List the seats of the players, and those that options name beside."""
    named = {option.seat for ask in words.choices for option in ask.options if option.seat is not None}
    return named | set(range(len(words.listener.names)))


def _take_name(names: Mapping[str, T], text: str) -> tuple[T | None, str]:
    """Take a name off the front, the longest that fits."""
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
    return digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST


def _parse_done(moment: int, words: Vocabulary, text: str) -> Answer | None:
    for ask in words.asks:
        for speaker, rest in split_speakers(words.listener, text, bare):
            if isinstance(ask, Done) and rest in DONE:
                return Answer(moment, ask.key, None, _speaker(speaker, ask.seats))
    return None


def _parse_cards(moment: int, words: Vocabulary, text: str, *, is_known: bool) -> Answer | None:
    """Read cards, each with its owner or none; unknown ones only where nothing else can be meant."""
    for ask in words.asks:
        if isinstance(ask, Show):
            cards = _split_cards(words, ask.deck, text)
            if is_known and not all(card in ask.deck.counts for _owner, card in cards):
                continue
            return _shown(moment, words, ask, cards)
    return None


def _shown(moment: int, words: Vocabulary, ask: Show, cards: list[tuple[int | None, str]]) -> Answer:
    """Answer with cards; whose they were is said of all or of none."""
    owners = tuple(owner for owner, _card in cards if owner is not None)
    if owners and len(owners) < len(cards):
        names = ", ".join(words.listener.names)
        raise MisreadError(_("Say whose each card was, or of none: {names}").format(names=names))
    seat = ask.seats[0] if len(ask.seats) == 1 else None
    return Answer(moment, ask.key, tuple(card for _owner, card in cards), seat, owners=owners)


def _split_cards(words: Vocabulary, deck: Deck, text: str) -> list[tuple[int | None, str]]:
    """Take cards apart, each with its owner where a name and "=" stand before it; names may have spaces."""
    owners = {f"{plain(name)}=": seat for seat, name in enumerate(words.listener.names)}
    faces = {
        fold(name): face for fold in (bare, plain) for face in deck.counts for name in _face_names(words, face)
    }
    rest, cards = plain(text.replace(" =", "=").replace("= ", "=")), list[tuple[int | None, str]]()
    while rest:
        owner = next((name for name in sorted(owners, key=len, reverse=True) if rest.startswith(name)), "")
        rest = rest.removeprefix(owner).strip()
        face, rest = _take_name(faces, rest)
        if face is None:
            # accents may be left out
            face, rest = _take_name(faces, bare(rest))
        if face is None:
            unknown, _space, rest = rest.partition(" ")
            face = face_named(deck, unknown)
        cards.append((owners.get(owner), face))
    return cards


def _face_names(words: Vocabulary, face: str) -> tuple[str, ...]:
    return face_names(words.listener, words.deck, face)
