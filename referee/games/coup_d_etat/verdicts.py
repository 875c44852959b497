"""What Coup d'État has decided: tricks, what a deal costs whom, coups; in Dominos, the card laid last."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.contract import Ruling, Seat
from referee.contract.board import CardRow, make_headline
from referee.contract.facts import Weight, make_fact
from referee.contract.verdicts import Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.coup_d_etat.board import counts_in
from referee.games.coup_d_etat.state import CONTRACTS

OF_THE_DEAL = frozenset(
    ["coup-won", "coup-failed", "secret-coup", "last-out", "pays", "pays-bank", "takes-bank", "president"]
)
"""Rulings that are told together once a deal is over."""
MOST_SHOWN = 10
"""Cards of a scene at most: all spades, with the queens and the king."""


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Tell a coup with what it brings or costs, and a deal with all that one pays another."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    if rulings[-1].key not in OF_THE_DEAL:
        return None
    paid = [ruling.values for ruling in rulings if ruling.key == "pays"]
    for key in ("coup-won", "secret-coup"):
        if key in said:
            return make_verdict(key, seat=said[key]["seat"], amount=_sum(paid))
    if "coup-failed" in said:
        fine = [ruling.values for ruling in rulings if ruling.key == "pays-bank"]
        return make_verdict("coup-failed", is_good=False, seat=said["coup-failed"]["seat"], amount=_sum(fine))
    return _paid(paid, is_last_out="last-out" in said) if paid else None


def _paid(paid: list[Mapping[str, Any]], *, is_last_out: bool) -> Verdict:
    payers, payee = tuple(dict.fromkeys(each["payer"] for each in paid)), paid[0]["payee"]
    if len(payers) > 1:
        return make_verdict("pay", is_good=False, payers=payers, payee=payee, amount=_sum(paid))
    key = "last-pays" if is_last_out else "pays"
    return make_verdict(key, is_good=False, payer=payers[0], payee=payee, amount=_sum(paid))


def _sum(paid: list[Mapping[str, Any]]) -> int:
    return sum(each["amount"] for each in paid)


def reveal(rulings: tuple[Ruling, ...]) -> Reveal | None:
    """Show what a coup had to take, and who took each of it; in Dominos there is nothing to take."""
    said: Said = {ruling.key: ruling.values for ruling in rulings}
    contract = next(name for name in CONTRACTS if f"{name}-coup" in said)
    last = max(place for place, ruling in enumerate(rulings) if ruling.key in OF_THE_DEAL)
    is_won, verdict, seat = "coup-won" in said, joined(rulings[: last + 1]), said[f"{contract}-coup"]["seat"]
    wanted = tuple(each for each in _taken(rulings) if counts_in(contract, each[0]))[:MOST_SHOWN]
    return Reveal(
        "attempted",
        {"seat": seat, "contract": contract},
        (_wanted_row(wanted, seat),) if wanted else (),
        make_headline(
            "coup-won" if is_won else "coup-failed", amount=verdict.values["amount"] if verdict else 0
        ),
        won=(seat,) if is_won else (),
        lost=() if is_won else (seat,),
    )


def _taken(rulings: tuple[Ruling, ...]) -> Iterator[tuple[str, int]]:
    """List the cards of all tricks of the deal, and who took them."""
    for ruling in rulings:
        values: Mapping[str, Any] = ruling.values
        if ruling.key == "trick":
            yield from ((card, values["seat"]) for card in values["cards"])
        elif ruling.key == "middle":
            yield values["card"], values["seat"]


def _wanted_row(wanted: tuple[tuple[str, int], ...], seat: int) -> CardRow:
    notes = tuple(make_fact("taken-by", by=Seat(taker)) for _card, taker in wanted)
    missed = tuple(place for place, (_card, taker) in enumerate(wanted) if taker != seat)
    return CardRow("counting", tuple(card for card, _taker in wanted), Weight.KEY, notes=notes, struck=missed)


_LAID = frozenset({"lays", "passes"})
VERDICTS = Verdicts(
    claims=_LAID
    | {"attempts", "plays", "names", "asks-loan"}
    | {f"{name}-{side}" for name in CONTRACTS for side in ("president", "coup")},
    decides=_LAID
    | OF_THE_DEAL
    | {"trick", "so-far-king", "so-far-queens", "so-far-spades", "declines", "redeal", "nobody-pays"}
    | {"revoke", "revoke-said", "false-pass", "void", "all-passed", "out-of-cards"}
    | {"lends", "refuses", "overdrawn"},
    joined=joined,
    reveals=frozenset({"coup-won", "coup-failed"}),
    begins=frozenset({"attempts"}),
    reveal=reveal,
)
