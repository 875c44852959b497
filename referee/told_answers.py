"""What can be answered to an ask, in words: options and what they bring, what is withheld and why; pure."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee import telling
from referee.cells import with_cell_counted
from referee.contract import Ask, Choice, Effect, Game, Grid, Option, Reason, Show, make_refusal
from referee.telling import Listener, ToldEnding


class ToldOption(Struct, frozen=True):
    """An option: what it is called, and what it brings."""

    option: Option
    text: str
    short: str  # what it is called where its effect stands beside it
    bare: str  # what it is called without a player and a card, where it has such a name
    player: str
    card: str  # at whom and at which card it is aimed
    cell: str  # what is said on its cell
    brings: str = ""
    effect: Effect | None = None
    endings: tuple[ToldEnding, ...] = ()
    """Where it can end in several ways, which; what it brings says the act itself, then."""
    mood: str = ""
    why: str = ""


class ToldFace(Struct, frozen=True):
    """A card that can be shown: its name, what one says with it, why it can't come now."""

    name: str
    said: str
    why: str


class ToldAnswers(Struct, frozen=True):
    """All that can be answered to an ask, and what a newcomer is told of it."""

    ask: Ask
    listener: Listener
    hint: str
    options: Mapping[Option, ToldOption] = {}
    heads: Mapping[str, ToldOption] = {}
    withheld: tuple[ToldOption, ...] = ()  # what people look for and can't choose now
    faces: Mapping[str, ToldFace] = {}
    suits: Mapping[str, str] = {}


class Chooser(Struct, frozen=True):
    """Who chooses in which state of a game, and the words for it; what was asked in the past brings nothing."""

    listener: Listener
    game: Game
    state: Any
    seat: int | None
    grids: tuple[Grid, ...] = ()
    is_now: bool = True


def tell_answers(chooser: Chooser, ask: Ask) -> ToldAnswers:
    listener, hint = chooser.listener, telling.tell_hint(chooser.listener, ask.key)
    match ask:
        case Choice():
            words = Counter(option.word for option in ask.options)
            shared = (word for word, count in words.items() if count > 1)
            book, is_now = chooser.game.book, chooser.is_now
            withheld = book.withheld(chooser.state, ask) if is_now else ()
            return ToldAnswers(
                ask,
                listener,
                hint,
                options={option: _tell_option(chooser, option) for option in ask.options},
                heads={word: _tell_head(chooser, word) for word in shared},
                withheld=tuple(_tell_withheld(chooser, option) for option in withheld),
            )
        case Show():
            faces = {face: _tell_face(listener, ask, face) for face in ask.deck.counts}
            suits = {suit: telling.tell_suit(listener, suit) for suit in ask.deck.suits}
            return ToldAnswers(ask, listener, hint, faces=faces, suits=suits)
        case _:
            return ToldAnswers(ask, listener, hint)


def _tell_option(chooser: Chooser, option: Option) -> ToldOption:
    listener, counted = chooser.listener, with_cell_counted(chooser.grids, option, chooser.seat)
    told = ToldOption(
        option,
        telling.tell_option(listener, counted),
        telling.tell_short_option(listener, counted),
        _bare_name(listener, option.word),
        "" if option.seat is None else telling.tell_player(listener, option.seat),
        "" if option.face is None else telling.tell_face(listener, option.face),
        telling.tell_cell(listener, option),
    )
    return _with_effect(chooser, told)


def _tell_head(chooser: Chooser, word: str) -> ToldOption:
    bare = _bare_name(chooser.listener, word)
    return _with_effect(chooser, ToldOption(Option(word), bare, bare, bare, "", "", ""))


def _with_effect(chooser: Chooser, told: ToldOption) -> ToldOption:
    game, option = chooser.game, told.option
    if not chooser.is_now:
        return told
    felt = replace(told, mood=str(game.feel.option_moods.get(option.word, "")))
    effect = game.book.effect(chooser.state, chooser.seat, option)
    if effect is None:
        return felt
    listener, seat = chooser.listener, chooser.seat
    endings = tuple(telling.tell_ending(listener, each, seat) for each in effect.endings)
    return replace(felt, brings=telling.tell_effect(listener, effect), effect=effect, endings=endings)


def _bare_name(listener: Listener, word: str) -> str:
    """Give the short name of a word that needs no player and no card."""
    words = listener.words.short.get(word)
    is_plain = isinstance(words, str) and "{" not in words
    return telling.tell_short_option(listener, Option(word)) if is_plain else ""


def _tell_withheld(chooser: Chooser, option: Option) -> ToldOption:
    book, listener = chooser.game.book, chooser.listener
    refusal = book.why_not(chooser.state, chooser.seat, option)
    text = telling.tell_short_option(listener, option)
    why = "" if refusal is None else telling.tell_refusal(listener, refusal)
    effect = book.effect(chooser.state, chooser.seat, option)
    return ToldOption(option, text, text, "", "", "", "", effect=effect, why=why)


def _tell_face(listener: Listener, ask: Show, face: str) -> ToldFace:
    why = ask.barred.get(face, "")
    refused = make_refusal(Reason.CARD_BARRED, why=why, card=face)
    name, answer = telling.tell_face(listener, face), telling.tell_card_answer(listener, ask.key, face)
    return ToldFace(name, answer, telling.tell_refusal(listener, refused) if why else "")
