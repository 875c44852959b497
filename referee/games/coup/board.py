"""What Coup shows of itself: what is claimed, who doubts it, and what each player has lost."""

from collections.abc import Iterator, Mapping

from referee.contract import (
    Board,
    CardRow,
    Coins,
    Count,
    CountChange,
    Datum,
    Face,
    Fact,
    Headline,
    Seat,
    Seats,
    Situation,
    Weight,
    make_fact,
    make_headline,
    make_situation,
)
from referee.games.coup.actions import ACTIONS, STOLEN
from referee.games.coup.effects import deed_changes
from referee.games.coup.state import BluffTally, DeclaredAction
from referee.games.coup.view import Intention, View

ACTION_KEYS: Mapping[tuple[str, str], str] = {
    ("proven", "assassinate"): "proven-assassin",
    ("proven", "steal"): "proven-captain",
    ("blocked", "foreign-aid"): "blocked-aid",
    ("blocked", "assassinate"): "blocked-assassin",
    ("blocked", "steal"): "blocked-captain",
    ("struck", "coup"): "struck-coup",
    ("struck", "assassinate"): "struck-assassin",
    ("exchange", "exchange"): "exchanging",
}
"""How a situation is told in which the action decides, by its phase and its word."""
CLAIM_KEYS: Mapping[str, str] = {
    "doubted": "doubted",
    "shown": "shown",
    "wrong": "doubt-wrong",
    "caught": "claim-caught",
}
"""How a situation is told in which it is about the claim alone."""
QUESTION_KEYS: Mapping[str, str] = {
    "turn": "action",
    "blocked": "block",
    "doubted": "prove",
    "wrong": "lose",
    "caught": "lose",
    "struck": "lose",
}
"""What is asked, where the phase alone says it."""
CLAIM_FACTS: Mapping[str, str] = {
    "proven": "shown",
    "shown": "shown",
    "wrong": "shown",
    "caught": "not-shown",
}
"""What has become of a claim; else it is just claimed."""


def situation(view: View) -> Situation | None:
    """Say whose turn it is, or who does what to whom, and what it is now about."""
    deed, claim = view.deed, view.claim
    if claim is not None and view.phase in CLAIM_KEYS:
        key = CLAIM_KEYS[view.phase]
        return make_situation(key, seat=claim.seat, face=claim.face, doubter=claim.doubter)
    if deed is not None:
        return _action(view, deed)
    return None if view.turn is None else make_situation("turn", seat=view.turn, coins=view.coins[view.turn])


def _action(view: View, deed: DeclaredAction) -> Situation:
    """Say what an action does to whom, or who stands against it."""
    key = ACTIONS[deed.word].said if view.phase == "declared" else ACTION_KEYS[view.phase, deed.word]
    block = view.claim if view.phase == "blocked" else None
    by: dict[str, Datum] = {} if block is None else {"blocker": block.seat, "face": block.face}
    return make_situation(key, seat=deed.seat, target=deed.target, coins=_coins_at_stake(view, deed), **by)


def _coins_at_stake(view: View, deed: DeclaredAction) -> int:
    """Count the coins that an action costs, or would bring now."""
    if deed.word == "steal" and deed.target is not None:
        return min(STOLEN, view.coins[deed.target])
    action = ACTIONS[deed.word]
    return action.cost or action.gain


def board(view: View) -> Board:
    """Show the claim first, then who is still asked, and what each player has lost."""
    return Board(
        facts=(*_claim(view), *_purse(view), *_shared(view), *_of_seats(view)),
        cards=(*_claimed(view), *_lost(view)),
        turn=view.turn,
        number=None if view.turn is None else view.coins[view.turn],
        headline=_headline(view),
        changes=_changes(view),
        goals={"coins": ACTIONS["coup"].cost} if view.phase == "turn" else {},
    )


def _changes(view: View) -> tuple[CountChange, ...]:
    """Show what coins would become if the action succeeds."""
    deed = view.deed
    return deed_changes(view.coins, deed) if deed is not None and _is_open(view, deed) else ()


def _lost(view: View) -> Iterator[CardRow]:
    for seat, cards in enumerate(view.lost):
        if cards:
            yield CardRow("lost", cards, seat=seat)


def _claimed(view: View) -> Iterator[CardRow]:
    """Show what is claimed for the action, and what for a block of it, as claims until they are shown."""
    claim, deed = view.claim, view.deed
    action = None if deed is None else ACTIONS[deed.word].claim
    is_block = claim is not None and deed is not None and claim.seat != deed.seat
    if deed is not None and action is not None and (is_block or view.phase == "proven"):
        is_seen = view.phase == "proven"
        yield CardRow("claimed", (action,), Weight.KEY, claimed_by=None if is_seen else deed.seat)
    if claim is None or view.phase == "proven":
        return
    key, is_seen = "blocking" if is_block else "claimed", view.phase in {"shown", "wrong"}
    struck = (0,) if view.phase == "caught" else ()
    yield CardRow(key, (claim.face,), Weight.KEY, claimed_by=None if is_seen else claim.seat, struck=struck)


def _headline(view: View) -> Headline | None:
    """Show the coins of whose turn it is, or those that an action moves."""
    if view.deed is not None:
        coins = _coins_at_stake(view, view.deed) if _is_open(view, view.deed) else 0
        return make_headline("stake", coins=coins) if coins else None
    return None if view.turn is None else make_headline("purse", seat=view.turn, coins=view.coins[view.turn])


def _is_open(view: View, deed: DeclaredAction) -> bool:
    """Tell whether an action may still succeed, or fail: it depends on a claim of its own, or on a block."""
    is_own = view.claim is not None and view.claim.seat == deed.seat
    match view.phase:
        case "declared" | "proven" | "blocked" | "doubted":
            return True
        case "shown" | "wrong":
            return is_own
        case "caught":
            return not is_own
        case _:
            return False


def _claim(view: View) -> Iterator[Fact]:
    """Show the claim that decides now, and who doubts it."""
    claim = view.claim
    if claim is None:
        return
    key = CLAIM_FACTS.get(view.phase, "claim")
    yield make_fact(key, Weight.KEY, face=Face(claim.face), by=Seat(claim.seat))
    if view.phase == "doubted" and claim.doubter is not None:
        yield make_fact("doubt", Weight.KEY, doubter=Seat(claim.doubter))


def _purse(view: View) -> Iterator[Fact]:
    """Show how far the one in turn is from a coup, while nothing is claimed."""
    if view.phase != "turn" or view.turn is None:
        return
    missing = ACTIONS["coup"].cost - view.coins[view.turn]
    if missing > 0:
        yield make_fact("purse", Weight.KEY, view.turn, missing=Count(missing))
    else:
        yield make_fact("rich", Weight.KEY, view.turn)


def _shared(view: View) -> Iterator[Fact]:
    if view.waiting:
        yield make_fact("waiting", seats=Seats(view.waiting))
    yield make_fact("treasury", coins=Coins(view.treasury))
    yield make_fact("court", Weight.SIDE, cards=Count(view.court))


def _of_seats(view: View) -> Iterator[Fact]:
    """Show who is aimed at, who means to speak, and how each has claimed and doubted."""
    if view.deed is not None and view.deed.target is not None:
        yield make_fact("target", seat=view.deed.target, by=Seat(view.deed.seat))
    yield from map(_intention, view.intentions)
    for seat, tally in enumerate(view.tallies):
        yield from _tally(seat, tally)


def _intention(means: Intention) -> Fact:
    if means.face is None:
        return make_fact("means-challenge", seat=means.seat)
    return make_fact("means-block", seat=means.seat, face=Face(means.face))


def _tally(seat: int, tally: BluffTally) -> Iterator[Fact]:
    """Show what all have heard of a seat's claims and challenges; a bluff that passed stays secret."""
    if tally.claims:
        counts = {"claims": tally.claims, "proven": tally.proven, "caught": tally.caught}
        yield make_fact("claims", Weight.SIDE, seat, **{key: Count(number) for key, number in counts.items()})
    if tally.challenges:
        yield make_fact(
            "challenges", Weight.SIDE, seat, challenges=Count(tally.challenges), right=Count(tally.right)
        )
