"""At the simulated table, every seat can always tap something, and whatever it taps counts."""

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.table.cards import show_ask
from firmware.table.turns import TurnProgress, with_asks
from firmware.twin.simulated_table import RequestedPose, SimulatedTable
from referee.contract import PILE, Answer, Ask, Number, Option, Zone, hand_of
from referee.games.catalogue import GAMES
from referee.games.coup_d_etat.deals import REDEAL
from referee.games.coup_d_etat.state import COUP
from referee.match import Match, Step, hear
from referee.moment_view import view_of
from tests.browser.table_states import MANY, VIEWER, dealt_table, kind_of
from tests.given import allowed, present
from tests.tiers import slow, tiered
from tests.webui.matches import call_coyote
from webui.pages.twin.offers import can_act, offered
from webui.server.drawn_pages import match_id
from webui.views.controls import Control, controls_of

MOST = tiered(60, 400)  # answers of a match; by then, most questions have occurred
SETTINGS = [
    (name, seats)
    for name, game in GAMES.items()
    for seats in tiered((4,), (3, 5))
    if seats in game.rules.seats(game.rules.house())
]
ENGLISH = language("en")


def controls_at(twin: SimulatedTable, match: Match, seat: int) -> tuple[Control, ...]:
    told = view_of(match, ENGLISH, seat)

    def allows(ask: str, option: Option) -> bool:
        return twin.is_possible(match, Answer(match.number, ask, option, seat))

    shared = {ask.key for ask in match.asks if ask.seats != (seat,)}
    return offered(controls_of(told, seat, told.grids), allows, shared)


def tap(twin: SimulatedTable, match: Match, seat: int, rng: Random) -> Answer | None:
    """Tap one of the seat's controls; returns the answer, or None if a card was laid."""
    table = twin.table(seat)
    own = [card for card in (*table.chairs[seat].cards, table.draw) if card is not None and card.is_wanted]
    choices = [each for each in controls_at(twin, match, seat) if each.kind not in {"card", "cards"}]
    choices = [each for each in choices if each.kind != "choice" or values_of(each)]
    if own and (not choices or rng.random() < 0.7):
        card = rng.choice(own)
        assert twin.lay(seat, card.where, card.place, None)
        return None
    control = rng.choice(choices)
    ask = next(ask for ask in match.asks if ask.key == control.ask)
    return Answer(match.number, ask.key, value_of(control, ask, rng), seat, "phone")


def is_able(twin: SimulatedTable, match: Match, seat: int) -> bool:
    """Return whether a tap leads on; to pick up a laid card doesn't."""
    return can_act(controls_at(twin, match, seat), replace(twin.table(seat), has_laid=False), seat)


def values_of(control: Control) -> list[str]:
    cells = (square for sheet in control.sheets for line in sheet.lines for square in line.squares)
    return [button.value for button in control.buttons] + [mark.value for cell in cells for mark in cell.marks]


def value_of(control: Control, ask: Ask, rng: Random) -> object:
    if control.kind == "done":
        return None
    if isinstance(ask, Number):
        return rng.choice([int(button.value) for button in control.buttons] or [control.preset])
    return msgspec.json.decode(rng.choice(values_of(control)), type=Option)


def read_cards(twin: SimulatedTable, match: Match) -> Answer | None:
    """Answer with the laid cards, as the camera does, once all are in their area."""
    ask = show_ask(match)
    if ask is None or not twin.world.has_laid(match, ask):
        return None
    sources = match.setup.game.table.sources(match.state, ask)
    lying = [card for card in twin.world.sight(match, None).lying if twin.world.is_in(ask.zone, card.pose)]
    mine = [card for card in lying if card.pose.is_up and card.origin in sources and card.origin != ask.zone]
    faces = tuple(card.face for card in mine[-ask.count :])
    return Answer(match.number, ask.key, faces, next(iter(ask.seats), None), "camera")


@slow("a match of each game, by everything that its pages offer")
@pytest.mark.parametrize(("game", "seats"), SETTINGS)
def test_every_asked_seat_can_tap_something(tmp_path: Path, game: str, seats: int) -> None:
    rng = Random(f"{game} {seats}")
    with dealt_table(GAMES[game], seats, tmp_path) as table:
        twin, steps = table.twin, 0
        while table.match.asks and table.match.number < MOST:
            steps += 1
            assert steps < 4 * MOST, f"{game} stands still at moment {table.match.number}"
            match = table.match
            answer = read_cards(twin, match)
            if answer is None:
                asked = sorted({seat for ask in match.asks for seat in ask.seats or range(seats)})
                mixed = rng.sample(asked, len(asked))
                able = (seat for seat in mixed if is_able(twin, match, seat))
                seat = next(able, None)
                assert seat is not None, f"nobody can tap anything at moment {match.number}: {match.asks}"
                answer = tap(twin, match, seat, rng)
            if answer is not None:
                table.client.match = allowed(hear(match, answer))
                twin.world.mark(table.match)
                twin.world.tidy(table.match, MANY)


def test_whole_turn_is_offered_only_after_a_card_was_laid_for_it(tmp_path: Path) -> None:
    def asks() -> list[str]:
        return [control.ask for control in controls_at(table.twin, match, VIEWER)]

    with dealt_table(GAMES["plenty-coups"], 3, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match).startswith("action"))
        match = table.client.match = with_asks(match, TurnProgress())
        assert asks() == ["action"]
        # a card in the display is no turn
        for x, expected in ((0.0, ["action"]), (400.0, ["action", "whole-turn"])):
            assert table.twin.lay(VIEWER, "hand", 0, RequestedPose(x, 0.0, is_up=True))
            assert asks() == expected
        laid = table.twin.world.sight(match, None).lying[-1]
        assert table.twin.take(VIEWER, laid.number)
        assert asks() == ["action"]
        displayed = next(card for card in table.twin.table(VIEWER).laid if card.before is None)
        assert table.twin.take(VIEWER, displayed.number)
        assert asks() == ["action", "whole-turn"]


def test_late_and_second_taps_lay_no_card_too_many(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup-d-etat"], 3, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match) == "lay card")
        browser = table.room.browser().sit(VIEWER)
        # a tap after the others moved on is no mistake
        for number, status in ((match.number - 1, 303), (match.number, 409)):
            sent = browser.send("/twin", "/twin/lay", where="pile", place=99, moment=number)
            assert sent.status_code == status
        lit = [card for card in table.twin.table(VIEWER).chairs[VIEWER].cards if card.is_wanted]
        # the page still shows two lit cards while the first one is laid
        assert table.twin.lay(VIEWER, lit[0].where, lit[0].place, None)
        before = table.twin.world.sight(table.match, None).lying
        assert table.twin.lay(VIEWER, lit[1].where, 0, None)
        assert table.twin.world.sight(table.match, None).lying == before


def test_player_chooses_the_cards_given_away(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup"], 3, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match) == "exchange")
        browser, truth = table.room.browser().sit(VIEWER), table.twin.world.truth(match)
        hand = truth[hand_of(VIEWER)]
        assert not table.twin.press(VIEWER, "call", "short")
        assert "Return these 2 cards" in browser.get("/twin").text
        for wrong in ([], [*hand[:1]], [*hand[:3]], ["duke"] * 4):
            assert browser.send("/twin", "/seat/answer", give=wrong).status_code == 409
        assert browser.send("/twin", "/seat/answer", give=[*hand[:2]]).status_code == 303
        left = table.twin.world.truth(table.match)
        assert Counter(left[hand_of(VIEWER)]) == Counter(hand[2:])


def test_card_shown_by_the_seat_page_must_be_held(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup"], 3, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match) == "lay lose")
        held = table.twin.world.truth(match)[hand_of(VIEWER)]
        other = next(face for face in match.setup.deck.counts if face not in held)
        browser = table.room.browser().sit(VIEWER)
        shown = [browser.send("/seat", "/seat/answer", card=card).status_code for card in (other, held[0])]
        assert shown == [409, 303]


def is_asked(match: Match, key: str) -> bool:
    ask = show_ask(match)
    return ask is not None and ask.key == key


def last_seat(match: Match) -> int | None:
    return match.position.answer.seat if isinstance(match.position, Step) else None


@pytest.mark.parametrize(("game", "asked"), [("coyote", "reveal"), ("coup", "prove")])
def test_nothing_is_taken_back_once_hidden_cards_lay_open(tmp_path: Path, game: str, asked: str) -> None:
    with dealt_table(GAMES[game], 3, tmp_path) as table:
        moments = table.play(Random(1))
        match = next(each for each in moments if is_asked(each, asked) and last_seat(each) == VIEWER)
        table.twin.world.sweep()
        assert table.twin.world.lay(match, present(show_ask(match)))
        browser = table.room.browser().sit(VIEWER)
        for _time in range(2):
            assert "/seat/back" not in browser.get("/twin").text
            assert browser.send("/seat", "/seat/back").status_code == 409
            table.twin.world.sweep()
        assert table.match is match


def test_nothing_is_taken_back_once_cards_were_guessed(tmp_path: Path) -> None:
    with dealt_table(GAMES["coyote"], 3, tmp_path) as table:
        match = table.client.match = call_coyote(table.match)
        (own,) = table.twin.world.truth(match)[Zone("worn", 1)]
        wrong = next(face for face in match.setup.deck.counts if face != own)
        browser = table.room.browser().sit(1)
        assert "/seat/back" in browser.get("/twin").text
        assert browser.send("/seat", "/seat/answer", card=[wrong] * 3).status_code == 409
        assert browser.send("/seat", "/seat/back").status_code == 409
        assert table.match is match


def test_no_seat_learns_the_cards_of_others_by_naming_them(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup"], 3, tmp_path) as table:
        lost = (present(show_ask(match)).seats for match in table.play(Random(1)) if is_asked(match, "lose"))
        (owner,) = next(seats for seats in lost if VIEWER not in seats)
        held = table.twin.world.truth(table.match)[hand_of(owner)]
        other = next(face for face in table.match.setup.deck.counts if face not in held)
        browser = table.room.browser().sit(VIEWER)
        now = {"match": match_id(table.match), "moment": table.match.number, "form": browser.form("/seat")}
        right, wrong = (browser.post("/seat/answer", **now, ask="lose", card=card) for card in (held[0], other))
        assert right.status_code == wrong.status_code == 409
        assert right.text == wrong.text


def test_deal_again_is_offered_only_while_no_player_holds_the_coup_card(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup-d-etat"], 4, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match) == "holder, nobody")
        assert COUP not in table.twin.world.truth(match)[PILE]
        asked = {control.ask for seat in range(4) for control in controls_at(table.twin, match, seat)}
        assert asked == {"holder"}
        tapped = hear(match, Answer(match.number, "nobody", REDEAL))
        assert isinstance(tapped, Match), "the referee doesn't know the cards"
        browser = table.room.browser().sit(VIEWER)
        redeal = {"ask": "nobody", "option": msgspec.json.encode(REDEAL).decode()}
        assert browser.send("/seat", "/seat/answer", **redeal).status_code == 409


def test_rows_that_cards_continue_are_drawn_with_their_next_places(tmp_path: Path) -> None:
    with dealt_table(GAMES["coup-d-etat"], 4, tmp_path) as table:
        next(match for match in table.play(Random(1)) if kind_of(match) == "pass, lay domino")
        faces = [card.face for card in table.twin.table(VIEWER).chairs[VIEWER].cards]
        assert faces == sorted(faces, key=[*table.match.setup.deck.counts].index)
        page = table.room.browser().sit(VIEWER).get("/twin").text
        rows = page.partition('class="rowsfour"')[2].partition("</ol>")[0]
        assert rows.count("<li") == 4
        assert rows.count('class="in"') >= 1
        assert rows.count('class="open"') >= 1
