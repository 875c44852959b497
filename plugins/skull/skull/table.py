"""The public display of the state, and disc moves for the simulated table."""

from referee.contract import PILE, Board, Count, Move, Ruling, Situation, Weight, Zone, ZoneKind
from referee.contract.asks import Ask
from referee.contract.board import Question, make_headline, make_question, make_situation
from referee.contract.cards import before_seat, expand_counts, hand_of
from referee.contract.facts import make_fact
from referee.contract.finish import Highlight, HighlightCard, PlaceReason, Story, make_reason
from referee.kit.answers import cards_named, number_named, seat_named
from skull.rules import NOBODY, SET, State, down, outcome

TOLD = ("points", "discs", "out", "number", "house", "passed", "aim", "is_lost", "is_challenge")
EXCUSED = dict.fromkeys(TOLD, "visible in standings, rulings and asks")
ZONES = {"stack": ZoneKind(seen_by="owner", taken_by="top")}


def stack(seat: int) -> Zone:
    return Zone("stack", seat)


def situation(state: State) -> Situation | None:
    """Report the bid, and how much of it has been turned up."""
    key = "bidding" if not state.is_challenge else "aim" if state.aim not in {NOBODY, state.turn} else "bid"
    return make_situation(key, other=state.aim, shown=sum(state.shown), count=state.bid) if state.bid else None


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask the challenger for a disc in other words than the owner of the skull."""
    own = {"lose": "lose-own"} if state.aim == state.turn else {}
    about, stakes = situation(state), {"turn": state.turn}
    return tuple(make_question(own.get(ask.key, ask.key), stakes, ask, about=about) for ask in asks)


def board(state: State) -> Board:
    """Show the bid, the flowers found, and the discs of each seat."""
    bid = make_fact("bid", Weight.KEY, shown=Count(sum(state.shown)), bid=Count(state.bid))
    flowers = (bid,) if state.is_challenge else ()
    stacks = [make_fact("stack", seat=seat, count=Count(count)) for seat, count in down(state).items()]
    headline = make_headline("bid", seat=state.turn, count=state.bid) if state.is_challenge else None
    return Board((*flowers, *stacks), turn=None if outcome(state) else state.turn, headline=headline)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal the sets, place discs, turn them up; then return them all, and remove one if it was lost."""
    seats = range(len(state.discs))
    match ruling.key:
        case "hands-out":
            own = tuple(expand_counts(SET))
            return (*(Move(PILE, hand_of(seat), faces=own) for seat in seats), Move(PILE, Zone("gone")))
        case "lays":
            return (Move(hand_of(seat_named(ruling)), stack(seat_named(ruling)), 1),)
        case "turns" | "turns-own":
            whose = seat_named(ruling, "other")
            return (Move(stack(whose), before_seat(whose), faces=cards_named(ruling)),)
        case "kept" | "skull" | "skull-own":
            back = ((place(seat), hand_of(seat)) for seat in seats for place in (before_seat, stack))
            return tuple(Move(place, hand, shuffled=True) for place, hand in back)
        case "loses":
            return (Move(hand_of(seat_named(ruling)), Zone("gone"), 1),)
    return ()


def reasons(story: Story) -> tuple[PlaceReason, ...]:
    """Return the round in which each seat left, or what it won: challenges, or by being the last with discs."""
    last: State = story[-1].after
    won = "won" if len(last.out) < len(last.discs) - 1 else "last"
    left = {
        seat_named(ruling): step.before.number
        for step in story
        for ruling in step.rulings
        if ruling.key == "out"
    }
    return tuple(
        make_reason(seat, "out", round=left[seat]) if seat in left else make_reason(seat, won, won=points)
        for seat, points in enumerate(last.points)
    )


def highlight(story: Story) -> Highlight | None:
    """Return the challenge won with the most flowers; of several, the latest."""
    kept = [(step.heard_at, ruling) for step in story for ruling in step.rulings if ruling.key == "kept"]
    if not kept:
        return None
    heard_at, best = max(kept, key=lambda each: (number_named(each[1], "count"), each[0]))
    return Highlight("kept", best.values, heard_at, (HighlightCard("flower"),) * number_named(best, "count"))
