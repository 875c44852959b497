"""The camera's row on pages of play, and its texts about each card in view; pure functions."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.cards import UNREAD, CardState, show_ask
from firmware.table.client import News
from firmware.table.naming import CardInView, CardsInView
from firmware.table.notices import LastingTrouble, sentence_for
from referee.contract import Show
from referee.contract.words import Phrase, phrase, plural
from referee.match import Match
from referee.sentences import Listener, face_name, names_text
from vision.sightings import Outline, Point
from vision.troubles import Problem
from webui.views.words import as_headline, page_text

if TYPE_CHECKING:
    from firmware.services.live_view import LiveView

Lamp = Literal["red", "amber", ""]
LABEL = 0.0375  # height of a card's label, as a share of the picture's width
LETTER, ENDS = 0.36, 1.0  # width of a letter and of both ends of a label, as shares of its height


class Key(Struct, frozen=True):
    """A button of the row: its address under /view, and the answer."""

    action: str
    text: Phrase
    moved: str = ""


class Words(Struct, frozen=True):
    """The row's words for a state of the camera; without words, those of the problem itself."""

    state: str
    lamp: Lamp
    sign: str
    says: Phrase = Phrase("")
    more: Phrase = Phrase("")
    keys: tuple[Key, ...] = ()


BLIND = Words("blind", "red", "camera", more=phrase("Tap the cards meanwhile."))
"""Any other problem of the camera itself."""
ROWS: Mapping[str, Words] = {
    "gone": Words(
        "unplugged",
        "red",
        "camera",
        phrase("The camera is unplugged."),
        phrase("Plug it in, or tap the cards meanwhile."),
    ),
    "phone lost": Words(
        "asleep",
        "red",
        "phone",
        phrase("The camera's device sends no picture."),
        phrase("Wake it, and open its camera page."),
    ),
    "black": Words(
        "black",
        "red",
        "camera",
        phrase("The camera shows only black."),
        phrase("Is its lid or its shutter closed?"),
    ),
    "dark": Words(
        "dim",
        "amber",
        "sun",
        phrase("Too dark to read a card."),
        phrase("Turn on a lamp, or let the camera see longer."),
        (Key("brighten", phrase("Brighten the picture")),),
    ),
    "covered": Words(
        "covered",
        "amber",
        "hand",
        phrase("Something covers the table."),
        phrase("Nothing is lost: reading goes on once it is gone."),
    ),
    "hand stays": Words(
        "covered", "amber", "hand", phrase("Something reaches into the picture."), phrase("The rest is read.")
    ),
    "did the camera move": Words(
        "moved",
        "amber",
        "camera",
        phrase("The picture changed. Did the camera move?"),
        phrase("The match goes on. Cards are read as before."),
        (Key("moved", phrase("It moved"), "1"), Key("moved", phrase("It didn't"), "0")),
    ),
}
"""The most serious problem first: only one row is shown."""
UNDO: Mapping[bool, Key] = {
    True: Key("undo", phrase("Undo: it didn't move")),
    False: Key("undo", phrase("Undo: it moved")),
}

REASONS: Mapping[CardState, tuple[Phrase, Phrase]] = {
    "covered": (phrase("covered"), phrase("{card}: covered. Lay it free.")),
    "face down": (phrase("face down"), phrase("{card}: face down. Turn it over.")),
    "not in this deck": (phrase("not in this deck"), phrase("{card}: not in this deck. Take it away.")),
    "blurred": (phrase("blurred"), phrase("{card}: blurred. Move it a little, or away from the lamp.")),
    "no name yet": (phrase("no name yet"), phrase("{card}: no name yet. Name it on a phone.")),
    "already counted": (
        phrase("already counted"),
        phrase("{card}: already counted. If it counts again, name it on a phone."),
    ),
    "not asked now": (phrase("not asked now"), phrase("{card}: not asked now. Nothing is waiting for it.")),
    "elsewhere": (phrase("elsewhere"), phrase("{card}: asked for in another place. Lay it there.")),
}
"""Why a card doesn't count: at the card, and as a sentence with the cure."""
USUAL = frozenset({"face down", "already counted"})
"""States of cards that may have been there for long: they are noted only while they are new."""


class CameraRow(Struct, frozen=True, kw_only=True):
    """The row of the camera: a state, one sentence, and at most two buttons."""

    state: str
    lamp: Lamp
    sign: str
    says: str
    more: str = ""
    keys: tuple[Key, ...] = ()
    odd: tuple[str, ...] = ()
    """Sentences about cards that don't count, named as far as the viewer may know them."""
    is_asked: bool = False
    """Whether the game waits for cards that the viewer may see."""


def is_in_row(news: News | LastingTrouble) -> bool:
    """Return whether the camera's row reports a problem, so that nothing else does."""
    return isinstance(news, Problem) and (news.key in ROWS or "camera" in news.values)


def camera_row(
    view: "LiveView", troubles: Iterable[LastingTrouble], match: Match, seat: int | None, listener: Listener
) -> CameraRow | None:
    """Return the row for a seat or a shared screen; None for a table without a camera."""
    seen, order = view.cards(seat), [*ROWS]
    row = _seen_row(seen, show_ask(match), view.is_looking, listener) if seen.size[0] else None
    wrong = [each for each in troubles if is_in_row(each)]
    if wrong:
        # unknown problems of the camera itself come first
        first = min(wrong, key=lambda each: order.index(each.key) if each.key in ROWS else -1)
        return _wrong_row(ROWS.get(first.key, BLIND), row, listener, sentence_for(first, listener))
    settled = view.settled
    return row if row is None or settled is None else replace(row, keys=(UNDO[settled],))


def _wrong_row(words: Words, seen: CameraRow | None, listener: Listener, sentence: str) -> CameraRow:
    says, more = (_say(listener, text) if text.one else "" for text in (words.says, words.more))
    says = says or as_headline(sentence)
    row = CameraRow(state=words.state, lamp=words.lamp, sign=words.sign, says=says, more=more, keys=words.keys)
    if seen is None or words.lamp == "red" or not (seen.is_asked or seen.odd):
        return row
    # reading goes on: the cards are still told
    return replace(row, more=seen.says, odd=seen.odd, is_asked=seen.is_asked)


def _seen_row(seen: CardsInView, ask: Show | None, is_looking: bool, listener: Listener) -> CameraRow:
    """Name the cards that count now, and each new one that doesn't."""
    odd = tuple(dict.fromkeys(_odd_text(each, listener) for each in odd_cards(seen, ask)))
    names = [face_name(listener, each.name) for each in seen.cards if each.state == "counts now" and each.name]
    says, more = _say(listener, phrase("The camera waits.")), ""
    if ask is not None and seen.sees_ask:
        says = _say(listener, phrase("I see no card yet."))
        if names:
            says = _say(listener, phrase("I see {cards}."), cards=names_text(listener.language, names))
        if names and ask.count > 1:
            shown = plural("{shown} of {count} card", "{shown} of {count} cards", "count")
            more = _say(listener, shown, shown=len(names), count=ask.count)
        if is_looking and len(names) < ask.count:
            more = " ".join(filter(None, (more, _say(listener, phrase("One moment: I'm still looking.")))))
    return CameraRow(
        state="odd" if odd else "seen" if seen.sees_ask else "waits",
        lamp="amber" if odd else "",
        sign="camera",
        says=says,
        more=more,
        odd=odd,
        is_asked=seen.sees_ask,
    )


def odd_cards(seen: CardsInView, ask: Show | None) -> list[CardInView]:
    """Return the new cards that don't count, and while cards are missing, also unusual older ones.

    While no card is asked for, only open ones are noted: hands lie face down, and nothing waits for the rest.
    """
    if ask is None:
        return [each for each in seen.cards if each.is_new and each.state == "not asked now"]
    is_lacking = sum(each.state == "counts now" for each in seen.cards) < ask.count
    return [
        each
        for each in seen.cards
        if each.state in REASONS and (each.is_new or (is_lacking and each.state not in USUAL))
    ]


def _odd_text(card: CardInView, listener: Listener) -> str:
    name = face_name(listener, card.name) if card.name else _say(listener, phrase("One card"))
    return _say(listener, REASONS[card.state][1], card=name)


def _say(listener: Listener, text: Phrase, **values: object) -> str:
    return page_text(listener.language, text, **values)


# the picture


class CardLabel(Struct, frozen=True):
    """A card's name, or why it doesn't count: the middle and the width of its label."""

    text: str
    at: Point
    wide: float


def seen_picture(seen: CardsInView, match: Match, listener: Listener) -> Mapping[str, object]:
    """Return the picture's outlines for one viewer, with their points as in SVG, and the height of a label."""
    odd, high = odd_cards(seen, show_ask(match)), LABEL * seen.size[0]
    cards, labels = list[Mapping[str, object]](), list[CardLabel]()
    for each in seen.cards:
        is_unread = each in odd
        name = face_name(listener, each.name) if each.name and each.state not in UNREAD else ""
        text = _say(listener, REASONS[each.state][0]) if is_unread else name
        label = _label(text, each.outline, high, labels) if text else None
        labels += [] if label is None else [label]
        points = " ".join(f"{x:.0f},{y:.0f}" for x, y in each.outline)
        look = "odd" if is_unread else "good" if name else "plain"
        cards.append({"points": points, "look": look, "label": label})
    return {"size": seen.size, "may_show": seen.may_show, "cards": cards, "high": round(high, 1)}


def _label(text: str, outline: Outline, high: float, others: Iterable[CardLabel]) -> CardLabel:
    """Place a label above its card; below or on it where it would cover another one, or leave the picture."""
    across, down = [x for x, _y in outline], [y for _x, y in outline]
    x, wide = sum(across) / 4, high * (LETTER * len(text) + ENDS)
    ways = [CardLabel(text, (x, y), wide) for y in (min(down) - 0.7 * high, max(down) + 0.7 * high)]
    free = (each for each in ways if each.at[1] > high and not any(_overlap(each, one, high) for one in others))
    return next(free, CardLabel(text, (x, sum(down) / 4), wide))


def _overlap(one: CardLabel, other: CardLabel, high: float) -> bool:
    across, down = (abs(a - b) for a, b in zip(one.at, other.at, strict=True))
    return down < high and across < (one.wide + other.wide) / 2
