"""Legality of an answer, decided by the asks alone, in the same way for every game."""

from collections.abc import Callable

from referee.contract import first_surplus_card
from referee.contract.asks import Answer, Ask, Choice, Done, Number, Option, Reason, Refusal, Show, make_refusal


def refusal(asks: tuple[Ask, ...], answer: Answer) -> Refusal | None:
    ask = ask_named(asks, answer.ask)
    if ask is None:
        return _not_asked(asks, answer)
    # the camera can't tell who placed a card, so an answer with cards may come without a seat
    if ask.seats and answer.seat not in ask.seats and not (isinstance(ask, Show) and answer.seat is None):
        return make_refusal(Reason.NOT_YOU, seats=ask.seats)
    return _REFUSALS[type(ask)](ask, answer)


def ask_named(asks: tuple[Ask, ...], key: str) -> Ask | None:
    for ask in asks:
        if ask.key == key:
            return ask
    return None


def _not_asked(asks: tuple[Ask, ...], answer: Answer) -> Refusal:
    if not asks:
        return make_refusal(Reason.OVER)
    seats = {seat for ask in asks for seat in ask.seats}
    if answer.seat is not None and seats and answer.seat not in seats:
        return make_refusal(Reason.NOT_YOU, seats=tuple(sorted(seats)))
    return make_refusal(Reason.NOT_ASKED)


def _number_refusal(ask: Number, answer: Answer) -> Refusal | None:
    value = answer.value
    if type(value) is not int:
        return make_refusal(Reason.WRONG_KIND, wanted="number")
    if value < ask.least:
        return make_refusal(Reason.TOO_LOW, number=value, least=ask.least)
    if value > ask.most:
        return make_refusal(Reason.TOO_HIGH, number=value, most=ask.most)
    if value in ask.barred:
        return make_refusal(Reason.BARRED, number=value)
    return None


def _option_refusal(ask: Choice, answer: Answer) -> Refusal | None:
    value = answer.value
    if value in ask.options:
        return None
    if not isinstance(value, Option):
        return make_refusal(Reason.WRONG_KIND, wanted="choice")
    same = [option for option in ask.options if option.word == value.word]
    if same:
        return _aim_refusal(same, value)
    words = tuple(dict.fromkeys(option.word for option in ask.options))
    return make_refusal(Reason.NO_SUCH_OPTION, word=value.word, words=words)


def _aim_refusal(same: list[Option], value: Option) -> Refusal:
    seats = dict.fromkeys(option.seat for option in same if option.seat is not None)
    if seats and value.seat not in seats:
        return make_refusal(Reason.OTHER_PLAYER, word=value.word, seats=tuple(seats))
    faces = dict.fromkeys(option.face for option in same if option.face is not None and option.cell is None)
    if faces and value.face not in faces:
        return make_refusal(Reason.OTHER_CARD, word=value.word, cards=tuple(faces))
    return make_refusal(Reason.OTHER_PLACE, word=value.word)


def _show_refusal(ask: Show, answer: Answer) -> Refusal | None:
    cards = answer.value
    if not isinstance(cards, tuple):
        return make_refusal(Reason.WRONG_KIND, wanted="cards")
    if len(cards) != ask.count:
        return make_refusal(Reason.CARD_COUNT, shown=len(cards), wanted=ask.count)
    if answer.owners and len(answer.owners) != len(cards):
        return make_refusal(Reason.OWNERS, shown=len(cards), named=len(answer.owners))
    if answer.owners and ask.seats and not set(answer.owners) <= {None, *ask.seats, ask.zone.seat}:
        return make_refusal(Reason.OUT_OF_TURN, seats=ask.seats)
    return card_refusal(ask, cards) or _missing_card_refusal(ask, cards)


def card_refusal(ask: Show, cards: tuple[str, ...]) -> Refusal | None:
    """Return why an ask allows none of these cards, or not as many; None if it does."""
    card = first_surplus_card(ask.among, cards)
    if card is None:
        return None
    have = ask.deck.counts.get(card, 0)
    if have == 0:
        return make_refusal(Reason.UNKNOWN_CARD, card=card, deck=ask.deck.name)
    if card in ask.barred:
        return make_refusal(Reason.CARD_BARRED, why=ask.barred[card], card=card)
    if cards.count(card) > have:
        return make_refusal(Reason.MORE_THAN_DECK, card=card, shown=cards.count(card), have=have)
    return make_refusal(Reason.ALREADY_SEEN, card=card, left=ask.among.get(card, 0))


def _missing_card_refusal(ask: Show, cards: tuple[str, ...]) -> Refusal | None:
    for card in ask.must:
        if cards.count(card) < ask.must.count(card):
            return make_refusal(Reason.CARD_MISSING, card=card)
    return None


_REFUSALS: dict[type[Ask], Callable[..., Refusal | None]] = {
    Number: _number_refusal,
    Choice: _option_refusal,
    Show: _show_refusal,
    Done: lambda _ask, answer: None if answer.value is None else make_refusal(Reason.WRONG_KIND, wanted="done"),
}
