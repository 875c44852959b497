"""Coyote's public display: the current bid, the call, face-up cards, and the latest verdict."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from msgspec.structs import replace

from referee.contract import Cue, Effect, Mood, Question, make_effect, make_question
from referee.contract.asks import Ask, Choice, Datum, Option, Ruling
from referee.contract.board import (
    Board,
    CardRow,
    Headline,
    SaidNumber,
    Situation,
    Track,
    make_headline,
    make_situation,
)
from referee.contract.facts import Count, Counts, Edition, Faces, Fact, Seat, Weight, make_fact
from referee.contract.verdicts import Aside, Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.coyote.state import (
    CAVE,
    FOX,
    LEADER,
    NIGHT,
    TURN,
    Bid,
    Bidding,
    Closed,
    CountedDuel,
    CountedRound,
    CountStep,
    Duel,
    Guessing,
    Leaving,
    Over,
    Revealing,
    State,
    Turning,
)

EXCUSED = {
    "house": "house rules are shown elsewhere",
    **dict.fromkeys(("marks", "fallen", "winner"), "the standings show it"),
    **dict.fromkeys(("fresh", "obliged", "bound", "used", "acted", "stayed"), "visible in the asks"),
    **dict.fromkeys(
        ("turned", "replaced", "Revealing.discard", "aside", "Revealing.owners"), "visible on the table"
    ),
    **dict.fromkeys(
        ("CountedRound.bids", "cards", "CountedRound.discard", "plain"), "reported after the count"
    ),
    "Closed.rule": "the ruling that begins the next round cites it",
}


def duel_of(state: State) -> Duel | None:
    match state.stage:
        case Revealing(end=Duel() as duel):
            return duel
        case _:
            return None


def counted_duel(state: State) -> CountedDuel | None:
    """Return the count of the last duel, until the next bid."""
    return None if state.revealed is None or state.bidding.bids else state.revealed.duel


# Situation and questions.


def situation(state: State) -> Situation | None:
    match state.stage:
        case Revealing(end=Duel(contester=contester, bidder=bidder, number=number, stake=stake)):
            key = "called-double" if stake > 1 else "called"
            return make_situation(key, contester=contester, bidder=bidder, number=number)
        case Revealing(end=Closed(opener=opener)):
            return make_situation("closed", opener=opener)
        case Turning(seat=seat) | Leaving(seat=seat) as stage:
            return make_situation("turns" if isinstance(stage, Turning) else "leaving", seat=seat)
        case Guessing(seat=seat, face=face):
            return make_situation("guessing", seat=seat, face=face)
        case Bidding() as bidding:
            return _bids_situation(state, bidding)
        case _:
            return None


def _bids_situation(state: State, bidding: Bidding) -> Situation:
    if bidding.caller is not None:
        return make_situation("refused", seat=bidding.caller, number=bidding.refused)
    if not bidding.bids:
        return make_situation("first-bid") if state.round == 1 else make_situation("no-bid", round=state.round)
    last = bidding.bids[-1]
    key = "bid-double" if last.double else "bid-approved" if last.approved else "bid"
    return make_situation(key, seat=last.seat, number=last.number)


CLOSED: Mapping[str, str] = {"reveal": "reveal-closed", "aside": "aside-closed"}
"""Question keys after a round without a call."""
BEFORE_BIDS: Mapping[str, str] = {**CLOSED, "extra": "extra-first", "leave": "leave-first"}
"""Question keys before the first bid."""


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    by_key = {ask.key: ask for ask in asks}
    if "announce" in by_key:
        return tuple(_bid_questions(state, by_key))
    stakes, is_called = _stakes(state), duel_of(state) is not None
    keys = {} if is_called else CLOSED if state.bidding.bids else BEFORE_BIDS
    # after a call, the situation is part of the question
    about = situation(state) if is_called and "reveal" in by_key else None
    return tuple(make_question(keys.get(ask.key, ask.key), stakes, ask, about=about) for ask in asks)


def _bid_questions(state: State, asks: Mapping[str, Ask]) -> Iterator[Question]:
    stakes, instead = _stakes(state), asks.get("turn")
    key = _number_key(state.bidding, _words_of(instead))
    yield make_question(key, stakes, asks["announce"], *([instead] if instead else []))
    if "after" in asks:
        is_double = _words_of(asks["after"]) == {"double"}
        yield make_question("after-double" if is_double else "after", stakes, asks["after"])
    if "contest" in asks:
        yield make_question("contest", stakes, asks["contest"])


def _number_key(bidding: Bidding, instead: frozenset[str]) -> str:
    """Return the question key for a bid: first or later, with the available alternatives."""
    if bidding.caller is not None:
        return "announce-again"
    if not bidding.bids:
        return "open-or-special" if instead else "open"
    if "coyote" in instead:
        return "announce-or-call-or-special" if len(instead) > 1 else "announce-or-call"
    if instead:
        return "announce-or-special"
    return "announce-own" if bidding.bids[-1].seat == bidding.turn else "announce"


def _words_of(ask: Ask | None) -> frozenset[str]:
    return frozenset(option.word for option in ask.options) if isinstance(ask, Choice) else frozenset()


def _stakes(state: State) -> dict[str, Datum]:
    stage, bidding, duel = state.stage, state.bidding, duel_of(state)
    turn = stage.turn if isinstance(stage, Bidding) else None
    stakes: dict[str, Datum] = {"round": state.round, "next": turn}
    if bidding.bids:
        stakes |= {"bidder": bidding.bids[-1].seat, "number": bidding.bids[-1].number}
    if bidding.caller is not None:
        stakes |= {"refuser": bidding.caller, "refused": bidding.refused}
    if duel is not None:
        stakes["contester"] = duel.contester
    if isinstance(stage, Guessing):
        stakes["face"] = stage.face
    return stakes


# The board.

TRAIL = 4
SCALE = 20  # minimum end of the scale in the count


def board(state: State) -> Board:
    counted, bids = counted_duel(state), state.bidding.bids
    now = state.stage if isinstance(state.stage, Bidding) else None
    return Board(
        facts=(*_decisive(state, counted), *_other_facts(state)),
        cards=tuple(_cards(state)),
        turn=None if now is None else now.turn,
        number=bids[-1].number if bids else None,
        headline=_headline(state),
        trail=_trail(bids),
        track=None if counted is None else _scale(counted.total, counted.number, counted.bidder),
        next=None if now is None else state.next_seat(now.turn, now.retired),
        limits={"marks": state.house.limit},
    )


def _headline(state: State) -> Headline | None:
    counted = counted_duel(state)
    match state.stage:
        case Revealing(end=Duel()):
            return make_headline("called")
        case Bidding(bids=(*_, last)):
            return make_headline("bid", seat=last.seat, number=last.number)
        case Bidding() if counted is not None:
            return make_headline("counted", total=counted.total)
        case Bidding():
            return make_headline("round", round=state.round)
        case _:
            return None


def _scale(total: int, number: int, bidder: int) -> Track:
    bid = make_fact("said", number=Count(number), bidder=Seat(bidder))
    marks = ((total, make_fact("total", number=Count(total))), (number, bid))
    return Track("scale", min(total, number, 0), max(total, number, SCALE), marks=marks)


def _decisive(state: State, counted: CountedDuel | None) -> Iterator[Fact]:
    bids = state.bidding.bids
    if bids:
        key = "bid" if duel_of(state) is None else "call"
        yield make_fact(key, Weight.KEY, number=Count(bids[-1].number), bidder=Seat(bids[-1].seat))
    elif counted is not None:
        total, number = Count(counted.total), Count(counted.number)
        yield make_fact("counted", Weight.KEY, total=total, number=number)


def _other_facts(state: State) -> Iterator[Fact]:
    bidding = state.bidding
    if state.round:
        yield make_fact("round", number=Count(state.round))
    if len(bidding.bids) > 1:
        yield make_fact(
            "trail", Weight.SIDE, numbers=Counts(tuple(each.number for each in _trail(bidding.bids)))
        )
    yield make_fact("limit", Weight.SIDE, limit=Count(state.house.limit))
    yield make_fact("edition", Weight.SIDE, name=Edition(state.house.edition))
    if state.way < 0:
        yield make_fact("direction", Weight.SIDE)
    yield from (make_fact("retired", seat=seat) for seat in bidding.retired)
    yield from (make_fact("extra", seat=seat) for seat in bidding.extras)


def _trail(bids: tuple[Bid, ...]) -> tuple[SaidNumber, ...]:
    return tuple(SaidNumber(bid.seat, bid.number) for bid in bids[-TRAIL:])


def _cards(state: State) -> Iterator[CardRow]:
    stage, counted, opened = state.stage, counted_duel(state), state.bidding.opened
    if isinstance(stage, Revealing) and stage.count:
        # while a cave's card is missing, all revealed cards are in one row, including those that were face up
        opened = () if stage.shown else opened
        yield CardRow("reveal", stage.shown, Weight.KEY, places=stage.count)
    if state.revealed is not None and counted is not None:
        yield counted_row(state.revealed, counted.steps)
    if opened:
        yield CardRow("opened", opened, Weight.KEY)
    discard = _discards_before(state) if counted else state.discard
    if discard and not isinstance(stage, Over):
        yield CardRow("discard", discard, Weight.SIDE)


def _discards_before(state: State) -> tuple[str, ...]:
    """Return the discards without the last counted cards, which stay in the middle until the next bid."""
    before = () if state.revealed is None else state.revealed.discard
    return before if state.discard[: len(before)] == before else ()


def counted_row(revealed: CountedRound, steps: tuple[CountStep, ...]) -> CardRow:
    cards = [card for step in steps for card in _counted_cards(step)]
    struck = tuple(
        place for place, (_, note) in enumerate(cards) if note.key in {"step-cave", "step-cancelled"}
    )
    worn = list(zip(revealed.cards, revealed.owners, strict=False))
    notes = tuple(replace(note, seat=_take_owner(worn, face)) for face, note in cards)
    return CardRow("counted", tuple(face for face, _ in cards), Weight.KEY, notes=notes, struck=struck)


def _take_owner(worn: list[tuple[str, int | None]], face: str) -> int | None:
    """Remove and return the owner of a card, the first of equal ones; a drawn card has none."""
    for place, (card, owner) in enumerate(worn):
        if card == face:
            del worn[place]
            return owner
    return None


def _counted_cards(step: CountStep) -> Iterator[tuple[str, Fact]]:
    """Yield the cards of a step with notes; a card that modifies others precedes them."""
    match step.key:
        case "draw":
            yield CAVE, make_fact("step-cave", cards=Faces(step.cards))
        case "cancel" | "turn":
            yield FOX if step.key == "cancel" else TURN, make_fact(f"step-{step.key}", cards=Faces(step.cards))
            if step.key == "cancel":
                yield from ((face, make_fact("step-cancelled")) for face in step.cards)
        case "cancel-none" | "turn-none":
            yield FOX if step.key == "cancel-none" else TURN, make_fact("step-none")
        case "decoy":
            yield from ((face, make_fact("step-decoy")) for face in step.cards)
        case "add" | "subtract":
            yield from _sums(step)
        case "double-greens" | "double-total":
            yield LEADER, make_fact("step-double", start=Count(step.start), sum=Count(step.sum))
        case "night":
            yield NIGHT, make_fact("step-night")


def _sums(step: CountStep) -> Iterator[tuple[str, Fact]]:
    signed = (int(face) if step.key == "add" else -abs(int(face)) for face in step.cards)
    sums = tuple(accumulate(signed, initial=step.start))
    for face, start, total in zip(step.cards, sums, sums[1:], strict=False):
        key = "step-first" if not start else "step-add" if total > start else "step-subtract"
        worth = Count(abs(total - start))
        yield face, make_fact(key, start=Count(start), worth=worth, sum=Count(total))


# Effects of options, and verdicts.

OPTION_MOODS = {"coyote": Mood.CALL, "double": Mood.CLAIM, "guess": Mood.CLAIM}
CUES: Mapping[str, Cue] = {
    "round": Cue(Mood.SEASON, "opener"),
    "doubled": Cue(Mood.CLAIM),
    "called": Cue(Mood.CALL),
    "called-double": Cue(Mood.CALL),
    "guess-right": Cue(Mood.TRUTH),
    "guess-right-open": Cue(Mood.TRUTH),
    "guess-wrong": Cue(Mood.LIE),
    "enough": Cue(Mood.TRUTH, "bidder"),
    "short": Cue(Mood.LIE, "bidder"),
    "mark": Cue(Mood.LOSS),
    "out": Cue(Mood.OUT),
    "won": Cue(Mood.WIN),
}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    house, stage, key = state.house, state.stage, option.word
    if isinstance(stage, Leaving):
        return make_effect(key)
    if not isinstance(stage, Bidding):
        return None
    if key == "extra" and house.edition == "oliphante":
        key = "extra-own"
    elif key == "guess" and house.o_guess_stays:
        key = "guess-open"
    bids = stage.bids
    return make_effect(key, bidder=bids[-1].seat, number=bids[-1].number) if bids else make_effect(key)


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Combine a duel with its marks, or a wrong guess with its mark."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    end = "-out" if "out" in by_key else ""
    if (mark := by_key.get("mark")) is None:
        return None
    for key, is_good in (("enough", True), ("short", False)):
        if key in by_key:
            return make_verdict(f"{key}{end}", is_good=is_good, **by_key[key], taken=mark["taken"])
    guess = by_key["guess-wrong"]
    return make_verdict(f"guess-wrong{end}", is_good=False, face=str(guess["card"]), **guess)


def reveal(state: State, rulings: tuple[Ruling, ...]) -> Reveal | None:
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    revealed, call = state.revealed, by_key.get("called") or by_key["called-double"]
    if revealed is None or revealed.duel is None:
        return None
    sides = ((call["bidder"],), (call["seat"],))
    won, lost = sides if "enough" in by_key else sides[::-1]
    row = counted_row(revealed, revealed.duel.steps)
    return Reveal(
        "called",
        call,
        (row,),
        make_headline("counted", total=revealed.duel.total),
        _scale(revealed.duel.total, revealed.duel.number, call["bidder"]),
        won=won,
        lost=lost,
        round=by_key["round"]["number"] if "round" in by_key else None,
        asides=tuple(_asides(row, call["bidder"], call["seat"], revealed.duel.number)),
        total=revealed.duel.total,
        margin=abs(revealed.duel.total - revealed.duel.number),
        held=tuple(_held(revealed.bids[:-1], revealed.duel.total)),
    )


def _held(bids: tuple[Bid, ...], total: int) -> Iterator[Aside]:
    """Yield the highest bid above the total that nobody challenged."""
    high = [bid for bid in bids if bid.number > total]
    for bid in high[-1:]:
        yield Aside(bid.seat, "held", {"seat": bid.seat, "number": bid.number, "total": total})


def _asides(row: CardRow, bidder: int, caller: int, number: int) -> Iterator[Aside]:
    """Yield remarks by bidder and caller about their own hidden card and their decision."""
    worn = {note.seat: face for face, note in zip(row.faces, row.notes, strict=True)}
    for seat, key in ((bidder, "dared"), (caller, "doubted")):
        if seat in worn:
            yield Aside(seat, f"{key}-wearing", {"card": worn[seat], "number": number})
        else:
            yield Aside(seat, key, {"number": number})


VERDICTS = Verdicts(
    claims=frozenset({"announced", "approved", "guessed", "called", "called-double"}),
    decides=frozenset(
        {"enough", "short", "mark", "out", "guess-right", "guess-right-open", "guess-wrong", "void"}
    ),
    joined=joined,
    reveals=frozenset({"enough", "short"}),
    reveal=reveal,
)
