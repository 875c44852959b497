"""Two scenes of the table, and the turns that explain the difference."""

from random import Random
from typing import Any

import pytest

from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import CENTRE, DISCARD, Answer, Refusal, Zone, before_seat
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.effects import camp, herd, taunts
from referee.games.plenty_coups.scenes import Scene, explanations, horses, scene_of
from referee.games.plenty_coups.state import HORSE, Raid, Taking
from referee.match import Match, hear
from tests.given import allowed
from tests.referee.games.plenty_coups.script import Script, begin_turn, finish_turn, scene_lying, with_clan
from tests.referee.tables import new_match


def after(script: Script, **changed: tuple[str, ...]) -> Scene:
    return {**before(script), **{ZONES[name]: cards for name, cards in changed.items()}}


def before(script: Script) -> Scene:
    herds = {horses(seat): (HORSE,) * clan.herd for seat, clan in enumerate(script.state.clans)}
    return {**scene_of(script.state), **herds}


ZONES: dict[str, Zone] = {
    "centre": CENTRE,
    "discard": DISCARD,
    "own_camp": before_seat(0),
    "camp_of_yellow": before_seat(1),
    "camp_of_green": before_seat(2),
    "own_herd": herd(0),
    "behind": camp(0),
    "on_yellow": taunts(1),
    "horses": horses(0),
    "horses_of_yellow": horses(1),
}


def explain_scene(script: Script, scene: Scene) -> list[str]:
    """Return the explanations of a scene in short: words with targets, and cards except those taken."""
    ways = explanations(script.state, before(script), scene)
    told = [", ".join(_short(answer) for answer in way) for way in ways]
    return sorted(way.removeprefix("take horse, take staff").removeprefix(", ") for way in told)


def _short(answer: Answer) -> str:
    value = answer.value
    if value is None:
        return "done"
    if isinstance(value, tuple):
        return " ".join(value)
    assert not isinstance(value, int)
    return " ".join(str(part) for part in (value.word, value.seat, value.face) if part is not None)


LEFT = ("weapon-2", "weapon-4")
"""The rest of the display after taking the horse and the staff."""
HOME = {"camp_of_yellow": (), "horses": ("horse",) * 6, "horses_of_yellow": ("horse",) * 4}
OWN_RAID, RAIDED = {"raids": (Raid(0, 1, ("red-2",), 2),)}, {"raids": (Raid(1, 0, ("red-2",), 2),)}

SCENES: list[tuple[dict[str, Any], dict[str, tuple[str, ...]], list[str]]] = [
    ({}, {}, [""]),
    # a rider's zone shows its purpose
    ({}, {"camp_of_green": ("red-2",)}, ["raid 2, red-2"]),
    ({}, {"own_herd": ("green-2",)}, ["propose 2, green-2"]),
    ({}, {"behind": ("blue-2",)}, ["ally, blue-2"]),
    # a whole turn is one explanation, whatever its order
    (
        {},
        {"discard": ("horse",), "camp_of_yellow": ("red-2",), "horses": ("horse",) * 6},
        ["breed, raid 1, red-2"],
    ),
    # a counted herd that hasn't grown did not breed
    ({}, {"discard": ("horse",)}, [f"gift {seat}, horse" for seat in (1, 2, 3)]),
    # a raid that came home, with and without a feat
    (OWN_RAID, {"discard": ("red-2",), **HOME}, ["home 1"]),
    (
        OWN_RAID,
        {"discard": ("red-2", "staff", "weapon-3", "blue-3", "blue-2"), **HOME},
        [
            "home 1, gift 1, staff, done, hunt, weapon-3, blue-2 blue-3",
            *(f"home 1, hunt, staff, blue-2 blue-3, gift {seat}, weapon-3" for seat in (1, 2, 3)),
            "score 1, hunt, weapon-3, blue-2 blue-3",
        ],
    ),
    # a repelled raid, and the feat after it, or a gift
    (
        RAIDED,
        {"discard": ("red-2", "weapon-4", "staff"), "own_camp": ()},
        ["defend, weapon-4, feat", *(f"defend, weapon-4, gift {seat}, staff" for seat in (1, 2, 3))],
    ),
    # nobody is asked about the second half of a hunt
    ({}, {"discard": ("red-2",)}, [f"gift {seat}, red-2" for seat in (1, 2, 3)]),
    # a taunt waits for its target
    ({}, {"on_yellow": ("staff",)}, ["taunt 1"]),
    ({}, {"on_yellow": ("staff",), "camp_of_green": ("red-2",)}, ["raid 2, red-2, taunt 1"]),
    (
        {},
        {"on_yellow": ("staff",), "discard": ("red-4",), "camp_of_green": ("red-2",)},
        ["raid 2, red-2, taunt 1, red-4"],
    ),
    # an impossible change
    ({}, {"centre": ("weapon-2",)}, []),
    ({}, {"centre": ("weapon-2", "horse", "staff", "weapon-4", "red-1")}, []),
    ({}, {"camp_of_green": ("weapon-3",)}, []),
    ({}, {"centre": ("weapon-2", "horse", "staff", "weapon-4"), "camp_of_green": ("red-2",)}, []),
    ({}, {"camp_of_green": ("red-2", "blue-3")}, []),
]


@pytest.mark.parametrize(("begun", "changed", "ways"), SCENES)
def test_explained_scenes(begun: dict[str, Any], changed: dict[str, tuple[str, ...]], ways: list[str]) -> None:
    script = begin_turn(**begun)
    assert explain_scene(script, after(script, **{"centre": LEFT, **changed})) == ways


def test_unchanged_scene_has_no_turn() -> None:
    script = begin_turn()
    assert explanations(script.state, scene_of(script.state), scene_of(script.state)) == ((),)
    between = Script(new_match(PLENTY_COUPS, "rule text", 3))
    assert explanations(between.state, {}, {}) == ()
    # a stray card that was there before changes nothing
    stray = {Zone("proof"): ("blue-1",)}
    scene = {**after(script, centre=LEFT), **stray}
    (way,) = explanations(script.state, {**before(script), **stray}, scene)
    assert len(way) == 2


def test_ambiguous_scenes_have_all_explanations() -> None:
    """A gift to anyone (yellow before it was raided), or horses if they aren't counted."""
    script = begin_turn()
    scene = after(script, centre=("weapon-2", "horse"), discard=("red-2",), camp_of_yellow=("red-3",))
    said = {"take staff", "take weapon-4", "raid 1", "red-2", "red-3", "done"}
    gifts, donations = ({f"{word} {seat}" for seat in (1, 2, 3)} for word in ("gift", "donate"))
    for looked, more in ((before(script), set()), (scene_of(script.state), donations)):
        ways = explanations(script.state, looked, scene)
        meant = {_short(answer) for way in ways for answer in way} - said
        assert meant == gifts if not more else meant >= more


def test_allies_only_confirm_the_turn_end() -> None:
    script = with_clan(with_clan(begin_turn(), 0, bond="yellow-3"), 1, bond="black-3")
    scene = after(script, centre=LEFT, camp_of_green=("red-1", "red-2"))
    assert explain_scene(script, scene) == ["double-raid 2, red-1, red-2, turn-over"]


@pytest.mark.parametrize("players", [2, 4])
def test_every_turn_is_explained_and_every_explanation_is_legal(players: int) -> None:
    rng = Random(players)
    table = deal_match(new_match(PLENTY_COUPS, "rule text", players), rng)
    start: DealtMatch | None = None
    keys: list[str] = []
    explained = 0
    while table.match.asks and explained < 40:
        if start is None and isinstance(table.match.state.stage, Taking):
            start, keys = table, []
        later = step(table, rng)
        assert not isinstance(later, Refusal)
        keys += [ruling.key for ruling in later.match.rulings]
        if start is not None and "turn-over" in keys:
            scene = scene_lying(finish_turn(table, later.match, rng))
            ways = explanations(start.match.state, scene_lying(start), scene, start.match.number)
            if "pile-renewed" not in keys[: keys.index("turn-over")]:
                explained += 1
                assert ways
            for way in ways:
                check(start.match, way)
            start = None
        table = later


def check(match: Match, way: tuple[Answer, ...]) -> None:
    for answer in way:
        match = allowed(hear(match, answer))
