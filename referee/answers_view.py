"""Possible answers to an ask, as text: options with their effects, and unavailable ones with reasons. Pure."""

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
    """An option with its texts and its effect."""

    option: Option
    text: str
    short: str  # short name, shown next to its effect
    bare: str  # name without player and card, if it has one
    player: str
    card: str  # its target player and card
    cell: str  # label for its cell in a grid
    brings: str = ""
    effect: Effect | None = None
    endings: tuple[EndingView, ...] = ()
    """Possible outcomes, if there are several; `brings` then describes the action itself."""
    mood: str = ""
    why: str = ""


class FaceView(Struct, frozen=True):
    """A card to confirm: its name, the button text, and why it isn't possible now, if so."""

    name: str
    said: str
    why: str
    effect: str = ""  # of playing it, in one short line


class AnswersView(Struct, frozen=True):
    """All answers to an ask, with a hint for newcomers."""

    ask: Ask
    listener: Listener
    hint: str
    options: Mapping[Option, OptionView] = {}
    heads: Mapping[str, OptionView] = {}
    withheld: tuple[OptionView, ...] = ()  # expected options that are unavailable now
    faces: Mapping[str, FaceView] = {}
    suits: Mapping[str, str] = {}


class Chooser(Struct, frozen=True):
    """The player who chooses, the game state, and the listener; effects are omitted for past asks."""

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
    view = OptionView(
        option,
        sentences.option_text(listener, counted),
        sentences.short_option_text(listener, counted),
        _bare_name(listener, option.word),
        "" if option.seat is None else sentences.player_name(listener, option.seat),
        "" if option.face is None else sentences.face_name(listener, option.face),
        sentences.cell_text(listener, option),
    )
    return _with_effect(chooser, view)


def _head_view(chooser: Chooser, word: str) -> OptionView:
    bare = _bare_name(chooser.listener, word)
    return _with_effect(chooser, OptionView(Option(word), bare, bare, bare, "", "", ""))


def _with_effect(chooser: Chooser, view: OptionView) -> OptionView:
    game, option = chooser.game, view.option
    if not chooser.is_now:
        return view
    with_mood = replace(view, mood=str(game.feel.option_moods.get(option.word, "")))
    effect = game.book.effect(chooser.state, chooser.seat, option)
    if effect is None:
        return with_mood
    listener, seat = chooser.listener, chooser.seat
    endings = tuple(sentences.ending_view(listener, each, seat) for each in effect.endings)
    return replace(with_mood, brings=sentences.effect_text(listener, effect), effect=effect, endings=endings)


def _bare_name(listener: Listener, word: str) -> str:
    """Return the short name of a word if it needs no player or card, else an empty string."""
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
    reason = sentences.refusal_text(listener, refused) if why else ""
    return FaceView(name, answer, reason, sentences.face_effect_text(listener, face))
