"""What a scene says of what it moved, and of what riders and weapons are worth."""

from firmware.language.catalogues import language
from referee.contract import Board, make_ruling
from referee.contract.board import CardRow
from referee.games.plenty_coups.board import reveal
from referee.match import Match
from referee.showing import board_of
from referee.telling import listener_at
from referee.verdicts import reveal_of
from tests.browser.moments import Moment, find_match, match_at
from tests.given import present
from webui.drawing.reveals import RevealChange, reveal_view


def test_a_scene_says_what_each_had_before_and_has_now() -> None:
    match = match_at("plenty-coups-repelled")
    view = present(reveal_view(match, listener_at(match.setup, language("en"))))
    raider, target = (match.setup.names[seat] for seat in (*view.won, *view.lost))
    horses = {each.name: each for each in view.changes if each.count == "horses"}
    assert horses == {
        raider: RevealChange(raider, "horses", horses[raider].before, horses[raider].before + 1),
        target: RevealChange(target, "horses", horses[target].before, horses[target].before - 1),
    }


def test_a_scene_in_which_nothing_moved_says_what_is_still_at_stake() -> None:
    match = find_match(Moment("at stake", "coup", 4, _is_at_stake))
    view = present(reveal_view(match, listener_at(match.setup, language("en"))))
    at_stake = {(match.setup.names[each.seat], each.after) for each in board_of(match).changes}
    assert {(each.name, each.after) for each in view.changes} == at_stake


def _is_at_stake(match: Match, board: Board) -> bool:
    return bool(reveal_of(match) and board.changes)


def test_a_raid_that_is_turned_away_has_its_worth_struck_beside_that_of_the_weapons() -> None:
    said = make_ruling("repels", seat=0, raider=1, weapons=("weapon-2", "weapon-4"), cards=("red-2", "red-3"))
    scene = present(reveal(None, (said,)))
    riders, weapons = scene.rows
    assert (_worth(riders), riders.struck) == ([2, 5], (0, 1))
    assert (_worth(weapons), weapons.struck) == ([2, 6], ())


def _worth(row: CardRow) -> list[object]:
    return [note.values["value"].value for note in row.notes]
