"""Plays a match of Coyote from a script: bids, calls, cards shown, and the resulting rulings.

A line of play consists of words. The player in turn bids a number, says `coyote`, or uses a power: `reverse`,
`guess:20`. `+double`, `+extra:2`, `+next:2` follow the player's own bid; `contest:2` is out of turn. Cards
shown
are in brackets; `lay` shows any. `loses:1` is a whole round that this seat loses.
"""

from dataclasses import dataclass
from typing import Any

from referee.contract import Number, Option, Refusal
from referee.contract.cards import expand_counts
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Match, Setup, begin
from tests.referee.games.lines import Lines

NAMES = tuple("ABCDEFGHIJKLM")
CRY = Option("coyote")
PLAIN = {str(value) for value in range(1, 16)}  # cards that only add to the sum


@dataclass(frozen=True)
class Script(Lines):
    """A match at one moment of its script; each line returns the next moment."""

    def says(self, seat: int, number: int) -> "Script":
        return self.answers("announce", number, seat)

    def uses(self, seat: int, word: str, face: str | None = None) -> "Script":
        """Use a power in turn, before or instead of a bid."""
        return self.answers("turn", Option(word, face=face), seat)

    def shows(self, cards: str, owners: tuple[int | None, ...] = ()) -> "Script":
        return self.answers(self.show.key, tuple(cards.split()), owners=owners)

    def lays(self) -> "Script":
        """Show the requested number of cards, plain ones as long as available."""
        must = self.show.must
        pool = [card for card in expand_counts(self.show.among) if card not in (*must, "?")]
        pool.sort(key=lambda card: card not in PLAIN)
        return self.shows(" ".join((*must, *pool[: self.show.count - len(must)])))

    def play(self, word: str) -> "Script":
        name, _, aim = word.strip("+[]").partition(":")
        match word[0], name:
            case "[", cards:
                after = self.shows(cards)
            case "+", power:
                after = self.answers("after", Option(power, seat=int(aim) if aim else None))
            case _, "lay":
                after = self.lays()
            case _, "loses":
                after = self.loses(int(aim))
            case _, "contest":
                after = self.answers("contest", CRY, int(aim))
            case _, "leave" | "stay":
                after = self.answers("leave", Option(name), self.ask("leave").seats[0])
            case _, number if number.isdigit():
                after = self.says(self.turn, int(number))
            case _:
                after = self.uses(self.turn, name, aim or None)
        return after

    def loses(self, seat: int) -> "Script":
        """Play a round that a seat loses by bidding too high in its first turn."""
        return self.climbs_to(seat).plays("5000 coyote lay")

    def climbs_to(self, seat: int) -> "Script":
        """Bid the minimum until a seat is in turn."""
        script = self
        while script.turn != seat:
            script = script.says(script.turn, script.least)
        return script

    @property
    def turn(self) -> int:
        (seat,) = self.ask("announce").seats
        return seat

    @property
    def least(self) -> int:
        ask = self.ask("announce")
        assert isinstance(ask, Number)
        return ask.least

    @property
    def stands(self) -> str:
        """Return the current ask: the bidder with the minimum and options, or the cards."""
        if {"leave"} >= set(self.ask_keys):
            return " ".join(self.ask_keys)
        if "announce" not in self.ask_keys:
            return " ".join((self.show.key, str(self.show.count), *self.show.must))
        told = " ".join((f"{self.turn} from {self.least}", *sorted(self.words())))
        after = sorted(self.words("after"))
        return f"{told}; {self.ask('after').seats[0]} {' '.join(after)}" if after else told

    def words(self, key: str = "turn") -> set[str]:
        return {option.word for option in self.options(key)}


def sit_down(seats: int, **house: Any) -> Script:
    return Script.of(try_begin(seats, **house))


def play(line: str, seats: int = 4, opener: int = 0, **house: Any) -> Script:
    return sit_down(seats, **house).answers("opener", Option("opens", seat=opener)).plays(line)


def play_with_powers(edition: str, line: str, seats: int = 4, opener: int = 0, **house: Any) -> Script:
    """Play a line with all optional rules of an edition, unless others are given."""
    return play(line, seats, opener, **{"edition": edition, "powers": ("all",), **house})


def try_begin(seats: int, **house: Any) -> Match | Refusal:
    return begin(Setup(COYOTE, House(**house), NAMES[:seats]))
