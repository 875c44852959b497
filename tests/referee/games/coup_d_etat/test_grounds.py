"""Each ruling names its rule, and the rule's statement is true of the events."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from hardware.twin.dealer import deal_match as dealt_by_twin
from hardware.twin.player import play_on
from referee.contract import Ruling
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.book import BOOK
from referee.games.coup_d_etat.state import COUP, SECRET, House, Laying, Lending, Playing, State
from referee.grounds import grounds_of_ruling
from referee.match import Match, Setup, begin, moments
from tests.hardware.twin.matches import play_honestly
from tests.referee.games.coup_d_etat.script import NAMES, dealt
from tests.referee.rule_coverage import houses_around
from tests.tiers import tiered

RULES = {rule.id: rule for chapter in BOOK.chapters for rule in chapter.rules}
ALL_TO_BO = (
    "7c Ac 9s 8s Ad 7s As 10s Ah Qs Js Ks 8c 7d 8d 9d 10d Jd Qd Kd 7h 8h 9h 10h Jh Qh Kh 9c 10c Jc Qc Kc"
)


@dataclass(frozen=True)
class Case:
    """A ruling in context: the state before the answer, the rulings before it, and the deal."""

    before: State
    after: State
    ruling: Ruling
    told: tuple[Ruling, ...]
    contract: str
    claimant: int | None

    @property
    def values(self) -> Mapping[str, Any]:
        return self.ruling.values

    @property
    def playing(self) -> Playing:
        assert isinstance(self.before.stage, Playing)
        return self.before.stage

    @property
    def president(self) -> int:
        """The President after all earlier rulings."""
        changes = [ruling.values["seat"] for ruling in self.told if ruling.key == "president"]
        return int(changes[-1]) if changes else self.before.president


def _is_strongest(case: Case) -> bool:
    cards, order = case.values["cards"], ["7", "8", "9", "J", "Q", "K", "10", "A"]
    suit = case.playing.suit or cards[0][-1]
    best = max((card for card in cards if card[-1] == suit), key=lambda card: order.index(card[:-1]))
    return bool(case.values["seat"] == (case.playing.leader + cards.index(best)) % len(case.before.money))


def _is_lead(case: Case, *, first: bool) -> bool:
    return not case.playing.cards and (not case.playing.tricks) == first


def _takes_trick_or_leads_next(case: Case) -> bool:
    if case.ruling.key == "trick":
        return COUP not in case.values["cards"] and _is_strongest(case)
    return _is_lead(case, first=False) and case.values["card"] != COUP


def _ends_a_tour(case: Case) -> bool:
    return case.after.tour != case.before.tour or not COUP_D_ETAT.rules.asks(case.after)


def _has_revoked(case: Case) -> bool:
    stage, told = case.before.stage, [*case.told, case.ruling]
    before = stage.revokers if isinstance(stage, Playing | Laying) else ()
    return bool(before or {ruling.key for ruling in told} & {"revoke", "revoke-said", "false-pass", "void"})


def _is_secret(case: Case) -> bool:
    is_alone = case.claimant is None and case.contract in SECRET and case.before.house.secret_coup
    others = {case.values.get(name) for name in ("payer", "payee", "seat")} - {None}
    return is_alone and (case.ruling.key != "president" or others == {case.after.president})


def _took_first_or_last_trick(case: Case) -> bool:
    counts = {("count-first-trick", case.values["payer"]), ("count-last-trick", case.values["payer"])}
    told = {(ruling.key, ruling.values.get("seat")) for ruling in case.told}
    return case.contract in {"prison", "guillotine"} and bool(counts & told)


Truth = Callable[[Case], bool]
IS_TRUE: Mapping[str, Truth] = {
    "purse": lambda case: set(case.after.money) == {10_000},
    "three-players": lambda case: len(case.after.money) == 3,
    "first-president": lambda case: case.before.tour == 0,
    "equal-draw": lambda case: len(case.values["seats"]) > 1,
    "next-tour/starter": lambda case: case.after.president == (case.before.starter + 1) % len(case.after.money),
    "next-tour/president": lambda case: case.after.president == (case.president + 1) % len(case.after.money),
    "deal": lambda case: case.values["president"] == case.after.president,
    "redeal": lambda case: case.after.used == case.before.used,
    "attempt": lambda case: case.ruling.key == "attempts",
    "decline": lambda case: case.ruling.key == "declines",
    "coup-in-dominos": lambda case: (case.contract, case.claimant) == ("dominos", case.values["seat"]),
    "president-pays-nothing": lambda case: case.claimant is None,
    "follow": lambda case: bool(case.playing.cards) and case.playing.cards[0] != COUP != case.values["card"],
    "leader": lambda case: _is_lead(case, first=True) and case.values["seat"] == case.playing.deal.leader,
    "trick": _takes_trick_or_leads_next,
    "ranks": lambda case: _is_strongest(case) and {card[0] for card in case.values["cards"]} >= {"1"},
    "not-led-in-coup": lambda case: not case.playing.cards and case.values["card"] == COUP,
    "nothing-else": lambda case: bool(case.playing.deal.terms.no_lead),
    "coup-takes": lambda case: COUP in case.values["cards"],
    "coup-card/free": lambda case: bool(case.playing.cards) and case.values["card"] == COUP,
    "coup-card/void": lambda case: bool(case.playing.cards) and case.values["card"] == COUP,
    "coup-led/free": lambda case: COUP in {*case.playing.cards[:1], case.values["card"]},
    "coup-led/named": lambda case: COUP in {*case.playing.cards[:1], case.values.get("card")},
    "middle": lambda case: case.claimant is not None and len(case.playing.tricks) == 1,
    "revoke": lambda case: case.ruling.key in {"revoke", "revoke-said", "false-pass"},
    "revoke-costs/void": _has_revoked,
    "revoke-costs/pays": lambda case: case.values["amount"] == 800,
    "domino-begin": lambda case: case.before.stage.laid == (),
    "domino-fit": lambda case: case.values["card"][-1] in {card[-1] for card in case.before.stage.laid},
    "domino-open/first-rank": lambda case: case.values["card"][:-1] == case.before.stage.laid[0][:-1],
    "domino-open/any-rank": lambda case: (
        case.values["card"][:-1] in {card[:-1] for card in case.before.stage.laid}
    ),
    "domino-pass": lambda case: bool(case.before.stage.laid),
    "domino-all-pass": lambda case: case.before.stage.quiet > 0,
    "ace-chain/on-king": lambda case: case.before.stage.is_chain,
    "ace-chain/any-ace": lambda case: case.before.stage.is_chain,
    "domino-end": lambda case: case.before.stage.left[case.values["seat"]] == 1,
    "tricks-paid": lambda case: (
        case.values["payee"] == case.before.president and _took_first_or_last_trick(case)
    ),
    "paid-in-the-end": lambda case: (
        case.values["payee"] == case.before.president
        and (case.contract, case.claimant) not in {("prison", None), ("dominos", None)}
    ),
    "given-back": lambda case: case.values["payer"] == case.before.president,
    "coup-won": lambda case: case.claimant in {case.values.get("payee"), case.values.get("seat")},
    "presidency": lambda case: case.values["seat"] == case.claimant != case.before.president,
    "coup-failed": lambda case: case.claimant in {case.values.get("payer"), case.values.get("seat")},
    "bank": lambda case: case.values["payee"] == case.claimant or _ends_a_tour(case),
    "secret-coup/presidency": lambda case: _is_secret(case) and case.ruling.key != "takes-bank",
    "secret-coup/bank": _is_secret,
    "secret-fail/bank": lambda case: case.claimant is None and case.contract in SECRET,
    "loan": lambda case: case.values["short"] > 0,
    "loan-ahead": lambda case: case.before.house.loans_ahead,
    "lender": lambda case: isinstance(case.before.stage, Lending) and bool(case.before.stage.dues),
    "overdrawn": lambda case: {ruling.key for ruling in case.told} >= {"refuses"},
    "paid-back": _ends_a_tour,
    "most-money": lambda case: case.values["amount"] == max(case.after.money),
    "equal-money": lambda case: len(case.values["seats"]) > 1,
    "told": lambda case: case.contract in {"barbu", "victory", "siege", "guillotine"},
    **{
        name: lambda case, name=name: (case.contract, case.claimant) == (name, None)
        for name in ("barbu", "victory", "siege", "prison", "guillotine", "dominos")
    },
    **{
        rule: lambda case, rule=rule: rule.startswith(f"coup-{case.contract}") and case.claimant is not None
        for rule in RULES
        if rule.startswith("coup-") and rule.removeprefix("coup-").split("/")[0] in RULES
    },
}


def cases_of(match: Match) -> Iterator[Case]:
    """Yield the rulings of a match in order, with contract and claimant as announced."""
    contract, claimant = "", None
    for moment in reversed([*moments(match)]):
        before = moment.before or moment
        for place, ruling in enumerate(moment.rulings):
            name, _, side = ruling.key.partition("-")
            if side in {"president", "coup"} and name in RULES:
                contract, claimant = name, ruling.values["seat"] if side == "coup" else None
            yield Case(before.state, moment.state, ruling, moment.rulings[:place], contract, claimant)


@pytest.mark.parametrize("honest", [False, True])
def test_cited_rules_hold(honest: bool) -> None:
    """Under all house rules: statements about the state before, earlier rulings, and the state after."""
    houses, met = [*houses_around(COUP_D_ETAT)], set[str]()
    rng = Random(f"grounds {honest}")
    for house in rng.sample(houses, tiered(8, len(houses))):
        match = begin(Setup(COUP_D_ETAT, house, NAMES[: rng.choice((3, 4))]))
        if isinstance(match, Match):
            match = play_honestly(dealt_by_twin(match, rng), rng).match if honest else play_on(match, rng)
            met |= {rule for case in cases_of(match) for rule in check(case, house)}
    assert len(met) > 40


def check(case: Case, house: House) -> list[str]:
    grounds = grounds_of_ruling(COUP_D_ETAT, house, case.ruling)
    assert grounds, case.ruling
    for ground in grounds:
        assert ground.rule.holds(house)
        assert IS_TRUE[ground.rule.id](case), (ground.rule.id, case)
    return [ground.rule.id for ground in grounds]


TRICKS, END = "tricks-paid", "paid-in-the-end"


@pytest.mark.parametrize(
    ("contract", "cited"),
    [
        ("prison", [(1, [TRICKS]), (2, [TRICKS])]),
        ("guillotine", [(1, [TRICKS]), (1, [END]), (2, [TRICKS, END])]),
        ("siege", [(1, [END])]),
    ],
)
def test_last_trick_payment_cites_the_trick_rule(contract: str, cited: list[tuple[int, list[str]]]) -> None:
    """Bo takes the first trick, which is paid for at once, and all spades; Chloé takes the last trick."""
    script = dealt(revoke_penalty="told", secret_coup=False).plays(f"{contract} {ALL_TO_BO}")
    told = [ruling for moment in reversed([*moments(script.match)]) for ruling in moment.rulings]
    paid = [(each.values["payer"], each.rule.split()) for each in told if each.key == "pays"]
    assert paid == cited
