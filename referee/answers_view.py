"""What can be answered to an ask, in words: options and what they bring, what is withheld and why; pure."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee import sentences
from referee.cells import with_cell_counted
from referee.contract import Ask, Choice, Effect, Game, Grid, Option, Reason, Show, make_refusal
from referee.sentences import EndingView, Listener


class OptionView(Struct, frozen=True):
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
    endings: tuple[EndingView, ...] = ()
    """Where it can end in several ways, which; what it brings says the act itself, then."""
    mood: str = ""
    why: str = ""


class FaceView(Struct, frozen=True):
    """A card that can be shown: its name, what one says with it, why it can't come now."""

    name: str
    said: str
    why: str


class AnswersView(Struct, frozen=True):
    """All that can be answered to an ask, and what a newcomer is told of it."""

    ask: Ask
    listener: Listener
    hint: str
    options: Mapping[Option, OptionView] = {}
    heads: Mapping[str, OptionView] = {}
    withheld: tuple[OptionView, ...] = ()  # what people look for and can't choose now
    faces: Mapping[str, FaceView] = {}
    suits: Mapping[str, str] = {}


class Chooser(Struct, frozen=True):
    """Who chooses in which state of a game, and the words for it; what was asked in the past brings nothing."""

    listener: Listener
    game: Game
    state: Any
    seat: int | None
    grids: tuple[Grid, ...] = ()
    is_now: bool = True


def answers_view(chooser: Chooser, ask: Ask) -> AnswersView:
    listener, hint = chooser.listener, sentences.hint_text(chooser.listener, ask.key)
    match ask:
        case Choice():
            words = Counter(option.word for option in ask.options)
            shared = (word for word, count in words.items() if count > 1)
            book, is_now = chooser.game.book, chooser.is_now
            withheld = book.withheld(chooser.state, ask) if is_now else ()
            return AnswersView(
                ask,
                listener,
                hint,
                options={option: _option_view(chooser, option) for option in ask.options},
                heads={word: _head_view(chooser, word) for word in shared},
                withheld=tuple(_withheld_view(chooser, option) for option in withheld),
            )
        case Show():
            faces = {face: _face_view(listener, ask, face) for face in ask.deck.counts}
            suits = {suit: sentences.suit_text(listener, suit) for suit in ask.deck.suits}
            return AnswersView(ask, listener, hint, faces=faces, suits=suits)
        case _:
            return AnswersView(ask, listener, hint)


def _option_view(chooser: Chooser, option: Option) -> OptionView:
    listener, counted = chooser.listener, with_cell_counted(chooser.grids, option, chooser.seat)
    told = OptionView(
        option,
        sentences.option_text(listener, counted),
        sentences.short_option_text(listener, counted),
        _bare_name(listener, option.word),
        "" if option.seat is None else sentences.player_name(listener, option.seat),
        "" if option.face is None else sentences.face_name(listener, option.face),
        sentences.cell_text(listener, option),
    )
    return _with_effect(chooser, told)


def _head_view(chooser: Chooser, word: str) -> OptionView:
    bare = _bare_name(chooser.listener, word)
    return _with_effect(chooser, OptionView(Option(word), bare, bare, bare, "", "", ""))


def _with_effect(chooser: Chooser, told: OptionView) -> OptionView:
    game, option = chooser.game, told.option
    if not chooser.is_now:
        return told
    felt = replace(told, mood=str(game.feel.option_moods.get(option.word, "")))
    effect = game.book.effect(chooser.state, chooser.seat, option)
    if effect is None:
        return felt
    listener, seat = chooser.listener, chooser.seat
    endings = tuple(sentences.ending_view(listener, each, seat) for each in effect.endings)
    return replace(felt, brings=sentences.effect_text(listener, effect), effect=effect, endings=endings)


def _bare_name(listener: Listener, word: str) -> str:
    """Give the short name of a word that needs no player and no card."""
    words = listener.words.short.get(word)
    is_plain = isinstance(words, str) and "{" not in words
    return sentences.short_option_text(listener, Option(word)) if is_plain else ""


def _withheld_view(chooser: Chooser, option: Option) -> OptionView:
    book, listener = chooser.game.book, chooser.listener
    refusal = book.why_not(chooser.state, chooser.seat, option)
    text = sentences.short_option_text(listener, option)
    why = "" if refusal is None else sentences.refusal_text(listener, refusal)
    effect = book.effect(chooser.state, chooser.seat, option)
    return OptionView(option, text, text, "", "", "", "", effect=effect, why=why)


def _face_view(listener: Listener, ask: Show, face: str) -> FaceView:
    why = ask.barred.get(face, "")
    refused = make_refusal(Reason.CARD_BARRED, why=why, card=face)
    name, answer = sentences.face_name(listener, face), sentences.card_answer_text(listener, ask.key, face)
    return FaceView(name, answer, sentences.refusal_text(listener, refused) if why else "")
