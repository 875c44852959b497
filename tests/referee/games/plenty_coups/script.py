"""Play a match of Plenty Coups from a script, or from the middle of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Option, Refusal, Show, Value
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.deck import CLANS
from referee.games.plenty_coups.deck import PLENTY_COUPS as DECK
from referee.games.plenty_coups.house import House
from referee.games.plenty_coups.state import Acting, Clan, State, Turn, turn_of
from referee.legal import ask_named
from referee.match import Match, Position, Setup, begin, hear

NAMES = tuple("ABCDEF")


@dataclass(frozen=True)
class Script:
    """A match at one moment of its script; each line gives the next moment."""

    match: Match

    def answers(self, ask: str, value: Value) -> "Script":
        """Give an answer that has to be accepted, from the first seat that is asked."""
        after = hear(self.match, Answer(self.match.number, ask, value, self._seat(ask)))
        assert isinstance(after, Match), f"{ask} {value}: {after}"
        return Script(after)

    def refusal(self, value: Value) -> str:
        """Give an answer that has to be refused; tell the reason."""
        ask = self.match.asks[-1]
        after = hear(self.match, Answer(self.match.number, ask.key, value, self._seat(ask.key)))
        assert isinstance(after, Refusal), f"{ask.key} {value} was accepted"
        return after.reason.value

    def _seat(self, ask: str) -> int | None:
        asked = self.ask(ask)
        return asked.seats[0] if asked.seats else None

    def elder(self, seat: int) -> "Script":
        """Say who is the oldest."""
        return self.answers("elder", Option("elder", seat=seat))

    def joins(self, *clans: str) -> "Script":
        """Choose clans, in turn."""
        script = self
        for clan in clans:
            script = script.answers(script.match.asks[0].key, Option(clan))
        return script

    def takes(self, *faces: str) -> "Script":
        """Take cards of the display."""
        script = self
        for face in faces:
            script = script.answers("take", Option("take", face=face))
        return script

    def does(self, word: str, target: int | None = None, *cards: str) -> "Script":
        """Choose something, and lay cards for it."""
        script = self.answers(self.match.asks[0].key, Option(word, seat=target))
        return script.lays(*cards)

    def lays(self, *cards: str) -> "Script":
        """Lay cards, one after the other."""
        script = self
        for card in cards:
            script = script.answers(script.show.key, (card,))
        return script

    def shows(self, *cards: str) -> "Script":
        """Lay several cards at once."""
        return self.answers(self.show.key, cards)

    def says_done(self) -> "Script":
        """Say done."""
        return self.answers(self.match.asks[0].key, None)

    def hunts(self, card: str, *prey: str) -> "Script":
        """Go hunting."""
        return self.does("hunt", None, card).shows(*prey)

    @property
    def show(self) -> Show:
        """Give the ask for cards."""
        (ask,) = (ask for ask in self.match.asks if isinstance(ask, Show))
        return ask

    def ask(self, key: str) -> Ask:
        """Give an ask that has to be there."""
        ask = ask_named(self.match.asks, key)
        assert ask is not None, f"{key} is not asked: {self.match.asks}"
        return ask

    @property
    def ask_keys(self) -> list[str]:
        """Name all that is asked."""
        return [ask.key for ask in self.match.asks]

    @property
    def state(self) -> State:
        """Give the state."""
        assert isinstance(self.match.state, State)
        return self.match.state

    @property
    def turn(self) -> Turn:
        """Give the turn that is being played."""
        turn = turn_of(self.state)
        assert turn is not None
        return turn

    def clan(self, seat: int) -> Clan:
        """Give a clan."""
        return self.state.clans[seat]

    def options(self, word: str) -> list[int | None]:
        """List whom something can be done to."""
        (ask,) = (ask for ask in self.match.asks if isinstance(ask, Choice))
        return [option.seat for option in ask.options if option.word == word]

    @property
    def layable(self) -> set[str]:
        """List what may be laid."""
        return {face for face, count in self.show.among.items() if count}

    def ruling(self, key: str) -> Mapping[str, Any]:
        """Give what the last answer's ruling of this name says."""
        found = [ruling.values for ruling in self.match.rulings if ruling.key == key]
        assert len(found) == 1, f"{key}: {self.keys}"
        return found[0]

    @property
    def keys(self) -> list[str]:
        """Name the last answer's rulings."""
        return [ruling.key for ruling in self.match.rulings]

    def turn_of(self, seat: int, left: int = 2) -> "Script":
        """Let a clan be in turn, with five cards."""
        clans = [replace(clan, cards=5 if place == seat else 3) for place, clan in enumerate(self.state.clans)]
        state = with_pile(replace(self.state, clans=tuple(clans), stage=Acting(Turn(seat, left))))
        return middle(self.match, state)


def middle(match: Match, state: State) -> Script:
    """Go on from a state that was never played to."""
    return Script(Match(match.setup, Position(state, PLENTY_COUPS.asks(state), ()), ()))


def with_pile(state: State) -> State:
    """Count the pile: whatever is nowhere else."""
    lying = len(state.display) + len(state.discard) + len(state.proposals)
    lying += sum(len(raid.riders) for raid in state.raids)
    lying += sum(bool(clan.bond) + clan.is_taunted + clan.cards for clan in state.clans)
    return replace(state, pile=DECK.size - lying)


def sit_down(players: int, **house: Any) -> Script:
    """Sit down to a match that has to be allowed."""
    match = begin(Setup(PLENTY_COUPS, House(**house), NAMES[:players]))
    assert isinstance(match, Match), match
    return Script(match)


def table(players: int = 4, turn: int = 0, rnd: int = 3, **house: Any) -> Script:
    """Sit down in the middle of a match: black, yellow, green, ... have five horses each."""
    script = sit_down(players, **house)
    clans = tuple(
        replace(clan, colour=CLANS[seat], herd=5, cards=5 if seat == turn else clan.cards)
        for seat, clan in enumerate(script.state.clans)
    )
    left = 1 if rnd >= 10 else 2
    state = replace(
        script.state,
        clans=clans,
        plain=len(clans),
        round=rnd,
        elder=0,
        display=("weapon-2", "horse"),
        discard=("staff",),
        stage=Acting(Turn(turn, left)),
    )
    return middle(script.match, with_pile(state))


def with_clan(script: Script, seat: int, **changes: Any) -> Script:
    """Change something of a clan."""
    clans = list(script.state.clans)
    clans[seat] = replace(clans[seat], **changes)
    return middle(script.match, with_pile(replace(script.state, clans=tuple(clans))))


def with_state(script: Script, **changes: Any) -> Script:
    """Change something else."""
    return middle(script.match, with_pile(replace(script.state, **changes)))
