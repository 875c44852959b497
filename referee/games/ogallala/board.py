"""Ogallala's public display: territories, canoes and piles; the latest verdict, and moods."""

from collections.abc import Iterator, Mapping

from referee.contract import Cue, Effect, Mood, Question, make_effect, make_question
from referee.contract.asks import Ask, Choice, Datum, Option, Ruling, make_ruling
from referee.contract.board import Board, CardRow, Headline, Situation, make_headline, make_situation
from referee.contract.facts import Count, Face, Fact, Place, Seat, Weight, make_fact
from referee.contract.layout import CardGroup, Grid, Span
from referee.contract.verdicts import Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.ogallala.deck import House
from referee.games.ogallala.final_count import numbered, points_of, rules_of_points, score, to_count
from referee.games.ogallala.placing import attacker
from referee.games.ogallala.rules import ends_turn
from referee.games.ogallala.state import (
    ENOUGH,
    MAX_CANOES,
    Aiming,
    Counting,
    Drawing,
    Ending,
    Opening,
    Over,
    Placing,
    Sharing,
    Sourcing,
    State,
)
from referee.games.ogallala.territory import Canoe
from referee.games.ogallala.words import WORDS

OPTION_MOODS = {"attack": Mood.CLAIM}
EXCUSED: Mapping[str, str] = {
    "house": "house rules are shown elsewhere",
    **dict.fromkeys(("is_pass", "passes", "has_laid"), "visible in the options"),
    "Counting.reason": "shown at the end of the match",
    **dict.fromkeys(("completed", "held"), "canoes are shown as the house rules count them"),
}


def turn_of(state: State) -> int | None:
    return None if isinstance(state.stage, Opening | Counting | Over) else state.turn.seat


def situation(state: State) -> Situation | None:
    stage, turn = state.stage, state.turn
    key, about = "", dict[str, Datum]()
    match stage:
        case Counting():
            return make_situation("counting", **numbered(state, *to_count(state)[stage.counted]))
        case Drawing():
            key, about = "drawing" if turn.drawn else "begins", {"drawn": turn.drawn}
        case Sourcing() | Placing():
            placed = "sourcing" if isinstance(stage, Sourcing) else stage.why
            key, about = "drawn-last" if placed == "drawn" and turn.is_last else placed, {"card": stage.card}
        case Aiming(by="lasso" | "archer"):
            key, about = "roping" if stage.by == "lasso" else "shooting", {"card": ""}
        case Aiming(by="saboteur"):
            canoes = len(state.own.complete)
            key, about = "sinking", {"card": stage.card, "canoes": canoes}
        case Aiming():
            own = attacker(state)
            cell = state.own.counted_cell(own.cell)
            key, about = "attacking", {"cell": cell, "strength": own.strength}
        case Sharing():
            key, about = "sharing", {"cards": turn.booty}
        case Ending():
            key, about = "ending", {"canoes": state.canoes_held(turn.seat)}
        case Over():
            key = f"over-{stage.reason}"
    return make_situation(key, seat=turn.seat, **about) if key else None


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    about = situation(state)
    stakes: dict[str, Datum] = {
        **({} if about is None else about.values),
        "card": "".join(state.middle_card or state.open_card),
        "drawn": state.turn.drawn,
        "left": len(state.turn.booty),
    }
    drawn_first = sorted(asks, key=lambda ask: ask.key != "draw")
    return tuple(make_question(_question_key(state, ask), stakes, ask) for ask in drawn_first)


def _question_key(state: State, ask: Ask) -> str:
    match ask, state.stage:
        case Choice(key="turn", options=options), _ if len({option.word for option in options}) == 1:
            return f"turn-{options[0].word}"
        case Choice(key="place"), Placing(why="booty"):
            return "place-booty"
        case Choice(key="place"), Placing(why="drawn") if state.turn.is_last:
            return "place-last"
        case _:
            return "draw-next" if ask.key == "draw" and state.turn.drawn else ask.key


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    if option.word == "refill":
        return make_effect("refill", count=len(state.discard))
    if option.word not in WORDS.effects:
        return None
    return make_effect(option.word, (option.face or "") if option.word == "take" else "")


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the hidden cards, and those among them that would end the turn if drawn next."""
    hidden = state.hidden_cards if isinstance(state.stage, Drawing) else {}
    left = sum(hidden.values())
    if not left:
        return ()
    last = sum([count for card, count in hidden.items() if count and ends_turn(state, card)])
    return (make_ruling("odds", rule="odds", seat=state.turn.seat, left=left, last=last),)


# The board: the subject of the turn, the distance to the end, and cards beside the territories.


def board(state: State) -> Board:
    """Return the board; its largest number is an attack's strength, or the points of the player in turn."""
    headline, number = _headline(state, turn_of(state))
    return Board(
        facts=(*_decisive(state), *_shared(state), *_of_seats(state)),
        cards=tuple(_cards(state)),
        turn=turn_of(state),
        number=number,
        headline=headline,
    )


def _headline(state: State, seat: int | None) -> tuple[Headline | None, int | None]:
    if seat is None:
        return None, None
    if isinstance(state.stage, Aiming) and state.stage.by == "attack":
        number = attacker(state).strength
        return make_headline("strength", seat=seat, strength=number), number
    number = score(state.house, state.territories[seat])
    return make_headline("points", seat=seat, points=number), number


def _decisive(state: State) -> Iterator[Fact]:
    turn, stage = state.turn, state.stage
    if turn.due:
        own = attacker(state)
        cell = Place(state.own.counted_cell(own.cell))
        yield make_fact("attacker", Weight.KEY, turn.seat, strength=Count(own.strength), cell=cell)
    if isinstance(stage, Counting):
        canoes = Count(len(to_count(state)))
        yield make_fact("counted", Weight.KEY, counted=Count(stage.counted), canoes=canoes)
    if turn.is_last and not isinstance(stage, Ending):
        yield make_fact("last-card", Weight.KEY, by=Seat(turn.seat))


def _shared(state: State) -> Iterator[Fact]:
    yield make_fact("pile", count=Count(state.pile_size))
    for card in state.open_card:
        yield make_fact("open-card", card=Face(card))
    if turn_of(state) is not None:
        yield make_fact("drawn", Weight.SIDE, state.turn.seat, count=Count(state.turn.drawn))


def _of_seats(state: State) -> Iterator[Fact]:
    for seat, territory in enumerate(state.territories):
        held, canoes = state.canoes_held(seat), territory.canoes
        if held:
            goal = Count(ENOUGH if held < ENOUGH else MAX_CANOES)
            yield make_fact("held", seat=seat, canoes=Count(held), goal=goal)
        begun = sum(not canoe.is_complete for canoe in canoes)
        if begun:
            yield make_fact("begun", Weight.SIDE, seat, count=Count(begun))
        guarded = sum(canoe.is_protected for canoe in canoes)
        if guarded:
            yield make_fact("guarded", Weight.SIDE, seat, count=Count(guarded))


def _cards(state: State) -> Iterator[CardRow]:
    stage = state.stage
    if state.middle_card:
        yield CardRow("middle", state.middle_card, Weight.KEY)
    if state.turn.booty:
        yield CardRow("booty", state.turn.booty, Weight.KEY, turn_of(state))
    if isinstance(stage, Counting):
        yield CardRow("counted", to_count(state)[stage.counted][1].cards, Weight.KEY)
    if state.discard:
        yield CardRow("discard", state.discard, Weight.SIDE)
    for seat, aside in enumerate(state.aside):
        if aside:
            yield CardRow("aside", aside, Weight.MAIN, seat)


def grids(state: State) -> tuple[Grid, ...]:
    return tuple(
        Grid(
            seat,
            (territory.left, territory.top),
            territory.rows,
            tuple(_group(state.house, seat, canoe) for canoe in territory.canoes),
            state.aside[seat],
            territory.frame,
        )
        for seat, territory in enumerate(state.territories)
    )


def _group(house: House, seat: int, canoe: Canoe) -> CardGroup:
    whole, strong = canoe.is_complete, canoe.strength
    if whole:
        points, rules = points_of(house, canoe), f"complete strength {rules_of_points(house, canoe)}"
        note = make_ruling("is-complete", rule=rules, strength=strong, points=points)
    else:
        note = make_ruling("is-incomplete", rule="complete gap strength", strength=strong)
    guarded = (make_ruling("is-protected", rule="guardian"),) if canoe.is_protected else ()
    return CardGroup(Span(seat, canoe.cell, len(canoe.cards)), whole, (note, *guarded))


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Return an attack as its own verdict, or combine a canoe with its first card."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    if "attacks" in by_key:
        return make_verdict("attacks", is_good=False, **by_key["attacks"])
    if rulings[-1].key == "completes":
        canoe = by_key["completes"]
        return make_verdict("completes", face=canoe["cards"][0], seat=canoe["seat"], strength=canoe["strength"])
    return None


def reveal(_state: State, rulings: tuple[Ruling, ...]) -> Reveal:
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    if "attacks" in by_key:
        return _attack(by_key)
    canoe = by_key["completes"]
    row = CardRow("canoe", canoe["cards"], Weight.KEY, leading=len(canoe["cards"]) - 1)
    values = {"seat": canoe["seat"], "canoes": canoe["canoes"]}
    headline = make_headline("canoe", strength=canoe["strength"])
    return Reveal("completed", values, (row,), headline, won=(canoe["seat"],))


def _attack(by_key: Said) -> Reveal:
    attack = by_key["attacks"]
    seat, target = attack["seat"], attack["target"]
    rows = [CardRow("booty", by_key["captures"]["cards"], Weight.KEY, seat)] if "captures" in by_key else []
    if "crew-lost" in by_key:
        crew = by_key["crew-lost"]["cards"]
        rows.append(CardRow("crew", crew, Weight.KEY, target, struck=tuple(range(len(crew)))))
    headline = make_headline("strength", seat=seat, strength=attack["own"])
    return Reveal("attacked", attack, tuple(rows), headline, won=(seat,), lost=(target,))


LAID = frozenset({"first", "put", "push-right", "push-left", "slide-right", "slide-left"})

VERDICTS = Verdicts(
    claims=LAID | {"attacks", "count-canoe"},
    decides=frozenset({"attacks", "completes", "ropes", "shoots", "sinks", "lapses", "spares", "unplaced"})
    | {"goes-on", "ends", "fifth", "no-cards", "canoe-points"},
    joined=joined,
    reveals=frozenset({"completes", "attacks"}),
    reveal=reveal,
)

CUES: Mapping[str, Cue] = {
    "completes": Cue(Mood.TRICK),
    "ropes": Cue(Mood.LOSS, "target"),
    "shoots": Cue(Mood.LOSS, "target"),
    "sinks": Cue(Mood.LOSS),
    "attacks": Cue(Mood.CLAIM),
    "crew-lost": Cue(Mood.LOSS),
    "captures": Cue(Mood.GAIN),
    "may-end": Cue(Mood.CLAIM),
    "ends": Cue(Mood.SEASON),
    "fifth": Cue(Mood.SEASON),
    "no-cards": Cue(Mood.SEASON, ""),
    "won": Cue(Mood.WIN, "seats"),
    "shared": Cue(Mood.WIN, "seats"),
}
