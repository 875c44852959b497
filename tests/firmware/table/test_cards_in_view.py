"""Cards count wherever they lie, in all games: laid, moved, covered, lifted and laid again, swept."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table.cards import (
    CardState,
    Count,
    TableCard,
    is_allowed,
    needs_places,
    show_ask,
    state_of,
    zone_name,
)
from firmware.table.expected import brought_cards, expected_in_view, faces_named, last_revealed
from firmware.table.notices import Notice
from firmware.table.state import CARDS_NOTICE_DELAY
from hardware.twin.dealer import DealtMatch, answer_of, deal_match, follow_rulings
from hardware.twin.player import any_answer
from referee.contract import DISCARD, Answer, Game, Option, Show, Zone
from referee.games.catalogue import GAMES
from referee.games.coyote.state import CAVE
from referee.match import Match, Setup, begin, log
from tests.firmware.board.inputs.matches import call_moments
from tests.firmware.table.sat import SeatedTable, card, read_twice, unsure_card
from tests.given import allowed, present
from tests.hardware.twin.matches import stepped
from tests.plugins.installed import OUR_GAMES, game_of
from tests.tiers import tiered
from vision.process.messages import ReadTable, TableRead
from vision.table.values import PlacedCard

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
ZONES = ("centre", "proof", "discard", "seat 1", "seat 2", None)
LENGTH = tiered(40, 300)
ALL = [*GAMES, *OUR_GAMES]
PLACELESS = [name for name in ALL if name != "plenty-coups"]


PILE = replace(card(None, facing="down"), middle=(-1999.0, 1999.0))
"""A pile that lies there from the start."""


class Evening:
    """A match played with cards that people handle meanwhile: anywhere in view, or in the zones of a mat.

    The eyes report each change, or several at once: a share `joins` of the changes waits for the next report.
    """

    def __init__(self, game: Game, house: object, seed: int, *, has_mat: bool, joins: float) -> None:
        self.rng, self.has_mat, self.joins = Random(f"{game.name} {seed}"), has_mat, joins
        names = NAMES[: self.rng.choice(game.rules.seats(house)[:6])]
        self.dealt = deal_match(allowed(begin(Setup(game, house, names))), self.rng)
        self.sat, self.lying = SeatedTable(self.dealt.match).see(PILE), list[PlacedCard]()
        self.unseen = list[PlacedCard]()  # cards that changed since the last report
        self.reading, self.asked = 1, Counter[str]()

    @property
    def match(self) -> Match:
        return self.sat.match

    def play(self) -> None:
        while self.match.asks and len(log(self.match)) < LENGTH:
            answer = answer_of(self.dealt, self.rng)
            if isinstance(answer.value, tuple):
                self.show(present(show_ask(self.match)), answer)
            else:
                self.enter(answer)
            self.disturb()

    def enter(self, answer: Answer) -> None:
        self.sat.enter(answer).keep()
        self.go_on()

    def go_on(self) -> None:
        match = replace(self.match, beside=())
        # in a game that needs places, hands follow the rulings there
        for zone, face in self.sat.table.turn.due:
            self.swap((), [replace(self.place(face), zone=zone)])
        self.dealt = DealtMatch(match, follow_rulings(self.dealt.truth, match, self.rng))

    def show(self, ask: Show, answer: Answer) -> None:
        """Lay the cards in any order and place; the table answers once they all lie there."""
        assert isinstance(answer.value, tuple)
        self.asked[ask.key] += 1
        if self.rng.random() < 0.1:
            # by phone, before they are laid
            self.enter(replace(answer, sense="phone"))
            for each in self.sat.table.absent:
                if each.card is None:
                    self.quietly(each.face, each.asked)
            return
        self.lay_wrong_card(ask)
        for each in self.lying[:] if brought_cards(self.match, ask) else ():
            self.take(each)
        self.report()
        # cards that must be among them may lie there already
        there = Counter(each.card.face or "" for each in self.lying if self.state(each) == "counts now")
        assert set(there) <= set(ask.must)
        new = [*(Counter(answer.value) - there).elements()]
        if self.joins and self.rng.random() < 0.5:
            new = self.sweep(new)
        for face in new:
            assert self.sat.written is None
            self.lay(face)
        self.look()
        assert isinstance(self.sat.written, Answer), (ask, answer.value, self.sat.table.way, self.states())
        assert Counter(faces_named(self.sat.written)) == Counter(answer.value)
        self.sat.keep()
        self.go_on()

    def lay_wrong_card(self, ask: Show) -> None:
        wrong = [face for face in ask.deck.counts if not ask.among.get(face) or face in ask.barred]
        wrong = [face for face in wrong if face not in self.faces_away() | self.in_scene()]
        if wrong and self.rng.random() < 0.3:
            each = self.lay(self.rng.choice(wrong))
            self.report()
            assert self.state(each) == "not asked now"
            assert not self.sat.table.confirming
            self.take(each)

    def sweep(self, new: list[str]) -> list[str]:
        """Take used cards and lay new ones before the next report; returns those that are still to be laid.

        Only if the faces show it: others came than are gone, and others are gone than came.
        """
        swept = [each for each in self.lying if each.card.face and self.is_over(each.card.face)]
        gone, came = Counter(each.card.face for each in swept), Counter(new)
        if gone <= came or came <= gone or any(face in came for face in self.faces_away()):
            return new
        self.report()
        self.rng.shuffle(new)
        first = self.rng.randint(1, len(new))
        zone = zone_name(ask.zone) if (ask := show_ask(self.match)) else None
        self.swap(swept, [replace(self.place(face), zone=zone) for face in new[:first]])
        self.report()
        return new[first:]

    def disturb(self) -> None:
        """Move, cover, lift and lay again; sweep what the record doesn't expect. Nothing of that counts."""
        asks = self.match.asks
        for each in self.lying[:]:
            deed = self.rng.choice(["move", "relay", "cover", "sweep", "", "", ""])
            face = each.card.face or ""
            if deed == "move" and not self.is_brought(face):
                there = self.place(face)
                zone = each.zone if self.has_mat or not self.stands(face) else there.zone
                self.report()
                self.swap([each], [replace(there, zone=zone)])
                self.report()
            elif deed in {"relay", "cover"} and self.stands(face) and not needs_places(self.match):
                self.take(each)
                self.quietly(face)
            elif deed == "sweep" and self.is_over(face):
                self.take(each)
            assert not self.sat.table.confirming, (deed, face, self.states())
        self.report()
        assert not self.sat.table.confirming, self.states()
        assert self.match.asks is asks or self.match.asks == asks
        self.restart()

    def is_brought(self, face: str) -> bool:
        ask = show_ask(self.match)
        return ask is not None and brought_cards(self.match, ask)[face] > 0

    def is_must(self, face: str) -> bool:
        return any(face in ask.must for ask in self.match.asks if isinstance(ask, Show))

    def stands(self, face: str) -> bool:
        """Return whether all cards with a face are counted, and their reveal stands."""
        return all(
            each.count is Count.SHOWN for each in present(self.sat.table.cards) if each.card.card.face == face
        )

    def is_over(self, face: str) -> bool:
        is_asked = show_ask(self.match) is not None
        is_expected = expected_in_view(self.match)[face] > 0 or face in self.in_scene()
        return not is_expected and not (is_asked and self.stands(face))

    def in_scene(self) -> set[str]:
        """Return the faces that lie somewhere by the record, in a game whose turns are read as a whole."""
        turns = self.match.setup.game.table.turns
        return (
            set()
            if turns is None
            else {face for faces in turns.scene(self.match.state).values() for face in faces}
        )

    def restart(self) -> None:
        """After a start, the cards that the record expects don't count again."""
        faces = Counter(each.card.face or "" for each in self.lying)
        if faces == expected_in_view(self.match) and not any(self.is_must(face) for face in faces):
            sat = SeatedTable(self.match).see(*self.lying)
            assert not sat.table.confirming, (faces, last_revealed(self.match))

    def quietly(self, face: str, zone: Zone | None = None) -> None:
        there = self.place(face)
        self.swap((), [there if zone is None else replace(there, zone=zone_name(zone))])
        assert not self.sat.table.confirming, (face, self.states())

    def lay(self, face: str) -> PlacedCard:
        each = self.place(face)
        self.swap((), [each])
        return each

    def take(self, each: PlacedCard) -> None:
        self.swap([each], ())

    def swap(self, taken: Sequence[PlacedCard], laid: Sequence[PlacedCard]) -> None:
        """Change the table; a report may wait, but a card's departure is seen before an equal card comes."""
        faces = {each.card.face for each in self.unseen}
        if any(each.card.face in faces for each in (*taken, *laid)):
            self.report()
        for each in taken:
            self.lying.remove(each)
        self.lying += laid
        self.unseen += [*taken, *laid]
        if not self.joins or self.rng.random() >= self.joins:
            self.report()

    def report(self) -> None:
        if self.unseen:
            self.sat.hear(TableRead((PILE, *self.lying), self.reading, is_change=True))
            self.reading, self.unseen = self.reading + 1, []

    def look(self) -> None:
        self.report()
        asked = f"moment {self.match.number}"
        there = [PILE, *self.lying]
        self.rng.shuffle(there)
        for _time in range(2):
            if self.sat.written is None:
                self.sat.see(*there, asked=asked, reading=self.reading)
                self.reading += 1

    def place(self, face: str) -> PlacedCard:
        """Choose a free place; the discards' zone is the place of cards that were put away."""
        taken = {each.middle for each in self.lying} | {
            gone.card.middle for gone in self.sat.table.absent if gone.card
        }
        spots = [(100.0 * x, 100.0 * y) for x in range(-12, 13) for y in range(-12, 13)]
        zones = [zone for zone in ZONES if zone != DISCARD.name or not self.has_left(face)]
        middle = self.rng.choice([spot for spot in spots if spot not in taken])
        ask = show_ask(self.match)
        zone = zone_name(ask.zone) if self.has_mat and ask is not None else self.rng.choice(zones)
        return replace(card(face), middle=middle, zone=zone)

    def has_left(self, face: str) -> bool:
        return face in self.faces_away()

    def faces_away(self) -> set[str]:
        return {each.face for each in self.sat.table.absent}

    def states(self) -> list[CardState]:
        ask = show_ask(self.match)
        return [state_of(self.match, ask, each) for each in present(self.sat.table.cards)]

    def state(self, placed: PlacedCard) -> CardState:
        return self.states()[[each.card for each in present(self.sat.table.cards)].index(placed)]


def evenings(name: str, *, has_mat: bool) -> Iterator[Evening]:
    game = GAMES.get(name) or game_of(name)
    for house in list(game.rules.settings.values())[: tiered(2, None)]:
        for seed in range(tiered(1, 6) if name not in PLACELESS else tiered(3, 21)):
            # where turns are read as a whole, places decide and no view is compared with the one before
            yield Evening(game, house, seed, has_mat=has_mat, joins=seed % 3 / 3 if name in PLACELESS else 0.0)


@pytest.mark.parametrize(
    ("name", "has_mat"), [*((name, False) for name in PLACELESS), *((name, True) for name in ALL)]
)
def test_cards_count_once(name: str, has_mat: bool) -> None:
    asked = Counter[str]()
    for evening in evenings(name, has_mat=has_mat):
        assert needs_places(evening.match) == (name not in PLACELESS)
        evening.play()
        asked += evening.asked
    assert asked.total() >= 5


# one case each

FACES = ("10", "5", "4", "3")
CARDS = tuple(card(face, place) for place, face in enumerate(FACES))
FAR = tuple(replace(each, middle=(300.0 * place, 900.0), zone=None) for place, each in enumerate(CARDS))
"""The same cards outside all zones."""


def at_reveal() -> SeatedTable:
    return SeatedTable(call_moments()[0]).see()


def at_next_reveal(*there: PlacedCard) -> SeatedTable:
    """Count these cards, and ask for cards again."""
    sat = read_twice(at_reveal(), *there).keep()
    return sat.say("announce", 5, 1).keep().say("turn", Option("coyote"), 2).keep()


def faces_of(sat: SeatedTable) -> list[str]:
    return sorted(sat.answered) if isinstance(sat.answered, tuple) else []


NEW = tuple(
    replace(card(face), middle=(200.0 * place, 600.0), zone=None)
    for place, face in enumerate(("3", "-10", "0", "20"))
)
"""The cards of another reveal, one of them equal to one of the last."""


@pytest.mark.parametrize("first", range(5))
def test_card_that_is_equal_to_a_swept_one_counts_however_views_fall(first: int) -> None:
    """At first, the eyes see the table swept and some of the new cards; then all of them."""
    sat = at_next_reveal(*CARDS).swap(CARDS, NEW[:first], 60)
    assert faces_of(read_twice(sat, *NEW)) == sorted(["3", "-10", "0", "20"])


def test_only_card_on_a_swept_table_counts_although_an_equal_one_was_there() -> None:
    """The first card of another round is laid between two views."""
    sat = at_next_reveal(*CARDS).swap(CARDS, NEW[:1], 60)
    assert [each.count for each in present(sat.table.cards)] == [Count.NOT_YET]
    # of two cards, one may be pushed while the other is taken, until a third comes
    sat = at_next_reveal(*CARDS).take(*CARDS[:2], reading=60).swap(CARDS[2:], NEW[:1], 61)
    assert [each.count for each in present(sat.table.cards)] == [Count.CARRIED]
    assert {each.count for each in present(sat.lay(NEW[1], reading=62).table.cards)} == {Count.NOT_YET}


def test_unread_card_may_be_one_that_is_gone() -> None:
    # after the camera was put elsewhere, all lie elsewhere, and two can't be read yet
    sat = at_next_reveal(*CARDS).swap(
        CARDS, [*FAR[:2], *(replace(unsure_card(8), middle=each.middle) for each in FAR[2:])]
    )
    assert [each.is_counted for each in present(sat.table.cards)] == [True, True, False, False]
    # a new card that gets its name later shows that the others were swept
    unread = replace(unsure_card(9), middle=NEW[1].middle, zone=None)
    sat = at_next_reveal(*CARDS).take(*CARDS[:2], reading=60).swap(CARDS[2:], [NEW[0], unread], 61)
    assert [each.count for each in present(sat.table.cards)] == [Count.CARRIED, Count.NOT_YET]
    sat.swap([unread], [NEW[1]], 62)
    assert {each.count for each in present(sat.lay(NEW[2], reading=63).table.cards)} == {Count.NOT_YET}


def test_equal_cards_in_two_views_count_as_often_as_they_are_laid() -> None:
    sat = at_reveal().lay(CARDS[3], reading=51).see(CARDS[3], reading=52)
    assert faces_of(read_twice(sat, *CARDS)) == sorted(FACES)
    # while their reveal lasts, one that is laid again is the same
    again = read_twice(at_reveal(), *CARDS).keep().take(CARDS[3], reading=60).lay(FAR[3], reading=61)
    assert [each.count for each in present(again.table.cards)] == [Count.SHOWN] * 4
    # once cards are asked for again, and the record expects it gone, it is another one
    new = at_next_reveal(*CARDS).take(CARDS[3], reading=60).lay(FAR[3], reading=61)
    assert [each.count for each in present(new.table.cards)] == [Count.USED] * 3 + [Count.NOT_YET]


def test_card_drawn_onto_the_last_one_counts_and_so_does_an_equal_one_after_it() -> None:
    game, rng, drawn = GAMES["ogallala"], Random(1), list[str]()
    sat = SeatedTable(allowed(begin(Setup(game, game.rules.house(), NAMES[:2])))).see()
    while len(drawn) < 3:
        if (ask := show_ask(sat.match)) is None:
            sat.enter(any_answer(sat.match.asks, sat.match.number, rng)).keep()
            continue
        face = ("red-warrior-1", "tobacco", "red-warrior-1")[len(drawn)]
        assert is_allowed(ask, face)
        on_pile = replace(card(face), card=replace(card(face).card, more_below=True))
        sat.swap([each.card for each in present(sat.table.cards)], [on_pile], 60 + len(drawn))
        drawn += faces_of(read_twice(sat, on_pile))
        sat.keep()
    assert drawn == ["red-warrior-1", "tobacco", "red-warrior-1"]


def test_cave_draws_a_fourth_card_beside_three_that_were_lifted_and_laid_again() -> None:
    sat = read_twice(at_reveal(), card(CAVE, 0), *CARDS[1:]).keep()
    assert [ask.key for ask in sat.match.asks] == ["draw"]
    for each in (card(CAVE, 0), *CARDS[1:]):
        sat.take(each, reading=51)
    again = [replace(each, middle=(99.0 * place, 500.0)) for place, each in enumerate((*CARDS[1:], card(CAVE)))]
    for each in again:
        assert sat.lay(each, reading=52).orders == []
    drawn = card("10", 8)
    assert sat.lay(drawn, reading=53).orders == [ReadTable(f"moment {sat.match.number}")]
    assert read_twice(sat, *again, drawn).answered == ("10",)


@pytest.mark.parametrize("is_whole", [True, False])
def test_card_that_is_named_only_after_it_was_laid_again_stays_counted(is_whole: bool) -> None:
    sat = read_twice(at_reveal(), card(CAVE, 0), *CARDS[1:]).keep()
    sat.take(CARDS[1], reading=51).lay(unsure_card(8), reading=52)
    named = card("5", 8)
    if is_whole:
        sat.see(card(CAVE, 0), *CARDS[2:], named, reading=53)
    else:
        sat.move(unsure_card(8), named, reading=53)
    assert [each.is_counted for each in present(sat.table.cards)] == [True] * 4
    assert sat.table.absent == ()


def test_card_counted_by_the_only_face_that_was_left_stays_counted_when_it_is_laid_again() -> None:
    game = game_of("hearts")
    rng = Random(1)
    dealt = deal_match(allowed(begin(Setup(game, game.rules.house(), NAMES[:4]))), rng)
    while "card" not in {ask.key for ask in dealt.match.asks}:
        dealt = stepped(dealt, rng)
    sat = SeatedTable(dealt.match).see().lay(unsure_card(0), reading=2)
    for reading in (3, 4):
        sat.see(unsure_card(0), asked=f"moment {sat.match.number}", reading=reading)
    assert sat.wait(20).answered == ("2c",)
    sat.keep().see(card("2c"), reading=5)
    sat.take(card("2c"), reading=6).lay(unsure_card(8), reading=7).see(card("2c", 8), reading=8)
    assert [each.is_counted for each in present(sat.table.cards)] == [True]


def test_counted_card_stays_counted_while_covered_and_an_equal_one_counts() -> None:
    first, over = CARDS[0], replace(card("1", 0, shift=40.0), zone=None)
    sat = at_next_reveal(*CARDS)
    # another card covers the first one for a while
    sat.swap([first], [over], 60).lay(FAR[2], reading=61).take(FAR[2], reading=62).swap([over], [first], 63)
    assert [each.is_counted for each in present(sat.table.cards)] == [True] * 4
    # lifted with nothing over it, it counts anew
    sat.take(first, reading=64).lay(first, reading=65)
    assert [each.is_counted for each in present(sat.table.cards)] == [True, True, True, False]


def test_card_covered_before_the_next_ask_stays_counted() -> None:
    first, over = CARDS[0], replace(card("1", 0, shift=40.0), zone=None)
    sat = read_twice(at_reveal(), *CARDS).keep().swap([first], [over], 60)
    sat.say("announce", 5, 1).keep().say("turn", Option("coyote"), 2).keep()
    sat.swap([over], [first], 63)
    assert [each.is_counted for each in present(sat.table.cards)] == [True] * 4


def test_card_swept_with_the_one_that_covered_it_counts_anew() -> None:
    first, over = FAR[1], replace(card("1"), middle=(340.0, 900.0), zone=None)
    sat = at_next_reveal(*FAR)
    sat.swap([first], [over], 60).take(over, reading=61)
    sat.take(FAR[2], reading=62).lay(first, reading=63)
    assert [each.is_counted for each in present(sat.table.cards)] == [True, True, False]


def at_lost_challenge() -> tuple[SeatedTable, PlacedCard, PlacedCard]:
    """Return a table after a proof of Coup, the proof, and an equal card where another player is to lay one."""
    game, rng = GAMES["coup"], Random(1)
    dealt = before = deal_match(allowed(begin(Setup(game, game.rules.house(), NAMES[:3]))), rng)
    while [getattr(dealt.match.entry, "ask", ""), *(ask.key for ask in dealt.match.asks)] != ["prove", "lose"]:
        start = dealt if dealt.match.asks else deal_match(allowed(begin(dealt.match.setup)), rng)
        before, dealt = start, stepped(start, rng)
    (face,), ask = faces_named(present(dealt.match.entry)), present(show_ask(dealt.match))
    sat = read_twice(SeatedTable(before.match).see(), proof := replace(card(face), zone="proof")).keep()
    return sat, proof, replace(proof, zone=zone_name(ask.zone), middle=(300.0, 300.0))


def test_equal_card_laid_while_the_proof_is_taken_back_counts() -> None:
    sat, proof, lost = at_lost_challenge()
    (face,), aside = (proof.card.face,), replace(proof, zone=None, middle=(300.0, 0.0))
    assert sat.move(proof, aside, reading=60).table.confirming == ()
    assert sat.move(aside, lost, reading=61).table.confirming == (face,)


def test_proof_that_is_laid_again_is_no_card_of_another_player() -> None:
    sat, proof, lost = at_lost_challenge()
    sat.take(proof, reading=60)
    assert sat.lay(proof, reading=61).table.confirming == ()
    assert sat.take(proof, reading=62).lay(lost, reading=63).table.confirming == (lost.card.face,)


def test_lost_card_that_is_laid_again_unread_stays_counted_when_another_is_lost() -> None:
    game, rng = GAMES["coup"], Random(1)
    dealt = deal_match(allowed(begin(Setup(game, game.rules.house(), NAMES[:3]))), rng)
    while not (ask := show_ask(dealt.match)) or ask.key != "lose":
        dealt = stepped(dealt, rng)
    lost, unread = (replace(each, zone=zone_name(ask.zone)) for each in (card("duke"), unsure_card(2)))
    sat = read_twice(SeatedTable(dealt.match).see(), lost).keep()
    sat.take(lost, reading=60).lay(unread, reading=61)
    while (ask := show_ask(sat.match)) is None:
        dealt = stepped(DealtMatch(sat.match, dealt.truth), rng)
        sat.enter(present(dealt.match.entry)).keep()
    assert sat.wait(5.0).written is None
    sat.see(named := replace(unread, card=lost.card), reading=62)
    assert [each.is_counted for each in present(sat.table.cards)] == [True]
    other = replace(card("contessa", 4), zone=zone_name(ask.zone))
    assert sat.see(named, other, reading=63).table.confirming == ("contessa",)


def test_equal_card_counts_before_the_one_that_another_player_named_is_laid() -> None:
    game = game_of("love-letter")
    sat = SeatedTable(allowed(begin(Setup(game, game.rules.house(), NAMES[:4])))).see()
    sat.say("card", ("handmaid",), sense="phone").keep()
    other = replace(card("handmaid"), zone="seat 2", middle=(300.0, 0.0))
    assert sat.lay(other, reading=60).table.confirming == ("handmaid",)


def test_card_put_away_is_not_shown_again() -> None:
    sat = at_next_reveal(*CARDS).take(CARDS[0], reading=60)
    sat.lay(card("10", 3, "discard"), reading=61)
    assert [each.is_counted for each in present(sat.table.cards)] == [True] * 4


def test_place_decides_which_of_too_many_cards_count() -> None:
    stray = replace(card("15", 4), zone=None)
    assert faces_of(read_twice(at_reveal(), *CARDS, stray)) == sorted(FACES)
    sat = at_reveal().see(*FAR, stray, now=1.0)
    assert sat.wait(1.0 + CARDS_NOTICE_DELAY).notices == [Notice("too many", {"shown": 5, "wanted": 4})]


def test_unread_card_that_was_there_before_disturbs_only_in_the_zone() -> None:
    unread = unsure_card(4)
    away = replace(unread, zone="discard", middle=(0.0, 700.0))
    assert SeatedTable(call_moments()[0]).see(*FAR, away).orders == [ReadTable("moment 3")]
    assert SeatedTable(call_moments()[0]).see(*FAR, unread).orders == []
    assert at_reveal().see(*FAR, away).orders == []


@pytest.mark.parametrize(
    ("each", "state"),
    [
        (TableCard(CARDS[0]), "counts now"),
        (TableCard(CARDS[0], count=Count.SHOWN), "already counted"),
        (TableCard(card("queen"), count=Count.SHOWN), "counted"),
        (TableCard(card("queen")), "not asked now"),
        (TableCard(card("10", possible=False)), "not in this deck"),
        (TableCard(card(None, facing="down")), "face down"),
        (TableCard(unsure_card(0)), "blurred"),
        (TableCard(card(None, sure=False, over_more=True)), "covered"),
        (TableCard(CARDS[0], denied=("10",)), "blurred"),
    ],
)
def test_each_card_has_a_reason(each: TableCard, state: CardState) -> None:
    match = call_moments()[0]
    assert state_of(match, show_ask(match), each) == state
    barred = replace(present(show_ask(match)), barred={"10": "why"})
    for ask in (None, barred):
        assert state_of(match, ask, TableCard(CARDS[0])) == "not asked now"
