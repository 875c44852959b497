"""Card moves in Coup, and its statistics. The pile is the Court."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from referee.contract import Move, Ruling
from referee.contract.cards import PILE, before_seat, hand_of
from referee.contract.game import Feat, Rate, StatisticsRules, Stretch
from referee.games.coup.board import deed_of, turn_of
from referee.games.coup.state import ACTIONS, DRAWN, INFLUENCE, State
from referee.kit.answers import seat_named
from referee.kit.claims import proof_moves

COUNTED = {"blocks": "blocks", "launches-coup": "coups", "loses": "lost"}
"""Rulings counted for the seat they name, and the name of the statistic."""
CLAIMS = {action.said: action.claim for action in ACTIONS.values() if action.claim}
"""Rulings on actions that claim a character, with the character."""
CLAIMED = {"blocks", *CLAIMS}
"""Rulings in which a seat claims a character."""


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Return the card moves of a ruling; returned cards are shuffled in, as the others may not track them."""
    if ruling.key == "dealt":
        return tuple(Move(PILE, hand_of(seat), INFLUENCE) for seat in range(len(state.coins)))
    seat, card = ruling.values.get("seat"), ruling.values.get("card")
    if not isinstance(seat, int):
        return ()
    faces = (card,) if isinstance(card, str) else ()
    match ruling.key:
        case "loses":
            return (Move(hand_of(seat), before_seat(seat), 1, faces=faces),)
        case "draws":
            return (Move(PILE, hand_of(seat), DRAWN, shuffled=True),)
        case "returns":
            return (Move(hand_of(seat), PILE, DRAWN, shuffled=True),)
        case _:
            return proof_moves(ruling.key, seat, faces)


def _ends(stretch: Stretch) -> bool:
    return turn_of(stretch.before) is not None and deed_of(stretch.after) is None


def _feats(stretch: Stretch) -> tuple[Feat, ...]:
    seat = turn_of(stretch.before)
    # before the first turn, the opening seat counts
    begins = (seat_named(each) for each in stretch.rulings if each.key == "begins")
    turn = (Feat(each, "turns") for each in (begins if seat is None else (seat,)))
    rulings = tuple(enumerate(stretch.rulings))
    counted = ((place, each) for place, each in rulings if each.key in COUNTED)
    feats = (Feat(seat_named(each), COUNTED[each.key], ruling=place) for place, each in counted)
    return (*turn, *feats, *_claims(stretch))


def _claims(stretch: Stretch) -> Iterator[Feat]:
    """Yield additions to the public tallies; a claim that isn't proved counts as disproved."""
    claimed, challenged = _places(stretch, CLAIMED), _places(stretch, {"challenged"})
    for seat, (was, now) in enumerate(zip(stretch.before.tallies, stretch.after.tallies, strict=True)):
        claim, challenge = claimed.get(seat), challenged.get(seat)
        yield Feat(seat, "claims", now.claims - was.claims, claim)
        yield Feat(seat, "proven", now.proven - was.proven, claim)
        yield Feat(seat, "caught", now.caught - was.caught, claim)
        yield Feat(seat, "doubted", now.proven + now.caught - was.proven - was.caught, claim)
        yield Feat(seat, "challenges", now.challenges - was.challenges, challenge)
        yield Feat(seat, "challenges-right", now.right - was.right, challenge)


def _places(stretch: Stretch, keys: AbstractSet[str]) -> dict[int, int]:
    """Return each seat's index of the last ruling with one of these keys."""
    return {seat_named(each): place for place, each in enumerate(stretch.rulings) if each.key in keys}


COUNTING = StatisticsRules(
    ends=_ends,
    feats=_feats,
    rates=(
        Rate("rate-bluffs", "caught", "doubted"),
        Rate("rate-caught", "caught", "claims"),
        Rate("rate-challenges", "challenges-right", "challenges"),
    ),
    begins=("begins", "seat"),
    score="influence",
)
