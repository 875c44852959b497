"""Card moves in Plenty Coups, and fair play for the twin.

Riders of a raid are before the raided camp, a proposal beside the proposer's herd, an ally's rider behind the
camp, and the staff of a taunt on the taunted clan's riders.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from referee.contract import Move
from referee.contract.asks import Answer, Option, Ruling, Show
from referee.contract.cards import CENTRE, DISCARD, LYING_KIND, PILE, Zone, ZoneKind, before_seat
from referee.games.plenty_coups.effects import ACTIONS, camp, herd, taunts
from referee.games.plenty_coups.state import HAND, HORSE, PROOFS, STAFF, Acting, Deed, Proving, Returning, State
from referee.kit.answers import cards_named, number_named, seat_named

Places = Mapping[Zone, tuple[str, ...]]
SPENT = {"breed": HORSE, "feat": STAFF, "taunt": STAFF, "score": STAFF}
"""Cards implied by option words."""


NEUTRAL_HAND = Zone("neutral-hand")
"""Hand of the neutral clan, which both players play in turn."""
NEUTRAL_KIND = ZoneKind(seen_by="players", taken_by="asked")
ZONES = {NEUTRAL_HAND.name: NEUTRAL_KIND, "herd": LYING_KIND, "camp": LYING_KIND, "taunt": LYING_KIND}


def hand(state: State, seat: int) -> Zone:
    """The hidden cards that a clan currently plays from."""
    who = state.holder(seat)
    return Zone("hand", who) if who < state.players else NEUTRAL_HAND


def gift(seat: int) -> Zone:
    """The zone of a face-down gift before a clan."""
    return Zone("gift", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Return the card moves after a ruling; hidden moves only have a count."""
    return tuple(_moves(state, ruling))


def _moves(state: State, ruling: Ruling) -> Iterator[Move]:
    match ruling.key:
        case "dealt":
            yield from (Move(PILE, hand(state, who), HAND) for who in range(number_named(ruling, "hands")))
        case "pile-renewed":
            yield Move(DISCARD, PILE, shuffled=True)
        case "draws":
            yield Move(PILE, _own_hand(state, ruling), number_named(ruling, "count"), shuffled=True)
        case "offers":
            yield Move(_own_hand(state, ruling), gift(seat_named(ruling, "target")), 1)
        case "exchange":
            # both hands are shuffled, so that nobody can track the exchanged card
            own, other = (hand(state, seat_named(ruling, key)) for key in ("hand", "other-hand"))
            yield Move(other, own, 1, shuffled=True)
            yield Move(gift(seat_named(ruling, "target")), other, 1, shuffled=True)
        case "alliance-ends":
            for whose, card in zip(("seat", "target"), cards_named(ruling), strict=True):
                yield _seen_move(camp(seat_named(ruling, whose)), DISCARD, (card,))
        case key:
            for source, target, cards in _SEEN.get(key, ()):
                yield _seen_move(source(state, ruling), target(state, ruling), cards_named(ruling, cards))


Place = Callable[[State, Ruling], Zone]


def _own_hand(state: State, ruling: Ruling) -> Zone:
    """Return the hand of a ruling's clan; the neutral clan's only in its own turn."""
    return hand(state, seat_named(ruling))


def _in(zone: Zone) -> Place:
    return lambda _state, _ruling: zone


def _at(place: Callable[[int], Zone], whose: str = "seat") -> Place:
    return lambda _state, ruling: place(seat_named(ruling, whose))


def _seen_move(source: Zone, target: Zone, faces: tuple[str, ...]) -> Move:
    return Move(source, target, len(faces), faces=faces)


_OFF = _in(DISCARD)
_SWEPT = ((_in(CENTRE), _OFF, "cards"),)
_SPENT = ((_own_hand, _OFF, "card"),)
_RAID_OFF = ((_at(before_seat, "target"), _OFF, "cards"),)
_WITHDRAWN = ((_at(herd), _OFF, "card"),)
_SEEN: dict[str, tuple[tuple[Place, Place, str], ...]] = {
    "turned-up": ((_in(PILE), _in(CENTRE), "cards"),),
    "swept": _SWEPT,
    "display-off": _SWEPT,
    "takes": ((_in(CENTRE), _own_hand, "card"),),
    "discards": ((_own_hand, _OFF, "cards"),),
    "breeds": _SPENT,
    "feat": _SPENT,
    "proves": ((lambda state, ruling: hand(state, seat_named(ruling, "hand")), _OFF, "cards"),),
    "raids": ((_own_hand, _at(before_seat, "target"), "cards"),),
    "chased": _RAID_OFF,
    "comes-home": _RAID_OFF,
    "raid-ends": _RAID_OFF,
    "too-late": _RAID_OFF,
    "repels": ((_at(before_seat), _OFF, "cards"), (_own_hand, _OFF, "weapons")),
    "proposes": ((_own_hand, _at(herd), "card"),),
    "outbid": _WITHDRAWN,
    "withdrawn": _WITHDRAWN,
    "lapses": _WITHDRAWN,
    "seals": ((_own_hand, _at(camp), "card"), (_at(herd, "target"), _at(camp, "target"), "other")),
    "neutral-ally": ((_own_hand, _at(camp), "card"),),
    "neutral-ends": ((_at(camp), _OFF, "card"),),
    "taunts": ((_own_hand, _at(taunts, "target"), "card"),),
    "staff-off": ((_at(taunts), _OFF, "card"),),
}
"""Public moves per ruling: source, target, and the value that names the cards."""


def sources(state: State, ask: Show) -> tuple[Zone, ...]:
    stage = state.stage
    if ask.key == "display":
        return (PILE,)
    turn = state.turn
    if turn is None:
        return ()
    return (hand(state, stage.target if isinstance(stage, Proving) else turn.seat),)


def is_fair(state: State, answer: Answer, places: Places) -> bool:
    match state.stage, answer.value:
        case Returning(turn=turn) | Acting(turn=turn), Option(word=word, seat=seat):
            held = Counter(places[hand(state, turn.seat)])
            if word in SPENT:
                return held[SPENT[word]] > 0
            return word not in ACTIONS or _can_lay(state, Deed(turn, word, -1 if seat is None else seat), held)
        case Deed() as deed, (card,):
            held = Counter(places[hand(state, deed.turn.seat)])
            return card in _serving(state, deed, held) and _can_lay(state, _with_laid(deed, card), held)
        case Proving() as stage, (card,):
            return card in PROOFS and card in places[hand(state, stage.target)]
        case _:
            return True


def _can_lay(state: State, deed: Deed, held: Counter[str]) -> bool:
    """Return whether a hand has all cards that an action still needs, including matching pairs."""
    is_done = len(deed.laid) == len(ACTIONS[deed.word].asks)
    serving = () if is_done else _serving(state, deed, held)
    return is_done or any(_can_lay(state, _with_laid(deed, card), held) for card in serving)


def _serving(state: State, deed: Deed, held: Counter[str]) -> list[str]:
    """Return the cards of a hand that may come next; its true cards are the most it can hold."""
    left = held - Counter(deed.laid) if deed.laid else held
    return [card for card in dict.fromkeys(ACTIONS[deed.word].cards(state, deed, held)) if left[card]]


def _with_laid(deed: Deed, card: str) -> Deed:
    return replace(deed, laid=(*deed.laid, card))
