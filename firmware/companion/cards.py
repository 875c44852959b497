"""What lies on the table, as the eyes tell it, and what it says to an ask: an answer, a notice, or nothing yet.

A card is never guessed: one that isn't sure, that can't be there or that is too many is told to people. A card
that an earlier answer has named stays told while it lies where it lay, so nobody's old cards answer a new ask.
"""

from collections import Counter
from collections.abc import Iterable
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from firmware.companion.notices import Notice
from referee.contract import Answer, Show, Zone
from referee.legal import ask_named, refusal
from referee.match import Match, Step, line
from vision.news import Happened, Seen
from vision.zones import Placed

NEAR = 25.0
"""Millimetres within which a card still lies where it lay."""


class Lying(Struct, frozen=True):
    """A card on the table; `is_told` once an answer has named it."""

    card: Placed
    is_told: bool = False


Cards = tuple[Lying, ...]


def zone_name(zone: Zone) -> str:
    """Name a zone as the mat does."""
    return zone.name if zone.seat is None else f"{zone.name} {zone.seat + 1}"


def shown(match: Match) -> Show | None:
    """Give the cards that are asked for, the first if there are several."""
    return next((ask for ask in match.asks if isinstance(ask, Show)), None)


def in_zone(cards: Cards, zone: Zone) -> Cards:
    """Pick the cards of a zone; on a table that isn't known yet, all of them."""
    name = zone_name(zone)
    return tuple(each for each in cards if each.card.middle is None or each.card.zone == name)


# what the eyes tell


def seen(cards: Cards, news: Seen) -> Cards:
    """Take all of the table as it was read anew; what lies where it lay stays told."""
    told = [each.card for each in cards if each.is_told]
    return tuple(Lying(card, any(_stayed(was, card) for was in told)) for card in news.cards)


def happened(cards: Cards, news: Happened) -> Cards:
    """Take in that a card was laid, taken or moved; one that stays in its zone stays told."""
    gone = news.before if news.what == "moved" else news.card if news.what == "taken" else None
    was = next((each for each in cards if gone is not None and _stayed(each.card, gone)), None)
    left = tuple(each for each in cards if each is not was)
    if news.what == "taken":
        return left
    is_told = was is not None and was.is_told and was.card.zone == news.card.zone
    return (*left, Lying(news.card, is_told))


def _stayed(was: Placed, now: Placed) -> bool:
    if was.card.face != now.card.face or was.zone != now.zone:
        return False
    if was.middle is None or now.middle is None:
        return was.card.outline == now.card.outline
    return hypot(was.middle[0] - now.middle[0], was.middle[1] - now.middle[1]) < NEAR


# what has been answered


def told(cards: Cards, zone: Zone) -> Cards:
    """Note that an answer has named what lies in a zone."""
    named = in_zone(cards, zone)
    return tuple(replace(each, is_told=each.is_told or each in named) for each in cards)


def untold(cards: Cards, zone: Zone) -> Cards:
    """Let what lies in a zone count anew."""
    there = in_zone(cards, zone)
    return tuple(replace(each, is_told=each.is_told and each not in there) for each in cards)


def all_told(cards: Cards) -> Cards:
    """Let nothing that lies there count."""
    return tuple(replace(each, is_told=True) for each in cards)


def last_shown(match: Match) -> Step | None:
    """Find the last answer that named cards."""
    return next((step for step in reversed(line(match)) if _zone_shown(step) is not None), None)


def _zone_shown(step: Step) -> Zone | None:
    """Tell in which zone an answer named cards."""
    ask = ask_named(step.before.asks, step.answer.ask)
    return ask.zone if isinstance(ask, Show) and isinstance(step.answer.value, tuple) else None


def told_before(cards: Cards, match: Match) -> Cards:
    """Note what earlier answers have named, after a start: the last one of each zone, or what is left."""
    for zone, faces in _shown_last(match).items():
        there = in_zone(cards, zone)
        now = Counter(each.card.card.face for each in there)
        if faces <= now or now <= faces:
            cards = _marked(cards, there, faces)
    return cards


def _shown_last(match: Match) -> dict[Zone, "Counter[str | None]"]:
    found: dict[Zone, Counter[str | None]] = {}
    for step in line(match):
        zone = _zone_shown(step)
        if zone is not None and isinstance(step.answer.value, tuple):
            found[zone] = Counter(step.answer.value)
    return found


def _marked(cards: Cards, there: Cards, faces: "Counter[str | None]") -> Cards:
    left, marked = Counter(faces), list[Lying]()
    for each in cards:
        is_named = each in there and left[each.card.card.face] > 0
        left[each.card.card.face] -= is_named
        marked.append(replace(each, is_told=each.is_told or is_named))
    return tuple(marked)


# what they say


def said(match: Match, ask: Show, cards: Cards) -> Answer | Notice | None:
    """Make an answer of what lies in an ask's zone, or say what is in its way; nothing while cards lack."""
    fresh = [each.card.card for each in in_zone(cards, ask.zone) if not each.is_told]
    if any(card.facing == "down" and card.sure for card in fresh):
        return Notice("face down")
    if any(card.face is None or not card.sure for card in fresh):
        return Notice("unsure")
    faces = tuple(card.face for card in fresh if card.face is not None)
    strange = next((card.face for card in fresh if not card.possible), None)
    if strange is not None:
        return Notice("impossible", {"card": strange})
    if len(faces) > ask.count:
        return Notice("too many", {"shown": len(faces), "wanted": ask.count})
    if len(faces) == ask.count:
        return _answer(match, ask, faces)
    return _taken_for_old(in_zone(cards, ask.zone)) if faces else None


def _taken_for_old(there: Cards) -> Notice | None:
    """Name the cards that lie among new ones and were told before: one of them may be meant anew."""
    old = [each.card.card.face or "?" for each in there if each.is_told]
    return Notice("old cards", {"cards": " ".join(old)}) if old else None


def _answer(match: Match, ask: Show, faces: Iterable[str]) -> Answer | Notice:
    answer = Answer(match.number, ask.key, tuple(faces), None, "camera")
    refused = refusal(match.asks, answer)
    return answer if refused is None else Notice("refused", refusal=refused)
