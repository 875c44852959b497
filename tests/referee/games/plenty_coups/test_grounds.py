"""Each ruling names its rule, and the rule's statement holds before and after it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from firmware.language.catalogues import language
from hardware.twin.player import any_answer
from referee.contract import Answer, Option, Status
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.state import Acting, House, Returning, worth
from referee.grounds import grounds_of_refusal, grounds_of_ruling
from referee.match import Setup, begin, hear
from referee.rule_sentences import ground_view
from referee.sentences import Listener
from tests.given import allowed, refused
from tests.referee.games.plenty_coups.script import NAMES, table
from tests.tiers import tiered


class Case(Struct, frozen=True):
    """A ruling's values, with the states before and after its answer."""

    before: Any
    answer: Any
    values: Mapping[str, Any]
    after: Any


def always(_it: Case) -> bool:
    return True


def raid_in(state: Any, values: Mapping[str, Any]) -> Any:
    return next(
        raid
        for raid in state.raids
        if (raid.seat, raid.target)
        in {(values["seat"], values["target"]), (values.get("raider"), values["seat"])}
    )


def is_by_proposal(it: Case) -> bool:
    """Return whether a raid ended because its target proposed an alliance to the raider."""
    return it.answer.ask == "proposal" and it.before.stage.turn.seat == it.values["target"]


RULES: Mapping[str, Mapping[str, Callable[[Case], bool]]] = {
    "dealt": {"horses": lambda it: it.after.players > 2, "neutral-hand": lambda it: it.after.players == 2},
    "elder": {"elder": always},
    "joins": {"clan": always},
    "turned-up": {
        "display": lambda it: it.before.round == 0,
        "display-left": lambda it: it.before.round > 0,
        "three-alike": always,
    },
    "swept": {"three-alike": lambda it: len(it.values["cards"]) == 4},
    "display-off": {"display-left": lambda it: it.before.house.clear_display and it.before.round <= 10},
    "pile-renewed": {"pile-renewed": always},
    "round": {"round": lambda it: it.values["seat"] == it.after.elder and it.values["number"] <= 12},
    "winter": {"winter": lambda it: it.after.round == 10},
    "turn": {"elder": always},
    "neutral-turn": {"neutral-clan": lambda it: it.after.players == 2},
    "lapses": {"proposal-lapses": always},
    "staff-off": {"taunted-once": always},
    "draws": {
        "hunt": lambda it: it.before.stage.word == "hunt",
        "hand-filled": lambda it: it.values["count"] == 1 or it.after.house.neutral_hand != "own",
    },
    "takes": {"take": lambda it: it.before.round < 10, "winter-cards": lambda it: it.before.round == 10},
    "comes-home": {"comes-home": always},
    "takes-horse": {"comes-home": lambda it: not is_by_proposal(it), "propose-to-raider": is_by_proposal},
    "no-horse": {"comes-home": lambda it: not is_by_proposal(it), "propose-to-raider": is_by_proposal},
    "feat": {
        "feat-home": lambda it: isinstance(it.before.stage, Returning) and it.answer.value.word == "score",
        "feat-defence": lambda it: isinstance(it.before.stage, Acting) and it.before.stage.turn.may_score,
    },
    "gains": {
        "renown": lambda it: it.answer.value.word in {"score", "feat"},
        "donate": lambda it: it.answer.ask == "for-donation",
        "accept": lambda it: it.answer.ask == "acceptance" and it.values["seat"] == it.before.stage.target,
        "turned-later": lambda it: it.before.plain_markers(it.values["seat"]) == 0,
        "renown-limit": lambda it: it.before.house.renown_cap == "none" and it.values["feats"] > 4,
    },
    "renown-full": {"renown-limit": lambda it: it.before.clans[it.values["seat"]].feats == 4},
    "loses": {
        "unproven": lambda it: it.values["seat"] == it.before.stage.target,
        "taunt-ally": lambda it: it.before.ally(it.values["seat"]) == it.answer.value.seat,
    },
    "nothing-to-lose": {"nothing-to-lose": lambda it: not it.before.clans[it.values["seat"]].feats},
    "breeds": {"breed": lambda it: it.after.plain == it.before.plain - 1},
    "raids": {
        "raid": lambda it: len(it.values["cards"]) == 1 and worth(it.values["cards"]) == it.values["value"],
        "own-riders": lambda it: worth(it.values["cards"]) == it.values["value"] - 1,
        "double-raid": lambda it: len(it.values["cards"]) == 2,
        "which-marker": lambda it: (
            raid_in(it.after, it.values).is_feat and not it.before.plain_markers(it.values["seat"])
        ),
    },
    "chased": {
        "one-raid": lambda it: not raid_in(it.before, it.values).is_feat,
        "marker-home": lambda it: raid_in(it.before, it.values).is_feat,
    },
    "repels": {
        "defend": lambda it: len(it.values["weapons"]) == 1,
        "double-defence": lambda it: len(it.values["weapons"]) == 2 and it.before.round < 10,
        "winter-weapons": lambda it: len(it.values["weapons"]) == 2 and it.before.round == 10,
    },
    "discards": {
        "gift": lambda it: it.answer.ask == "for-gift",
        "donate": lambda it: it.answer.ask == "for-donation",
        "hunt": lambda it: it.answer.ask in {"for-hunt", "prey"},
    },
    "offers": {
        "gift": lambda it: it.answer.ask == "for-gift",
        "ally-gift": lambda it: it.before.ally(it.values["seat"]) == it.values["target"],
    },
    "exchange": {
        "gift": lambda it: not it.before.stage.is_free,
        "ally-gift": lambda it: it.before.ally(it.values["seat"]) == it.values["target"],
    },
    "proposes": {"propose": always},
    "outbid": {"outbid": always},
    "raid-ends": {"propose-to-raider": lambda it: it.answer.ask == "proposal"},
    "seals": {"accept": always},
    "withdrawn": {"several-proposals": always},
    "alliance-ends": {
        "change-accepted": lambda it: it.answer.ask == "acceptance",
        "taunt-ally": lambda it: it.answer.value.word == "taunt",
    },
    "neutral-ally": {"neutral-ally": always},
    "neutral-ends": {
        "neutral-change": lambda it: it.values["seat"] == it.before.stage.turn.seat,
        "neutral-taken": lambda it: (
            it.values["seat"] != it.before.stage.turn.seat and it.answer.ask == "neutral-rider"
        ),
        "neutral-proposer": lambda it: (
            it.values["seat"] == it.before.stage.target and it.answer.ask == "acceptance"
        ),
    },
    "taunts": {"taunt": always},
    "proves": {"prove": always},
    "unproven": {
        "unproven": lambda it: it.answer.sense != "clock",
        "worth-seconds": lambda it: it.answer.sense == "clock",
    },
    "donates": {"donate": always},
    "hunts": {
        "hunt": lambda it: it.before.round <= 10,
        "winter-hunt": lambda it: it.before.round > 10 and it.before.house.winter_hunt,
    },
    "turn-over": {
        "three-cards": lambda it: it.values["cards"] == 3 and it.before.round < 10,
        "empty-hand": lambda it: it.values["cards"] == 0,
        "turn-over": lambda it: it.values["cards"] > 0,
        "winter-hunt": lambda it: it.before.round > 10 and not it.before.house.winter_hunt,
    },
    "too-late": {"too-late": lambda it: it.before.round == 12},
    "counted": {"counted": lambda it: it.after.clans[it.values["seat"]].herd > 0},
    "counted-without-horses": {"no-horses": lambda it: it.after.clans[it.values["seat"]].herd == 0},
    "together": {
        "together": lambda it: min(it.after.clans[it.values[who]].herd for who in ("seat", "target")) > 0,
        "penalty": lambda it: 0 in {it.after.clans[it.values[who]].herd for who in ("seat", "target")},
    },
    "won": {
        "most-renown": lambda it: all(
            standing.seat in it.values["seats"]
            for standing in PLENTY_COUPS.rules.standings(it.after)
            if standing.counts["renown"] > renown_of(it.after, it.values["seats"][0])
        ),
        "allied-tie": lambda it: any(it.after.ally(seat) is not None for seat in it.values["seats"]),
        "neutral-clan": lambda it: (
            it.after.players == 2 and it.after.clans[2].herd + it.after.clans[2].feats > 0
        ),
    },
}
"""Possible rules of each ruling, with the condition under which each applies."""


def renown_of(state: Any, seat: int) -> int:
    return next(each.counts["renown"] for each in PLENTY_COUPS.rules.standings(state) if each.seat == seat)


SETTINGS = PLENTY_COUPS.rules.settings


@pytest.mark.parametrize("number", range(tiered(10, 1000)))
def test_cited_rules_hold(number: int) -> None:
    rng, house = Random(f"grounds {number}"), SETTINGS[list(SETTINGS)[number % 2]]
    match = allowed(begin(Setup(PLENTY_COUPS, house, NAMES[: 2 + number % 5])))
    while match.asks:
        answer = any_answer(match.asks, match.number, rng)
        after = allowed(hear(match, answer))
        if "swept" in {ruling.key for ruling in match.rulings}:
            assert [each.rule for each in after.rulings if each.key == "turned-up"] == ["three-alike"]
        for ruling in after.rulings:
            case, rules = Case(match.state, answer, ruling.values, after.state), ruling.rule.split()
            assert {*rules} <= {*RULES[ruling.key]}, ruling
            assert all(RULES[ruling.key][rule](case) for rule in rules), ruling
            assert len(grounds_of_ruling(PLENTY_COUPS, house, ruling)) == len(rules) > 0
        match = after


def test_all_ruling_texts_have_rules() -> None:
    told = {"can-repel", "may-repel", "late-raid", "late-proposal"}
    assert set(PLENTY_COUPS.words.rulings) == set(RULES) | told


@pytest.mark.parametrize(("word", "seat", "rules"), [("hunt", None, ["hunt"]), ("donate", 1, ["donate"])])
def test_empty_hand_refusals_cite_their_rule(word: str, seat: int | None, rules: list[str]) -> None:
    match = table().plays("clan:0:cards=0").match
    refusal = refused(hear(match, Answer(match.number, match.asks[0].key, Option(word, seat=seat), 0)))
    grounds = grounds_of_refusal(PLENTY_COUPS, match.setup.house, refusal)
    assert [ground.rule.id for ground in grounds] == rules


def test_timeout_and_accepted_loss_cite_different_rules() -> None:
    asked = table().plays("taunt:1").match
    for sense, rule in (("clock", "worth-seconds"), ("phone", "unproven")):
        loss = allowed(hear(asked, Answer(asked.number, "worth", Option("accept-loss"), 1, sense=sense)))
        assert [ruling.rule for ruling in loss.rulings if ruling.key == "unproven"] == [rule]


def test_the_rest_of_the_display_is_left_open() -> None:
    """« Défausser les cartes faces visibles » may mean the rest of the display, or how discards lie."""
    house = House(clear_display=True)
    script = table(clear_display=True).plays("raid:1 red-1 raid:2 red-2")
    [ruling] = [ruling for ruling in script.match.rulings if ruling.key == "display-off"]
    [ground] = grounds_of_ruling(PLENTY_COUPS, house, ruling)
    told = ground_view(Listener(PLENTY_COUPS.words, NAMES, language("en")), ground)
    assert (ground.rule.id, told.status) == ("display-left/discarded", Status.LEFT_OPEN)
