"""Coup in lockstep with another engine, coupml: the same decisions and cards, compared after every decision.

The twin's dealer holds the cards, and coupml is dealt the same ones. Where the two are known to differ, the
difference is made good to the coin and to the card, and counted under its name; all else has to be the same.
"""

from collections import Counter
from random import Random
from typing import Any

from coupml import Coup
from coupml.dealer import Dealer
from coupml.utils import get_keep_actions
from msgspec import Struct, field

from hardware.twin.dealer import DealtMatch, deal_match, follow_rulings
from referee.contract import PILE, Answer, Choice, Option, Refusal, Ruling, Value
from referee.games.coup import COUP
from referee.games.coup.actions import ACTIONS
from referee.games.coup.hands import hand
from referee.games.coup.rules import CONCEDE
from referee.games.coup.state import (
    Attack,
    Block,
    DeclaredAction,
    Exchanging,
    Losing,
    Lost,
    Over,
    Proving,
    Stage,
    State,
    Turn,
    Window,
    claimant,
    influence,
)
from referee.games.coup.windows import PASS, is_doubtful
from referee.match import hear
from tests.referee.tables import new_match

DIFFERENCES = {
    "one challenger": "coupml asks all and lets all who challenge lose; here the first one counts",
    "one blocker": "coupml asks all who may block foreign aid and draws one; here the first one counts",
    "paid at once": "coupml takes the assassin's coins after the challenge; here they are paid with the words",
    "gave in": "in coupml the claimed card always proves; here one may give in and lose that very card",
    "coins of the dead": "in coupml the dead keep their coins; here they go back when the turn is over",
    "stolen from the dead": "in coupml nothing is stolen from one just eliminated; in the rule text it is",
    "empty Treasury": "coupml's coins never run out; here there are 50",
    "over at once": "coupml still pays for an action when a challenge has ended the match; here it is over",
}
"""Every way in which coupml is known to differ."""


class Figures(Struct):
    """What was compared, and how often each known difference was met."""

    games: int = 0
    decisions: int = 0
    comparisons: int = 0
    differences: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DIFFERENCES, 0))


class TwinsDealer(Dealer):
    """A dealer of coupml's who deals what the twin has dealt."""

    def __init__(self, first: int, cards: list[str]) -> None:
        """Deal these cards first, and let this seat begin."""
        self.deck: list[str] = []
        self.first = first
        self.coming = cards
        self.returned: list[str] = []

    def deal_cards(self, n: int) -> list[str]:
        """Deal what comes next."""
        cards, self.coming = self.coming[:n], self.coming[n:]
        assert len(cards) == n
        return cards

    def replace_cards(self, cards: list[str]) -> None:
        """Take cards back."""
        self.returned = list(cards)

    def choose(self, _items: object) -> int:
        """Choose who begins; nothing else is left to chance."""
        return self.first


class Temper(Struct, frozen=True):
    """How people play: how often they object, and how often they take tax when they may."""

    doubt: float
    greed: float


LIVELY = Temper(0.3, 0.0)
GREEDY = Temper(0.02, 0.9)
"""So peaceful that the Treasury runs empty."""


class Lockstep:
    """One match, played twice."""

    def __init__(self, seats: int, rng: Random, temper: Temper, figures: Figures) -> None:
        """Sit down, deal, and let the table say who begins."""
        self.rng, self.temper, self.figures, self.seats = rng, temper, figures, range(seats)
        self.table = deal_match(new_match(COUP, "rule text", seats), rng)
        self.rulings: list[Ruling] = []
        first = rng.choice(self.seats)
        self.dealer = TwinsDealer(first, [card for seat in self.seats for card in self.cards(seat)])
        self.other = Coup(seats, None)
        self.other.init_game(self.dealer)
        self.answer("opener", Option("opens", seat=first))

    def play(self) -> None:
        """Play to the end."""
        self.compare()
        while self.table.match.asks:
            stage = self.state.stage
            match stage:
                case Turn():
                    self.turn()
                case Window():
                    self.window(stage)
                case Proving():
                    self.proof(stage)
                case Losing():
                    self.loss(stage)
                case _:
                    self.exchange(stage)
            self.compare()
        self.figures.games += 1

    @property
    def state(self) -> State:
        """Give the referee's state."""
        assert isinstance(self.table.match.state, State)
        return self.table.match.state

    def cards(self, seat: int) -> tuple[str, ...]:
        """Give the hidden cards of a seat, as the twin knows them."""
        return self.table.truth[hand(seat)]

    def legal(self) -> set[str]:
        """Give what coupml allows."""
        return set(self.other.get_legal_actions())

    # One decision each: what is legal is compared, then the same is said to both.

    def turn(self) -> None:
        """Choose an action."""
        (ask,) = self.table.match.asks
        assert isinstance(ask, Choice)
        texts = {_action(option): option for option in ask.options}
        assert self.legal() == set(texts)
        greedy = "tax" in texts and self.rng.random() < self.temper.greed
        text = "tax" if greedy else self.rng.choice(sorted(texts))
        self.answer(ask.key, texts[text], ask.seats[0])
        self.send(ask.seats[0], text)

    def window(self, window: Window) -> None:
        """Let seats speak in any order until the window is closed; then say the same in coupml's order."""
        deed, block = window.deed, window.block
        while isinstance(self.state.stage, Window) and self.state.stage.number == window.number:
            self.speak()
        last = {ruling.key: ruling.values for ruling in self.table.match.rulings}
        doubter = last["challenged"]["seat"] if "challenged" in last else None
        if is_doubtful(window):
            asked = self.after(claimant(deed, block))
            assert set(asked) == set(window.waiting)
            self.poll("one challenger", asked, doubter, {"challenge"}, "challenge")
        if doubter is None and block is None and ACTIONS[deed.word].blocked_by:
            asked = self.after(deed.seat) if deed.target is None else (deed.target,)
            assert set(asked) <= set(window.waiting)
            blocks = {f"block:{face}" for face in ACTIONS[deed.word].blocked_by}
            said = last.get("blocks", {"seat": None, "face": None})
            self.poll("one blocker", asked, said["seat"], blocks, f"block:{said['face']}")

    def speak(self) -> None:
        """Let any seat say anything; most let it pass."""
        ask = self.rng.choice(self.table.match.asks)
        assert isinstance(ask, Choice)
        calls = [option for option in ask.options if option != PASS]
        passes = PASS in ask.options and self.rng.random() >= self.temper.doubt
        self.answer(ask.key, PASS if passes else self.rng.choice(calls), self.rng.choice(ask.seats))

    def poll(self, name: str, asked: tuple[int, ...], who: object, legal: set[str], text: str) -> None:
        """Let one seat say something, and all others pass."""
        self.figures.differences[name] += who is not None and len(asked) > 1
        for seat in asked:
            assert self.legal() == {"pass"} | legal
            self.send(seat, text if seat == who else "pass")

    def proof(self, proving: Proving) -> None:
        """Show any hidden card, or give in and lose any."""
        seat = claimant(proving.deed, proving.block)
        assert self.legal() == {f"reveal:{card}" for card in self.cards(seat)}
        card = self.rng.choice(self.cards(seat))
        if self.rng.random() < 0.7:
            self.answer("prove", (card,), seat)
            self.send(seat, f"reveal:{card}")
            return
        self.answer("concede", CONCEDE, seat)
        self.answer("lose", (card,), seat)
        if card == _claimed_face(proving):
            self.send_disguised(seat, card)
        else:
            self.send(seat, f"reveal:{card}")

    def loss(self, losing: Losing) -> None:
        """Lose any hidden card."""
        assert self.legal() == {f"reveal:{card}" for card in self.cards(losing.seat)}
        card = self.rng.choice(self.cards(losing.seat))
        self.answer("lose", (card,), losing.seat)
        self.send(losing.seat, f"reveal:{card}")

    def exchange(self, stage: Stage) -> None:
        """Keep what the twin keeps."""
        assert isinstance(stage, Exchanging)
        seat, pool = stage.deed.seat, self.cards(stage.deed.seat)
        assert self.legal() == set(get_keep_actions(list(pool), influence(self.state, seat)))
        self.answer("exchange", None, seat)
        kept = self.cards(seat)
        self.send(seat, "keep:" + ",".join(sorted(kept)))
        assert Counter(self.dealer.returned) == Counter(pool) - Counter(kept)

    # Saying it to both.

    def answer(self, ask: str, value: Value, seat: int | None = None) -> None:
        """Answer the referee, move the cards, and let coupml's dealer know which come."""
        before = self.table
        after = hear(before.match, Answer(before.match.number, ask, value, seat))
        assert not isinstance(after, Refusal), after
        self.table = DealtMatch(after, follow_rulings(before.truth, after, self.rng))
        self.figures.decisions += 1
        for ruling in after.rulings:
            self.rulings.append(ruling)
            if ruling.key in {"swaps", "draws"}:
                self.dealer.coming += _cards_drawn(before, self.table, ruling)
        if isinstance(after.state.stage, Over):
            self.over_at_once(before.match.state.stage)

    def send(self, seat: int, text: str) -> None:
        """Say it to coupml, which has to ask the same seat."""
        assert self.other.player_to_act() == seat
        self.other.play_action(text)

    def send_disguised(self, seat: int, card: str) -> None:
        """Let coupml take the card for another while it is lost: it would call it a proof."""
        player = self.other.game.players[seat]
        mask = "duke" if card != "duke" else "captain"
        player.hidden[player.hidden.index(card)] = mask
        self.send(seat, f"reveal:{mask}")
        player.revealed[-1] = card
        self.figures.differences["gave in"] += 1

    def over_at_once(self, last: Stage) -> None:
        """Know beforehand what coupml still pays, or draws, for an action whose challenger was the last one."""
        match last:
            case Proving():
                proving, is_proven = last, False
            case Losing(why=Lost() as lost):
                proving, is_proven = lost.proving, lost.is_proven
            case _:
                return
        if is_proven == (proving.block is None):
            deed = proving.deed
            self.rulings.append(Ruling("over at once", {"seat": deed.seat, "coins": ACTIONS[deed.word].gain}))
            if deed.word == "exchange":
                self.dealer.coming += self.table.truth[PILE][:2]

    # Comparing.

    def compare(self) -> None:
        """Make the known differences good, then compare all there is."""
        while self.rulings:
            self.make_good(self.rulings.pop(0))
        other, state = self.other.get_state(), self.state
        self.figures.comparisons += 1
        self.compare_players(other["players"])
        wanted = _expected_stage(state.stage)
        assert {key: other["game"].get(key) for key in wanted} == wanted
        assert self.other.is_game_over() == (self.table.match.outcome is not None)

    def compare_players(self, players: list[dict[str, Any]]) -> None:
        """Compare coins, open cards and hidden ones; coupml's are charged for an assassin a little later."""
        debt = _debt(self.state.stage)
        drawn = self.other.get_state()["game"].get("drawn_roles", [])
        for seat, player in enumerate(players):
            owes = debt is not None and debt.seat == seat
            self.figures.differences["paid at once"] += owes
            assert player["cash"] == self.state.coins[seat] + (3 if owes else 0)
            assert player["revealed"] == sorted(self.state.lost[seat])
            more = drawn if drawn and self.other.player_to_act() == seat else []
            assert sorted(player["hidden"] + more) == sorted(self.cards(seat))

    def make_good(self, ruling: Ruling) -> None:
        """Give coupml the coins that it deals with otherwise."""
        players, values, key = self.other.game.players, ruling.values, ruling.key
        if key == "gives-back":
            self.shift("coins of the dead", values["seat"], -values["coins"])
        elif key == "steals" and not influence(self.state, values["target"]):
            coins = min(values["coins"], players[values["target"]].cash)
            self.shift("stolen from the dead", values["seat"], coins)
            players[values["target"]].cash -= coins
        elif key == "takes" and values["coins"] < values["wanted"]:
            self.shift("empty Treasury", values["seat"], values["coins"] - values["wanted"])
        elif key == "over at once":
            self.shift(key, values["seat"], -values["coins"])

    def shift(self, name: str, seat: int, coins: int) -> None:
        """Give or take coins because of a known difference."""
        self.other.game.players[seat].cash += coins
        self.figures.differences[name] += coins != 0

    def after(self, seat: int) -> tuple[int, ...]:
        """List the living in the order in which coupml asks them, by coupml's own count."""
        order = [(seat + step) % len(self.seats) for step in range(1, len(self.seats))]
        return tuple(other for other in order if self.other.game.is_alive(other))


def play(number: int, seed: int, figures: Figures) -> None:
    """Play a match twice: with 2 to 6 players in turn, every tenth five of them peaceful."""
    temper = GREEDY if number % 50 < 5 else LIVELY
    Lockstep(2 + number % 5, Random(f"{seed} {number}"), temper, figures).play()


def _action(option: Option) -> str:
    word = option.word.replace("-", "_")
    return word if option.seat is None else f"{word}:{option.seat}"


def _claimed_face(proving: Proving) -> str | None:
    return proving.block.face if proving.block else ACTIONS[proving.deed.word].claim


def _cards_drawn(before: DealtMatch, after: DealtMatch, ruling: Ruling) -> list[str]:
    """List the cards that came to a hand from the Court."""
    seat = ruling.values["seat"]
    assert isinstance(seat, int)
    then = Counter(before.truth[hand(seat)])
    if ruling.key == "swaps":
        then -= Counter([str(ruling.values["card"])])
    return list((Counter(after.truth[hand(seat)]) - then).elements())


def _debt(stage: Stage) -> DeclaredAction | None:
    """Find an assassination that coupml has not charged for yet."""
    match stage:
        case Window(block=None, is_proven=False, deed=deed) | Proving(block=None, deed=deed):
            pass
        case Losing(why=Lost(is_proven=True, proving=Proving(block=None)), deed=deed):
            pass
        case _:
            return None
    return deed if deed.word == "assassinate" else None


def _expected_stage(stage: Stage) -> dict[str, object]:
    """Say how coupml has to describe a stage."""
    match stage:
        case Turn(seat):
            return {"phase": "start_of_turn", "whose_turn": seat, "player_to_act": seat}
        case Over(winner):
            return {"phase": "game_over", "winning_player": winner}
        case Exchanging(deed):
            return {"phase": "choose_new_roles", "player_to_act": deed.seat, **_action_fields(deed, None)}
        case Losing():
            return _expected_loss(stage)
        case Proving(deed, block, challenger):
            who = {"challenging_players": [challenger], "player_to_act": claimant(deed, block)}
            return {"phase": "prove_challenge", **who, **_action_fields(deed, block)}
        case Window(deed, block=block):
            doubtful = "awaiting_challenge" if block is None else "awaiting_block_challenge"
            return {
                "phase": doubtful if is_doubtful(stage) else "awaiting_block",
                **_action_fields(deed, block),
            }
    raise AssertionError(stage)


def _expected_loss(losing: Losing) -> dict[str, object]:
    who = {"player_to_act": losing.seat}
    if isinstance(losing.why, Attack):
        return {"phase": "direct_attack", **who, **_action_fields(losing.deed, None)}
    return {"phase": "incorrect_challenge", **who, **_action_fields(losing.deed, losing.why.proving.block)}


def _action_fields(deed: DeclaredAction, block: Block | None) -> dict[str, object]:
    """Say which action it is about, and who blocks it."""
    return {
        "whose_turn": deed.seat,
        "action": deed.word.replace("-", "_"),
        "target_player": deed.target,
        "blocking_player": block.seat if block else None,
        "blocked_with": block.face if block else None,
    }
