"""Turns the cards that the eyes report into an answer, a notice, or nothing yet.

Cards are never guessed: a card that is uncertain, impossible or surplus leads to a notice. A likely card is
shown and accepted unless a player objects, if it can be corrected later. A card named by an earlier answer
counts as used while it stays in place, so it never answers a new ask.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import dist
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract import DISCARD, Answer, Move, Refusal, Show, Zone
from referee.legal import ask_named
from referee.match import Match, Position, Step, hear, is_correctable, standing_answers
from vision.process.messages import CardChanged, TableRead
from vision.sightings import Sighting, best_face, likely_face, likely_faces
from vision.table.values import PlacedCard

MAX_LOOKBACK = 100
"""Number of earlier answers to search; cards laid before that aren't expected any more."""


def expected_cards(match: Match, zone: Zone) -> "Counter[str]":
    """Count the cards that were laid in a zone since it was empty."""
    lying: Counter[str] = Counter()
    for move in _moves_since_empty(match, zone):
        if move.target == zone:
            lying.update(move.faces)
        else:
            lying.subtract(move.faces)
    return +lying


def _moves_since_empty(match: Match, zone: Zone) -> list[Move]:
    back, game = list[Move](), match.setup.game
    position: Position | None = match.position
    for _answer in range(MAX_LOOKBACK):
        if position is None:
            break
        moves = [move for ruling in position.rulings for move in game.table.moves(position.state, ruling)]
        for move in reversed(moves):
            if move.source == zone and move.count is None and not move.faces:
                return back[::-1]
            if zone in (move.source, move.target):
                back.append(move)
        position = position.before if isinstance(position, Step) else None
    return back[::-1]


def is_more_wanted(match: Match, answer: Answer, zone: Zone) -> bool:
    """Return whether the answer leads to another card in the same zone, as within a trick."""
    after = hear(match, answer)
    if isinstance(after, Refusal):
        return False
    return any(isinstance(ask, Show) and ask.zone == zone for ask in after.asks)


LIKELY_NOTICES = (NoticeKey.LIKELY_ONE, NoticeKey.LIKELY_TWO)
"""Notices about an uncertain card, with the answers that it could make."""
LACKING, SAME = NoticeKey.CARDS_MISSING, NoticeKey.SAME_CARD
"""Notices that fewer cards are visible than requested, and that only earlier cards are there."""
UNMOVED_WITHIN = 25.0  # millimetres within which a card counts as unmoved


class TableCard(Struct, frozen=True):
    """A card on the table, whether an answer has named it, and the reading in which it first appeared."""

    card: PlacedCard
    is_told: bool = False
    since: int = 0
    denied: tuple[str, ...] = ()  # faces that people have denied while it is there

    @property
    def name(self) -> str | None:
        return self.card.card.face or likely_face(self.card.card)


Cards = tuple[TableCard, ...]


def zone_name(zone: Zone) -> str:
    """Return a zone's name, as on the mat."""
    return zone.name if zone.seat is None else f"{zone.name} {zone.seat + 1}"


def show_ask(match: Match) -> Show | None:
    return next((ask for ask in match.asks if isinstance(ask, Show)), None)


def cards_for_ask(cards: Cards, ask: Show) -> Cards:
    """Return the cards in the ask's zone; all cards while the table's zones are unknown."""
    name = zone_name(ask.zone)
    return tuple(
        each for each in cards if ask.is_anywhere or each.card.middle is None or each.card.zone == name
    )


# reports of the eyes


def cards_after_reading(cards: Cards, news: TableRead) -> Cards:
    """Replace all cards by a new reading; unmoved cards keep their state."""
    left, known = list(cards), dict[int, TableCard]()
    for is_it in (_is_same_card, _is_named_anew):
        for number, card in enumerate(news.cards):
            was = None if number in known else next((each for each in left if is_it(each.card, card)), None)
            if was is not None:
                left.remove(was)
                known[number] = replace(was, card=card)
    return tuple(
        known.get(number) or TableCard(card, since=news.reading) for number, card in enumerate(news.cards)
    )


def cards_after_event(cards: Cards, news: CardChanged) -> Cards:
    """Apply a laid, taken or moved card; one that stays in its zone keeps its state."""
    gone = news.before if news.what == "moved" else news.card if news.what == "taken" else None
    was = next((each for each in cards if gone is not None and _is_same_card(each.card, gone)), None)
    left = tuple(each for each in cards if each is not was)
    if news.what == "taken":
        return left
    if was is None or was.card.zone != news.card.zone:
        return (*left, TableCard(news.card, since=news.reading))
    return (*left, replace(was, card=news.card))


def seen_cards(news: TableRead | CardChanged) -> list[str]:
    """List cards and their zones, for the log."""
    placed = news.cards if isinstance(news, TableRead) else (news.card,)
    what = "" if isinstance(news, TableRead) else f"{news.what} "
    return [f"{what}{each.card.face or '?'} {each.zone or '-'}" for each in placed]


def _is_same_card(was: PlacedCard, now: PlacedCard) -> bool:
    return was.card.face == now.card.face and _lies_there(was, now)


def _is_named_anew(was: PlacedCard, now: PlacedCard) -> bool:
    """Return whether only one of two readings was sure of a card; a card turned over is a new one."""
    is_told_apart = (was.card.face is None) != (now.card.face is None)
    return is_told_apart and was.card.facing == now.card.facing and _lies_there(was, now)


def _lies_there(was: PlacedCard, now: PlacedCard) -> bool:
    if was.zone != now.zone:
        return False
    if was.middle is None or now.middle is None:
        return was.card.outline == now.card.outline
    return dist(was.middle, now.middle) < UNMOVED_WITHIN


# answered cards


def mark_told(cards: Cards, ask: Show, faces: Iterable[str]) -> Cards:
    """Mark cards as named by an answer; if more lie there than requested, only the named ones."""
    fresh = tuple(each for each in by_arrival(cards_for_ask(cards, ask)) if not each.is_told)
    return mark_named(cards, fresh, Counter(faces)) if len(fresh) > ask.count else mark(cards, fresh)


def by_arrival(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=lambda each: each.since))


def unmark_told(cards: Cards, ask: Show) -> Cards:
    """Allow cards in the ask's zone to answer again."""
    there = cards_for_ask(cards, ask)
    return tuple(replace(each, is_told=each.is_told and each not in there) for each in cards)


def mark(cards: Cards, told: Cards) -> Cards:
    return tuple(replace(each, is_told=each.is_told or each in told) for each in cards)


def mark_all_told(cards: Cards) -> Cards:
    return mark(cards, cards)


def last_cards_answer(match: Match) -> tuple[Step, Show] | None:
    return next(_cards_answers_back(match), None)


def _cards_answers_back(match: Match) -> Iterator[tuple[Step, Show]]:
    for step in reversed(standing_answers(match)):
        ask = ask_named(step.before.asks, step.answer.ask)
        if isinstance(ask, Show):
            yield step, ask


def mark_said(cards: Cards, match: Match) -> Cards:
    """Mark cards that the last answer named without the camera, once they are laid."""
    last = last_cards_answer(match)
    if last is None or last[0].answer.sense == "camera":
        return cards
    step, ask = last
    there = cards_for_ask(cards, ask)
    lying = Counter(each.name or "" for each in there if each.is_told)
    due = (Counter(faces_named(step)) & expected_cards(match, ask.zone)) - lying
    return mark_named(cards, tuple(each for each in there if not each.is_told), due)


def deny_likely(cards: Cards, ask: Show, face: str) -> Cards:
    there = cards_for_ask(cards, ask)
    return tuple(
        replace(each, denied=(*each.denied, face))
        if each in there and not each.is_told and likely_face(each.card.card) == face
        else each
        for each in cards
    )


def _without_denied(each: TableCard) -> TableCard:
    """Drop faces that people have denied; the card then counts as uncertain."""
    card = each.card.card
    if best_face(card) in each.denied:
        card = replace(card, face=None, sure=False, chance=None)
    others = tuple(guess for guess in card.runners_up if guess.face not in each.denied)
    return replace(each, card=replace(each.card, card=replace(card, runners_up=others)))


def mark_told_before(cards: Cards, match: Match) -> Cards:
    """Mark cards of earlier answers after a start, in each zone that matches the record."""
    asks = {ask.zone: (step, ask) for step, ask in [*_cards_answers_back(match)][::-1]}
    for zone, (step, ask) in asks.items():
        there = cards_for_ask(cards, ask)
        faces = Counter(faces_named(step)) | expected_cards(match, zone)
        now = Counter(each.name or "" for each in there)
        if faces <= now or now <= faces:
            cards = mark_named(cards, there, faces)
    return cards


def faces_named(step: Step) -> tuple[str, ...]:
    return step.answer.value if isinstance(step.answer.value, tuple) else ()


def mark_named(cards: Cards, there: Cards, faces: "Counter[str]") -> Cards:
    return mark_due(cards, faces, lambda each: each.name if each in there else None)[0]


def mark_due(
    cards: Cards, due: "Counter[Any]", named: Callable[[TableCard], object]
) -> tuple[Cards, "Counter[Any]"]:
    """Mark as many cards of each name as are due; returns also the names that are still due."""
    left, marked = Counter(due), list[TableCard]()
    for each in cards:
        is_due = left[named(each)] > 0
        left[named(each)] -= is_due
        marked.append(replace(each, is_told=each.is_told or is_due))
    return tuple(marked), +left


# answers


def answer_from_cards(match: Match, ask: Show, cards: Cards) -> Answer | Notice | None:
    """Return the answer of the cards in the ask's zone, or the notice of a problem; None without cards."""
    there = cards_for_ask(cards, ask)
    fresh = tuple(_without_denied(each) for each in by_arrival(there) if not each.is_told)
    unread = card_trouble([each.card.card for each in fresh])
    if unread is not None:
        return _likely_answer(match, ask, fresh) or _likely_notice(match, ask, fresh) or unread
    faces = tuple(each.card.card.face or "" for each in fresh)
    if len(faces) > ask.count:
        return _answer_from_too_many(match, ask, fresh)
    if more := _more_below_notice(ask, fresh):
        return more
    if len(faces) == ask.count:
        return _answer(match, ask, faces, _owners(match, ask, fresh))
    if not faces:
        return _swept_notice(match, ask, there) or _same_card_notice(match, ask, there)
    return _old_cards_notice(there) or Notice(LACKING, {"shown": len(faces), "wanted": ask.count})


def _more_below_notice(ask: Show, fresh: Cards) -> Notice | None:
    """Return a notice if more cards lie under new ones; discards may cover each other."""
    over = [each.card.card.face or "" for each in fresh if each.card.card.more_below]
    return Notice(NoticeKey.CARDS_OVERLAP, {"cards": " ".join(over)}) if over and ask.zone != DISCARD else None


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
    answer = _answer(match, ask, _with_face(fresh, doubtful, face), _owners(match, ask, fresh))
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
        if isinstance(answer := _answer(match, ask, _with_face(fresh, doubtful, face), owners), Answer)
    }
    if not 1 <= len(answers) <= len(LIKELY_NOTICES):
        return None
    named = dict(zip(("card", "other"), answers, strict=False))
    return Notice(LIKELY_NOTICES[len(answers) - 1], named, answers=tuple(answers.values()))


def _with_face(cards: Cards, doubtful: TableCard, face: str) -> tuple[str, ...]:
    return tuple(face if each is doubtful else each.card.card.face or "" for each in cards)


def _answer_from_too_many(match: Match, ask: Show, fresh: Cards) -> Answer | Notice:
    faces = [each.card.card.face or "" for each in fresh]
    first = _first_card(ask, fresh) if ask.count == 1 else None
    answer = _answer(match, ask, (faces[0] if first is None else first.card.card.face or "",))
    if ask.count > 1 or isinstance(answer, Notice) or not is_more_wanted(match, answer, ask.zone):
        return Notice(NoticeKey.TOO_MANY_CARDS, {"shown": len(fresh), "wanted": ask.count})
    if first is None:
        return Notice(
            NoticeKey.CARDS_AT_ONCE, {"cards": " ".join(faces), "seat": ask.seats[0] if ask.seats else 0}
        )
    return answer


def _first_card(ask: Show, fresh: Cards) -> TableCard | None:
    """Return the card that counts first: the earliest, or the only one laid from the asked seat."""
    came = [each for each in fresh if each.since == fresh[0].since]
    if len(came) == 1:
        return came[0]
    whose = [laid_from(each.card) for each in came]
    mine = [each for each, seat in zip(came, whose, strict=True) if ask.seats == (seat,)]
    return mine[0] if len(mine) == 1 and None not in whose else None


def laid_from(card: PlacedCard) -> int | None:
    """Return the seat from which a card was laid; None if unclear."""
    return None if card.toward is None else int(card.toward.removeprefix("seat ")) - 1


def _old_cards_notice(there: Cards) -> Notice | None:
    """Return a notice of used cards among new ones, because one of them may be meant again."""
    old = [each.card.card.face or "?" for each in there if each.is_told]
    return Notice(NoticeKey.OLD_CARDS, {"cards": " ".join(old)}) if old else None


def _same_card_notice(match: Match, ask: Show, there: Cards) -> Notice | None:
    """Return a notice of cards that the record has moved away; a new one may be on the same spot."""
    lying = Counter(each.name or "" for each in there)
    left = lying - expected_cards(match, ask.zone)
    together = lying if _are_brought(match, ask) else left
    ways = [(face,) for face in left] if ask.count == 1 else [tuple(together.elements())]
    meant = [face for faces in ways if isinstance(_answer(match, ask, faces), Answer) for face in faces]
    return Notice(SAME, {"cards": " ".join(meant)}) if meant and ask.zone != DISCARD else None


def _are_brought(match: Match, ask: Show) -> bool:
    """Return whether the record places the requested cards here already, so hands are about to bring them."""
    return ask.zone in match.setup.game.table.sources(match.state, ask)


def _swept_notice(match: Match, ask: Show, there: Cards) -> Notice | None:
    """Return a notice if cards are missing that should still be there."""
    # cards of discards and of long rows overlap: hidden cards aren't missing
    if ask.zone == DISCARD or ask.is_anywhere or _are_brought(match, ask):
        return None
    lacking = expected_cards(match, ask.zone) - Counter(each.name or "" for each in there)
    if lacking.total() <= sum(each.name is None for each in there) or not ask.seats:
        return None
    return Notice(NoticeKey.CARDS_REMOVED, {"cards": " ".join(lacking.elements()), "seat": ask.seats[0]})


def _owners(match: Match, ask: Show, cards: Cards) -> tuple[int | None, ...]:
    """Return the seat that laid each card, if all seats lay at once and it is clear."""
    sources = () if ask.seats else match.setup.game.table.sources(match.state, ask)
    seats = {zone.seat for zone in sources if zone.seat is not None}
    owners = tuple(seat if (seat := laid_from(each.card)) in seats else None for each in cards)
    return owners if set(owners) != {None} else ()


def _answer(
    match: Match, ask: Show, faces: Iterable[str], owners: tuple[int | None, ...] = ()
) -> Answer | Notice:
    answer = Answer(match.number, ask.key, tuple(faces), None, "camera", owners=owners)
    after = hear(match, answer)
    return Notice(NoticeKey.REFUSED, refusal=after) if isinstance(after, Refusal) else answer
