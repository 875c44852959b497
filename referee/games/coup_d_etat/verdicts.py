"""What Coup d'État has decided: tricks, what a deal costs whom, coups; in Dominos, the card laid last."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.contract import (
    CardRow,
    Reveal,
    Ruling,
    Seat,
    Verdict,
    Verdicts,
    Weight,
    make_fact,
    make_headline,
    make_verdict,
)
from referee.contract.verdicts import Said
from referee.contract.words import Phrase, Wording, phrase
from referee.games.coup_d_etat.contracts import CONTRACTS, SO_FAR, Terms
from referee.games.coup_d_etat.deck import KING, QUEENS, SUIT

OF_THE_DEAL = frozenset(
    {
        "coup-won",
        "coup-failed",
        "secret-coup",
        "last-out",
        "pays",
        "pays-bank",
        "takes-bank",
        "president",
    }
)
"""Rulings that are told together once a deal is over."""


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
    contract, terms = next(each for each in CONTRACTS.items() if each[1].for_coup in said)
    is_won, verdict = "coup-won" in said, joined(rulings[: _last(rulings) + 1])
    seat = said[terms.for_coup]["seat"]
    key, amount = "coup-won" if is_won else "coup-failed", verdict.values["amount"] if verdict else 0
    wanted = tuple(each for each in _taken(rulings) if _is_wanted(terms, each[0]))[:MOST_SHOWN]
    return Reveal(
        "attempted",
        {"seat": seat, "contract": contract},
        (_wanted_row(wanted, seat),) if wanted else (),
        make_headline(key, amount=amount),
        won=(seat,) if is_won else (),
        lost=() if is_won else (seat,),
    )


def _wanted_row(wanted: tuple[tuple[str, int], ...], seat: int) -> CardRow:
    notes = tuple(make_fact("taken-by", by=Seat(taker)) for _card, taker in wanted)
    missed = tuple(place for place, (_card, taker) in enumerate(wanted) if taker != seat)
    cards = tuple(card for card, _taker in wanted)
    return CardRow("counting", cards, Weight.KEY, notes=notes, struck=missed)


MOST_SHOWN = 10
"""Cards of a scene at most: all spades, with the queens and the king."""


def _last(rulings: tuple[Ruling, ...]) -> int:
    return max(place for place, ruling in enumerate(rulings) if ruling.key in OF_THE_DEAL)


def _taken(rulings: tuple[Ruling, ...]) -> Iterator[tuple[str, int]]:
    """List the cards of all tricks of the deal, and who took them."""
    for ruling in rulings:
        values: Mapping[str, Any] = ruling.values
        if ruling.key == "trick":
            yield from ((card, values["seat"]) for card in values["cards"])
        elif ruling.key == "middle":
            yield values["card"], values["seat"]


def _is_wanted(terms: Terms, card: str) -> bool:
    is_king, is_queen = card == KING and "king" in terms.items, card in QUEENS and "queens" in terms.items
    return is_king or is_queen or (SUIT[card] == "s" and "spades" in terms.items)


VERDICTS = Verdicts(
    claims=frozenset(
        {
            "attempts",
            "plays",
            "names",
            "lays",
            "passes",
            "asks-loan",
            *(key for terms in CONTRACTS.values() for key in (terms.for_president, terms.for_coup)),
        }
    ),
    decides=OF_THE_DEAL
    | {
        "trick",
        *SO_FAR.values(),
        "declines",
        "redeal",
        "revoke",
        "revoke-said",
        "false-pass",
        "void",
        "nobody-pays",
        "lays",
        "passes",
        "all-passed",
        "out-of-cards",
        "lends",
        "refuses",
        "overdrawn",
    },
    joined=joined,
    reveals=frozenset({"coup-won", "coup-failed"}),
    begins=frozenset({"attempts"}),
    reveal=reveal,
)

HEADINGS: Mapping[str, Phrase | Wording] = {
    "attempted": Wording(
        phrase("{seat:player} attempted the coup: {contract:face}"),
        to={"seat": phrase("You attempted the coup: {contract:face}")},
    ),
}
SENTENCES: Mapping[str, Phrase | Wording] = {
    "coup-won": Wording(
        phrase("{seat:player}'s coup succeeds, and brings {amount:money} F."),
        to={"seat": phrase("Your coup succeeds, and brings {amount:money} F.")},
    ),
    "coup-failed": Wording(
        phrase("{seat:player}'s coup fails, and costs {amount:money} F."),
        to={"seat": phrase("Your coup fails, and costs {amount:money} F.")},
    ),
    "secret-coup": Wording(
        phrase("A secret coup: {seat:player} took all that counts, for {amount:money} F."),
        to={"seat": phrase("A secret coup: you took all that counts, for {amount:money} F.")},
    ),
    "pays": Wording(
        phrase("{payer:player} paid {payee:player} {amount:money} F."),
        to={
            "payer": phrase("You paid {payee:player} {amount:money} F."),
            "payee": phrase("{payer:player} paid you {amount:money} F."),
        },
    ),
    "pay": Wording(
        phrase("{payers:players} paid {payee:player} {amount:money} F in all."),
        to={"payee": phrase("{payers:players} paid you {amount:money} F in all.")},
    ),
    "last-pays": Wording(
        phrase("{payer:player} was the last with cards, and paid {payee:player} {amount:money} F."),
        to={
            "payer": phrase("You were the last with cards, and paid {payee:player} {amount:money} F."),
            "payee": phrase("{payer:player} was the last with cards, and paid you {amount:money} F."),
        },
    ),
    "revoke": phrase("{seat:player} revoked, as the {shown:face} shows."),
    "revoke-said": phrase("{seat:player} revoked, as the {shown:face} shows."),
    "false-pass": phrase("{seat:player} passed, but held a card that fitted: {card:face}."),
    "declines": phrase("{seat:player} puts the Coup card out of play."),
    "lends": phrase("{payer:player} lends {payee:player} {amount:money} F."),
    "all-passed": phrase("Everybody has passed, but a card that fits is still there."),
    "trick": Wording(
        phrase("{seat:player} took trick {number}."),
        to={"seat": phrase("You took trick {number}.")},
    ),
}
