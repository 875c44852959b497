"""Options as people tap them: in short, with what they bring, in groups where a player comes after; pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.cells import with_cell_counted
from referee.contract import Choice, Effect, Ending, Game, Grid, Option, Weight
from referee.match import Match
from referee.telling import (
    Listener,
    tell_effect,
    tell_ending,
    tell_face,
    tell_option,
    tell_player,
    tell_refusal,
    tell_short_option,
)


class Gain(Struct, frozen=True):
    """How much of a count an option brings its own seat, or costs it."""

    count: str
    number: int


class EndingLine(Struct, frozen=True):
    """One way in which an option can end, as it is read before it is chosen."""

    when: str
    then: str
    sign: str
    """A mark: a tick for what one hopes for, a cross for what one fears, an arrow for what simply follows."""


class Button(Struct, frozen=True):
    """Something to tap: what it sends, and what it says."""

    value: str
    text: str
    is_now: bool = False
    """It is what stands in the record."""
    word: str = ""
    short: str = ""
    """What it says where other words stand beside it: its effect, or what its group is called."""
    group: str = ""
    """What the options are called together of which it is one."""
    player: str = ""
    """The player whom it is aimed at, where a card is chosen besides."""
    face: str = ""
    """The card that it is about."""
    effect: str = ""
    """What it would bring."""
    gains: tuple[Gain, ...] = ()
    why: str = ""
    """Why it can't be chosen now."""
    is_by_clock: bool = False
    """It counts if nothing else is said until the time is up."""
    mood: str = ""
    endings: tuple[EndingLine, ...] = ()
    """Where it can end in several ways, which; its effect says the act itself, then."""

    @property
    def shown(self) -> str:
        """Give the shortest text that says enough beside other words."""
        return self.short or self.text


class Aim(Struct, frozen=True):
    """A player, and the cards that can be chosen with them."""

    player: str
    buttons: tuple[Button, ...]


class OptionRow(Struct, frozen=True):
    """An option, or several of one word: what they are called, and a button for each player or card."""

    head: Button
    buttons: tuple[Button, ...] = ()
    aims: tuple[Aim, ...] = ()
    """Where both a player and a card are chosen: the player first, then the card."""


class Chooser(Struct, frozen=True):
    """Who chooses, and in which state of the game: effects and reasons are told from that."""

    game: Game
    state: Any
    seat: int | None

    def effect(self, option: Option) -> Effect | None:
        """Find what an option would bring."""
        return self.game.book.effect(self.state, self.seat, option)

    def leads(self) -> tuple[str, ...]:
        """List the open cards that decide now: what one looks for is like them."""
        board = self.game.shown.board(self.game.shown.view(self.state, self.seat))
        return tuple(face for row in board.cards if row.weight is Weight.KEY for face in row.faces)

    def claim(self) -> str:
        """Name the card that the seat says it has, as long as that isn't decided; empty if there is none."""
        board = self.game.shown.board(self.game.shown.view(self.state, self.seat))
        open_claims = (row for row in board.cards if row.claimed_by is not None and not row.struck)
        return next((row.faces[0] for row in open_claims if row.claimed_by == self.seat and row.faces), "")


def chooser_of(match: Match, seat: int | None) -> Chooser:
    """Give the seat that chooses now."""
    return Chooser(match.setup.game, match.state, seat)


def encode_option(option: Option) -> str:
    """Encode an option as a form sends it."""
    return msgspec.json.encode(option).decode()


def option_buttons(
    options: Iterable[Option], listener: Listener, grids: tuple[Grid, ...], chooser: Chooser | None
) -> tuple[Button, ...]:
    """Make a button for each option; options that share a word are grouped under it."""
    options = tuple(options)
    words = Counter(option.word for option in options)
    grouped = {word for word, count in words.items() if count > 1 and has_bare_name(listener, word)}
    pairs = {word for word, count in words.items() if count > 1} - {
        option.word for option in options if not _is_pair(option)
    }

    def button(option: Option) -> Button:
        effect = None if chooser is None else chooser.effect(option)
        if option.word in pairs:
            made = _pair_button(option, listener)
        elif option.word in grouped:
            made = _grouped_button(option, listener)
        else:
            made = _single_button(option, grids, listener, chooser, has_effect=effect is not None)
        return made if chooser is None else _with_effect(made, effect, listener, chooser)

    return tuple(map(button, options))


def _single_button(
    option: Option, grids: tuple[Grid, ...], listener: Listener, chooser: Chooser | None, *, has_effect: bool
) -> Button:
    counted = with_cell_counted(grids, option, None if chooser is None else chooser.seat)
    short = tell_short_option(listener, counted) if has_effect else ""
    face = (option.face or "") if option.cell is None else ""
    return Button(
        encode_option(option), tell_option(listener, counted), word=option.word, short=short, face=face
    )


def _grouped_button(option: Option, listener: Listener) -> Button:
    face = option.face or ""
    target = tell_face(listener, face) if option.seat is None else tell_player(listener, option.seat)
    return Button(
        encode_option(option),
        tell_option(listener, option),
        word=option.word,
        short=target,
        group=tell_short_option(listener, Option(option.word)),
        face=face,
    )


def _is_pair(option: Option) -> bool:
    """Return whether both a player and a card are chosen."""
    return option.seat is not None and option.face is not None and option.cell is None


def _pair_button(option: Option, listener: Listener) -> Button:
    """Make the button of a card, among those of a player."""
    bare = has_bare_name(listener, option.word)
    return Button(
        encode_option(option),
        tell_option(listener, option),
        word=option.word,
        short=tell_face(listener, option.face or ""),
        group=tell_short_option(listener, Option(option.word)) if bare else "",
        player=tell_player(listener, option.seat or 0),
        face=option.face or "",
    )


def has_bare_name(listener: Listener, word: str) -> bool:
    """Return whether a word has a short name that needs no player and no card."""
    words = listener.words.short.get(word)
    return isinstance(words, str) and "{" not in words


def _with_effect(button: Button, effect: Effect | None, listener: Listener, chooser: Chooser) -> Button:
    """Add what an option brings, and how it feels."""
    felt = replace(button, mood=str(chooser.game.feel.option_moods.get(button.word, "")))
    if effect is None:
        return felt
    endings = tuple(_ending_line(each, listener, chooser.seat) for each in effect.endings)
    gaining = _with_gains(felt, effect, chooser.seat)
    return replace(gaining, effect=tell_effect(listener, effect), endings=endings)


SIGNS = {True: "tick", False: "cross", None: "right"}


def _ending_line(ending: Ending, listener: Listener, seat: int | None) -> EndingLine:
    when, then = tell_ending(listener, ending, seat)
    return EndingLine(when, then, SIGNS[ending.is_good])


def weighed_buttons(buttons: Iterable[Button]) -> tuple[Button, ...]:
    """Order answers that are weighed before one is given: first what lets things be. None where one isn't."""
    buttons = tuple(buttons)
    is_weighed = len(buttons) > 1 and all(button.endings for button in buttons)
    return tuple(sorted(buttons, key=lambda button: bool(button.mood))) if is_weighed else ()


def _with_gains(button: Button, effect: Effect, seat: int | None) -> Button:
    """Add what an option brings the seat that chooses."""
    own = (change for change in effect.changes if change.seat == seat)
    gains = tuple(Gain(change.count, change.after - change.before) for change in own)
    return replace(button, face=button.face or effect.face, gains=gains)


def withheld_buttons(ask: Choice, listener: Listener, chooser: Chooser) -> Iterator[Button]:
    """Make what people look for and can't choose now, each with the reason."""
    for option in chooser.game.book.withheld(chooser.state, ask):
        refusal = chooser.game.book.why_not(chooser.state, chooser.seat, option)
        effect = chooser.effect(option)
        short = option.word in listener.words.short
        button = Button(
            "",
            tell_short_option(listener, option) if short else tell_option(listener, option),
            word=option.word,
            why="" if refusal is None else tell_refusal(listener, refusal),
        )
        yield button if effect is None else _with_gains(button, effect, chooser.seat)


def option_rows(
    buttons: Iterable[Button], listener: Listener, chooser: Chooser | None
) -> tuple[OptionRow, ...]:
    """Put options of one word together under what they are called."""
    rows = []
    for group, together in groupby(buttons, key=lambda button: (button.word, button.group)):
        members = tuple(together)
        aims = _aims(members)
        if group[1] or aims:
            head = Button("", group[1], word=group[0])
            if chooser is not None:
                head = _with_effect(head, chooser.effect(Option(group[0])), listener, chooser)
            rows.append(OptionRow(head, () if aims else members, aims))
        else:
            rows.extend(OptionRow(button) for button in members)
    return tuple(rows)


def _aims(buttons: tuple[Button, ...]) -> tuple[Aim, ...]:
    """Put the cards together that are chosen with each player."""
    players = dict.fromkeys(button.player for button in buttons if button.player)
    return tuple(
        Aim(player, tuple(button for button in buttons if button.player == player)) for player in players
    )
