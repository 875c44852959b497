"""The public display of the state, card moves, and fair play for the simulated table."""

from collections.abc import Mapping

from love_letter.rules import VALUE, State, outcome
from referee.contract import CENTRE, PILE, Answer, Board, CardRow, Count, Move, Option, Question, Ruling, Zone
from referee.contract.asks import Ask, Datum
from referee.contract.board import Situation, make_question, make_situation
from referee.contract.cards import ZoneKind, before_seat, hand_of
from referee.contract.facts import make_fact
from referee.kit.answers import cards_named, seat_named
from referee.kit.hidden_hands import gather_and_deal

EXCUSED = dict.fromkeys(("tokens", "house", "stage", "target", "guess"), "visible in rulings and asks")
ZONES = {"looked": ZoneKind(seen_by="owner", taken_by="owner")}


def board(state: State) -> Board:
    """Show each seat's played cards, protection and eliminations, and the size of the pile."""
    rows = [CardRow("laid", cards, seat=seat) for seat, cards in enumerate(state.laid) if cards]
    facts = [make_fact(key, seat=seat) for key in ("safe", "out") for seat in getattr(state, key)]
    pile = make_fact("pile", count=Count(state.pile))
    opened = [CardRow("open", state.open)] if state.open else []
    return Board((pile, *facts), (*rows, *opened), turn=None if outcome(state) else state.turn)


SITUATIONS = {"card": "turn", "guard": "guard", **dict.fromkeys(("priest", "baron", "prince", "king"), "aims")}


def situation(state: State) -> Situation | None:
    """Report whose turn it is, the card laid, and what it does to whom."""
    if outcome(state) is not None:
        return None
    key = SITUATIONS.get(state.stage, state.stage)
    card = state.guess or ("" if key == "turn" else state.stage)
    return make_situation(key, seat=state.turn, target=state.target, card=card)


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask for a hand in the words of its reason; a guess is told to the guessed player."""
    stakes: dict[str, Datum] = {"seat": state.turn, "target": state.target, "card": state.guess}
    about = situation(state)
    if state.stage == "guesses":
        return (make_question("hand-guesses", stakes, *asks, about=about),)
    keys = {"hand": f"hand-{state.stage}"}
    return tuple(make_question(keys.get(ask.key, ask.key), stakes, ask, about=about) for ask in asks)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal, draw, play, look at a hand and return it, swap hands."""
    seat, aside = state.turn if "seat" not in ruling.values else seat_named(ruling), Zone("aside")
    own, seen, other = hand_of(seat), Zone("looked", seat), hand_of(int(str(ruling.values.get("target", 0))))
    match ruling.key:
        case "deal":
            back = (Move(zone, PILE) for zone in (aside, *map(before_seat, range(len(state.tokens)))))
            found = (*back, *gather_and_deal(len(state.tokens), 1), Move(PILE, aside, 1))
        case "opened":
            found = (Move(PILE, CENTRE, faces=cards_named(ruling)),)
        case "draws" | "takes-aside":
            found = (Move(PILE if ruling.key == "draws" else aside, own, 1),)
        case "lays":
            found = (Move(own, before_seat(seat), faces=cards_named(ruling, "card")),)
        case "aims" if ruling.rule != "prince":
            found = (Move(other, seen), *((Move(own, other), Move(seen, own)) if ruling.rule == "king" else ()))
        case _:
            found = (Move(seen, other),) if ruling.key == "back" else ()
    return found


def is_fair(state: State, answer: Answer, places: Mapping[Zone, tuple[str, ...]]) -> bool:
    """Return whether a fair player may answer this: no lies, and the countess is played when required."""
    held, seen = (places.get(zone, ()) for zone in (hand_of(state.target), Zone("looked", state.turn)))
    match answer.ask, answer.value:
        case "card", (card,):
            return card == "countess" or "countess" not in held or not {"prince", "king"} & {*held}
        case "hand", (card,):
            return card in held and state.guess in {"", card}
        case "denies", _:
            return state.guess not in held
        case "compares", Option(seat=lower):
            ours, theirs = (VALUE[card] for card in (*places.get(hand_of(state.turn), ()), *seen))
            return lower == (None if ours == theirs else state.turn if ours < theirs else state.target)
    return True
