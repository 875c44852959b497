"""What a viewer may see of a match of Plenty Coups, named field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.plenty_coups.deck import CLAN
from referee.games.plenty_coups.score import final
from referee.games.plenty_coups.state import (
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
    Turning,
    ally,
    is_winter,
    plain_markers,
    player_of,
    turn_of,
)

StageName = Literal[
    "opening",
    "joining",
    "turning",
    "taking",
    "returning",
    "acting",
    "laying",
    "hunting",
    "gifting",
    "proving",
    "over",
]
"""What is being done."""

STAGES: dict[type, StageName] = {
    Opening: "opening",
    Joining: "joining",
    Turning: "turning",
    Taking: "taking",
    Returning: "returning",
    Acting: "acting",
    Deed: "laying",
    Hunting: "hunting",
    Gifting: "gifting",
    Proving: "proving",
    Over: "over",
}


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
    stage: StageName
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
