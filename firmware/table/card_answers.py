"""Turns the cards in view that count into an answer, a notice, or nothing yet; pure functions.

Places decide what faces, counts and order leave open. Cards are never guessed: a likely card is shown and
accepted unless a player objects, if it can be corrected later; any other doubt leads to a notice.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from firmware.table.cards import (
    Absent,
    Cards,
    TableCard,
    cards_for_ask,
    in_zone,
    needs_places,
    show_ask,
    state_of,
    without_denied,
)
from firmware.table.expected import brought_cards, expected_cards
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import DISCARD, Answer, Refusal, Show, Zone
from referee.legal import card_refusal
from referee.match import Match, hear, is_correctable
from vision.sightings import Sighting, likely_face, likely_faces

LIKELY_NOTICES = (NoticeKey.LIKELY_ONE, NoticeKey.LIKELY_TWO)
"""Notices about an uncertain card, with the answers that it could make."""


def answer_from_cards(match: Match, cards: Cards, absent: Absent = ()) -> Answer | Notice | None:
    """Return the answer of the cards that count, or the notice of a problem; None without cards or ask."""
    ask = show_ask(match)
    if ask is None:
        return None
    fresh = tuple(without_denied(each) for each in cards_for_ask(match, ask, cards))
    inside = in_zone(fresh, ask)
    if len(inside) == ask.count > 1:
        fresh = inside
    unread = card_trouble([each.card.card for each in fresh])
    if unread is not None:
        return _likely_answer(match, ask, fresh) or _likely_notice(match, ask, fresh) or unread
    if len(fresh) > ask.count:
        return _answer_from_too_many(match, ask, fresh)
    if more := _more_below_notice(ask, fresh):
        return more
    if len(fresh) == ask.count:
        return _answer(match, ask, _faces(fresh), _owners(match, ask, fresh))
    return _lack_notice(match, ask, cards, absent, len(fresh))


def _lack_notice(match: Match, ask: Show, cards: Cards, absent: Absent, shown: int) -> Notice | None:
    there, ignored = in_zone(cards, ask), _ignored_notice(match, ask, cards)
    if ignored is not None or shown:
        missing = Notice(NoticeKey.CARDS_MISSING, {"shown": shown, "wanted": ask.count})
        return ignored or _old_cards_notice(there) or missing
    return _swept_notice(match, ask, cards, absent) or _same_card_notice(match, ask, there)


def _faces(cards: Cards, doubtful: TableCard | None = None, face: str = "") -> tuple[str, ...]:
    return tuple(face if each is doubtful else each.card.card.face or "" for each in cards)


def _ignored_notice(match: Match, ask: Show, cards: Cards) -> Notice | None:
    """Return why the newest card doesn't count; one that was there before isn't mentioned."""
    there = in_zone(cards, ask)
    for each in sorted(there if needs_places(match) else cards, key=lambda each: each.since)[::-1]:
        state, face = state_of(match, ask, each), each.card.card.face or ""
        if not each.is_new or each.is_counted:
            continue
        # elsewhere, hands of cards may lie face down
        if state == "face down" and each in there:
            return Notice(NoticeKey.FACE_DOWN)
        if state == "not in this deck":
            return Notice(NoticeKey.IMPOSSIBLE, {"card": face})
        if state == "not asked now" and (refusal := card_refusal(ask, (face,))):
            return Notice(NoticeKey.REFUSED, refusal=refusal)
    return None


def _more_below_notice(ask: Show, fresh: Cards) -> Notice | None:
    """Return a notice if more cards lie under new ones, and those may be meant, too.

    Discards may cover each other, and a single card may be laid on a pile.
    """
    over = _faces(tuple(each for each in fresh if each.card.card.more_below))
    is_pile = ask.zone == DISCARD or ask.count == 1
    return Notice(NoticeKey.CARDS_OVERLAP, {"cards": " ".join(over)}) if over and not is_pile else None


def card_trouble(cards: Sequence[Sighting]) -> Notice | None:
    """Return why new cards don't count yet."""
    if any(card.facing == "down" and card.sure for card in cards):
        return Notice(NoticeKey.FACE_DOWN)
    if any(card.face is None or not card.sure for card in cards):
        return Notice(NoticeKey.UNSURE)
    strange = next((card.face for card in cards if not card.possible), None)
    return None if strange is None else Notice(NoticeKey.IMPOSSIBLE, {"card": strange})


def _only_doubtful(ask: Show, fresh: Cards) -> TableCard | None:
    """Return the only uncertain card, if the number of cards is right."""
    cards = ((each, each.card.card) for each in fresh)
    doubtful = [each for each, card in cards if not (card.sure and card.face is not None and card.possible)]
    return doubtful[0] if len(doubtful) == 1 and len(fresh) == ask.count else None


def _likely_answer(match: Match, ask: Show, fresh: Cards) -> Answer | None:
    """Answer with the most likely face of the only uncertain card, if that can be corrected later."""
    doubtful = _only_doubtful(ask, fresh)
    face = None if doubtful is None else likely_face(doubtful.card.card) or _only_face(ask, fresh, doubtful)
    if doubtful is None or face is None or not doubtful.card.card.possible or _more_below_notice(ask, fresh):
        return None
    answer = _answer(match, ask, _faces(fresh, doubtful, face), _owners(match, ask, fresh))
    if isinstance(answer, Notice) or not is_correctable(match, answer):
        return None
    return replace(answer, likely=face)


def _only_face(ask: Show, fresh: Cards, doubtful: TableCard) -> str | None:
    """Return the only face that rules and counts leave for a card."""
    if doubtful.card.card.facing == "down" or doubtful.card.card.sure:
        return None
    lying = Counter(each.card.card.face for each in fresh if each is not doubtful)
    left = [face for face, most in ask.among.items() if most > lying[face] and face not in ask.barred]
    return left[0] if len(left) == 1 and left[0] not in doubtful.denied else None


def _likely_notice(match: Match, ask: Show, fresh: Cards) -> Notice | None:
    """Ask about the only uncertain card if it may be one or two faces and no card is missing."""
    doubtful = _only_doubtful(ask, fresh)
    if doubtful is None:
        return None
    owners = _owners(match, ask, fresh)
    answers = {
        face: answer
        for face in likely_faces(doubtful.card.card)
        if isinstance(answer := _answer(match, ask, _faces(fresh, doubtful, face), owners), Answer)
    }
    if not 1 <= len(answers) <= len(LIKELY_NOTICES):
        return None
    named = dict(zip(("card", "other"), answers, strict=False))
    return Notice(LIKELY_NOTICES[len(answers) - 1], named, answers=tuple(answers.values()))


def _answer_from_too_many(match: Match, ask: Show, fresh: Cards) -> Answer | Notice:
    """Let order choose, then the ask's zone; without a clear choice, people are asked."""
    inside = in_zone(fresh, ask)
    first = _first_card(ask, fresh) or (inside[0] if len(inside) == 1 else None)
    answer = _answer(match, ask, _faces((first or fresh[0],)))
    is_trick = ask.count == 1 and isinstance(answer, Answer) and is_more_wanted(match, answer, ask.zone)
    if first is not None and (is_trick or (ask.count == 1 and inside == (first,))):
        return answer
    if is_trick:
        cards, seat = " ".join(_faces(fresh)), ask.seats[0] if ask.seats else 0
        return Notice(NoticeKey.CARDS_AT_ONCE, {"cards": cards, "seat": seat})
    return Notice(NoticeKey.TOO_MANY_CARDS, {"shown": len(fresh), "wanted": ask.count})


def is_more_wanted(match: Match, answer: Answer, zone: Zone) -> bool:
    """Return whether the answer leads to another card in the same zone, as within a trick."""
    after = hear(match, answer)
    asks = () if isinstance(after, Refusal) else after.asks
    return any(isinstance(ask, Show) and ask.zone == zone for ask in asks)


def _first_card(ask: Show, fresh: Cards) -> TableCard | None:
    """Return the card that counts first: the earliest, or the only one laid from the asked seat."""
    came = [each for each in fresh if each.since == fresh[0].since]
    if len(came) == 1:
        return came[0]
    whose = [each.card.seat for each in came]
    mine = [each for each, seat in zip(came, whose, strict=True) if ask.seats == (seat,)]
    return mine[0] if len(mine) == 1 and None not in whose else None


def _old_cards_notice(there: Cards) -> Notice | None:
    """Return a notice of used cards among new ones, because one of them may be meant again."""
    old = [each.card.card.face or "?" for each in there if each.is_counted]
    return Notice(NoticeKey.OLD_CARDS, {"cards": " ".join(old)}) if old else None


def _same_card_notice(match: Match, ask: Show, there: Cards) -> Notice | None:
    """Return a notice of cards that the record has moved away; a new one may be on the same spot."""
    lying = Counter(each.name or "" for each in there if each.is_counted)
    left = lying - expected_cards(match, ask.zone)
    together = lying if brought_cards(match, ask) else left
    ways = [(face,) for face in left] if ask.count == 1 else [tuple(together.elements())]
    meant = [face for faces in ways if isinstance(_answer(match, ask, faces), Answer) for face in faces]
    return Notice(NoticeKey.SAME_CARD, {"cards": " ".join(meant)}) if meant and ask.zone != DISCARD else None


def _swept_notice(match: Match, ask: Show, cards: Cards, absent: Absent) -> Notice | None:
    """Return a notice if cards are gone from the picture that should still be there."""
    # cards of discards and of long rows overlap: hidden cards aren't missing
    if ask.zone == DISCARD or ask.may_leave_view or not ask.seats or brought_cards(match, ask):
        return None
    # nor are cards that were answered before they were seen
    hidden = Counter(each.face for each in absent if each.card is None or each.over is not None)
    lacking = expected_cards(match, ask.zone) - Counter(each.name or "" for each in cards) - hidden
    if lacking.total() <= sum(each.name is None and each.card.card.facing == "up" for each in cards):
        return None
    return Notice(NoticeKey.CARDS_REMOVED, {"cards": " ".join(lacking.elements()), "seat": ask.seats[0]})


def _owners(match: Match, ask: Show, cards: Cards) -> tuple[int | None, ...]:
    """Return the seat that laid each card, if all seats lay at once.

    Empty unless the places tell: at most one card is unclear, and no seat has two while there is one for each.
    """
    sources = () if ask.seats else match.setup.game.table.sources(match.state, ask)
    seats = {zone.seat for zone in sources if zone.seat is not None}
    owners = tuple(each.card.seat if each.card.seat in seats else None for each in cards)
    known = [seat for seat in owners if seat is not None]
    is_shared = len(known) > len(set(known)) and len(owners) <= len(seats)
    return owners if known and len(known) + 1 >= len(owners) and not is_shared else ()


def _answer(
    match: Match, ask: Show, faces: Iterable[str], owners: tuple[int | None, ...] = ()
) -> Answer | Notice:
    answer = Answer(match.number, ask.key, tuple(faces), None, "camera", owners=owners)
    after = hear(match, answer)
    return Notice(NoticeKey.REFUSED, refusal=after) if isinstance(after, Refusal) else answer
