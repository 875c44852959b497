"""Options as buttons: short texts, gains, and groups for options that need a player; pure functions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.answers_view import AnswersView, OptionView
from referee.contract import Option
from referee.sentences import EndingView


class Button(Struct, frozen=True):
    """A button: its form value and its text."""

    value: str
    text: str
    is_now: bool = False  # the recorded value
    word: str = ""
    short: str = ""
    """Shorter text for use beside other words: its effect, or its name within the group."""
    group: str = ""  # common name of the options in its group
    bare: str = ""  # name without its player and its card
    player: str = ""  # target player, if a card is chosen as well
    face: str = ""
    effect: str = ""
    use: str = ""  # what its card does when it is played
    gains: tuple[tuple[str, int], ...] = ()
    """Change of each count of the option's own seat."""
    why: str = ""
    is_by_clock: bool = False  # chosen by the clock if nobody answers in time
    mood: str = ""
    endings: tuple[EndingView, ...] = ()
    """Possible outcomes, if there are several; the effect then describes only the action."""

    @property
    def shown(self) -> str:
        """Return the shortest text that is clear beside other words."""
        return self.short or self.text


class OptionRow(Struct, frozen=True):
    """An option, or several with the same word: a heading, and a button for each player or card."""

    head: Button
    buttons: tuple[Button, ...] = ()
    aims: Sequence[Mapping[str, object]] = ()
    """Target players with their available cards, if both are chosen."""


def encode_option(option: Option) -> str:
    return msgspec.json.encode(option).decode()


def option_buttons(told: AnswersView, options: Iterable[Option], seat: int | None) -> tuple[Button, ...]:
    """Return a button for each option; options that share a word are grouped under it."""
    options = tuple(options)
    words = Counter(option.word for option in options)
    several = {word for word, count in words.items() if count > 1}
    single = (each for each in options if each.seat is None or each.face is None or each.cell is not None)
    pairs = several - {option.word for option in single}
    return tuple(
        _button(told.options[option], seat, is_shared=option.word in several, is_pair=option.word in pairs)
        for option in options
    )


def _button(told: OptionView, seat: int | None, *, is_shared: bool, is_pair: bool) -> Button:
    option, face = told.option, told.option.face or ""
    made = Button(encode_option(option), told.text, word=option.word, bare=told.bare)
    if is_pair:
        made = replace(made, short=told.card, group=told.bare, player=told.player, face=face)
    elif is_shared and told.bare:
        named = replace(made, short=told.player or told.card, group=told.bare)
        # the heading shows the card of the effect, which is the same for all
        return replace(_with_effect(named, told, seat), face=face)
    else:
        short, shown = told.short if told.effect else "", face if option.cell is None else ""
        made = replace(made, short=short, face=shown)
    return _with_effect(made, told, seat)


def _with_effect(button: Button, told: OptionView, seat: int | None) -> Button:
    return replace(_with_gains(button, told, seat), mood=told.mood, effect=told.brings, endings=told.endings)


def weighed_buttons(buttons: Iterable[Button]) -> tuple[Button, ...]:
    """Return answers with outcomes, harmless ones first; empty for a single answer or if any has none."""
    buttons = tuple(buttons)
    is_weighed = len(buttons) > 1 and all(button.endings for button in buttons)
    return tuple(sorted(buttons, key=lambda button: bool(button.mood))) if is_weighed else ()


def _with_gains(button: Button, told: OptionView, seat: int | None) -> Button:
    if told.effect is None:
        return button
    own = (change for change in told.effect.changes if change.seat == seat)
    gains = tuple((change.count, change.after - change.before) for change in own)
    return replace(button, face=button.face or told.effect.face, gains=gains)


def withheld_buttons(told: AnswersView, seat: int | None) -> Iterator[Button]:
    """Yield buttons for options that aren't available now, each with the reason."""
    for each in told.withheld:
        yield _with_gains(Button("", each.text, word=each.option.word, why=each.why), each, seat)


def option_rows(buttons: Iterable[Button], told: AnswersView, seat: int | None) -> tuple[OptionRow, ...]:
    """Group options of one word under a heading."""
    rows = []
    for (word, group), together in groupby(buttons, key=lambda button: (button.word, button.group)):
        members = tuple(together)
        players = dict.fromkeys(button.player for button in members if button.player)
        aims = [
            {"player": each, "buttons": [card for card in members if card.player == each]} for each in players
        ]
        if group or aims:
            head = Button("", group, word=word)
            rows.append(OptionRow(_with_effect(head, told.heads[word], seat), () if aims else members, aims))
        else:
            rows.extend(OptionRow(button) for button in members)
    return tuple(rows)
