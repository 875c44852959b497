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
from tests.referee.games.plenty_coups.script import NAMES, Script, table, with_clan, with_state
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


@pytest.mark.parametrize(
    ("line", "key", "rule"),
    [
        # « Marquer un coup : jouer 1 bâton de coups au moment de revenir d'un raid »
        ("clan:0:known=staff raid:1 red-3 HOME score:1", "feat", "feat-home"),
        # « Marquer un coup en Défense »
        ("turn:1 raid:0 green-3 turn:0 defend weapon-4 feat", "feat", "feat-defence"),
        # « l'attaquant repart immédiatement avec un cheval. Il ne pourra donc pas marquer de coup »
        ("turn:2 raid:0 red-3 turn:0 propose:2 green-2", "takes-horse", "propose-to-raider"),
        # « 1 fois à chacun de leurs tours, des alliés peuvent échanger des cadeaux sans défausser de carte »
        ("ALLIES ally-gift:1", "offers", "ally-gift"),
        ("ALLIES ally-gift:1 done", "exchange", "ally-gift"),
        ("ALLIES gift:1 red-1 done", "exchange", "gift"),
        # « Dédaigner un allié met fin à l'alliance. L'auteur du dédain perd 1 point de prestige »
        ("ALLIES clan:0:feats=1 taunt:1", "loses", "taunt-ally"),
        ("clan:1:feats=1 taunt:1 accept-loss", "loses", "unproven"),
        # « Attaquer avec un guerrier de sa tribu : +1 », « 2 guerriers de la même couleur »
        ("raid:1 red-3", "raids", "raid"),
        ("raid:1 black-3", "raids", "own-riders"),
        ("double-raid:1 black-1 black-3", "raids", "double-raid"),
        # « Ce marqueur peut déjà être du côté prestige s'il n'y a pas d'autre choix »
        ("clan:0:feats=4 raid:1 red-3", "raids", "which-marker"),
        # « Plus d'actions doubles (sauf défense double au 10ème tour) »
        ("turn:1 raid:0 red-3 round:10 turn:0:1 double-defend weapon-2 weapon-2", "repels", "winter-weapons"),
        ("turn:1 raid:0 red-3 turn:0 double-defend weapon-2 weapon-2", "repels", "double-defence"),
        # « Un autre joueur peut briser une alliance neutre », « une autre tribu neutre »
        ("clan:2:bond=blue-2 ally blue-3", "neutral-ends", "neutral-taken"),
        ("clan:0:bond=blue-2 ally white-2", "neutral-ends", "neutral-change"),
        ("round:11 turn:0:1 hunt red-1", "hunts", "winter-hunt"),
        ("hunt red-1", "hunts", "hunt"),
        ("hunt red-1", "draws", "hunt"),
        ("hunt red-1", "discards", "hunt"),
        ("hunt red-1 [red-2 red-3]", "discards", "hunt"),
        ("gift:1 red-1", "discards", "gift"),
        # « Défausser 1 carte … et donner 2 chevaux … donne 1 point de prestige »
        ("donate:1 red-1", "gains", "donate"),
        ("clan:0:feats=3 donate:1 red-1", "gains", "donate"),
        ("clan:0:feats=2 raid:2 red-3 raid:3 red-2 turn:0 donate:1 red-1", "gains", "donate turned-later"),
        ("turn:1 propose:0 black-3 turn:0 accept:1 yellow-3", "gains", "accept"),
        ("turn:1 raid:0 green-3 turn:0 defend weapon-4 feat", "gains", "renown"),
    ],
)
def test_rulings_name_the_deciding_rule(line: str, key: str, rule: str) -> None:
    allies = "clan:0:bond=yellow-3 clan:1:bond=black-3"
    script = table()
    for part in line.replace("ALLIES", allies).partition("HOME"):
        script = come_home(script) if part == "HOME" else script.plays(part)
    assert [ruling.rule for ruling in script.match.rulings if ruling.key == key] == [rule]


@pytest.mark.parametrize(("word", "seat", "rules"), [("hunt", None, ["hunt"]), ("donate", 1, ["donate"])])
def test_empty_hand_refusals_cite_their_rule(word: str, seat: int | None, rules: list[str]) -> None:
    match = table().plays("clan:0:cards=0").match
    refusal = refused(hear(match, Answer(match.number, match.asks[0].key, Option(word, seat=seat), 0)))
    grounds = grounds_of_refusal(PLENTY_COUPS, match.setup.house, refusal)
    assert [ground.rule.id for ground in grounds] == rules


def come_home(script: Script) -> Script:
    """Continue to the turn in which black's raid comes home."""
    raid = script.state.raids[0]
    state = script.turn_of(0).state
    turn = state.stage.turn
    return with_state(with_clan(script.turn_of(0), 0, known=("staff",)), stage=Returning(turn, raid))


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
