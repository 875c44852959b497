"""What Plenty Coups shows of itself: the public table, what is done to whom, and what is asked of whom."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import (
    CENTRE,
    Ask,
    Board,
    CardRow,
    Count,
    Datum,
    Face,
    Fact,
    Headline,
    Piece,
    PieceCount,
    Question,
    Ruling,
    Seat,
    Situation,
    Track,
    Weight,
    make_fact,
    make_headline,
    make_question,
    make_ruling,
    make_situation,
)
from referee.games.plenty_coups.cards import most_held
from referee.games.plenty_coups.clans import strength
from referee.games.plenty_coups.deeds import herd, possible_options
from referee.games.plenty_coups.score import final
from referee.games.plenty_coups.state import (
    CLAN,
    ROUNDS,
    VALUE,
    WEAPONS,
    WINTER,
    Acting,
    Deed,
    Gifting,
    Hunting,
    Joining,
    Opening,
    Over,
    Proposal,
    Proving,
    Raid,
    Returning,
    State,
    Taking,
    Turn,
    Turning,
    ally,
    has_turn_left,
    holder,
    is_winter,
    plain_markers,
    player_of,
    raid_on,
    turn_of,
)


class Camp(Struct, frozen=True):
    """What all can see of a clan: camp, markers and herd, how many cards it holds, what it took in sight."""

    clan: str
    player: int
    """Who plays it now."""
    herd: int
    feats: int
    renown: int
    plain_markers: int
    """Markers at home that show their raid side."""
    cards: int
    known: tuple[str, ...]
    """Cards that all have seen it take and that it must still hold."""
    bond: str
    ally: int | None
    neutral_ally: str
    """The neutral clan that it is allied with."""
    is_taunted: bool


class View(Struct, frozen=True):
    """The public table. The hands are not in it: the referee has never been told them."""

    players: int
    camps: tuple[Camp, ...]
    """The camps by seats; with two players, the neutral one is the last."""
    stage: str
    """What is being done."""
    round: int
    is_winter: bool
    elder: int
    turn: int | None
    """Whose turn it is; with two players it may be the neutral clan's."""
    left: int
    """Actions that are left of the turn."""
    may_score: bool
    """A raid has just been repelled so well that a feat may follow."""
    count: int
    """Cards that are still to be taken or discarded."""
    action: str
    """What cards are being laid for."""
    target: int | None
    """Whom it is done to."""
    laid: tuple[str, ...]
    """Cards that have been laid for an action that needs more."""
    display: tuple[str, ...]
    discard: tuple[str, ...]
    pile: int
    plain: int
    raids: tuple[Raid, ...]
    proposals: tuple[Proposal, ...]


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    turn, stage = turn_of(state), state.stage
    return View(
        players=state.players,
        camps=tuple(_camp(state, seat) for seat in range(len(state.clans))),
        stage=STAGES[type(stage)],
        round=state.round,
        is_winter=is_winter(state),
        elder=state.elder,
        turn=turn.seat if turn else stage.seat if isinstance(stage, Joining | Turning) else None,
        left=turn.left if turn else 0,
        may_score=turn is not None and turn.may_score,
        count=stage.count if isinstance(stage, Taking | Hunting) else 0,
        action=stage.word if isinstance(stage, Deed) else "",
        target=_target(state),
        laid=stage.laid if isinstance(stage, Deed) else (),
        display=state.display,
        discard=state.discard,
        pile=state.pile,
        plain=state.plain,
        raids=state.raids,
        proposals=state.proposals,
    )


def _target(state: State) -> int | None:
    """Say whom something is done to."""
    match state.stage:
        case Deed(target=target) if target >= 0:
            return target
        case Gifting(target=target) | Proving(target=target):
            return target
        case Returning(raid=raid):
            return raid.target
        case _:
            return None


def _camp(state: State, seat: int) -> Camp:
    clan, row, partner = state.clans[seat], final(state, seat), ally(state, seat)
    return Camp(
        clan=clan.colour,
        player=player_of(state, seat),
        herd=clan.herd,
        feats=clan.feats,
        renown=clan.feats + row.herd,
        plain_markers=plain_markers(state, seat),
        cards=clan.cards,
        known=clan.known,
        bond=clan.bond,
        ally=partner,
        neutral_ally=CLAN[clan.bond] if clan.bond and partner is None else "",
        is_taunted=clan.is_taunted,
    )


STAGES: dict[type, str] = {
    Opening: "opening", Joining: "joining", Turning: "turning", Taking: "taking", Returning: "returning",
    Acting: "acting", Deed: "laying", Hunting: "hunting", Gifting: "gifting", Proving: "proving", Over: "over",
}  # fmt: skip
"""What each stage is called, where it is shown."""
EXCUSED = {
    "Camp.herd": "the standings show it; of the neutral clan, the board does",
    "Camp.feats": "the standings show them; of the neutral clan, the board does",
    "Camp.renown": "the standings show it; of the neutral clan, the board does",
}


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


ANSWERING = frozenset({"gift-back", "worth", "proof"})
"""Asks to whom something is done, not to whose turn it is."""


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask what is done in the turn; then, where a camera looks twice, whether the turn is over."""
    if any(ask.key == "proof" for ask in asks):
        return (make_question("worth-or-proof", _asked_about(view, asks[0]), *asks),)
    late = sorted(asks, key=lambda ask: ask.key == "whole-turn")
    return tuple(make_question(_question_key(view, ask), _asked_about(view, ask), ask) for ask in late)


def _question_key(view: View, ask: Ask) -> str:
    match ask.key:
        case "action" if view.may_score:
            return "action-repelled"
        case "action" if raid_in_turn(view) is not None:
            return "action-raided"
        case key:
            return key


def _asked_about(view: View, ask: Ask) -> dict[str, Datum]:
    """Name whose turn it is and whom it is done to, what is left, and a raid on the camp."""
    raid = raid_in_turn(view)
    return {
        "seat": view.turn,
        "clan": view.target if ask.key in ANSWERING else view.turn,
        "target": view.target,
        "left": view.left,
        **({"count": view.count} if ask.key == "take" else {}),
        "raider": None if raid is None else raid.seat,
        "value": None if raid is None else raid.value,
    }


# Known to all.


def insight(state: State) -> tuple[Ruling, ...]:
    """Say what the clan in turn needs against a raid, and in the last round what it begins too late."""
    if not isinstance(state.stage, Acting):
        return ()
    turn = state.stage.turn
    late = tuple(_too_late(state, turn)) if state.round == ROUNDS else ()
    return (*_defence(state, turn.seat), *late)


def _too_late(state: State, turn: Turn) -> Iterator[Ruling]:
    """Say that a raid wouldn't come home before the end, and which clans can't accept a proposal any more."""
    options = possible_options(state, turn)
    if any(option.word == "raid" for option in options):
        yield make_ruling("late-raid", "what-is-too-late", seat=turn.seat)
    aims = (option.seat for option in options if option.word == "propose" and option.seat is not None)
    targets = tuple(seat for seat in aims if not has_turn_left(state, turn.seat, seat))
    if targets:
        yield make_ruling(
            "late-proposal", "what-is-too-late", seat=turn.seat, targets=targets, count=len(targets)
        )


def _defence(state: State, seat: int) -> tuple[Ruling, ...]:
    """Say what it takes to repel the raid on a camp, and what is certain of that hand."""
    raid = raid_on(state, seat)
    if raid is None:
        return ()
    needed, most = strength(state, raid), most_held(state, seat)
    known = state.clans[holder(state, seat)].known
    if any(card in known and VALUE[card] >= needed for card in WEAPONS):
        return (make_ruling("can-repel", "what-repels", seat=seat, needed=needed),)
    count = sum(most[card] for card in WEAPONS if VALUE[card] >= needed)
    return (make_ruling("may-repel", "what-repels", seat=seat, needed=needed, count=count),)


PIECES = (Piece("horses", 36, 24.0),)


def pieces_lying(view: View) -> tuple[PieceCount, ...]:
    """Say how many horses should lie where."""
    herds = (PieceCount("horses", herd(seat), camp.herd) for seat, camp in enumerate(view.camps))
    return (*herds, PieceCount("horses", CENTRE, view.plain, is_stock=True))
