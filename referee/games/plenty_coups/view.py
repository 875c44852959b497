"""What a viewer may see of a match of Plenty Coups, named field by field."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract import Ruling, Standing, make_ruling
from referee.games.plenty_coups.deck import CLAN
from referee.games.plenty_coups.score import final
from referee.games.plenty_coups.state import (
    Deed,
    Joining,
    Proposal,
    Raid,
    State,
    ally,
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
    notes: tuple[tuple[Ruling, ...], ...]
    """What there is to say of each camp."""
    raiders: tuple[tuple[str, ...], ...]
    """Riders before each camp, and so on: cards that lie open at each."""
    proposing: tuple[tuple[str, ...], ...]
    allied: tuple[tuple[str, ...], ...]
    known: tuple[tuple[str, ...], ...]
    unseated: tuple[Standing, ...]
    """The clan that nobody sits at: it has no place."""


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    turn, seats = turn_of(state), range(len(state.clans))
    return View(
        players=state.players,
        camps=tuple(_camp(state, seat) for seat in seats),
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
        notes=tuple(tuple(_notes(state, seat)) for seat in seats),
        raiders=tuple(raid.riders if (raid := raid_on(state, seat)) else () for seat in seats),
        proposing=tuple(
            tuple(proposal.card for proposal in state.proposals if proposal.seat == seat) for seat in seats
        ),
        allied=tuple((clan.bond,) if clan.bond else () for clan in state.clans),
        known=tuple(clan.known for clan in state.clans),
        unseated=tuple(_unseated_standing(state, seat) for seat in seats if seat >= state.players),
    )


def _unseated_standing(state: State, seat: int) -> Standing:
    clan, row = state.clans[seat], final(state, seat)
    return Standing(seat, 0, {"renown": row.total, "feats": row.feats, "horses": clan.herd})


def _notes(state: State, seat: int) -> Iterator[Ruling]:
    """Say of a clan what its cards alone don't: its colour, its markers, whom they are about."""
    clan = state.clans[seat]
    if clan.colour:
        yield make_ruling("note-clan", clan=clan.colour)
    yield make_ruling("note-hand", count=clan.cards)
    yield make_ruling("note-markers", count=plain_markers(state, seat))
    raid = raid_on(state, seat)
    if raid is not None:
        yield make_ruling("note-raid", seat=raid.seat, value=raid.value)
    for proposal in state.proposals:
        if proposal.seat == seat:
            yield make_ruling("note-proposal", target=proposal.target)
    partner = ally(state, seat)
    if partner is not None:
        yield make_ruling("note-ally", target=partner)
    elif clan.bond:
        yield make_ruling("note-neutral-ally", clan=CLAN[clan.bond])
    if clan.is_taunted:
        yield make_ruling("note-taunt")


def _camp(state: State, seat: int) -> Camp:
    clan, row = state.clans[seat], final(state, seat)
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
        ally=ally(state, seat),
        is_taunted=clan.is_taunted,
    )
