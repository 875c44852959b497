"""Card moves in Coyote, and the rulings counted in statistics."""

from collections.abc import Iterator, Mapping

from referee.contract import Move, Ruling, Show
from referee.contract.cards import DISCARD, PILE, PROOF, Zone, ZoneKind, before_seat
from referee.contract.game import Feat, Rate, StatisticsRules, Stretch
from referee.games.coyote.state import State
from referee.kit.answers import cards_named, number_named, seat_named

ZONES = {"worn": ZoneKind(seen_by="others", taken_by="owner"), "covered": ZoneKind(taken_by="owner")}
PUT_AWAY = ("worn", "covered", "seat")  # a player's zones that are emptied after a round


def forehead(seat: int) -> Zone:
    return Zone("worn", seat)


def covered_place(seat: int) -> Zone:
    """The zone of a seat's covered card."""
    return Zone("covered", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    return tuple(_moves(state, ruling))


def _moves(state: State, ruling: Ruling) -> Iterator[Move]:
    match ruling.key:
        case "round":
            yield from _clearing_moves(state, DISCARD)
            yield from (Move(PILE, forehead(seat), 1) for seat in state.alive)
        case "shuffle":
            yield from _clearing_moves(state, PILE)
            yield Move(DISCARD, PILE, shuffled=True)
        case "pile-renewed":
            yield Move(DISCARD, PILE, shuffled=True)
        case "extra":
            yield Move(PILE, forehead(seat_named(ruling, "target")), 1)
        case "turns-extra":
            yield Move(PILE, before_seat(seat_named(ruling)), 1)
        case "replaced":
            seat = seat_named(ruling)
            yield Move(forehead(seat), covered_place(seat))
            yield Move(PILE, forehead(seat), 1)
        case "guessed":
            seat = seat_named(ruling)
            yield Move(forehead(seat), before_seat(seat))
        case "count-draw":
            yield Move(PILE, PROOF, len(cards_named(ruling)))


def _clearing_moves(state: State, target: Zone) -> Iterator[Move]:
    for name in PUT_AWAY:
        yield from (Move(Zone(name, seat), target) for seat in range(len(state.marks)))
    yield Move(PROOF, target)


def sources(state: State, ask: Show) -> tuple[Zone, ...]:
    seats = range(len(state.marks))
    match ask.key:
        case "reveal":
            return tuple(zone for seat in seats for zone in (forehead(seat), before_seat(seat)))
        case "aside":
            return tuple(covered_place(seat) for seat in seats)
        case "draw":
            return (PILE,)
        case _:
            return (ask.zone,)


# Statistics: bids, calls, marks.

JUDGED = ("enough", "short")  # rulings that contain the total


def ends(stretch: Stretch) -> bool:
    return bool(0 < stretch.before.round < stretch.after.round)


def points(stretch: Stretch) -> Mapping[str, int]:
    """Return the challenged bid and the total; empty for a round without a valid reveal."""
    for ruling in stretch.rulings:
        if ruling.key in JUDGED:
            return {"number": number_named(ruling, "number"), "total": number_named(ruling, "total")}
    return {}


_CALL = (("seat", "calls"), ("bidder", "contested"))
_RIGHT_GUESS = (("seat", "guesses"), ("seat", "guesses-right"))
FEATS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "called": _CALL,
    "called-double": _CALL,
    "short": (("contester", "calls-right"),),
    "enough": (("bidder", "stood"),),
    "doubled": (("seat", "doubles"),),
    "guess-right": _RIGHT_GUESS,
    "guess-right-open": _RIGHT_GUESS,
    "guess-wrong": (("seat", "guesses"),),
}
"""Statistics counted per ruling, each with the value that names the credited seat."""


SAID = frozenset({"announced", "approved", "called", "called-double"})


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    return tuple(_feats(stretch))


def _feats(stretch: Stretch) -> Iterator[Feat]:
    before = stretch.before
    yield from (Feat(seat, "rounds") for seat, worn in enumerate(before.marks) if worn < before.house.limit)
    last_acts = dict[int, int]()  # ruling in which each seat last bid or called
    for place, ruling in enumerate(stretch.rulings):
        if ruling.key in SAID:
            last_acts[seat_named(ruling)] = place
        for who, key in FEATS.get(ruling.key, ()):
            seat = seat_named(ruling, who)
            yield Feat(seat, key, ruling=place if who == "seat" else last_acts.get(seat, place))
        if ruling.key == "mark":
            yield Feat(seat_named(ruling), "marks", number_named(ruling, "taken"), place)
    yield from _numbers(stretch)


def _numbers(stretch: Stretch) -> Iterator[Feat]:
    total = points(stretch).get("total")
    if total is None:
        return
    bids: list[tuple[int, Ruling]] = []
    for place, ruling in enumerate(stretch.rulings):
        if ruling.key in ("announced", "approved"):
            bids.append((place, ruling))
        elif ruling.key == "restarted":
            bids.pop()
    for place, bid in bids:
        yield Feat(seat_named(bid), "numbers", ruling=place)
        yield Feat(seat_named(bid), "announced", number_named(bid, "number"), place)
        yield Feat(seat_named(bid), "totals", total, place)


COUNTING = StatisticsRules(
    ends=ends,
    opens=frozenset({"round"}),
    feats=feats,
    points=points,
    rates=(
        Rate("rate-calls", "calls-right", "calls"),
        Rate("rate-stood", "stood", "contested"),
        Rate("mean-number", "announced", "numbers", is_share=False),
        Rate("mean-total", "totals", "numbers", is_share=False),
        Rate("mean-marks", "marks", "rounds", is_share=False),
    ),
    begins=("round", "opener"),
    score="marks",
    is_most_best=False,
)
