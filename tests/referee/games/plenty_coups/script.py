"""Plays a match of Plenty Coups from a script, or from the middle of one."""

from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, follow_rulings
from referee.contract import Choice, Option
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.scenes import OPEN, Scene
from referee.games.plenty_coups.state import CLANS, Acting, House, State, Taking, Turn
from referee.games.plenty_coups.state import PLENTY_COUPS as DECK
from referee.match import Match, Setup, begin
from tests.referee.games.lines import Lines

NAMES = tuple("ABCDEF")


@dataclass(frozen=True)
class Script(Lines):
    """A match at one moment of its script; each line returns the next moment."""

    def play(self, word: str) -> "Script":
        """Apply a word.

        `turn:1` and `turn:1:1` start a clan's turn, optionally with a number of actions; `clan:0:herd=6` and
        `round:10`
        change the state. Then come `raid:2` and other options, cards (several in brackets), and `done`.
        """
        name, *rest = word.split(":")
        name, _, face = name.partition("=")
        choices = [ask for ask in self.match.asks if name in self.words(ask.key)]
        seat = int(rest[0]) if rest else None
        if name == "turn":
            after = self.turn_of(*map(int, rest))
        elif name == "round":
            after = with_state(self, round=seat)
        elif name == "clan":
            changes = dict(change.split("=") for change in rest[1].split(","))
            typed = {key: int(value) if value.isdigit() else value for key, value in changes.items()}
            known = {"known": tuple(changes["known"].split("+"))} if "known" in changes else {}
            after = with_clan(self, int(rest[0]), **typed | known)
        elif word.startswith("["):
            after = self.shows(*word.strip("[]").split())
        elif choices or name in PLENTY_COUPS.words.options:
            asked = choices[0].key if choices else self.match.asks[0].key
            after = self.answers(asked, Option(name, seat=seat, face=face or None))
        else:
            after = self.answers(self.match.asks[0].key, None) if name == "done" else self.lays(name)
        return after

    @property
    def stands(self) -> str:
        """Return asks, herds, renown, hands, allies, raids and rulings."""
        asked = "".join(f"{','.join(map(str, ask.seats))} {ask.key}; " for ask in self.match.asks)
        clans = " ".join(f"{each.herd}/{each.feats}/{each.cards}/{each.bond}" for each in self.state.clans)
        raids = "".join(f", {each.seat} raids {each.target} with {each.value}" for each in self.state.raids)
        made = "".join(f", {each.seat} proposes {each.card}" for each in self.state.proposals)
        return f"{asked}{clans}{raids}{made}: {self.told}".strip()

    def tells_of(self, asked: str) -> str:
        """Return the possible actions and targets, or cards, as requested by `raid,gift` or `legal`."""
        if asked == "legal":
            return " ".join(sorted(self.legal))
        told = {word: " ".join(map(str, self.targets(word))) for word in asked.split(",")}
        return "; ".join(f"{word} {seats or 'no'}".replace("None", "yes") for word, seats in told.items())

    def lays(self, *cards: str) -> "Script":
        script = self
        for card in cards:
            script = script.answers(script.show.key, (card,))
        return script

    def shows(self, *cards: str) -> "Script":
        return self.answers(self.show.key, cards)

    def targets(self, word: str) -> list[int | None]:
        (ask,) = (ask for ask in self.match.asks if isinstance(ask, Choice))
        return [option.seat for option in ask.options if option.word == word]

    def turn_of(self, seat: int, left: int = 2) -> "Script":
        """Start a clan's turn with five cards."""
        clans = [replace(clan, cards=5 if place == seat else 3) for place, clan in enumerate(self.state.clans)]
        return with_state(self, clans=tuple(clans), stage=Acting(Turn(seat, left)))


def with_pile(state: State) -> State:
    """Put all cards that are nowhere else into the pile."""
    lying = len(state.display) + len(state.discard) + len(state.proposals)
    lying += sum(len(raid.riders) for raid in state.raids)
    lying += sum(bool(clan.bond) + clan.is_taunted + clan.cards for clan in state.clans)
    return replace(state, pile=DECK.size - lying)


def sit_down(players: int, **house: Any) -> Script:
    return Script.of(begin(Setup(PLENTY_COUPS, House(**house), NAMES[:players])))


def table(players: int = 4, turn: int = 0, rnd: int = 3, **house: Any) -> Script:
    script = sit_down(players, **house)
    clans = tuple(
        replace(clan, colour=CLANS[seat], herd=5, cards=5 if seat == turn else clan.cards)
        for seat, clan in enumerate(script.state.clans)
    )
    return with_state(
        script,
        clans=clans,
        plain=len(clans),
        round=rnd,
        elder=0,
        display=("weapon-2", "horse"),
        discard=("staff",),
        stage=Acting(Turn(turn, 1 if rnd >= 10 else 2)),
    )


def with_clan(script: Script, seat: int, **changes: Any) -> Script:
    clans = list(script.state.clans)
    clans[seat] = replace(clans[seat], **changes)
    return with_state(script, clans=tuple(clans))


def with_state(script: Script, **changes: Any) -> Script:
    return script.at_state(with_pile(replace(script.state, **changes)))


# turns at a table with a camera


def begin_turn(**changes: Any) -> Script:
    """Return the start of black's turn, with four cards on the display."""
    script = with_state(table(4), **changes)
    display = ("weapon-2", "horse", "staff", "weapon-4")
    script = with_clan(with_state(script, display=display, discard=()), 0, cards=3)
    return with_state(script, stage=Taking(Turn(0), 2))


def scene_lying(table: DealtMatch) -> Scene:
    return {zone: cards for zone, cards in table.truth.items() if zone.name in OPEN and cards}


def finish_turn(table: DealtMatch, later: Match, rng: Random) -> DealtMatch:
    """Apply the card moves of a turn's last answer, without those of the next turn."""
    keys = [ruling.key for ruling in later.rulings]
    until = replace(later, rulings=later.rulings[: keys.index("turn-over")])
    return DealtMatch(later, follow_rulings(table.truth, until, rng))
