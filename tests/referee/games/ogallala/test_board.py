"""What Ogallala shows of itself: whole questions, and what stands on the board, at moments of a match."""

from gettext import NullTranslations

from msgspec.structs import replace

from referee.contract import Weight
from referee.games.ogallala import OGALLALA
from referee.match import Position, moments
from referee.showing import board_of, questions_of, situation_of
from referee.telling import Listener, tell_card_row, tell_fact, tell_questions
from tests.referee.games.ogallala.script import NAMES, Script, begin_midway, sit_down

LISTENER = Listener(OGALLALA.words, NAMES, NullTranslations())


def questions(script: Script) -> list[str]:
    """Tell all that is asked, as whole questions."""
    return list(tell_questions(LISTENER, questions_of(script.match)))


def facts(script: Script, seat: int | None = None) -> dict[str, str]:
    """Tell the facts of a seat, or of the table."""
    told = [tell_fact(LISTENER, fact) for fact in board_of(script.match).facts if fact.seat == seat]
    return {fact.label: fact.text for fact in told}


def decisive(script: Script) -> list[str]:
    """Name the facts that decide now."""
    return [fact.key for fact in board_of(script.match).facts if fact.weight is Weight.KEY]


def rows(script: Script) -> dict[str, tuple[str, ...]]:
    """Give the rows of open cards by their names."""
    return {tell_card_row(LISTENER, row): row.faces for row in board_of(script.match).cards}


def test_a_turn_begins_with_a_card_that_is_drawn() -> None:
    script = sit_down()
    assert questions(script) == ["Which card does Ana draw and lay in the middle?"]
    script = script.draws("keg").says("place", "first")
    assert questions(script) == [
        "Which card does Ana draw next, with 1 drawn in this turn?",
        "Ana may also stop here.",
    ]
    assert facts(script) == {"Face down": "111 cards"}
    assert facts(script, 0) == {"Drawn in this turn": "1", "Incomplete canoes": "1"}
    assert board_of(script.match).turn == 0


def test_it_is_the_turn_of_one_only_between_the_opening_and_the_count() -> None:
    (unopened,) = [match for match in moments(sit_down().match) if not match.number]
    assert board_of(unopened).turn is None
    script = begin_midway("B 1r S\nB keg S\nB 2r", "").draws("S").puts(2, 2)
    assert board_of(script.match).turn == 0
    counting = script.says("end", "end")
    assert board_of(counting.match).turn is None
    assert board_of(counting.says("record", "all-as-recorded").match).turn is None


def test_the_open_pile_is_shown_and_may_be_taken() -> None:
    script = begin_midway("B keg", "", discard="fur eagle")
    assert questions(script)[0] == "Which card does Ana draw and lay in the middle?"
    assert facts(script)["Top of the open pile"] == "eagle"
    assert rows(script) == {"Open pile, its top card last": ("fur", "eagle")}
    shuffled = sit_down(discard="recycle_when_pile_empty").draws("keg").says("place", "discard")
    assert "Top of the open pile" not in facts(shuffled)


def test_a_drawn_card_has_to_find_its_place() -> None:
    script = sit_down().draws("keg")
    assert questions(script) == ["Where does Ana lay the keg?"]
    assert rows(script) == {"In the middle": ("keg",)}
    double = begin_midway("B keg S\n1r", "").draws("keg")
    assert questions(double) == ["Where does Ana lay the keg, the last card of the turn?"]
    assert decisive(double) == ["last-card"]


def test_the_special_cards_say_what_they_do() -> None:
    lasso = begin_midway("1r", "keg").draws("Lr").puts(1)
    assert questions(lasso) == ["Which card of an incomplete canoe does Ana take with the Lasso?"]
    roped = lasso.chooses("lasso", face="keg")
    assert questions(roped) == ["Where does Ana lay the keg?"]
    archer = begin_midway("1r", "2b").draws("Ar").puts(1)
    assert questions(archer) == ["Which paddler in an incomplete canoe does Ana hit with the Archer?"]
    saboteur = begin_midway("B keg S B fur S", "").draws("xr")
    assert questions(saboteur) == ["Which of Ana's 2 complete canoes does the Saboteur sink?"]


def test_a_canoe_that_is_complete_may_attack_and_its_strength_is_the_number_shown() -> None:
    script = begin_midway("B 3r", "1r keg fur").draws("S").puts(2)
    strength, where = facts(script, 0)["May attack"].split(", ", 1)
    assert (strength, where.split()[0]) == ("strength 3", "column")
    assert questions(script) == ["Which canoe does Ana attack, if any, with the new one of strength 3?"]
    assert decisive(script) == ["attacker"]
    assert facts(script, 0)["For the end"] == "1 canoe of 3"
    assert board_of(script.match).number == 3
    captured = script.says("attack", "attack")
    assert questions(captured) == ["Which one of 2 captured cards does Ana lay next?"]
    assert rows(captured)["Booty to be laid"] == ("keg", "fur")


def test_the_third_canoe_may_end_the_match_and_then_all_are_counted() -> None:
    script = begin_midway("B 1r S\nB keg S\nB 2r", "").draws("S").puts(2, 2)
    assert questions(script) == ["Does Ana, who has 3 canoes, end the match here?"]
    assert facts(script, 0)["For the end"] == "3 canoes of 5"
    script = script.says("end", "end")
    assert questions(script) == [
        "Is Ana's canoe 1 of 3 as the record has it?",
        "Ana may also push it under the camera.",
    ]
    assert facts(script)["Canoes counted"] == "0 of 3"
    over = script.says("record", "all-as-recorded")
    assert over.match.outcome is not None
    situation = situation_of(over.match)
    assert situation is not None
    assert situation.key == "over-ended"


def test_booty_that_is_kept_aside_is_on_the_board_of_its_owner() -> None:
    script = begin_midway("1r", "2r", unplaced_booty="keep_aside")
    state = replace(script.state, aside=(("keg",), ()))
    script = Script(replace(script.match, position=Position(state, OGALLALA.asks(state), ())))
    assert rows(script) == {"Kept aside": ("keg",)}
    assert questions(script)[-1] == "Ana may also lay a card that was kept aside."
    fetched = script.chooses("aside", face="keg")
    assert questions(fetched) == ["Where does Ana lay the keg?"]
