"""A second way to keep the money of a match: the whole evening as one story, told from its answers.

Written from the rule text and the rulings on it; shares nothing with the referee but the shape of an answer.
A revoke is looked for backwards, from the cards that were really played; what was taken lies in heaps.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.contract import Answer, Option
from referee.games.coup_d_etat.house import House

FRENCH = ["7", "8", "9", "J", "Q", "K", "10", "A"]
LINE = ["7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
OPENING = {"barbu": "h", "siege": "s", "guillotine": "hs"}
SIDE_OF_COUP = {"barbu": 600, "victory": 1000, "siege": 1000, "prison": 600, "guillotine": 1500, "dominos": 600}


class VoidDeal(Exception):  # noqa: N818
    """A player has revoked, and the house rule throws the deal away."""


@dataclass
class Fall:
    """A card that fell: whose, in which trick, and what had been asked for."""

    seat: int
    trick: int
    asked: str
    card: str


@dataclass
class Heap:
    """What a player has taken in a deal."""

    cards: list[str] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)


class Evening:
    """The money of an evening."""

    def __init__(self, seats: int, house: House, answers: list[Answer]) -> None:
        """Give everybody ten thousand, and go through it all."""
        self.seats, self.house = seats, house
        self.purse = dict.fromkeys(range(seats), 10_000)
        self.bank = 0
        self.notes: list[tuple[int, int, int]] = []
        self.story = [(answer.ask, answer.value, answer.seat) for answer in answers]
        self.board = [name for name in SIDE_OF_COUP if name not in house.left_out]
        self.spades = 8 if seats == 4 else 6
        self._tours()

    def _next(self, *asks: str) -> tuple[str, object, int | None]:
        ask, value, seat = self.story.pop(0)
        assert ask in asks, f"{ask} instead of {asks}"
        return ask, value.word if isinstance(value, Option) else value[0], seat

    def _upcoming_ask(self) -> str:
        return self.story[0][0] if self.story else ""

    def _seats_left(self, seat: int) -> Iterator[int]:
        for step in range(1, self.seats):
            yield (seat + step) % self.seats

    def _tours(self) -> None:
        first = self._highest_drawn(list(range(self.seats)))
        starter = president = first
        for tour in range(self.seats):
            if tour:
                before = starter if self.house.next_tour == "left_of_starter" else president
                starter = president = (before + 1) % self.seats
            open_contracts = list(self.board)
            for _deal in range(3 if self.house.left_out else 6):
                president = self._deal(president, open_contracts)
            self.purse[president] += self.bank
            self.bank = 0
        for lender, borrower, amount in self.notes:
            self.purse[borrower] -= amount + amount // 5
            self.purse[lender] += amount + amount // 5
        assert not self.story

    def _highest_drawn(self, seats: list[int]) -> int:
        draws = {seat: str(self._next("draw")[1]) for seat in seats}
        order = [*FRENCH, "cou"]
        best = max(order.index(card[:-1]) for card in draws.values())
        left = [seat for seat, card in draws.items() if order.index(card[:-1]) == best]
        return left[0] if len(left) == 1 else self._highest_drawn(left)

    def _deal(self, president: int, open_contracts: list[str]) -> int:
        ask, word, holder = self._next("holder", "nobody", "borrow")
        while ask in {"nobody", "borrow"}:
            if ask == "borrow":
                assert self.house.loans_ahead
                assert holder is not None
                assert self.purse[holder] < 1000
                self._borrow(holder, 1000, "lend-ahead")
            ask, word, holder = self._next("holder", "nobody", "borrow")
        claimant = holder if word == "attempt" else None
        contract = str(self._next("contract" if claimant is None else "coup-contract")[1])
        open_contracts.remove(contract)
        self.revokers: list[int] = []
        self.early: list[int] = []
        leader = president if claimant is None else claimant
        try:
            if contract == "dominos":
                return self._dominos(president, leader, claimant)
            return self._tricks(contract, president, leader, claimant)
        except VoidDeal:
            for seat in self.early:
                self._pay(president, seat, 400)
            self._fine()
            return president

    # money

    def _pay(self, payer: int, payee: int | None, amount: int) -> None:
        while self.purse[payer] < amount and any(self.purse[seat] > 0 for seat in self._seats_left(payer)):
            if not self._borrow(payer, amount - self.purse[payer]):
                break
        self.purse[payer] -= amount
        if payee is None:
            self.bank += amount
        else:
            self.purse[payee] += amount

    def _borrow(self, borrower: int, missing: int, asked: str = "lend") -> bool:
        rich = [seat for seat in range(self.seats) if seat != borrower and self.purse[seat] > 0]
        for _one in rich:
            _ask, word, lender = self._next(asked)
            assert lender in rich
            if word == "lend":
                amount = min(missing, self.purse[lender])
                self.purse[lender] -= amount
                self.purse[borrower] += amount
                self.notes.append((lender, borrower, amount))
                return True
        return False

    def _fine(self) -> None:
        for seat in self.revokers:
            self._pay(seat, None, 800)

    def _all_pay(self, seat: int, amount: int) -> None:
        for other in self._seats_left(seat):
            self._pay(other, seat, amount)

    # tricks

    def _tricks(self, contract: str, president: int, leader: int, claimant: int | None) -> int:
        self.barred = OPENING.get(contract, "")
        heaps = [Heap() for _seat in range(self.seats)]
        falls: list[Fall] = []
        for trick in range(1, 9):
            leader = self._trick(trick, leader, falls, heaps)
            if trick == 1 and claimant is not None:
                heaps[leader].cards.append(str(self._next("middle")[1]))
            if self.house.early_stop and self._all_fallen(contract, heaps):
                break
            if (trick, claimant) == (1, None) and contract in {"prison", "guillotine"} and leader != president:
                self._pay(leader, president, 400)
                self.early.append(leader)
        if self.revokers and self.house.revoke_penalty == "void":
            raise VoidDeal
        return self._judge(contract, president, claimant, heaps)

    def _trick(self, trick: int, leader: int, falls: list[Fall], heaps: list[Heap]) -> int:
        """Play a trick; the best card so far is kept in hand and beaten, or not, by each that falls."""
        asked, best, winner, cards = "", "", leader, []
        for step in range(self.seats):
            seat = (leader + step) % self.seats
            card = self._card(falls, seat, trick)
            cards.append(card)
            if step == 0:
                asked, best = "" if card == "coup" else card[-1], card
                if card == "coup" and self.house.coup_led == "leader_names_suit":
                    asked = SUITS[str(self._next("suit")[1])]
            elif card == "coup" or (
                best != "coup" and card[-1] == best[-1] and FRENCH.index(card[:-1]) > FRENCH.index(best[:-1])
            ):
                best, winner = card, seat
            excused = card == "coup" and (step == 0 or self.house.coup_card == "free")
            falls.append(Fall(seat, trick, "" if excused else asked, card))
        heaps[winner].cards += cards
        heaps[winner].tricks.append(trick)
        return winner

    def _card(self, falls: list[Fall], seat: int, trick: int) -> str:
        ask, card, _seat = self._next("card", "only", "stop")
        if ask == "stop":
            raise VoidDeal
        if ask == "only":
            ask, card, _seat = self._next("card", "stop")
            if ask == "stop":
                raise VoidDeal
            if str(card)[-1] in self.barred:
                falls += [Fall(seat, trick, suit, "?") for suit in "shdc" if suit not in self.barred]
        denied = [fall for fall in falls if fall.seat == seat and fall.asked == str(card)[-1] != fall.card[-1]]
        if card != "coup" and denied and seat not in self.revokers:
            self.revokers.append(seat)
        return str(card)

    def _counts(self, contract: str, heap: Heap) -> dict[str, int]:
        cards = " ".join(heap.cards).split()
        every = {
            "barbu": [card for card in cards if card == "Kh"],
            "victory": [card for card in cards if card[0] == "Q"],
            "siege": [card for card in cards if card.endswith("s")],
            "prison": [str(trick) for trick in heap.tricks if trick in {1, 8}],
        }
        wanted = every if contract == "guillotine" else {contract: every[contract]}
        return {name: len(found) for name, found in wanted.items()}

    def _everything(self, contract: str) -> dict[str, int]:
        every = {"barbu": 1, "victory": 4, "siege": self.spades, "prison": 2}
        return every if contract == "guillotine" else {contract: every[contract]}

    def _all_fallen(self, contract: str, heaps: list[Heap]) -> bool:
        if contract in {"prison", "guillotine"}:
            return False
        return (
            sum(self._counts(contract, heap)[contract] for heap in heaps)
            == self._everything(contract)[contract]
        )

    def _has_it_all(self, contract: str, heap: Heap) -> bool:
        if contract == "guillotine" and self.house.guillotine == "all_tricks":
            return len(heap.tricks) == 8
        return self._counts(contract, heap) == self._everything(contract)

    def _owes(self, contract: str, heap: Heap) -> int:
        price = {"barbu": 800, "victory": 200, "siege": 100, "prison": 400}
        return sum(price[name] * count for name, count in self._counts(contract, heap).items())

    def _judge(self, contract: str, president: int, claimant: int | None, heaps: list[Heap]) -> int:
        fines = self.house.revoke_penalty == "pays"
        if claimant is not None:
            president = self._coup(contract, president, claimant, self._has_it_all(contract, heaps[claimant]))
        elif (secret := self._secret(contract, president, heaps)) is not None:
            for seat in self.early:
                self._pay(president, seat, 400)
            pot = self.bank if self.house.secret_takes_bank else 0
            self._all_pay(secret, SIDE_OF_COUP[contract])
            self.purse[secret] += pot
            self.bank -= pot
            president = secret
        else:
            self._penalties(contract, president, heaps)
        if fines:
            self._fine()
        return president

    def _secret(self, contract: str, president: int, heaps: list[Heap]) -> int | None:
        if self.house.secret_coup and contract in {"victory", "siege", "guillotine"}:
            for seat in self._seats_left(president):
                if self._has_it_all(contract, heaps[seat]):
                    return seat
        return None

    def _coup(self, contract: str, president: int, claimant: int, succeeds: bool) -> int:
        if not succeeds:
            self._pay(claimant, None, 800)
            return president
        pot = self.bank
        self._all_pay(claimant, SIDE_OF_COUP[contract])
        self.purse[claimant] += pot
        self.bank -= pot
        return claimant

    def _penalties(self, contract: str, president: int, heaps: list[Heap]) -> None:
        tried = set()
        while self._upcoming_ask() == "secret":
            _ask, word, seat = self._next("secret")
            tried |= {seat} if word == "tried" else set()
        for seat in self._seats_left(president):
            owed = self._owes(contract, heaps[seat])
            before = 400 * self.early.count(seat)
            if seat in tried:
                if before:
                    self._pay(president, seat, before)
                self._pay(seat, None, owed)
            elif owed > before:
                self._pay(seat, president, owed - before)

    # dominos

    def _dominos(self, president: int, leader: int, claimant: int | None) -> int:
        """Lay cards on a table that is a set of cards, and look for neighbours."""
        held = dict.fromkeys(range(self.seats), 8)
        table: list[str] = []
        passes: list[tuple[int, set[str]]] = []
        seat, chain = leader, False
        while True:
            ask, card, _seat = self._next("domino", "pass", "chain", "stop")
            if ask == "stop":
                raise VoidDeal
            if ask == "pass":
                passes.append((seat, self._fitting_cards(table)))
            if ask == "domino":
                self._look_back(passes, seat, str(card))
                is_ace = str(card)[0] == "A" and (
                    f"K{str(card)[-1]}" in table or self.house.ace_chain == "any_ace"
                )
                table.append(str(card))
                held[seat] -= 1
                chain = (chain or is_ace) and held[seat] > 0
                if not held[seat] and (claimant is not None or sum(map(bool, held.values())) == 1):
                    break
            if ask != "domino" or not chain:
                seat, chain = next(other for other in (*self._seats_left(seat), seat) if held[other]), False
        self._last_hand(table, passes, held)
        return self._out(president, claimant, seat, [other for other in held if held[other]])

    def _last_hand(self, table: list[str], passes: list[tuple[int, set[str]]], held: dict[int, int]) -> None:
        last = [other for other in held if held[other]]
        for card in self._unseen(table) if len(last) == 1 else ():
            self._look_back(passes, last[0], card)
        if self.revokers and self.house.revoke_penalty == "void":
            raise VoidDeal

    def _out(self, president: int, claimant: int | None, first: int, last: list[int]) -> int:
        if claimant is not None:
            president = self._coup("dominos", president, claimant, succeeds=first == claimant)
        elif last[0] != president:
            self._pay(last[0], president, 800)
        if self.house.revoke_penalty == "pays":
            self._fine()
        return president

    def _look_back(self, passes: list[tuple[int, set[str]]], seat: int, card: str) -> None:
        if seat not in self.revokers and any(who == seat and card in fits for who, fits in passes):
            self.revokers.append(seat)

    def _cards(self) -> list[str]:
        return [rank + suit for suit in "shdc" for rank in LINE if self.seats == 4 or rank not in {"7", "8"}]

    def _unseen(self, table: list[str]) -> list[str]:
        return [card for card in self._cards() if card not in table]

    def _fitting_cards(self, table: list[str]) -> set[str]:
        """List what lies beside a card of its suit, and what may open a row."""
        openers = {card[:-1] for card in table} if self.house.domino_open == "any_matching" else {table[0][:-1]}
        fits = set()
        for card in self._unseen(table):
            place = LINE.index(card[:-1])
            beside = {LINE[near] + card[-1] for near in (place - 1, place + 1) if 0 <= near < len(LINE)}
            is_open = any(lying[-1] == card[-1] for lying in table)
            if beside & set(table) or (not is_open and card[:-1] in openers):
                fits.add(card)
        return fits
