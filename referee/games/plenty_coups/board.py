"""What Plenty Coups shows of itself: what is done to whom, raids, alliances, the season."""

from collections.abc import Iterator

from referee.contract import (
    Board,
    CardRow,
    Count,
    Datum,
    Face,
    Fact,
    Headline,
    Seat,
    Situation,
    Track,
    Weight,
    make_fact,
    make_headline,
    make_situation,
)
from referee.games.plenty_coups.state import ROUNDS, WINTER, Raid
from referee.games.plenty_coups.view import Camp, View

EXCUSED = {
    "Camp.herd": "the standings show it; of the neutral clan, the board does",
    "Camp.feats": "the standings show them; of the neutral clan, the board does",
    "Camp.renown": "the standings show it; of the neutral clan, the board does",
}

QUESTION_KEYS = {"joining": "clan", "taking": "take", "proving": "prove"}
"""What is asked, where the stage alone says it."""


def situation(view: View) -> Situation | None:
    """Say what is being done, by whom and to whom."""
    match view.stage:
        case "opening":
            return None
        case "joining":
            return make_situation("joining", elder=view.elder)
        case "over":
            return make_situation("over")
        case _:
            return make_situation(_situation_key(view), **_stakes(view))


def _situation_key(view: View) -> str:
    match view.stage:
        case "laying":
            return f"laying-{view.action}"
        case "acting" if not view.left:
            return "acted"
        case "acting" if view.may_score:
            return "repelled"
        case "acting" if raid_in_turn(view):
            return "acting-raided"
        case _:
            return view.stage


def _stakes(view: View) -> dict[str, Datum]:
    """Give what is at stake in a turn."""
    stakes: dict[str, Datum] = {
        "seat": view.turn,
        "target": view.target,
        "left": view.left,
        "count": view.count,
    }
    raid = raid_in_turn(view)
    return {**stakes, "raider": raid.seat, "value": raid.value} if raid else stakes


def raid_in_turn(view: View) -> Raid | None:
    """Find the raid on the camp of whose turn it is."""
    return next((raid for raid in view.raids if raid.target == view.turn), None)


def board(view: View) -> Board:
    """Show what decides the turn first, then the season, the display, and what all can see of each camp."""
    return Board(
        facts=(*_shared(view), *_raids(view), *_proposals(view), *_of_camps(view)),
        cards=tuple(_cards(view)),
        turn=view.turn,
        number=view.round or None,
        headline=_headline(view),
        track=_year(view),
    )


def _headline(view: View) -> Headline | None:
    """Show the raid that has to be met, or how near winter and the end are."""
    raid = raid_in_turn(view)
    if raid is not None and view.stage in {"acting", "laying"}:
        return make_headline("raid", seat=raid.seat, target=raid.target, value=raid.value)
    if not view.round or view.stage == "over":
        return None
    if view.is_winter:
        return make_headline("winter", left=ROUNDS - view.round + 1)
    return make_headline("winter-in", count=WINTER - view.round)


def _year(view: View) -> Track | None:
    """Count the rounds, those of winter apart."""
    if not view.round:
        return None
    return Track("year", 1, ROUNDS, view.round, special=tuple(range(WINTER, ROUNDS + 1)))


def _shared(view: View) -> Iterator[Fact]:
    if view.stage in {"acting", "laying"}:
        yield make_fact("left", Weight.KEY, count=Count(view.left))
    if view.round:
        yield make_fact("round", number=Count(view.round), rounds=Count(ROUNDS))
        yield _season(view)
    if view.stage != "opening":
        yield make_fact("elder", Weight.SIDE, who=Seat(view.elder))
    yield make_fact("plain", count=Count(view.plain))
    yield make_fact("pile", Weight.SIDE, count=Count(view.pile))


def _season(view: View) -> Fact:
    return make_fact("winter") if view.is_winter else make_fact("winter-in", count=Count(WINTER - view.round))


def _raids(view: View) -> Iterator[Fact]:
    """Show the raid on each camp; one that brings no feat is told apart."""
    for raid in view.raids:
        key = "raid-without-feat" if raid.is_feat else "raid"
        weight = Weight.KEY if raid.target == view.turn else Weight.MAIN
        yield make_fact(key, weight, raid.target, by=Seat(raid.seat), value=Count(raid.value))


def _proposals(view: View) -> Iterator[Fact]:
    for proposal in view.proposals:
        yield make_fact("proposal", seat=proposal.seat, to=Seat(proposal.target), card=Face(proposal.card))


def _of_camps(view: View) -> Iterator[Fact]:
    for seat, camp in enumerate(view.camps):
        yield from _of_camp(seat, camp)
        if camp.player != seat:
            yield make_fact("played-by", seat=seat, who=Seat(camp.player))
        if seat >= view.players:
            yield make_fact("renown", seat=seat, count=Count(camp.renown))
            yield make_fact("feats", seat=seat, count=Count(camp.feats))
            yield make_fact("horses", seat=seat, count=Count(camp.herd))


def _of_camp(seat: int, camp: Camp) -> Iterator[Fact]:
    if camp.clan:
        yield make_fact("clan", seat=seat, clan=Face(camp.clan))
    if camp.ally is not None:
        yield make_fact("ally", seat=seat, who=Seat(camp.ally))
    if camp.neutral_ally:
        yield make_fact("neutral-ally", seat=seat, clan=Face(camp.neutral_ally))
    if camp.is_taunted:
        yield make_fact("taunted", seat=seat)
    yield make_fact("hand", seat=seat, count=Count(camp.cards))
    yield make_fact("markers", Weight.SIDE, seat, count=Count(camp.plain_markers))


def _cards(view: View) -> Iterator[CardRow]:
    if view.display:
        yield CardRow("display", view.display, Weight.KEY if view.stage == "taking" else Weight.MAIN)
    if view.laid:
        yield CardRow("laid", view.laid, Weight.KEY, view.turn)
    if view.discard:
        yield CardRow("discard", view.discard, Weight.SIDE)
    for raid in view.raids:
        decides = raid == raid_in_turn(view) and view.stage in {"acting", "laying"}
        yield CardRow("raiders", raid.riders, Weight.KEY if decides else Weight.MAIN, raid.target)
    for seat, camp in enumerate(view.camps):
        yield from _cards_of_camp(view, seat, camp)


def _cards_of_camp(view: View, seat: int, camp: Camp) -> Iterator[CardRow]:
    proposed = tuple(proposal.card for proposal in view.proposals if proposal.seat == seat)
    if proposed:
        yield CardRow("proposed", proposed, Weight.MAIN, seat)
    if camp.bond:
        yield CardRow("bond", (camp.bond,), Weight.MAIN, seat)
    if camp.known:
        yield CardRow("known", camp.known, Weight.SIDE, seat)
