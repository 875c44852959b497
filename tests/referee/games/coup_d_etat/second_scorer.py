"""A second account of a match's money, computed from its answers as one story.

Written from the printed rules and the rulings on them. It shares only the shape of an answer with the referee,
and
the reported revokes, which `test_truth.py` verifies with all hands known.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.contract import Answer, Option
from referee.games.coup_d_etat.state import House

FRENCH = ["7", "8", "9", "J", "Q", "K", "10", "A"]
REVOKES = {"revoke", "revoke-said", "false-pass"}
SIDE_OF_COUP = {"barbu": 600, "victory": 1000, "siege": 1000, "prison": 600, "guillotine": 1500, "dominos": 600}


class VoidDeal(Exception):  # noqa: N818
    """A player has revoked, and the house rule voids the deal."""


@dataclass
class Heap:
    """The cards and tricks a player has taken in a deal."""

    cards: list[str] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)


class Evening:
    """The money of a match."""

    def __init__(self, seats: int, house: House, answers: list[tuple[Answer, list[int]]]) -> None:
        """Give everyone ten thousand francs, and process the answers with their reported revokes."""
        self.seats, self.house = seats, house
        self.purse = dict.fromkeys(range(seats), 10_000)
        self.bank = 0
        self.notes: list[tuple[int, int, int]] = []
        self.story = [(answer.ask, answer.value, answer.seat, told) for answer, told in answers]
        self.revokers = list[int]()
        self.board = [name for name in SIDE_OF_COUP if name not in house.left_out]
        self.spades = 8 if seats == 4 else 6
        self._tours()

    def _next(self, *asks: str) -> tuple[str, object, int | None]:
        ask, value, seat, told = self.story.pop(0)
        self.revokers += (each for each in told if each not in self.revokers)
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
        heaps = [Heap() for _seat in range(self.seats)]
        for trick in range(1, 9):
            leader = self._trick(trick, leader, heaps)
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

    def _trick(self, trick: int, leader: int, heaps: list[Heap]) -> int:
        """Play a trick, comparing each card with the best so far; return the winner."""
        best, winner, cards = "", leader, []
        for step in range(self.seats):
            seat = (leader + step) % self.seats
            card = self._card()
            cards.append(card)
            if step == 0:
                best = card
                if card == "coup" and self.house.coup_led == "leader_names_suit":
                    self._next("suit")
            elif card == "coup" or (
                best != "coup" and card[-1] == best[-1] and FRENCH.index(card[:-1]) > FRENCH.index(best[:-1])
            ):
                best, winner = card, seat
        heaps[winner].cards += cards
        heaps[winner].tricks.append(trick)
        return winner

    def _card(self) -> str:
        ask, card = "only", ""
        while ask == "only":
            ask, card, _seat = self._next("card", "only", "stop")
        if ask == "stop":
            raise VoidDeal
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
        held, table = dict.fromkeys(range(self.seats), 8), list[str]()
        seat, chain = leader, False
        while True:
            ask, card, _seat = self._next("domino", "pass", "chain", "stop")
            if ask == "stop":
                raise VoidDeal
            if ask == "domino":
                after_king = f"K{str(card)[-1]}" in table or self.house.ace_chain == "any_ace"
                table.append(str(card))
                held[seat] -= 1
                chain = (chain or (str(card)[0] == "A" and after_king)) and held[seat] > 0
                if not held[seat] and (claimant is not None or sum(map(bool, held.values())) == 1):
                    break
            if ask != "domino" or not chain:
                seat, chain = next(other for other in (*self._seats_left(seat), seat) if held[other]), False
        if self.revokers and self.house.revoke_penalty == "void":
            raise VoidDeal
        last = next((other for other in held if held[other]), president)
        if claimant is not None:
            president = self._coup("dominos", president, claimant, succeeds=seat == claimant)
        elif last != president:
            self._pay(last, president, 800)
        if self.house.revoke_penalty == "pays":
            self._fine()
        return president
