"""A second account of horses, markers and alliances, computed from a match's answers alone.

Written from the printed rules and the rulings on them; shares only the shape of an answer with the referee.
Raids are
the cards before camps, and winners are determined pairwise.
"""

from dataclasses import dataclass, field

from referee.contract import Answer, Option
from referee.games.plenty_coups.state import House

COLOURS = ["black", "yellow", "green", "red", "blue", "white"]


@dataclass
class Tribe:
    """Cards before and behind a camp."""

    colour: str = ""
    horses: int = 1
    prestige: int = 0
    behind: str = ""
    attacked_by: int = -1
    is_flipped: bool = False  # whether the marker on the raid here already showed prestige
    proposals: dict[int, str] = field(default_factory=dict)
    """Proposals beside this herd, by target."""
    cards: int = 3
    has_proved: bool = False


def partner_of(tribes: list[Tribe], who: int) -> int | None:
    """Return the tribe whose rider is behind a camp."""
    colours = [tribe.colour for tribe in tribes]
    colour = tribes[who].behind[:-2]
    return colours.index(colour) if colour in colours else None


class Reckoning:
    """The count at the end of winter."""

    def __init__(self, tribes: list[Tribe], players: int, house: House) -> None:
        self.tribes, self.house = tribes, house
        self.alone = [self._alone(tribe) for tribe in tribes]
        seats = range(players)
        self.ranks = {seat: 1 + sum(self._beats(other, seat) for other in seats) for seat in seats}
        self.winners = tuple(seat for seat, rank in self.ranks.items() if rank == 1)

    @staticmethod
    def _alone(tribe: Tribe) -> tuple[int, int, int]:
        """Return a tribe's prestige from markers, from its herd, and its horses."""
        beside = tribe.prestige
        if tribe.horses == 0 and beside > 0:
            beside -= 1
        return beside, len(range(5, tribe.horses)), tribe.horses

    def _adds_up_with(self, seat: int) -> int | None:
        partner = partner_of(self.tribes, seat)
        if partner is None:
            return None
        for each in (seat, partner):
            prestige = self.alone[each][0] if self.house.penalty_first else self.tribes[each].prestige
            if prestige < 2:
                return None
        return partner

    def total(self, seat: int) -> int:
        """Return a player's prestige, including an ally's where they add up."""
        partner = self._adds_up_with(seat)
        return sum(sum(self.alone[each][:2]) for each in {seat, seat if partner is None else partner})

    def _beats(self, one: int, other: int) -> bool:
        if self.total(one) != self.total(other):
            return self.total(one) > self.total(other)
        beside, horses = self._breaks(one)
        if beside != self._breaks(other)[0]:
            return beside > self._breaks(other)[0]
        return horses > self._breaks(other)[1]

    def _breaks(self, seat: int) -> tuple[int, int]:
        """Return the tie-break: prestige from markers, then horses; for allies, both or the better one's."""
        own = self.alone[seat][0], self.alone[seat][2]
        partner = self._adds_up_with(seat)
        if partner is None:
            return own
        other = self.alone[partner][0], self.alone[partner][2]
        if self.house.alliance_tiebreak == "sums":
            return own[0] + other[0], own[1] + other[1]
        return max(own, other)


class Tale:
    """The twelve rounds of a match."""

    def __init__(self, players: int, house: House, answers: list[Answer]) -> None:
        self.house = house
        self.players = players
        self.tribes = [Tribe() for _tribe in range(max(players, 3))]
        self.story = [(answer.ask, answer.value) for answer in answers if answer.ask != "display"]
        self.at = 0
        self.order_of_raids: list[int] = []
        _ask, elder = self._next("elder")
        self.elder = self._seat(elder)
        if players == 2:
            self.circle = [self.elder, 2, 1 - self.elder]
        else:
            self.circle = [(self.elder + players - step) % players for step in range(players)]
        self._choose_colours()
        for rnd in range(1, 13):
            for who in self.circle:
                self._turn(who, rnd)
        assert self.at == len(self.story), self.story[self.at :]
        self.end = Reckoning(self.tribes, players, house)

    rnd = 0

    def _choose_colours(self) -> None:
        for who in self.circle:
            left = [colour for colour in COLOURS if colour not in {tribe.colour for tribe in self.tribes}]
            self.tribes[who].colour = (
                self._word(self._next("clan", "neutral-clan")[1]) if len(left) > 1 else left[0]
            )

    # answers

    def _upcoming_ask(self) -> str:
        return self.story[self.at][0] if self.at < len(self.story) else ""

    def _next(self, *asks: str) -> tuple[str, object]:
        ask, value = self.story[self.at]
        assert ask in asks, f"{ask} instead of {asks}"
        self.at += 1
        return ask, value

    @staticmethod
    def _word(value: object) -> str:
        assert isinstance(value, Option)
        return value.word

    @staticmethod
    def _seat(value: object) -> int:
        assert isinstance(value, Option)
        return -1 if value.seat is None else value.seat

    def _card(self, *asks: str) -> str:
        _ask, value = self._next(*asks)
        assert isinstance(value, tuple)
        return str(value[0])

    # turns

    def _turn(self, who: int, rnd: int) -> None:
        mine = self.tribes[who]
        mine.proposals.clear()
        self.rnd = rnd
        if mine.has_proved:
            mine.cards = 3
        mine.has_proved = False
        actions = 2 if rnd < 10 else 1
        takes = 2 if rnd < 10 else 1 if rnd == 10 else 0
        self._hand(who, takes)
        if self.house.raid_return == "after_draw":
            self._take(takes)
        actions -= self._raids_return(who)
        if self.house.raid_return == "before_draw":
            self._take(takes)
        self._actions(who, actions)

    def hand_of(self, who: int) -> Tribe:
        """Return the hand a tribe plays from: by a house rule the neutral one has none."""
        if who < self.players or self.house.neutral_hand == "own":
            return self.tribes[who]
        return self.tribes[self.circle[0] if self.rnd % 2 else self.circle[2]]

    def _hand(self, who: int, cards: int) -> None:
        self.hand_of(who).cards += cards

    def _take(self, count: int) -> None:
        for _card in range(count):
            self._next("take")

    def _raids_return(self, who: int) -> int:
        """Bring every raid home in order of launch, and count the feats."""
        scored = 0
        for target in self.raid_targets(who):
            self._steal(who, target)
            if self._upcoming_ask() == "return":
                _ask, said = self._next("return")
                assert self._seat(said) == target
                assert not self.tribes[target].is_flipped
                if self._word(said) == "score":
                    self._prestige(who)
                    self._hand(who, -1)
                    scored += 1
            self._no_raid(target)
        return scored

    def raid_targets(self, who: int) -> list[int]:
        """Return the targets of a tribe's raids, first raid first."""
        return [target for target in self.order_of_raids if self.tribes[target].attacked_by == who]

    def _steal(self, thief: int, victim: int) -> None:
        if self.tribes[victim].horses:
            self.tribes[victim].horses -= 1
            self.tribes[thief].horses += 1

    def _no_raid(self, target: int) -> None:
        self.tribes[target].attacked_by = -1
        self.order_of_raids = [other for other in self.order_of_raids if other != target]

    def _actions(self, who: int, left: int) -> None:
        """Play the actions; the turn ends with the last one, unless allies may still exchange gifts."""
        while True:
            if self._upcoming_ask() == "after-actions":
                _ask, said = self._next("after-actions")
                if self._word(said) == "turn-over":
                    return
                self._next("gift-back")
                continue
            if left <= 0 or not self.hand_of(who).cards or self._upcoming_ask() != "action":
                return
            _ask, said = self._next("action")
            if self._word(said) == "turn-over":
                return
            cost = self._act(who, self._word(said), self._seat(said))
            self._hand(who, -cost)
            left -= cost

    def _act(self, who: int, word: str, target: int) -> int:
        mine = self.tribes[who]
        if word == "breed":
            mine.horses += 1
        elif word in {"raid", "double-raid"}:
            return self._raid(who, target, word)
        elif word in {"defend", "double-defend"}:
            count = len(self._weapons(word))
            self._no_raid(who)
            return count
        elif word == "feat":
            self._prestige(who)
        elif word in {"gift", "ally-gift"}:
            if word == "gift":
                self._card("for-gift")
            self._next("gift-back")
            return 1 if word == "gift" else 0
        elif word == "hunt":
            self._card("for-hunt")
            self._next("prey")
        elif word == "donate":
            self._card("for-donation")
            mine.horses -= 2
            self.tribes[target].horses += 2
            self._prestige(who)
        elif word == "taunt":
            self._taunt(who, target)
        else:
            self._ally(who, word, target)
        return 1

    def _weapons(self, word: str) -> list[str]:
        if word == "defend":
            return [self._card("weapon")]
        return [self._card("first-weapon"), self._card("second-weapon")]

    def _raid(self, who: int, target: int, word: str) -> int:
        if word == "raid":
            cards = [self._card("raid-rider")]
        else:
            cards = [self._card("first-rider"), self._card("second-rider")]
            assert cards[0][:-1] == cards[1][:-1]
        out = self.raid_targets(who)
        flipped_out = sum(self.tribes[other].is_flipped for other in out)
        free_plain = 4 - len(out) - max(0, self.tribes[who].prestige - flipped_out)
        self._no_raid(target)
        self.tribes[target].attacked_by = who
        self.tribes[target].is_flipped = free_plain <= 0
        self.order_of_raids = [*self.order_of_raids, target]
        return len(cards)

    def _prestige(self, who: int) -> None:
        if self.house.renown_cap == "none" or self.tribes[who].prestige < 4:
            self.tribes[who].prestige += 1

    def _shame(self, who: int) -> None:
        self.tribes[who].prestige = max(0, self.tribes[who].prestige - 1)

    def _taunt(self, who: int, target: int) -> None:
        if partner_of(self.tribes, who) == target:
            self.tribes[who].behind = self.tribes[target].behind = ""
            self._shame(who)
        ask, _value = self._next("worth", "proof")
        if ask == "worth":
            self._shame(target)
        else:
            self.hand_of(target).has_proved = True
            self._hand(target, -1)

    # alliances

    def _part(self, who: int) -> None:
        partner = partner_of(self.tribes, who)
        self.tribes[who].behind = ""
        if partner is not None:
            self.tribes[partner].behind = ""

    def _ally(self, who: int, word: str, target: int) -> None:
        mine = self.tribes[who]
        if word == "propose":
            card = self._card("proposal")
            for tribe in self.tribes:
                tribe.proposals.pop(target, None)
            mine.proposals[target] = card
            if mine.attacked_by == target:
                self._steal(target, who)
                self._no_raid(who)
        elif word == "accept":
            card = self._card("acceptance")
            other = self.tribes[target].proposals[who]
            self._part(who)
            self._part(target)
            mine.behind, self.tribes[target].behind = card, other
            mine.proposals.clear()
            self.tribes[target].proposals.clear()
            self._prestige(target)
        else:
            assert word == "ally"
            card = self._card("neutral-rider")
            for tribe in self.tribes:
                if tribe.behind[:-2] == card[:-2]:
                    tribe.behind = ""
            mine.behind = card
