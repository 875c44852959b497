"""Actions of a clan in its turn, in rule-book order: requirements and effects."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Effect, make_effect
from referee.contract.asks import Choice, Option, Refusal, Ruling, make_ruling
from referee.contract.cards import DISCARD, Zone, before_seat
from referee.games.plenty_coups import clans
from referee.games.plenty_coups.state import (
    CLAN,
    CLANS,
    FACES,
    HORSE,
    RIDER_PAIRS,
    ROUNDS,
    SINGLE_RIDERS,
    STAFF,
    VALUE,
    WEAPON_PAIRS,
    WEAPONS,
    WINTER,
    Acting,
    Deed,
    Gifting,
    Hunting,
    Proving,
    Raid,
    Riders,
    Rulings,
    State,
    Turn,
    draw_cards,
    worth,
)
from referee.kit.options import aimed_options, unmet, unmet_by

Most = Mapping[str, int]
"""Maximum of each card in a hand."""

ALLIANCE_PLAYERS = 4  # number of players from which clans in play may ally
TOO_FEW_PLAYERS = unmet("too-few-players", least=ALLIANCE_PLAYERS)
GIVEN = 2
PREY = 2
TURN_OVER = Option("turn-over")
CLAN_OPTIONS = tuple(map(Option, CLANS))


def herd(seat: int) -> Zone:
    """The zone beside a clan's herd, for its proposal."""
    return Zone("herd", seat)


def camp(seat: int) -> Zone:
    """The zone behind a clan's camp, for its ally's rider."""
    return Zone("camp", seat)


def taunts(seat: int) -> Zone:
    """The zone on a clan's riders, for the staff of a clan that taunts it."""
    return Zone("taunt", seat)


class ActionContext(Struct, frozen=True, gc=False):
    """Inputs of an action's requirements: ally, raids on the clan, and the maximum of each card in hand."""

    state: State
    turn: Turn
    seat: int
    ally: int | None
    raid: Raid | None
    most: Most
    rider: int
    """Strength of the strongest rider that the hand may hold; 0 without one."""
    pair: int
    """Strength of its two strongest riders of a clan."""


def context_of(state: State, turn: Turn) -> ActionContext:
    seat, most, helped = turn.seat, state.most_held(turn.seat), clans.helped_by(state, turn.seat)
    singles, pairs = _by_strength(helped)
    rider = next((single for single in singles if most[single[0]]), ())
    pair = next(state.pairs_held(seat, pairs, most), ())
    strengths = _strength(rider, helped), _strength(pair, helped)
    return ActionContext(state, turn, seat, state.ally(seat), state.raid_on(seat), most, *strengths)


def serves(context: ActionContext, word: str, target: int) -> bool:
    """Return whether the hand may hold a suitable card, judging by public information."""
    cards = ACTIONS[word].cards(context.state, Deed(context.turn, word, target), context.most)
    return any(map(context.most.__getitem__, cards))


# Requirements: each function returns the condition that fails for a target, or None.


def _feat_needs(context: ActionContext, _target: int) -> Refusal | None:
    return _staff_missing(context) if context.turn.may_score else unmet("no-feat")


def _breeding_needs(context: ActionContext, _target: int) -> Refusal | None:
    if not context.state.plain:
        return unmet("plain-empty")
    return None if context.most[HORSE] else unmet("no-horse-card")


def _raid_needs(context: ActionContext, target: int) -> Refusal | None:
    return _strength_missing(context, target, context.rider)


def _double_raid_needs(context: ActionContext, target: int) -> Refusal | None:
    if context.state.is_winter:
        return unmet("one-action-in-winter")
    if context.turn.left <= 1:
        return unmet("takes-two-actions")
    return _strength_missing(context, target, context.pair)


def _strength_missing(context: ActionContext, target: int, strength: int) -> Refusal | None:
    """Require riders stronger than a raid at the target."""
    state, seat, raid = context.state, context.seat, context.state.raid_on(target)
    if context.ally == target:
        return unmet_by("is-ally", target)
    if raid is not None and raid.seat == seat:
        return unmet_by("raids-already", target)
    if state.proposals and (state.is_proposing(target, seat) or state.is_proposing(seat, target)):
        return unmet_by("proposal-open", target)
    if not state.markers(seat):
        return unmet("no-markers")
    least = clans.strength(state, raid)
    if strength > least:
        return None
    return unmet("too-weak", least=least + 1) if raid else unmet("no-rider")


def _double_defence_needs(context: ActionContext, _target: int) -> Refusal | None:
    if context.raid and context.turn.left <= 1 and context.state.round != WINTER:
        return unmet("takes-two-actions")
    return _weapons_missing(context, "double-defend")


def _weapons_missing(context: ActionContext, word: str) -> Refusal | None:
    if context.raid is None:
        return unmet("not-raided")
    least = clans.strength(context.state, context.raid)
    return None if serves(context, word, context.seat) else unmet("no-weapon", least=least)


def _ally_gift_needs(context: ActionContext, target: int) -> Refusal | None:
    if context.ally is None:
        return unmet("no-ally")
    if target not in {context.ally, context.seat}:
        return unmet_by("not-ally", target)
    return unmet("gifted-already") if context.turn.has_gifted else _exchange_needs(context, context.ally, 1)


def _exchange_needs(context: ActionContext, target: int, least: int) -> Refusal | None:
    """Require no raid between the two clans, and enough cards in both hands."""
    state, seat = context.state, context.seat
    if state.is_raiding(seat, target) or (context.raid and context.raid.seat == target):
        return unmet_by("raid-between", target)
    own, other = state.holder(seat), state.holder(target)
    if state.clans[own].cards < least:
        return unmet("too-few-cards", least=least, cards=state.clans[own].cards)
    if own == other:
        return unmet("not-yourself")
    return None if state.clans[other].cards else unmet_by("empty-hand", target)


def _proposal_needs(context: ActionContext, target: int) -> Refusal | None:
    if context.state.players < ALLIANCE_PLAYERS:
        return TOO_FEW_PLAYERS
    if context.ally is not None:
        return unmet_by("has-ally", context.ally)
    if context.state.is_raiding(context.seat, target):
        return unmet_by("raids-already", target)
    if context.state.is_proposing(context.seat, target):
        return unmet_by("proposed-already", target)
    return None if serves(context, "propose", target) else unmet("no-such-rider")


def _acceptance_needs(context: ActionContext, target: int) -> Refusal | None:
    proposer = _proposer(context)
    if proposer is None or target not in {proposer, context.seat}:
        return unmet("not-proposed")
    return None if serves(context, "accept", proposer) else unmet("no-such-rider")


def _proposer(context: ActionContext) -> int | None:
    proposal = context.state.proposal_to(context.seat)
    return proposal.seat if proposal else None


def _neutral_ally_needs(context: ActionContext, _target: int) -> Refusal | None:
    if context.ally is not None:
        return unmet_by("has-ally", context.ally)
    return None if serves(context, "ally", context.seat) else unmet("no-such-rider")


def _staff_missing(context: ActionContext) -> Refusal | None:
    return None if context.most[STAFF] else unmet("no-staff")


def _taunt_needs(context: ActionContext, target: int) -> Refusal | None:
    if context.state.is_winter:
        return unmet("no-taunts-in-winter")
    return (
        unmet_by("taunted-already", target)
        if context.state.clans[target].is_taunted
        else _staff_missing(context)
    )


def _donation_needs(context: ActionContext, target: int) -> Refusal | None:
    """Require a herd no larger than one's own; neither clan raided; or the target an ally."""
    state, seat, own = context.state, context.seat, context.state.clans[context.seat].herd
    if own < GIVEN:
        return unmet("too-few-horses", least=GIVEN, horses=own)
    if state.clans[target].herd > own:
        return unmet_by("larger-herd", target)
    if context.raid or state.raid_on(target):
        return unmet_by("is-raided", seat if context.raid else target)
    if context.ally == target:
        return unmet_by("is-ally", target)
    for clan in (seat, target) if state.house.gift_of_horses == "anyone" else ():
        if state.ally(clan) is not None:
            return unmet_by("allied", clan)
    return _card_missing(context, "no-card-to-discard")


def may_hunt(state: State, seat: int) -> bool:
    """Return whether a clan may hunt; a house rule forbids it once no cards are drawn any more."""
    is_open = state.house.winter_hunt or state.round <= WINTER
    return is_open and state.clans[state.holder(seat)].cards > 0


def _card_missing(context: ActionContext, why: str) -> Refusal | None:
    return None if context.state.clans[context.state.holder(context.seat)].cards else unmet(why)


# Suitable cards for a declared action; pairs are built as far as they are looked at.


def _one_rider(state: State, deed: Deed, _most: Most) -> Iterator[str]:
    return (card for (card,) in _stronger_riders(*_least(state, deed)))


def _two_riders(state: State, deed: Deed, most: Most) -> Iterator[str]:
    return _of_pairs(state.pairs_held(deed.turn.seat, _stronger_pairs(*_least(state, deed)), most), deed)


def _least(state: State, deed: Deed) -> tuple[int, Riders]:
    """Return the strength that riders must exceed, and the clans whose riders get the bonus."""
    return clans.strength(state, state.raid_on(deed.target)), clans.helped_by(state, deed.turn.seat)


@cache
def _stronger_riders(least: int, helped: tuple[str, ...]) -> tuple[Riders, ...]:
    return _stronger(SINGLE_RIDERS, least, helped)


@cache
def _stronger_pairs(least: int, helped: tuple[str, ...]) -> tuple[Riders, ...]:
    return _stronger(RIDER_PAIRS, least, helped)


def _stronger(groups: Iterable[Riders], least: int, helped: tuple[str, ...]) -> tuple[Riders, ...]:
    return tuple([riders for riders in groups if _strength(riders, helped) > least])


@cache
def _by_strength(helped: tuple[str, ...]) -> tuple[list[Riders], list[Riders]]:
    """Return the riders and the pairs of riders, the strongest first."""
    groups = (SINGLE_RIDERS, RIDER_PAIRS)
    singles, pairs = (sorted(each, key=lambda riders: -_strength(riders, helped)) for each in groups)
    return singles, pairs


def _strength(riders: Riders, helped: tuple[str, ...]) -> int:
    return worth(riders) + (CLAN[riders[0]] in helped) if riders else 0


def _one_weapon(state: State, deed: Deed, _most: Most) -> Iterator[str]:
    least = clans.strength(state, state.raid_on(deed.turn.seat))
    return (card for card in WEAPONS if VALUE[card] >= least)


def _two_weapons(state: State, deed: Deed, most: Most) -> Iterator[str]:
    seat, least = deed.turn.seat, clans.strength(state, state.raid_on(deed.turn.seat))
    pairs = state.pairs_held(seat, WEAPON_PAIRS, most)
    return _of_pairs((pair for pair in pairs if worth(pair) >= least), deed)


def _of_pairs(pairs: Iterable[Riders], deed: Deed) -> Iterator[str]:
    """Yield the cards that may come next: any card of a pair, then one that matches the first."""
    for pair in pairs:
        if not deed.laid:
            yield from pair
        elif deed.laid[0] in pair:
            yield pair[1] if pair[0] == deed.laid[0] else pair[0]


# Effects. If another clan or chance comes next, the stage waits for it.

Done = tuple[State, Rulings]


def _breed(state: State, deed: Deed) -> Done:
    """Discard a horse card to gain a horse from the plain."""
    seat = deed.turn.seat
    state = replace(state.with_hand_discarded(seat, (HORSE,)), plain=state.plain - 1)
    return state.with_horses(seat, 1), (make_ruling("breeds", "breed", seat=seat, card=HORSE),)


def _gift(state: State, deed: Deed) -> Done:
    """Discard a card and place another face down as a gift."""
    state, rulings = _discard(state, deed)
    gift = Gifting(replace(deed.turn, left=deed.turn.left - 1, may_score=False), deed.target)
    return replace(state, stage=gift), (*rulings, _offer(gift))


def _ally_gift(state: State, deed: Deed) -> Done:
    """Exchange gifts between allies, without a cost."""
    gift = Gifting(replace(deed.turn, has_gifted=True), deed.target, is_free=True)
    return replace(state, stage=gift), (_offer(gift),)


def _offer(gift: Gifting) -> Ruling:
    return make_ruling("offers", rule_of_gift(gift), seat=gift.turn.seat, target=gift.target)


def rule_of_gift(gift: Gifting) -> str:
    return "ally-gift" if gift.is_free else "gift"


def _taunt(state: State, deed: Deed) -> Done:
    """Place a staff on a clan's riders; taunting an ally ends the alliance and costs renown."""
    seat, target = deed.turn.seat, deed.target
    was_ally = state.ally(seat) == target
    state = state.with_cards_laid(seat, (STAFF,)).with_clan(target, is_taunted=True)
    rulings: Rulings = (make_ruling("taunts", "taunt", seat=seat, target=target, card=STAFF),)
    if was_ally:
        state, more = clans.end_alliance(state, seat, "taunt-ally")
        state, cost = clans.lose_renown(state, seat, "taunt-ally")
        rulings = (*rulings, *more, *cost)
    return replace(state, stage=Proving(deed.turn, target)), rulings


def _donate(state: State, deed: Deed) -> Done:
    """Discard a card and give away two horses to gain renown."""
    seat, target = deed.turn.seat, deed.target
    state, rulings = _discard(state, deed)
    state = state.with_horses(seat, -GIVEN).with_horses(target, GIVEN)
    state, more = clans.gain_renown(state, seat, "donate")
    return state, (*rulings, make_ruling("donates", "donate", seat=seat, target=target, horses=GIVEN), *more)


def _hunt(state: State, deed: Deed) -> Done:
    """Discard a card, draw two hidden cards, then discard two."""
    seat = deed.turn.seat
    state, discarded = _discard(state, deed)
    before = state.clans[state.holder(seat)].cards
    state, drawn = draw_cards(state, seat, PREY, "hunt")
    ruling = make_ruling("hunts", "winter-hunt" if state.round > WINTER else "hunt", seat=seat)
    stage = Hunting(deed.turn, state.clans[state.holder(seat)].cards - before)
    return replace(state, stage=stage), (ruling, *discarded, *drawn)


def _discard(state: State, deed: Deed) -> Done:
    ruling = make_ruling("discards", deed.word, seat=deed.turn.seat, cards=deed.laid)
    return state.with_hand_discarded(deed.turn.seat, deed.laid), (ruling,)


class Action(Struct, frozen=True):
    """An action of a turn: its requirements, its effect, and its cards, if any."""

    needs: Callable[[ActionContext, int], Refusal | None]
    does: Callable[[State, Deed], Done]
    asks: tuple[str, ...] = ()
    cards: Callable[[State, Deed, Most], Iterable[str]] = lambda _state, _deed, _most: FACES
    """Returns the suitable cards of a hand with a known maximum of each card; some may come twice."""
    zone: Callable[[Deed], Zone] = lambda _deed: DISCARD
    bar: str = ""  # text key for unsuitable cards; empty if any card is suitable
    is_aimed: bool = False
    """Whether any other clan can be the target; otherwise the clan in turn, or the only possible target."""
    at: Callable[[ActionContext], int | None] = lambda _context: None
    cost: int = 1


def _behind_own(deed: Deed) -> Zone:
    return camp(deed.turn.seat)


_RIDERS = {"asks": ("first-rider", "second-rider"), "bar": "no-double-raid", "cost": 2}
_WEAPONS = {"asks": ("first-weapon", "second-weapon"), "bar": "no-double-defence", "cost": 2}
_RAID = Action(
    _raid_needs,
    clans.launch_raid,
    ("raid-rider",),
    _one_rider,
    lambda deed: before_seat(deed.target),
    "no-raid",
    is_aimed=True,
)
_DEFENCE = Action(
    lambda context, _target: _weapons_missing(context, "defend"),
    clans.repel_raid,
    ("weapon",),
    _one_weapon,
    lambda deed: before_seat(deed.turn.seat),
    "no-defence",
)
ACTIONS = {
    "feat": Action(_feat_needs, lambda state, deed: clans.score_feat(state, deed.turn.seat, "feat-defence")),
    "breed": Action(_breeding_needs, _breed),
    "raid": _RAID,
    "double-raid": replace(_RAID, needs=_double_raid_needs, cards=_two_riders, **_RIDERS),
    "defend": _DEFENCE,
    "double-defend": replace(_DEFENCE, needs=_double_defence_needs, cards=_two_weapons, **_WEAPONS),
    "gift": Action(
        lambda context, target: _exchange_needs(context, target, 2), _gift, ("for-gift",), is_aimed=True
    ),
    "propose": Action(
        _proposal_needs,
        clans.propose_alliance,
        ("proposal",),
        lambda state, deed, _most: clans.proposing_riders(state, deed.target),
        lambda deed: herd(deed.turn.seat),
        "no-proposal",
        is_aimed=True,
    ),
    "accept": Action(
        _acceptance_needs,
        clans.seal_alliance,
        ("acceptance",),
        lambda state, deed, _most: clans.accepting_riders(state, deed.turn.seat, deed.target),
        _behind_own,
        "no-acceptance",
        at=_proposer,
    ),
    "ally": Action(
        _neutral_ally_needs,
        clans.ally_with_neutral,
        ("neutral-rider",),
        lambda state, deed, _most: clans.neutral_riders(state, deed.turn.seat),
        _behind_own,
        "no-neutral-ally",
    ),
    "taunt": Action(_taunt_needs, _taunt, is_aimed=True),
    "donate": Action(_donation_needs, _donate, ("for-donation",), is_aimed=True),
    "hunt": Action(
        lambda context, _target: (
            _card_missing(context, "no-card-to-hunt")
            or (None if may_hunt(context.state, context.seat) else unmet("no-hunt-in-winter"))
        ),
        _hunt,
        ("for-hunt",),
    ),
    "ally-gift": Action(_ally_gift_needs, _ally_gift, at=lambda context: context.ally, cost=0),
}
"""All actions in display order."""


def possible_options(state: State, turn: Turn) -> tuple[Option, ...]:
    """Return the possible options; a turn may be ended once no action is certain to remain."""
    if not turn.left and state.ally(turn.seat) is None:
        return ()
    context, others = context_of(state, turn), [seat for seat in range(len(state.clans)) if seat != turn.seat]
    options: list[Option] = []
    for word, action in ACTIONS.items():
        if not turn.left and action.cost:
            continue
        if action.is_aimed:
            targets = tuple([other for other in others if action.needs(context, other) is None])
            options += aimed_options(word, targets)
        elif action.needs(context, turn.seat) is None:
            options.append(Option(word, seat=action.at(context)))
    is_sure = turn.left and (may_hunt(state, turn.seat) or _feat_needs(context, turn.seat) is None)
    return tuple(options) if is_sure or not options else (*options, TURN_OVER)


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    """Return the condition that an action currently fails, or the refusal of a clan already taken."""
    if not isinstance(state.stage, Acting):
        return clan_taken(state, option)
    turn, action = state.stage.turn, ACTIONS.get(option.word)
    target = turn.seat if option.seat is None else option.seat
    if action is None or target >= len(state.clans):
        return None
    if not turn.left and action.cost:
        return unmet("no-actions")
    if action.is_aimed and target == turn.seat:
        return None if option.seat is None else unmet("not-yourself")
    return action.needs(context_of(state, turn), target)


def clan_taken(state: State, option: Option) -> Refusal | None:
    seat = state.seat_of(option.word)
    return None if seat is None else unmet_by("clan-taken", seat)


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    if ask.key not in {"clan", "neutral-clan"}:
        return ()
    return tuple(option for option in CLAN_OPTIONS if clan_taken(state, option))


UNTOLD = frozenset({"elder", "take"})  # option words without an effect text, because they are self-explanatory


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    turn, word = state.turn, option.word
    if word == "breed":
        return make_effect(word, count=state.plain)
    if word in {"defend", "double-defend"} and turn is not None:
        return make_effect(word, least=clans.strength(state, state.raid_on(turn.seat)))
    late = turn is not None and state.round == ROUNDS and _late_key(state, turn, option)
    return None if word in UNTOLD else make_effect(late or word)


def _late_key(state: State, turn: Turn, option: Option) -> str:
    """Return the text key for an action that comes too late in the last round."""
    target = turn.seat if option.seat is None else option.seat
    if option.word in {"raid", "double-raid"}:
        return "raid-late-chases" if state.raid_on(target) else "raid-late"
    return "propose-late" if option.word == "propose" and not state.has_turn_left(turn.seat, target) else ""
