"""What a viewer may see of a match of Plenty Coups, named field by field."""

from msgspec import Struct

from referee.plenty_coups.score import final
from referee.plenty_coups.state import (
    Deed,
    Joining,
    Proposal,
    Raid,
    State,
    ally,
    is_winter,
    plain_markers,
    turn_of,
    voice,
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
    is_taunted: bool


class View(Struct, frozen=True):
    """The public table. The hands are not in it: the referee has never been told them."""

    players: int
    camps: tuple[Camp, ...]
    """The camps by seats; with two players, the neutral one is the last."""
    round: int
    is_winter: bool
    elder: int
    turn: int | None
    """Whose turn it is; with two players it may be the neutral clan's."""
    left: int
    """Actions that are left of the turn."""
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
    turn = turn_of(state)
    return View(
        players=state.players,
        camps=tuple(_camp(state, seat) for seat in range(len(state.clans))),
        round=state.round,
        is_winter=is_winter(state),
        elder=state.elder,
        turn=turn.seat if turn else state.stage.seat if isinstance(state.stage, Joining) else None,
        left=turn.left if turn else 0,
        laid=state.stage.laid if isinstance(state.stage, Deed) else (),
        display=state.display,
        discard=state.discard,
        pile=state.pile,
        plain=state.plain,
        raids=state.raids,
        proposals=state.proposals,
    )


def _camp(state: State, seat: int) -> Camp:
    clan, row = state.clans[seat], final(state, seat)
    return Camp(
        clan=clan.colour,
        player=voice(state, seat),
        herd=clan.herd,
        feats=clan.feats,
        renown=clan.feats + row.herd,
        plain_markers=plain_markers(state, seat),
        cards=clan.cards,
        known=clan.known,
        bond=clan.bond,
        ally=ally(state, seat),
        is_taunted=clan.is_taunted,
    )
