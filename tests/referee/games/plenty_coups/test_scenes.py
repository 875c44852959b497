"""Two looks at the table, and what has happened in between."""

from random import Random

import pytest

from hardware.twin.dealer import DealtMatch, deal_match, step
from referee.contract import CENTRE, DISCARD, Answer, Refusal, Zone, before_seat
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.actions import camp, herd, taunts
from referee.games.plenty_coups.deck import HORSE
from referee.games.plenty_coups.scenes import Scene, explanations, horses, scene_of
from referee.games.plenty_coups.state import Raid, Taking
from referee.match import Match, hear
from tests.referee.games.plenty_coups.script import Script, with_clan
from tests.referee.games.plenty_coups.turn_scenes import begin_turn, finish_turn, scene_lying
from tests.referee.tables import new_match


def after(script: Script, **changed: tuple[str, ...]) -> Scene:
    """Give the scene of a moment, with some places changed."""
    return {**before(script), **{ZONES[name]: cards for name, cards in changed.items()}}


def before(script: Script) -> Scene:
    """Give the scene of a moment, and its herds."""
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


def explain_scene(script: Script, scene: Scene) -> list[list[str]]:
    """Explain a scene, in short: words with their targets, and cards."""
    return [[_short(answer) for answer in way] for way in explanations(script.state, before(script), scene)]


def _short(answer: Answer) -> str:
    value = answer.value
    if value is None:
        return "done"
    if isinstance(value, tuple):
        return " ".join(value)
    assert not isinstance(value, int)
    return " ".join(str(part) for part in (value.word, value.seat, value.face) if part is not None)


def test_nothing_has_happened() -> None:
    script = begin_turn()
    assert explanations(script.state, scene_of(script.state), scene_of(script.state)) == ((),)


def test_two_cards_were_taken() -> None:
    script = begin_turn()
    assert explain_scene(script, after(script, centre=("weapon-2", "weapon-4"))) == [
        ["take horse", "take staff"]
    ]


def test_the_place_of_a_rider_tells_what_is_meant() -> None:
    left = ("weapon-2", "weapon-4")
    takes = ["take horse", "take staff"]
    for where, card, meant in (
        ("camp_of_green", "red-2", ["raid 2", "red-2"]),
        ("own_herd", "green-2", ["propose 2", "green-2"]),
        ("behind", "blue-2", ["ally", "blue-2"]),
    ):
        script = begin_turn()
        assert explain_scene(script, after(script, centre=left, **{where: (card,)})) == [[*takes, *meant]]


LEFT = ("weapon-2", "weapon-4")
TAKES = ["take horse", "take staff"]


def test_a_whole_turn_is_one_way_whatever_its_order() -> None:
    script = begin_turn()
    scene = after(script, centre=LEFT, discard=("horse",), camp_of_yellow=("red-2",), horses=("horse",) * 6)
    (way,) = explain_scene(script, scene)
    assert way[:2] == TAKES
    assert sorted(way[2:]) == ["breed", "raid 1", "red-2"]


def test_what_may_be_several_things_is_all_of_them() -> None:
    """One card on the discards and no horse has moved: a gift to anybody, to yellow before it was raided."""
    script = begin_turn()
    scene = after(script, centre=("weapon-2", "horse"), discard=("red-2",), camp_of_yellow=("red-3",))
    meant = {word for way in explain_scene(script, scene) for word in way}
    assert meant - {"take staff", "take weapon-4", "raid 1", "red-2", "red-3", "done"} == {
        "gift 1",
        "gift 2",
        "gift 3",
    }


def test_horses_that_are_not_counted_may_have_been_given() -> None:
    script = begin_turn()
    scene = after(script, centre=("weapon-2", "horse"), discard=("red-2",), camp_of_yellow=("red-3",))
    ways = explanations(script.state, scene_of(script.state), scene)
    meant = {_short(answer) for way in ways for answer in way}
    assert {"donate 1", "donate 2", "donate 3"} <= meant


def test_a_raid_that_came_home_and_a_feat() -> None:
    script = begin_turn(raids=(Raid(0, 1, ("red-2",), 2),))
    away = {"camp_of_yellow": (), "horses": ("horse",) * 6, "horses_of_yellow": ("horse",) * 4}
    scored = after(script, centre=LEFT, discard=("red-2", "staff", "weapon-3", "blue-3", "blue-2"), **away)
    ways = explain_scene(script, scored)
    assert [*TAKES, "score 1", "hunt", "weapon-3", "blue-2 blue-3"] in ways
    quiet = after(script, centre=LEFT, discard=("red-2",), **away)
    assert explain_scene(script, quiet) == [[*TAKES, "home 1"]]


def test_a_raid_repelled_and_the_feat_after_it() -> None:
    script = begin_turn(raids=(Raid(1, 0, ("red-2",), 2),))
    scene = after(script, centre=("weapon-2", "horse"), discard=("red-2", "weapon-4", "staff"), own_camp=())
    ways = explain_scene(script, scene)
    assert ["take staff", "take weapon-4", "defend", "weapon-4", "feat"] in ways
    assert {way[-2] for way in ways if way[-1] == "staff"} == {"gift 1", "gift 2", "gift 3"}


def test_no_player_is_asked_about_the_second_half_of_a_hunt() -> None:
    script = begin_turn()
    assert all(
        "hunt" not in way for way in explain_scene(script, after(script, centre=LEFT, discard=("red-2",)))
    )


def test_allies_only_have_the_end_of_the_turn_to_say() -> None:
    script = with_clan(with_clan(begin_turn(), 0, bond="yellow-3"), 1, bond="black-3")
    away = {"camp_of_green": ("red-1", "red-2")}
    (way,) = explain_scene(script, after(script, centre=LEFT, **away))
    assert way == [*TAKES, "double-raid 2", "red-1", "red-2", "turn-over"]


def test_a_taunt_waits_for_the_one_who_is_taunted() -> None:
    script = begin_turn()
    scene = after(script, centre=("weapon-2", "weapon-4"), on_yellow=("staff",))
    assert explain_scene(script, scene) == [[*TAKES, "taunt 1"]]
    raided = after(script, centre=LEFT, on_yellow=("staff",), camp_of_green=("red-2",))
    assert explain_scene(script, raided) == [[*TAKES, "raid 2", "red-2", "taunt 1"]]
    proved = after(script, centre=LEFT, on_yellow=("staff",), discard=("red-4",), camp_of_green=("red-2",))
    assert explain_scene(script, proved) == [[*TAKES, "raid 2", "red-2", "taunt 1", "red-4"]]


def test_a_stray_card_that_lay_there_before_changes_nothing() -> None:
    script = begin_turn()
    stray = {Zone("proof"): ("blue-1",)}
    scene = {**after(script, centre=("weapon-2", "weapon-4")), **stray}
    (way,) = explanations(script.state, {**before(script), **stray}, scene)
    assert len(way) == 2


@pytest.mark.parametrize(
    "scene",
    [
        {"centre": ("weapon-2",)},
        {"centre": ("weapon-2", "horse", "staff", "weapon-4", "red-1")},
        {"camp_of_green": ("weapon-3",)},
        {"camp_of_green": ("red-2",)},
        {"centre": ("weapon-2", "weapon-4"), "camp_of_green": ("red-2", "blue-3")},
    ],
)
def test_what_no_rule_allows_has_no_explanation(scene: dict[str, tuple[str, ...]]) -> None:
    script = begin_turn()
    assert explain_scene(script, after(script, **scene)) == []


def test_between_turns_there_is_nothing_to_explain() -> None:
    script = Script(new_match(PLENTY_COUPS, "rule text", 3))
    assert explanations(script.state, {}, {}) == ()


def test_answers_are_numbered_from_the_moment() -> None:
    script = begin_turn()
    (way,) = explanations(script.state, before(script), after(script, centre=LEFT), 7)
    assert [answer.moment for answer in way] == [7, 8]


# whole matches


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
    """Hear an explanation: it has to be legal."""
    for answer in way:
        heard = hear(match, answer)
        assert isinstance(heard, Match), heard
        match = heard
