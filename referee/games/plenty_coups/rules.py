"""The rules of Plenty Coups in rule-book order: setup, turns, actions, the end, the count."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import astuple, replace

from referee.contract import CENTRE, DISCARD, Deadline, make_refusal, make_ruling, without
from referee.contract.asks import TABLE, Answer, Ask, Choice, Done, Option, Reason, Refusal, Ruling, Show
from referee.contract.game import Outcome, Standing, Transition
from referee.games.plenty_coups import clans, effects
from referee.games.plenty_coups.state import (
    HAND,
    MAX_WINDOW_SECONDS,
    PLENTY_COUPS,
    PROOFS,
    ROUNDS,
    SHOWN,
    STAFF,
    WINTER,
    Acting,
    Clan,
    Deed,
    Gifting,
    House,
    Hunting,
    Joining,
    Opening,
    Over,
    Proving,
    Returning,
    Rulings,
    State,
    Taking,
    Turn,
    Turning,
    draw_cards,
    is_swept,
    renew_pile,
    sorted_faces,
)
from referee.kit.answers import cards_said, option_said, seat_aimed_at
from referee.kit.options import aimed_options

HORSES = 6  # horses per clan in play: one in its herd, the rest on the plain
HOME = Option("home")
SCORE = Option("score")
ACCEPT = Option("accept-loss")

# Setup. The table names the oldest player; from there to the right, each player chooses a clan. Two players
# have a neutral third clan between them.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    """Deal three cards and one horse to each clan; the other horses form the plain."""
    if not 1 <= house.worth_seconds <= MAX_WINDOW_SECONDS:
        return make_refusal(Reason.HOUSE, why="seconds", most=MAX_WINDOW_SECONDS)
    count = max(len(seats), 3)
    hands = len(seats) if house.neutral_hand == "controller" else count
    seated = tuple(Clan(cards=HAND if seat < hands else 0) for seat in range(count))
    pile, plain = PLENTY_COUPS.size - HAND * hands, (HORSES - 1) * count
    state = State(house, len(seats), seated, Opening(), pile, plain)
    by = "horses" if len(seats) > 2 else "neutral-hand"
    return Transition(state, (make_ruling("dealt", by, hands=hands, horses=plain),))


def _hear_elder(state: State, _stage: Opening, answer: Answer) -> Transition:
    elder = seat_aimed_at(option_said(answer))
    ruling = make_ruling("elder", "elder", seat=elder)
    return Transition(replace(state, elder=elder, stage=Joining(elder)), (ruling,))


def _ask_clan(state: State, stage: Joining) -> tuple[Ask, ...]:
    key = "clan" if stage.seat < state.players else "neutral-clan"
    return (Choice(key, (state.player_of(stage.seat),), _free_clans(state)),)


def _free_clans(state: State) -> tuple[Option, ...]:
    return tuple(option for option in effects.CLAN_OPTIONS if not effects.clan_taken(state, option))


def _hear_clan(state: State, stage: Joining, answer: Answer) -> Transition:
    """Take a clan; if only one is left, it is assigned."""
    state, rulings = _join_clan(state, stage.seat, option_said(answer))
    nxt, free = state.next_clan(stage.seat), _free_clans(state)
    if nxt != state.elder and len(free) > 1:
        return Transition(replace(state, stage=Joining(nxt)), rulings)
    state, more = _join_clan(state, nxt, free[0]) if nxt != state.elder else (state, ())
    return _turn_cards_up(state, state.elder, (*rulings, *more), "display")


def _join_clan(state: State, seat: int, clan: Option) -> tuple[State, Rulings]:
    return state.with_clan(seat, colour=clan.word), (make_ruling("joins", "clan", seat=seat, clan=clan.word),)


# The display: four face-up cards from the pile. Three alike clear it.


def _turn_cards_up(state: State, seat: int, rulings: Rulings, by: str) -> Transition:
    """Turn up cards until the display has four, then begin the next clan's turn."""
    if is_swept(state.display) and len(state.display) == SHOWN:
        rulings = (*rulings, make_ruling("swept", "three-alike", cards=state.display))
        state, by = replace(state.with_discarded(state.display), display=()), "three-alike"
    if len(state.display) < SHOWN and not state.pile and state.discard:
        state, ruling = renew_pile(state)
        rulings = (*rulings, *ruling)
    if len(state.display) < SHOWN and state.pile:
        return Transition(replace(state, stage=Turning(seat, by)), rulings)
    return _begin_turn(state, seat, rulings)


def _ask_display(state: State, _stage: Turning) -> tuple[Ask, ...]:
    count = min(SHOWN - len(state.display), state.pile)
    return (Show("display", TABLE, count, CENTRE, PLENTY_COUPS, state.unseen_cards),)


def _hear_display(state: State, stage: Turning, answer: Answer) -> Transition:
    cards = cards_said(answer)
    display = sorted_faces((*state.display, *cards))
    state = replace(state, display=display, pile=state.pile - len(cards))
    ruling = make_ruling("turned-up", stage.by, cards=cards)
    return _turn_cards_up(state, stage.seat, (ruling,), stage.by)


# A turn: the elder's begins a round. Old cards are cleared, cards are taken, raids come home.


def _begin_turn(state: State, seat: int, rulings: Rulings) -> Transition:
    if seat == state.elder:
        state = replace(state, round=state.round + 1)
        rulings = (*rulings, make_ruling("round", "round", number=state.round, seat=seat))
        rulings = (*rulings, make_ruling("winter", "winter")) if state.round == WINTER else rulings
    by = state.player_of(seat)
    key, rule = ("turn", "elder") if by == seat else ("neutral-turn", "neutral-clan")
    rulings = (*rulings, make_ruling(key, rule, seat=by))
    state, more = _clear_leftovers(state, seat)
    turn = Turn(seat, left=1 if state.is_winter else 2)
    first = _begin_taking if state.house.raid_return == "after_draw" else _bring_raids_home
    return first(state, turn, (*rulings, *more))


def _clear_leftovers(state: State, seat: int) -> tuple[State, Rulings]:
    """Discard one's own proposal and taunt staffs; draw a card if the hand proved its worth."""
    state, rulings = clans.drop_proposals(state, (seat,), "lapses", "proposal-lapses")
    clan = state.clans[seat]
    if clan.is_taunted:
        state = state.with_clan(seat, is_taunted=False).with_discarded((STAFF,))
        rulings += (make_ruling("staff-off", "taunted-once", seat=seat, card=STAFF),)
    if clan.has_proved:
        lacking = max(0, HAND - clan.cards)
        state, more = draw_cards(state.with_clan(seat, has_proved=False), seat, lacking, "hand-filled")
        rulings += more
    return state, rulings


def _begin_taking(state: State, turn: Turn, rulings: Rulings) -> Transition:
    """Take two cards; one in winter, and none after winter's first round."""
    wanted = 2 if not state.is_winter else 1 if state.round == WINTER else 0
    return _next_take(state, turn, min(wanted, len(state.display)), rulings)


def _next_take(state: State, turn: Turn, count: int, rulings: Rulings) -> Transition:
    if count:
        return Transition(replace(state, stage=Taking(turn, count)), rulings)
    then = _bring_raids_home if state.house.raid_return == "after_draw" else _next_action
    return then(state, turn, rulings)


def _ask_take(state: State, stage: Taking) -> tuple[Ask, ...]:
    options = tuple(Option("take", face=face) for face in dict.fromkeys(state.display))
    return (Choice("take", (state.player_of(stage.turn.seat),), options),)


def _hear_take(state: State, stage: Taking, answer: Answer) -> Transition:
    turn, face = stage.turn, option_said(answer).face or ""
    ruling = make_ruling("takes", "winter-cards" if state.is_winter else "take", seat=turn.seat, card=face)
    return _next_take(state.with_card_taken(turn.seat, face), turn, stage.count - 1, (ruling,))


def _bring_raids_home(state: State, turn: Turn, rulings: Rulings) -> Transition:
    """Bring raids home; if a marker can be turned, a staff may score a feat."""
    for raid in state.raids:
        if raid.seat != turn.seat:
            continue
        # a feat needs a staff, a raid marker on its raid side, and another marker that can still be turned
        may_score = turn.left and not raid.is_feat and state.may_gain(raid.seat)
        if may_score and state.most_held(raid.seat)[STAFF] > 0:
            return Transition(replace(state, stage=Returning(turn, raid)), rulings)
        state, more = clans.bring_raid_home(state, raid)
        rulings = (*rulings, *more)
    then = _next_action if state.house.raid_return == "after_draw" else _begin_taking
    return then(state, turn, rulings)


def _ask_return(state: State, stage: Returning) -> tuple[Ask, ...]:
    options = (replace(SCORE, seat=stage.raid.target), replace(HOME, seat=stage.raid.target))
    return (Choice("return", (state.player_of(stage.turn.seat),), options),)


def _hear_return(state: State, stage: Returning, answer: Answer) -> Transition:
    """Score a feat as one of the turn's actions."""
    turn = stage.turn
    state, rulings = clans.bring_raid_home(state, stage.raid)
    if option_said(answer).word == SCORE.word:
        state, more = clans.score_feat(state, turn.seat, "feat-home")
        turn, rulings = replace(turn, left=turn.left - 1), (*rulings, *more)
    return _bring_raids_home(state, turn, rulings)


# Actions: two single ones or a double one. Then the hand is reduced to three cards, and the turn ends.


def _next_action(state: State, turn: Turn, rulings: Rulings) -> Transition:
    if (turn.left and effects.may_hunt(state, turn.seat)) or effects.possible_options(state, turn):
        return Transition(replace(state, stage=Acting(turn)), rulings)
    return _end_turn(state, turn, rulings)


def _ask_action(state: State, stage: Acting) -> tuple[Ask, ...]:
    key = "action" if stage.turn.left else "after-actions"
    return (Choice(key, (state.player_of(stage.turn.seat),), effects.possible_options(state, stage.turn)),)


def _hear_action(state: State, stage: Acting, answer: Answer) -> Transition:
    """Begin an action: some apply immediately, others need a card first."""
    option = option_said(answer)
    if option.word not in effects.ACTIONS:
        return _end_turn(state, stage.turn, ())
    return _go_on(state, Deed(stage.turn, option.word, -1 if option.seat is None else option.seat))


def _ask_card(state: State, deed: Deed) -> tuple[Ask, ...]:
    action, most = effects.ACTIONS[deed.word], state.most_held(deed.turn.seat)
    key, seats, zone = action.asks[len(deed.laid)], (state.player_of(deed.turn.seat),), action.zone(deed)
    if not action.bar:
        return (Show(key, seats, 1, zone, PLENTY_COUPS, most),)
    fitting = frozenset(action.cards(state, deed, most))
    most = without(most, deed.laid)
    among = {face: count if face in fitting else 0 for face, count in most.items()}
    barred = {face: action.bar for face, count in most.items() if count > 0 and face not in fitting}
    return (Show(key, seats, 1, zone, PLENTY_COUPS, among, barred=barred),)


def _go_on(state: State, deed: Deed) -> Transition:
    """Apply an action once its cards are complete; if another clan or chance comes next, the turn waits."""
    action = effects.ACTIONS[deed.word]
    if len(deed.laid) < len(action.asks):
        return Transition(replace(state, stage=deed), ())
    done, rulings = action.does(state, deed)
    if done.stage is not state.stage:
        return Transition(done, rulings)
    may_score = deed.word == "defend" and clans.is_feat(state, deed.turn.seat, deed.laid)
    return _after_action(done, deed.turn, rulings, action.cost, may_score=may_score)


def _after_action(
    state: State, turn: Turn, rulings: Rulings, cost: int = 1, *, may_score: bool = False
) -> Transition:
    return _next_action(state, replace(turn, left=max(0, turn.left - cost), may_score=may_score), rulings)


# Immediate responses: the other clan returns a gift or proves its worth, or a hunter discards.


def _hear_gift(state: State, stage: Gifting, _answer: Answer) -> Transition:
    seat, target = stage.turn.seat, stage.target
    hands = {"hand": state.holder(seat), "other-hand": state.holder(target)}
    ruling = Ruling("exchange", {"seat": seat, "target": target, **hands}, effects.rule_of_gift(stage))
    return _next_action(state.with_cards_exchanged(seat, target), stage.turn, (ruling,))


def _ask_worth(state: State, stage: Proving) -> tuple[Ask, ...]:
    seats, most = (state.player_of(stage.target),), state.most_held(stage.target)
    deadline = Deadline(float(state.house.worth_seconds), ACCEPT)
    asks: tuple[Ask, ...] = (Choice("worth", seats, (ACCEPT,), deadline=deadline),)
    among = {face: count if face in PROOFS else 0 for face, count in most.items()}
    if not any(among.values()):
        return asks
    barred = {face: "no-proof" for face, count in most.items() if count > 0 and face not in PROOFS}
    return (*asks, Show("proof", seats, 1, DISCARD, PLENTY_COUPS, among, barred=barred))


def _hear_worth(state: State, stage: Proving, answer: Answer) -> Transition:
    """A staff or a 4 proves one's worth; otherwise renown is lost."""
    seat = stage.target
    if answer.ask == "proof":
        cards, hand = cards_said(answer), state.holder(seat)
        state = state.with_hand_discarded(seat, cards).with_clan(hand, has_proved=True)
        rulings: Rulings = (make_ruling("proves", "prove", seat=seat, hand=hand, cards=cards),)
    else:
        by = "worth-seconds" if answer.sense == "clock" else "unproven"
        state, lost = clans.lose_renown(state, seat, "unproven")
        rulings = (make_ruling("unproven", by, seat=seat), *lost)
    return _after_action(state, stage.turn, rulings)


def _ask_prey(state: State, stage: Hunting) -> tuple[Ask, ...]:
    seats, most = (state.player_of(stage.turn.seat),), state.most_held(stage.turn.seat)
    return (Show("prey", seats, stage.count, DISCARD, PLENTY_COUPS, most),)


def _hear_prey(state: State, stage: Hunting, answer: Answer) -> Transition:
    seat, cards = stage.turn.seat, cards_said(answer)
    ruling = make_ruling("discards", "hunt", seat=seat, cards=cards)
    return _after_action(state.with_hand_discarded(seat, cards), stage.turn, (ruling,))


# The end of a turn, and of the match: after the twelfth round, raids on their way are lost.


def _end_turn(state: State, turn: Turn, rulings: Rulings) -> Transition:
    cards = state.clans[state.holder(turn.seat)].cards
    rule = _rule_of_end(state, turn, cards)
    rulings = (*rulings, make_ruling("turn-over", rule, seat=turn.seat, cards=cards))
    nxt = state.next_clan(turn.seat)
    if state.round == ROUNDS and nxt == state.elder:
        return _end_match(state, rulings)
    if state.house.clear_display and state.round <= WINTER:
        rulings = (*rulings, make_ruling("display-off", "display-left", cards=state.display))
        state = replace(state.with_discarded(state.display), display=())
    return _turn_cards_up(state, nxt, rulings, "display-left")


def _rule_of_end(state: State, turn: Turn, cards: int) -> str:
    if not cards:
        return "empty-hand"
    if turn.left:
        return "winter-hunt"
    return "three-cards" if cards == HAND and not state.is_winter else "turn-over"


def _end_match(state: State, rulings: Rulings) -> Transition:
    for raid in state.raids:
        lost = make_ruling("too-late", "too-late", seat=raid.seat, target=raid.target, cards=raid.riders)
        state, rulings = clans.without_raid(state, raid), (*rulings, lost)
    state = replace(state, stage=Over())
    for seat in range(len(state.clans)):
        row = final(state, seat)
        key, by = ("counted-without-horses", "no-horses") if row.has_no_horses else ("counted", "counted")
        counts = {"feats": row.feats, "herd": row.herd, "total": row.total}
        rulings = (*rulings, make_ruling(key, by, seat=seat, **counts))
    rulings, winners = (*rulings, *_joined_counts(state)), _winners(state)
    won = make_ruling("won", _rule_of_victory(state), seats=winners, count=len(winners))
    return Transition(state, (*rulings, won))


def _joined_counts(state: State) -> tuple[Ruling, ...]:
    rulings: Rulings = ()
    for rank in sorted(ranks(state), key=lambda rank: rank.seat):
        if rank.partner is not None and rank.seat < rank.partner:
            # without horses, the order of the penalty matters
            by = "together" if all(state.clans[seat].herd for seat in (rank.seat, rank.partner)) else "penalty"
            rulings += (make_ruling("together", by, seat=rank.seat, target=rank.partner, total=rank.renown),)
    return rulings


def _rule_of_victory(state: State) -> str:
    first = ranks(state)[0]
    if len(state.clans) > state.players and own_key(state, state.players) > own_key(state, first.seat):
        return "neutral-clan"
    return "most-renown" if first.partner is None else "allied-tie"


def _winners(state: State) -> tuple[int, ...]:
    return tuple(sorted(rank.seat for rank in ranks(state) if rank.place == 1))


# The asks of each stage, and the function for each answer.

_STAGES: dict[type, tuple[Callable[..., tuple[Ask, ...]], Callable[..., Transition]]] = {
    Opening: (
        lambda state, _stage: (Choice("elder", TABLE, aimed_options("elder", tuple(range(state.players)))),),
        _hear_elder,
    ),
    Joining: (_ask_clan, _hear_clan),
    Turning: (_ask_display, _hear_display),
    Taking: (_ask_take, _hear_take),
    Returning: (_ask_return, _hear_return),
    Acting: (_ask_action, _hear_action),
    Deed: (
        _ask_card,
        lambda state, deed, answer: _go_on(state, replace(deed, laid=(*deed.laid, *cards_said(answer)))),
    ),
    Hunting: (_ask_prey, _hear_prey),
    Gifting: (lambda state, stage: (Done("gift-back", (state.player_of(stage.target),)),), _hear_gift),
    Proving: (_ask_worth, _hear_worth),
}


def asks(state: State) -> tuple[Ask, ...]:
    return () if isinstance(state.stage, Over) else _STAGES[type(state.stage)][0](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    return _STAGES[type(state.stage)][1](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """Return the winners: the players with the most renown when winter ends."""
    return Outcome("winter-over", _winners(state)) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the players as if the match ended now; the neutral clan of two players has no rank."""
    return tuple(
        Standing(seat, place, {"renown": renown, "feats": feats, "horses": state.clans[seat].herd})
        for seat, place, renown, feats, _partner in map(astuple, ranks(state))
    )


# The count: renown from feats and herd, the penalty without horses, allies' sums, ties.

FREE = 5  # horses without renown; each further one brings one
ENOUGH = 2  # renown from markers that both allies need to add up theirs

Key = tuple[int, int, int]
"""Ranking key: renown, then renown from markers, then horses."""


class Final(Struct, frozen=True):
    """A clan's own final result."""

    feats: int
    herd: int
    total: int
    has_no_horses: bool
    is_enough: bool  # whether it has enough renown from markers to add up with an ally


class Rank(Struct, frozen=True):
    """A player's final rank; allies count together if both have enough."""

    seat: int
    place: int
    renown: int
    feats: int
    partner: int | None


def final(state: State, seat: int) -> Final:
    """Return a clan's final result; without horses it loses one renown, down to zero."""
    clan = state.clans[seat]
    feats = clan.feats if clan.herd else max(0, clan.feats - 1)
    herd = max(0, clan.herd - FREE)
    tested = feats if state.house.penalty_first else clan.feats
    return Final(feats, herd, feats + herd, not clan.herd, tested >= ENOUGH)


def ranks(state: State) -> tuple[Rank, ...]:
    """Return the players' ranks, best first; ties share a rank."""
    keys = {seat: _key(state, seat) for seat in range(state.players)}
    order = sorted(keys, key=lambda seat: keys[seat], reverse=True)
    places = {seat: 1 + sum(other > keys[seat] for other in keys.values()) for seat in order}
    return tuple(
        Rank(seat, places[seat], keys[seat][0], final(state, seat).feats, partner_of(state, seat))
        for seat in order
    )


def partner_of(state: State, seat: int) -> int | None:
    """Return the ally whose result is added; both must have enough renown."""
    partner = state.ally(seat)
    if partner is None or not (final(state, seat).is_enough and final(state, partner).is_enough):
        return None
    return partner


def _key(state: State, seat: int) -> Key:
    own, partner = own_key(state, seat), partner_of(state, seat)
    if partner is None:
        return own
    other = own_key(state, partner)
    if state.house.alliance_tiebreak == "sums":
        return own[0] + other[0], own[1] + other[1], own[2] + other[2]
    return (own[0] + other[0], *max(own[1:], other[1:]))


def own_key(state: State, seat: int) -> Key:
    row = final(state, seat)
    return row.total, row.feats, state.clans[seat].herd
