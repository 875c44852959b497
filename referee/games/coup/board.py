"""What Coup shows of itself: what is claimed, who doubts it, what it would bring, what each player has lost."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from referee.contract import (
    CENTRE,
    Ask,
    Board,
    CardRow,
    Coins,
    Count,
    CountChange,
    Datum,
    Effect,
    Face,
    Fact,
    Headline,
    Mood,
    Option,
    Piece,
    PieceCount,
    Question,
    Ruling,
    Seat,
    Seats,
    Situation,
    Weight,
    before_seat,
    make_effect,
    make_fact,
    make_headline,
    make_question,
    make_ruling,
    make_situation,
)
from referee.contract.cards import without
from referee.games.coup.state import (
    ACTIONS,
    COINS,
    DECK,
    INFLUENCE,
    STOLEN,
    BluffTally,
    Deed,
    Exchanging,
    Losing,
    Opening,
    Over,
    Proving,
    Stage,
    State,
    Swapping,
    Turn,
    Window,
    open_cards,
    treasury,
)
from referee.kit.claims import waiting

# What a viewer may see.

Phase = Literal[
    "opening", "turn", "declared", "proven", "blocked", "doubted", "shown", "struck", "wrong", "caught",
    "exchange", "over",
]  # fmt: skip
"""Where a turn stands; "wrong" is a doubt that was wrong, "caught" a claim that wasn't shown."""


class View(Struct, frozen=True):
    """The public table. The referee never knows the hidden cards, so they aren't in it."""

    coins: tuple[int, ...]
    treasury: int
    """Coins in the Treasury; below zero if it is unlimited."""
    lost: tuple[tuple[str, ...], ...]
    court: int
    """The number of cards in the Court while no player draws from it."""
    turn: int | None
    phase: Phase
    deed: Deed | None
    waiting: tuple[int, ...]
    intentions: tuple[tuple[int, str | None], ...]
    """Seats that wait for others to speak before their challenge counts; with a character, their block."""
    tallies: tuple[BluffTally, ...]


def view(state: State, _viewer: int | None) -> View:
    """Give the view; it is the same for every seat and spectator."""
    stage = state.stage
    window = stage if isinstance(stage, Window) else None
    deed = None if isinstance(stage, Opening | Turn | Over) else stage.deed
    return View(
        coins=state.coins,
        treasury=treasury(state),
        lost=state.lost,
        court=DECK.size - INFLUENCE * len(state.coins),
        turn=stage.seat if isinstance(stage, Turn) else deed.seat if deed else None,
        phase=_phase(stage),
        deed=deed,
        waiting=_clockwise(waiting(window), window.deed.seat) if window else (),
        intentions=tuple((said.seat, said.option.face) for said in window.said) if window else (),
        tallies=state.tallies,
    )


def _clockwise(seats: tuple[int, ...], first: int) -> tuple[int, ...]:
    return tuple(sorted(seats, key=lambda seat: (seat < first, seat)))


def _phase(stage: Stage) -> Phase:
    match stage:
        case Window(deed=deed, is_proven=is_proven):
            return "blocked" if deed.blocker is not None else "proven" if is_proven else "declared"
        case Losing(deed=deed, is_proven=is_proven):
            return "struck" if deed.challenger is None else "wrong" if is_proven else "caught"
        case _:
            return _PHASES[type(stage)]


_PHASES: Mapping[type, Phase] = {
    Opening: "opening",
    Turn: "turn",
    Proving: "doubted",
    Swapping: "shown",
    Exchanging: "exchange",
    Over: "over",
}
CLAIM_KEYS: Mapping[str, str] = {
    "doubted": "doubted",
    "shown": "shown",
    "wrong": "doubt-wrong",
    "caught": "claim-caught",
}
"""How a situation is told in which it is about the claim alone."""

# What it is about, and what is asked.


def situation(view: View) -> Situation | None:
    """Say whose turn it is, or who does what to whom, and what it is now about."""
    deed = view.deed
    if deed is None:
        seat = view.turn
        return None if seat is None else make_situation("turn", seat=seat, coins=view.coins[seat])
    if view.phase in CLAIM_KEYS:
        key = CLAIM_KEYS[view.phase]
        return make_situation(key, seat=deed.claimant, face=deed.claimed, doubter=deed.challenger)
    said = ACTIONS[deed.word].said
    key = f"{view.phase}-{said.partition('-')[2]}"
    key = {"declared": said, "exchange": "exchanging"}.get(view.phase, key)
    by: dict[str, Datum] = {"blocker": deed.blocker, "face": deed.face} if view.phase == "blocked" else {}
    return make_situation(key, seat=deed.seat, target=deed.target, coins=_coins_at_stake(view, deed), **by)


def _coins_at_stake(view: View, deed: Deed) -> int:
    """Count the coins that an action costs, or would bring now."""
    action = ACTIONS[deed.word]
    return _loot(view.coins, deed) if deed.word == "steal" else action.cost or action.gain


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask the doubters first, then the target who may block, and whether the clock shall run."""
    about = situation(view)
    stakes = {} if about is None else about.values
    if any(ask.key == "prove" for ask in asks):
        return (make_question("prove" if len(asks) == 1 else "prove-or-concede", stakes, *asks),)
    return tuple(
        make_question(_question_key(view, ask.key), stakes, ask, about=about)
        if ask.key in {"challenge", "objections"}
        else make_question(_question_key(view, ask.key), stakes, ask)
        for ask in asks
    )


def _question_key(view: View, key: str) -> str:
    if view.deed is None or key not in {"challenge-or-block", "block", "lose"}:
        return key
    if key == "lose" and view.phase != "struck":
        return "lose-doubt" if view.phase == "wrong" else "lose-claim"
    return f"{key}-{view.deed.word}"


# What lies on the board.


def board(view: View) -> Board:
    """Show the claim first, then who is still asked, and what each player has lost."""
    stake = 0 if view.deed is None or not _is_open(view, view.deed) else _coins_at_stake(view, view.deed)
    return Board(
        facts=(*_claim(view), *_purse(view), *_shared(view), *_of_seats(view)),
        cards=(*_claimed(view), *_lost(view)),
        turn=view.turn,
        number=None if view.turn is None else view.coins[view.turn],
        headline=make_headline("stake", coins=stake) if stake else _headline(view),
        changes=deed_changes(view.coins, view.deed) if view.deed and _is_open(view, view.deed) else (),
        goals={"coins": ACTIONS["coup"].cost} if view.phase == "turn" else {},
    )


def _headline(view: View) -> Headline | None:
    """Show the coins of whose turn it is."""
    if view.deed is not None or view.turn is None:
        return None
    return make_headline("purse", seat=view.turn, coins=view.coins[view.turn])


def _is_open(view: View, deed: Deed) -> bool:
    """Tell whether an action may still succeed, or fail: it depends on a claim of its own, or on a block."""
    is_own = deed.blocker is None
    match view.phase:
        case "declared" | "proven" | "blocked" | "doubted":
            return True
        case "shown" | "wrong":
            return is_own
        case "caught":
            return not is_own
        case _:
            return False


def _lost(view: View) -> Iterator[CardRow]:
    for seat, cards in enumerate(view.lost):
        if cards:
            yield CardRow("lost", cards, seat=seat)


def _claimed(view: View) -> Iterator[CardRow]:
    """Show what is claimed for the action, and what for a block of it, as claims until they are shown."""
    deed = view.deed
    if deed is None:
        return
    action, is_proven, is_block = ACTIONS[deed.word].claim, view.phase == "proven", deed.blocker is not None
    if action is not None and (is_block or is_proven):
        yield CardRow("claimed", (action,), Weight.KEY, claimed_by=None if is_proven else deed.seat)
    if not deed.claimed or is_proven:
        return
    claimant = None if view.phase in {"shown", "wrong"} else deed.claimant
    struck = (0,) if view.phase == "caught" else ()
    key = "blocking" if is_block else "claimed"
    yield CardRow(key, (deed.claimed,), Weight.KEY, claimed_by=claimant, struck=struck)


def _claim(view: View) -> Iterator[Fact]:
    """Show the claim that decides now, and who doubts it."""
    deed = view.deed
    if deed is None or not deed.claimed:
        return
    is_shown = view.phase in {"proven", "shown", "wrong"}
    key = "shown" if is_shown else "not-shown" if view.phase == "caught" else "claim"
    yield make_fact(key, Weight.KEY, face=Face(deed.claimed), by=Seat(deed.claimant))
    if view.phase == "doubted" and deed.challenger is not None:
        yield make_fact("doubt", Weight.KEY, doubter=Seat(deed.challenger))


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
    """Show who is aimed at, who means to speak, and how each has claimed and doubted: no bluff that passed."""
    if view.deed is not None and view.deed.target is not None:
        yield make_fact("target", seat=view.deed.target, by=Seat(view.deed.seat))
    for seat, face in view.intentions:
        if face is None:
            yield make_fact("means-challenge", seat=seat)
        else:
            yield make_fact("means-block", seat=seat, face=Face(face))
    for seat, tally in enumerate(view.tallies):
        if tally.claims:
            counts = {"claims": tally.claims, "proven": tally.proven, "caught": tally.caught}
            told = {key: Count(number) for key, number in counts.items()}
            yield make_fact("claims", Weight.SIDE, seat, **told)
        if tally.challenges:
            told = {"challenges": Count(tally.challenges), "right": Count(tally.right)}
            yield make_fact("challenges", Weight.SIDE, seat, **told)


PIECES = (Piece("coins", COINS, 24.0),)


def pieces_lying(view: View) -> tuple[PieceCount, ...]:
    """Say how many coins should lie where: before each seat, and in the middle or beside the table."""
    purses = (PieceCount("coins", before_seat(seat), coins) for seat, coins in enumerate(view.coins))
    # a Treasury that pays more than it has is filled up from elsewhere
    stock = () if view.treasury < 0 else (PieceCount("coins", CENTRE, view.treasury, is_stock=True),)
    return (*purses, *stock)


# What options would bring.

OPTION_MOODS = {"challenge": Mood.CALL, "block": Mood.COUNTER}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what an option would bring the seat that chooses it."""
    match state.stage:
        case Turn(seat=acting) if option.word in ACTIONS:
            return _action_effect(state.coins, Deed(acting, option.word, option.seat))
        case Window(deed=deed):
            return _window_effect(state.coins, deed, option)
        case _ if option.word in {"concede", "swap", "keep"}:
            return make_effect(option.word)
        case _:
            return None


def _action_effect(coins: tuple[int, ...], deed: Deed) -> Effect:
    action = ACTIONS[deed.word]
    if deed.word == "steal" and deed.target is not None:
        return make_effect("steal-from", changes=deed_changes(coins, deed), coins=_loot(coins, deed))
    gain = STOLEN if deed.word == "steal" else action.gain - action.cost
    return make_effect(deed.word, action.claim or "", _changes(coins, {deed.seat: gain}))


def deed_changes(coins: tuple[int, ...], deed: Deed) -> tuple[CountChange, ...]:
    """List what coins would become if an action that was paid for succeeds."""
    if deed.word == "steal" and deed.target is not None:
        return _changes(coins, {deed.target: -_loot(coins, deed), deed.seat: _loot(coins, deed)})
    return _changes(coins, {deed.seat: ACTIONS[deed.word].gain})


def _loot(coins: tuple[int, ...], deed: Deed) -> int:
    """Count what the Captain would take now."""
    return 0 if deed.target is None else min(STOLEN, coins[deed.target])


def _changes(coins: tuple[int, ...], gains: Mapping[int, int]) -> tuple[CountChange, ...]:
    return tuple(
        CountChange(seat, "coins", coins[seat], coins[seat] + gain) for seat, gain in gains.items() if gain
    )


def _window_effect(coins: tuple[int, ...], deed: Deed, option: Option) -> Effect | None:
    match option.word:
        case "challenge":
            return Effect("challenge", {"claimant": deed.claimant, "face": deed.claimed or None})
        case "block":
            return Effect("block", {"seat": deed.seat}, option.face or "")
        case "pass" if deed.blocker is not None:
            return make_effect("pass-blocked", seat=deed.seat)
        case "pass" if deed.word in {"assassinate", "exchange"}:
            return make_effect(f"pass-{deed.word}", seat=deed.seat, target=deed.target)
        case "pass":
            gained = _coins_gained(coins, deed)
            return make_effect("pass-takes", "", deed_changes(coins, deed), seat=deed.seat, coins=gained)
        case _:
            return make_effect(option.word)


def _coins_gained(coins: tuple[int, ...], deed: Deed) -> int:
    return _loot(coins, deed) if deed.word == "steal" else ACTIONS[deed.word].gain


# What all may know: the cards that can still be hidden, and in the end each seat's bluffs and challenges.


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the characters that may still be hidden; after the match, the bluffs and the challenges."""
    if isinstance(state.stage, Over):
        return tuple(_tally(seat, tally) for seat, tally in enumerate(state.tallies))
    cards = open_cards(state)
    if not cards:
        return ()
    left = without(DECK.counts, cards)
    gone = tuple(face for face, count in left.items() if not count)
    bluffs = (make_ruling("all-open", "still-hidden", faces=gone),) if gone else ()
    return (Ruling("still-hidden", left, "still-hidden"), *bluffs)


def _tally(seat: int, tally: BluffTally) -> Ruling:
    """Count a seat's claims, failed bluffs and challenges; unchallenged bluffs stay secret."""
    doubted = {"claims": tally.claims, "doubted": tally.proven + tally.caught, "caught": tally.caught}
    return make_ruling("tally", "tally", seat=seat, **doubted, challenges=tally.challenges, right=tally.right)
