"""Coup's public display: claims, challenges, lost influence, the latest verdict, and moods."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.contract import CountChange, make_situation, without
from referee.contract.asks import Ask, Datum, Effect, Ending, Option, Ruling, make_effect, make_ruling
from referee.contract.board import Board, CardRow, Cue, Mood, Question, Situation, make_headline, make_question
from referee.contract.facts import Coins, Count, Face, Fact, Seat, Seats, Tally, Weight, make_fact
from referee.contract.verdicts import Aside, Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.coup.state import (
    ACTIONS,
    DECK,
    INFLUENCE,
    STOLEN,
    BluffTally,
    Deed,
    Losing,
    Opening,
    Over,
    Proving,
    State,
    Swapping,
    Turn,
    Window,
)
from referee.kit.claims import waiting

EXCUSED: Mapping[str, str] = {
    "house": "house rules are shown elsewhere",
    **dict.fromkeys(("windows", "beside", "key", "options"), "visible in the asks"),
    **dict.fromkeys(("Choice.window", "deadline", "Losing.seat"), "visible in the asks"),
    **dict.fromkeys(("Option.word", "Option.seat", "cell"), "objections are facts of the board"),
    "winner": "visible in the outcome",
    "fallen": "visible in the standings",
}


def deed_of(state: State) -> Deed | None:
    return None if isinstance(state.stage, Opening | Turn | Over) else state.stage.deed


def turn_of(state: State) -> int | None:
    deed = deed_of(state)
    return state.stage.seat if isinstance(state.stage, Turn) else deed.seat if deed else None


def phase_of(state: State) -> str:
    """Return the phase of an action; "wrong" means a wrong challenge, "caught" a claim that wasn't proved."""
    match state.stage:
        case Window(deed=deed, is_proven=is_proven):
            return "blocked" if deed.blocker is not None else "proven" if is_proven else "declared"
        case Proving():
            return "doubted"
        case Swapping():
            return "shown"
        case Losing(deed=deed, is_proven=is_proven):
            return "struck" if deed.challenger is None else "wrong" if is_proven else "caught"
        case _:
            return "exchange"


CLAIM_KEYS = {"doubted": "doubted", "shown": "shown", "wrong": "doubt-wrong", "caught": "claim-caught"}

# Situation and questions.


def situation(state: State) -> Situation | None:
    deed, seat = deed_of(state), turn_of(state)
    if deed is None:
        return None if seat is None else make_situation("turn", seat=seat, coins=state.coins[seat])
    phase, announced = phase_of(state), ACTIONS[deed.word].said
    name = announced.partition("-")[2]
    if phase in CLAIM_KEYS:
        return make_situation(CLAIM_KEYS[phase], seat=deed.claimant, face=deed.claimed, doubter=deed.challenger)
    keys = {"proven": f"proven-{name}", "blocked": f"blocked-{name}", "struck": f"struck-{name}"}
    key = announced if phase == "declared" else keys.get(phase, "exchanging")
    by: dict[str, Datum] = {"blocker": deed.blocker, "face": deed.face} if phase == "blocked" else {}
    coins = _coins_at_stake(state.coins, deed)
    return make_situation(key, seat=deed.seat, target=deed.target, coins=coins, **by)


def _coins_at_stake(coins: tuple[int, ...], deed: Deed) -> int:
    return ACTIONS[deed.word].cost or _gain(coins, deed)


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    about = situation(state)
    stakes = {} if about is None else about.values
    starting = {**stakes, "seconds": state.house.window_seconds}
    if any(ask.key == "prove" for ask in asks):
        return (make_question("prove" if len(asks) == 1 else "prove-or-concede", stakes, *asks),)
    subjects = {"challenge": about, "objections": about}
    return tuple(
        make_question(
            _question_key(state, ask.key),
            starting if ask.key == "objections" else stakes,
            ask,
            about=subjects.get(ask.key),
        )
        for ask in asks
    )


def _question_key(state: State, key: str) -> str:
    deed = deed_of(state)
    word = "" if deed is None else deed.word
    match key:
        case "challenge-or-block":
            return f"challenge-or-block-{word}"
        case "block":
            return f"block-{word}"
        case "lose":
            return {"wrong": "lose-doubt", "caught": "lose-claim"}.get(phase_of(state), f"lose-{word}")
        case _:
            return key


# The board.


def board(state: State) -> Board:
    deed, seat = deed_of(state), turn_of(state)
    lost = tuple(CardRow("lost", cards, seat=each) for each, cards in enumerate(state.lost) if cards)
    shown = Board(turn=seat, number=None if seat is None else state.coins[seat])
    if deed is not None:
        return _board_of_action(state, deed, replace(shown, cards=(*_claimed(state, deed), *lost)))
    facts = (*_shared(state), *_tallies(state))
    if seat is None:
        return replace(shown, facts=facts, cards=lost)
    coins, price = state.coins[seat], ACTIONS["coup"].cost
    rich = make_fact("rich", Weight.KEY, seat)
    purse = make_fact("purse", Weight.KEY, seat, missing=Count(price - coins)) if coins < price else rich
    headline = make_headline("purse", seat=seat, coins=coins)
    return replace(shown, facts=(purse, *facts), cards=lost, headline=headline, goals={"coins": price})


def _board_of_action(state: State, deed: Deed, shown: Board) -> Board:
    """Add an action to the board, with the counts it changes while it may still succeed or fail."""
    facts = (*_claim(state, deed), *_shared(state), *_aims(state, deed), *_tallies(state))
    phase, is_own = phase_of(state), deed.blocker is None
    if phase in {"struck", "exchange"} or (is_own if phase == "caught" else not is_own and phase in SEEN):
        return replace(shown, facts=facts)
    stake = _coins_at_stake(state.coins, deed)
    headline = make_headline("stake", coins=stake) if stake else None
    return replace(shown, facts=facts, headline=headline, changes=deed_changes(state.coins, deed))


SEEN = frozenset({"shown", "wrong"})  # phases after the claimed card was shown


def _claimed(state: State, deed: Deed) -> Iterator[CardRow]:
    """Yield the claims for an action and for its block, until they are proved."""
    action, phase, is_block = ACTIONS[deed.word].claim, phase_of(state), deed.blocker is not None
    if action is not None and (is_block or phase == "proven"):
        claimed_by = None if phase == "proven" else deed.seat
        yield CardRow("claimed", (action,), Weight.KEY, claimed_by=claimed_by)
    if deed.claimed and phase != "proven":
        claimed_by, struck = None if phase in SEEN else deed.claimant, (0,) if phase == "caught" else ()
        key = "blocking" if is_block else "claimed"
        yield CardRow(key, (deed.claimed,), Weight.KEY, claimed_by=claimed_by, struck=struck)


def _claim(state: State, deed: Deed) -> Iterator[Fact]:
    phase = phase_of(state)
    key = "shown" if phase in SEEN | {"proven"} else "not-shown" if phase == "caught" else "claim"
    if deed.claimed:
        yield make_fact(key, Weight.KEY, face=Face(deed.claimed), by=Seat(deed.claimant))
    if phase == "doubted" and deed.challenger is not None:
        yield make_fact("doubt", Weight.KEY, doubter=Seat(deed.challenger))


def _shared(state: State) -> Iterator[Fact]:
    if isinstance(state.stage, Window):
        first = state.stage.deed.seat
        seats = sorted(waiting(state.stage), key=lambda seat: (seat < first, seat))
        yield make_fact("waiting", seats=Seats(tuple(seats)))
    yield make_fact("treasury", coins=Coins(state.treasury))
    yield make_fact("court", Weight.SIDE, cards=Count(DECK.size - INFLUENCE * len(state.coins)))


def _aims(state: State, deed: Deed) -> Iterator[Fact]:
    if deed.target is not None:
        yield make_fact("target", seat=deed.target, by=Seat(deed.seat))
    for objection in state.stage.said if isinstance(state.stage, Window) else ():
        if objection.option.face is None:
            yield make_fact("means-challenge", seat=objection.seat)
        else:
            yield make_fact("means-block", seat=objection.seat, face=Face(objection.option.face))


def _tallies(state: State) -> Iterator[Fact]:
    """Yield public tallies of claims and challenges; bluffs that passed stay secret."""
    for seat, tally in enumerate(state.tallies):
        if tally.claims:
            counts = {"claims": tally.claims, "proven": tally.proven, "caught": tally.caught}
            tallies = {key: Tally(number) for key, number in counts.items()}
            yield make_fact("claims", Weight.SIDE, seat, **tallies)
        if tally.challenges:
            tallies = {"challenges": Tally(tally.challenges), "right": Tally(tally.right)}
            yield make_fact("challenges", Weight.SIDE, seat, **tallies)


OPTION_MOODS = {"challenge": Mood.CALL, "block": Mood.COUNTER}


def effect(state: State, seat: int | None, option: Option) -> Effect | None:
    match state.stage:
        case Turn(seat=acting) if option.word in ACTIONS:
            return _action_effect(state.coins, Deed(acting, option.word, option.seat))
        case Window() if option.word == "objections":
            return make_effect("objections", seconds=state.house.window_seconds)
        case Window(deed=deed):
            return _window_effect(state.coins, deed, seat, option)
        case _ if option.word in {"concede", "swap", "keep"}:
            return make_effect(option.word)
        case _:
            return None


def _action_effect(coins: tuple[int, ...], deed: Deed) -> Effect:
    action = ACTIONS[deed.word]
    if deed.word == "steal":
        changes = deed_changes(coins, deed)
        return make_effect("steal", action.claim or "", changes, coins=_gain(coins, deed))
    changes = _changes(coins, {deed.seat: _gain(coins, deed) - action.cost})
    return make_effect(deed.word, action.claim or "", changes)


def deed_changes(coins: tuple[int, ...], deed: Deed) -> tuple[CountChange, ...]:
    """Return the coin changes of an action that was paid for, if it succeeds."""
    gain = _gain(coins, deed)
    lost = {deed.target: -gain} if deed.word == "steal" and deed.target is not None else {}
    return _changes(coins, {**lost, deed.seat: gain})


def _gain(coins: tuple[int, ...], deed: Deed) -> int:
    if deed.word != "steal":
        return ACTIONS[deed.word].gain
    return STOLEN if deed.target is None else min(STOLEN, coins[deed.target])


def _changes(coins: tuple[int, ...], gains: Mapping[int, int]) -> tuple[CountChange, ...]:
    return tuple(
        CountChange(seat, "coins", coins[seat], coins[seat] + gain) for seat, gain in gains.items() if gain
    )


def _window_effect(coins: tuple[int, ...], deed: Deed, seat: int | None, option: Option) -> Effect | None:
    match option.word:
        case "challenge":
            return Effect("challenge", _doubted(deed), endings=_doubt_endings(coins, deed, seat))
        case "block":
            block: Mapping[str, Datum] = {"face": option.face or ""}
            holds = Ending("block-passed", {"seat": deed.seat}, is_good=True)
            fails = Ending("block-caught", block, is_good=False)
            return Effect("block", block, option.face or "", endings=(holds, fails))
        case "pass":
            changes = () if deed.blocker is not None else deed_changes(coins, deed)
            return Effect("pass", changes=changes, endings=(_passed(coins, deed),))
        case _:
            return make_effect(option.word)


def _doubted(deed: Deed) -> Mapping[str, Datum]:
    return {"claimant": deed.claimant, "face": deed.claimed}


def _doubt_endings(coins: tuple[int, ...], deed: Deed, seat: int | None) -> tuple[Ending, ...]:
    about = _doubted(deed)
    kind = "action" if deed.blocker is None else "block"
    wrong = Ending(f"doubt-wrong-{kind}", about, is_good=False)
    if kind == "action" and deed.word == "steal" and seat is not None and deed.target == seat:
        return Ending("doubt-right-keep", {**about, "coins": coins[seat]}, is_good=True), wrong
    return Ending(f"doubt-right-{kind}", about, is_good=True), wrong


def _passed(coins: tuple[int, ...], deed: Deed) -> Ending:
    if deed.blocker is not None:
        return Ending("pass-blocked", {"seat": deed.seat})
    if deed.word in {"assassinate", "exchange"}:
        return Ending(f"pass-{deed.word}", {"seat": deed.seat, "target": deed.target})
    return Ending("pass-takes", {"seat": deed.seat, "coins": _gain(coins, deed)})


# Public deductions: the characters still hidden, and after the match each seat's bluffs and challenges.


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the characters still hidden; after the match, count bluffs and challenges."""
    if isinstance(state.stage, Over):
        return tuple(_tally(seat, tally) for seat, tally in enumerate(state.tallies))
    cards = state.open_cards
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


ANNOUNCED = tuple(action.said for action in ACTIONS.values() if action.said)
CUES: Mapping[str, Cue] = {
    **dict.fromkeys(ANNOUNCED, Cue(Mood.CLAIM)),
    "blocks": Cue(Mood.COUNTER),
    "challenged": Cue(Mood.CALL),
    "proved": Cue(Mood.TRUTH),
    "concedes": Cue(Mood.LIE),
    "disproved": Cue(Mood.LIE),
    "takes": Cue(Mood.GAIN),
    "steals": Cue(Mood.GAIN),
    "loses": Cue(Mood.LOSS),
    "out": Cue(Mood.OUT),
    "won": Cue(Mood.WIN),
}


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Combine a challenge with its cost, a block with its action, and a coup with the lost card."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    if rulings[-1].key == "takes" and rulings[-1].values["wanted"] == ACTIONS["income"].gain:
        return None  # no claim, so earlier rulings belong to another story
    if "disproved" in by_key or "concedes" in by_key:
        return _not_shown(by_key)
    if "proved" in by_key:
        return _shown(by_key)
    if "blocks" in by_key:
        block, failed = by_key["blocks"], by_key.get("block-holds") or by_key["block-holds-spent"]
        face = block["face"]
        return make_verdict("blocked", face=face, seat=block["seat"], claimed=face, other=failed["seat"])
    return _struck(by_key) if "loses" in by_key else None


def _not_shown(by_key: Said) -> Verdict:
    claim, lost = by_key.get("disproved") or by_key["concedes"], by_key.get("loses")
    seat, face = claim["seat"], claim["face"]
    if lost is None:
        return make_verdict("not-shown", is_good=False, face=face, seat=seat, claimed=face)
    card = lost["card"]
    return make_verdict("not-shown-lost", is_good=False, face=card, seat=seat, claimed=face, card=card)


def _shown(by_key: Said) -> Verdict:
    seat, face = by_key["proved"]["seat"], by_key["proved"]["card"]
    gained, lost = by_key.get("takes") or by_key.get("steals"), by_key.get("loses")
    if gained is not None:
        return make_verdict("shown-takes", face=face, seat=seat, shown=face, coins=gained["coins"])
    if "block-holds" in by_key or "block-holds-spent" in by_key:
        return make_verdict("shown-holds", face=face, seat=seat, shown=face)
    if lost is None:
        return make_verdict("shown", face=face, seat=seat, shown=face, other=by_key["challenged"]["seat"])
    return make_verdict("shown-lost", face=face, seat=seat, shown=face, other=lost["seat"], card=lost["card"])


def _struck(by_key: Said) -> Verdict:
    key = "coup-lost" if "launches-coup" in by_key else "assassin-lost"
    lost, coup = by_key["loses"], by_key.get("launches-coup") or by_key["claims-assassin"]
    card = lost["card"]
    return make_verdict(key, is_good=False, face=card, seat=lost["seat"], card=card, other=coup["seat"])


def reveal(_state: State, rulings: tuple[Ruling, ...]) -> Reveal:
    """Show the disproved claim as torn, or the proven card in place."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    doubt = by_key["challenged"]
    seat, doubter, face = (doubt["claimant"],), (doubt["seat"],), (doubt["face"],)
    if "proved" in by_key:
        row = CardRow("claimed", face, Weight.KEY, leading=0)
        return Reveal("doubted", doubt, (row,), won=seat, lost=doubter, asides=_asides(doubt, "true"))
    row = CardRow("claimed", face, Weight.KEY, claimed_by=doubt["claimant"], struck=(0,))
    return Reveal("doubted", doubt, (row,), won=doubter, lost=seat, asides=_asides(doubt, "dared"))


def _asides(doubt: Mapping[str, Any], claim: str) -> tuple[Aside, ...]:
    return Aside(doubt["claimant"], claim, {"face": doubt["face"]}), Aside(doubt["seat"], "unbelieving")


PROOFS = frozenset({"proved", "concedes", "disproved"})
VERDICTS = Verdicts(
    claims=frozenset({*ANNOUNCED, "blocks", "challenged"}),
    decides=PROOFS
    | {"takes", "steals", "returns", "void", "void-refunded", "loses", "out"}
    | {"block-fails", "block-holds", "block-holds-spent"},
    joined=joined,
    reveals=PROOFS,
    reveal=reveal,
)
