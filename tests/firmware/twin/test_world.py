"""The twin's world is dealt again for each match."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.storage.found_table import parting_of, seat_zones
from firmware.table.cards import show_ask, zone_name
from firmware.twin.world import World
from hardware.twin.dealer import DealtMatch, answer_of
from hardware.twin.rendering.scene import CARD
from hardware.twin.tabletop import Pose
from referee.contract import CENTRE, DISCARD, PILE, PROOF, Answer, Option, Show, Zone, before_seat
from referee.match import Correct, Match, hear, replay_with_rules, with_name
from tests.firmware.twin.twin_tables import begun_match, world_of
from tests.given import allowed
from vision.table.framing import USUAL_APART
from vision.table.zones import place_toward


def play_until(world: World, match: Match, key: str) -> tuple[Match, Show]:
    while (ask := show_ask(match)) is None or key not in {"", ask.key}:
        match = allowed(hear(match, answer_of(DealtMatch(match, world.truth(match)), Random(match.number))))
    return match, ask


def test_cards_are_shuffled_for_match_replacing_an_unplayed_one(tmp_path: Path) -> None:
    coyote, deal = begun_match("coyote"), begun_match("coup-d-etat")
    with world_of(coyote, tmp_path) as world:
        top = world.truth(coyote)[PILE][-1]
        world.place(coyote, 0, (Zone("pile"), 0), Pose(0, 0), None)
        assert top not in world.truth(deal)[PILE]
        assert world.sight(deal, None).lying == ()
        assert world.deck("coyote-kidult") is None


def test_nobody_changes_the_deal_by_a_name(tmp_path: Path) -> None:
    match = begun_match("coup")
    renamed = allowed(with_name(match, 0, "Ana.x"))
    with world_of(match, tmp_path) as world:
        truth = world.truth(match)
        assert world.truth(renamed) == truth
        assert world.truth(begun_match("coup", "2026-12-25")) != truth
    with world_of(renamed, tmp_path) as again:
        assert again.truth(renamed) == truth


@pytest.mark.parametrize(("game", "key"), [("ogallala", "place"), ("plenty-coups", "action")])
def test_cards_in_the_middle_lie_there_again_after_a_restart(tmp_path: Path, game: str, key: str) -> None:
    match = begun_match(game)
    with world_of(match, tmp_path) as world:
        while not world.truth(match).get(CENTRE) or key not in {ask.key for ask in match.asks}:
            answer = answer_of(DealtMatch(match, world.truth(match)), Random(match.number))
            match = allowed(hear(match, answer))
        truth = world.truth(match)
    with world_of(match, tmp_path) as world:
        lying = world.sight(match, None).lying
        assert world.truth(match) == truth
        assert [card.face for card in lying] == [*truth[CENTRE]]
        assert all(card.origin == CENTRE and world.is_in(CENTRE, card.pose) for card in lying)


def test_card_remaining_before_seat_is_not_taken_as_laid(tmp_path: Path) -> None:
    match = begun_match("coup")
    with world_of(match, tmp_path) as world:
        one, other = world.truth(match)[Zone("hand", 0)]
        deck = match.setup.game.table.deck(match.setup.house)
        ask = Show("lose", (0,), 1, before_seat(0), deck, {one: 3, other: 3})
        world.lay_from(match, ask, before_seat(0), [one])
        assert not world.has_laid(match, ask)
        world.lay_from(match, ask, Zone("hand", 0), [other])
        assert world.has_laid(match, ask)


def test_cards_laid_together_are_side_by_side(tmp_path: Path) -> None:
    match = begun_match("plenty-coups")
    with world_of(match, tmp_path) as world:
        held = world.truth(match)[Zone("hand", 0)][:3]
        deck = match.setup.game.table.deck(match.setup.house)
        for zone in (DISCARD, PROOF):
            ask = Show("prey", (0,), len(held), zone, deck, dict.fromkeys(held, 3))
            for _time in range(20):
                world.lay_from(match, ask, Zone("hand", 0), held)
                lying = [card.pose for card in world.sight(match, 0).lying]
                assert len(lying) == len(held) > 1
                assert not any(
                    abs(one.x - other.x) < CARD[0] and abs(one.y - other.y) < CARD[1]
                    for one, other in combinations(lying, 2)
                )
                world.sweep()


def test_no_card_lies_exactly_where_the_last_one_of_its_seat_was(tmp_path: Path) -> None:
    """The camera would overlook a similar card laid in its place between two pictures."""
    match = begun_match("coup-d-etat")
    with world_of(match, tmp_path) as world:
        match, ask = play_until(world, match, "card")
        hand, places = Zone("hand", ask.seats[0]), set[tuple[float, float]]()
        for face in world.truth(match)[hand]:
            world.lay_from(match, ask, hand, [face])
            (card,) = world.sight(match, None).lying
            assert world.is_in(ask.zone, card.pose)
            places.add((card.pose.x, card.pose.y))
            world.sweep()
        assert len(places) == len(world.truth(match)[hand]) > 1


def test_named_cards_replace_those_that_bots_would_lay(tmp_path: Path) -> None:
    match = begun_match("coyote")
    with world_of(match, tmp_path) as world:
        match, ask = play_until(world, match, "")
        seats = frozenset(range(3))
        due = world.lay_due(match, ask, seats)
        assert sorted(card.face for card in world.sight(match, None).lying) == sorted(due)
        for face in due[1:]:
            world.lay(match, ask, [face])
        assert world.lay_due(match, ask, seats) == ()
        assert sorted(card.face for card in world.sight(match, None).lying) == sorted(due[1:])


@pytest.mark.parametrize("players", range(2, 7))
def test_owner_of_each_revealed_card_is_known_on_the_twin(players: int, tmp_path: Path) -> None:
    """All lay their cards in the middle, each towards their own place, so that the camera sees the owner."""
    match = begun_match("coyote", players=players)
    with world_of(match, tmp_path) as world:
        match, ask = play_until(world, match, "reveal")
        zones = seat_zones(parting_of(match), *USUAL_APART)
        for seats in (frozenset({1}), frozenset(range(players))):
            world.lay_due(match, ask, seats)
        lying = world.sight(match, None).lying
        assert len(lying) == players
        assert all(world.is_in(ask.zone, card.pose) for card in lying)
        for card in lying:
            assert card.origin is not None
            assert place_toward(zones, (card.pose.x, card.pose.y)) == zone_name(before_seat(card.origin.seat))


@pytest.mark.parametrize("is_of_the_hand", [True, False])
def test_correction_moves_cards_to_their_recorded_places(tmp_path: Path, *, is_of_the_hand: bool) -> None:
    match = begun_match("coup")
    with world_of(match, tmp_path) as world:
        match, ask = play_until(world, match, "lose")
        hand = Zone("hand", ask.seats[0])
        right, *kept = world.truth(match)[hand]
        strange = next(face for face in world.truth(match)[PILE] if face not in {right, *kept})
        laid = kept[0] if is_of_the_hand else strange
        wrong = allowed(hear(match, Answer(match.number, "lose", (laid,), None, "camera")))
        world.truth(wrong)
        mended = allowed(hear(wrong, Correct(wrong.number, match.number, (right,))))
        assert list(world.truth(mended)[hand]) == kept
        assert world.truth(mended)[before_seat(ask.seats[0])] == (right,)


def test_correct_cards_are_not_laid_twice_for_a_misplaced_equal_one(tmp_path: Path) -> None:
    match = begun_match("plenty-coups", "2026-12-08")
    with world_of(match, tmp_path) as world:
        match, ask = play_until(world, match, "")
        laid = world.lay(match, ask)
        lying = world.truth(match)[PILE]
        top = max(place for place in range(len(lying) - len(laid)) if lying[place] in laid)
        face = lying[top]
        assert world.place(match, 0, (PILE, top), Pose(300.0, 200.0, is_up=False), None)
        answered = allowed(hear(match, Answer(match.number, ask.key, laid, None, "camera")))
        there = [card for card in world.sight(answered, None).lying if world.is_in(ask.zone, card.pose)]
        assert [card.face for card in there].count(face) == laid.count(face)


def test_face_down_cards_are_the_ones_given_away_unseen(tmp_path: Path) -> None:
    match, hand = begun_match("coup", "2026-12-03"), Zone("hand", 0)
    said = (
        ("opener", Option("opens", seat=0), None),
        ("action", Option("exchange"), 0),
        ("challenge", Option("pass"), 1),
        ("challenge", Option("pass"), 2),
    )
    with world_of(match, tmp_path) as world:
        for ask, option, seat in said:
            match = heard(match, ask, option, seat)
        first, second, *kept = world.truth(match)[hand]
        assert not {first, second} & {*kept}
        for _card in range(2):
            assert world.place(match, 0, (hand, 0), Pose(0, 0, is_up=False), None)
        assert sorted(card.face for card in world.sight(match, 0).lying) == sorted((first, second))
        match = heard(match, "exchange", None, 0)
        assert list(world.truth(match)[hand]) == kept
        # no player may reveal them now
        assert world.sight(match, 1).lying == ()


def test_lifted_and_face_down_cards_leave_the_hand_together(tmp_path: Path) -> None:
    match, hand = begun_match("coup", "2026-12-28"), Zone("hand", 0)
    with world_of(match, tmp_path) as world:
        first, second = world.truth(match)[hand]
        assert not world.give(match, hand, (first, second, second), (1, 2))
        assert not world.give(match, hand, (), (1, 2))
        assert world.place(match, 0, (hand, 0), Pose(0, 0, is_up=False), None)
        assert not world.give(match, hand, (first,), (1, 2)) or first == second
        assert world.give(match, hand, (second,), (2, 2))
        assert sorted(world.truth(match)[hand]) == sorted((first, second))


def heard(match: Match, ask: str, value: Option | None, seat: int | None) -> Match:
    return allowed(hear(match, Answer(match.number, ask, value, seat)))


def test_cards_stay_when_house_rule_is_corrected(tmp_path: Path) -> None:
    match = begun_match("coyote")
    with world_of(match, tmp_path) as world:
        match, _ask = play_until(world, match, "reveal")
        truth = world.truth(match)
        house = replace(match.setup.house, direction_persists=True)
        again = allowed(replay_with_rules(match, house, "later"))
        assert again.number == match.number
        assert world.truth(again) == truth
        assert world.truth(begun_match("coyote", "later still")) != truth
