"""On the twin hands lay what rulings make them lay, where turns are read from what lies on the table."""

from collections import Counter
from pathlib import Path
from random import Random

from firmware.core.cards import show_ask, zone_name
from firmware.storage.table_zones import seat_zones
from firmware.twin.world import World
from hardware.twin import tabletop
from hardware.twin.bots import answer_for_table, bot_action
from referee.contract import Answer
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Match, hear
from tests.referee.tables import new_match

ALL = frozenset(range(3))


def test_what_rulings_send_to_a_part_of_the_table_lies_there(tmp_path: Path) -> None:
    match, rng, seen, read = new_match(PLENTY_COUPS, "rule text", 3), Random(3), set[str](), 0
    world = World(match, lambda parting: seat_zones(parting, 844.0, 556.0), tmp_path / "camera.bmp")
    try:
        for _answer in range(140):
            match = play_by_bots(world, match, rng)
            read = world.mark(match) if tabletop.was_answered_by_cards(match) else read
            seen |= check(world, match)
            world.tidy(match, read)
    finally:
        world.close()
    assert {"centre", "discard", "seat", "taunt"} <= seen


def play_by_bots(world: World, match: Match, rng: Random) -> Match:
    """Let bots do what is next; what is asked to be seen has to lie there then."""
    ask = show_ask(match)
    if ask is not None:
        world.lay_due(match, ask, ALL)
    for seat in ALL:
        deed = bot_action(match, seat, world.faces_known(match, seat), rng)
        if deed is not None and deed.lays and ask is not None:
            world.lay_from(match, ask, tabletop.hand_for(match, ask, seat), deed.lays)
            return hear_legal(match, Answer(match.number, ask.key, deed.lays, sense="camera"))
        if deed is not None and deed.answer is not None:
            return hear_legal(match, deed.answer)
    if ask is None:
        answer = answer_for_table(match, world.truth(match), rng)
        assert answer is not None
        return hear_legal(match, answer)
    due = tuple(face for _zone, face in tabletop.cards_due(match, world.truth(match), ask, ALL))
    there = Counter(card.face for card in world.sight(match, None).lying if world.is_in(ask.zone, card.pose))
    assert Counter(due) <= there, "equal cards, too, lie there all"
    return hear_legal(match, Answer(match.number, ask.key, due, sense="camera"))


def hear_legal(match: Match, answer: Answer) -> Match:
    """Hear an answer, which has to be legal."""
    after = hear(match, answer)
    assert isinstance(after, Match), after
    return after


def check(world: World, match: Match) -> set[str]:
    """Look for all that the last rulings sent somewhere and that wasn't sent on; name the parts."""
    sent = Counter[tuple[str, str]]()
    for ruling in match.rulings:
        for move in PLENTY_COUPS.moves(match.state, ruling):
            sent.update((zone_name(move.target), face) for face in move.faces if world.zone(move.target))
            sent.subtract((zone_name(move.source), face) for face in move.faces)
    parts = world.sight(match, None).lying
    for (name, face), count in (+sent).items():
        same = [card for card in parts if card.face == face and card.pose.is_up]
        there = [
            card
            for card in same
            if any(world.is_in(zone, card.pose) for zone in zones() if zone_name(zone) == name)
        ]
        assert len(there) >= count, (name, face)
    return {name.split()[0] for name, _face in +sent}


def zones() -> list[tabletop.Zone]:
    """List the parts of a table for three."""
    own = [tabletop.Zone(part, seat) for part in PLENTY_COUPS.parting(3).parts for seat in range(3)]
    return [tabletop.CENTRE, tabletop.DISCARD, *own]
