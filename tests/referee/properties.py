"""Properties of every game, checked by `walk.py` for each moment and each answer of a match.

A property is a marked function that raises AssertionError; its randomness depends only on the match.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from firmware.board.inputs.meaning import answers
from firmware.board.outputs.patterns import MAY_REACT, TURN, lights
from firmware.storage.found_table import mat_zones, seat_zones
from firmware.table.cards import zone_name
from hardware.board.board import Key
from hardware.twin.player import any_answer
from referee import match as matches
from referee import sentences
from referee.announcing import LEVELS, PLAY, announce, spoken_text
from referee.conformance import check_moment, check_refusals, wrong_answers
from referee.contract import Answer, Choice, Option, Reason, Refusal, Show, TableLayout
from referee.grounds import grounds_of_refusal
from referee.match import Match, Step, TakeBack, hear, moments
from referee.public_moment import PublicCard, PublicMoment, public_moment
from referee.record import entry_line
from referee.showing import board_of, cue_for, questions_of, situation_of
from referee.verdicts import last_verdict, reveal_of, verdicts_of
from tests.given import allowed, present, refused
from tests.referee.property_tools import Property, assert_worded, holds_of, listeners, positions
from tests.referee.shown import some_options

LONGEST_QUESTION = 90  # letters that fit on a small screen in three lines


OF_MOMENTS, OF_ANSWERS = list[Property](), list[Property]()
"""Properties of a moment; and of a match with an answer and its result."""


# each moment


@holds_of(OF_MOMENTS, every=5)
def conforms(match: Match) -> None:
    """Asks, words, options, moods, serialised state, views and standings conform, as in `check-game`."""
    assert [*check_moment(match)] == []


@holds_of(OF_MOMENTS)
def each_ask_in_one_question(match: Match) -> None:
    counts = Counter(key for question in questions_of(match) for key in question.asks)
    assert counts == Counter(ask.key for ask in match.asks), counts


@holds_of(OF_MOMENTS, every=9)
def told_in_every_language(match: Match) -> None:
    game, board, situation = match.setup.game, board_of(match), situation_of(match)
    rulings, options = (*match.rulings, *game.shown.insight(match.state)), [*some_options(match.asks)]
    effects = [(seat, game.book.effect(match.state, seat, option)) for _ask, seat, option in options]
    endings = [(seat, each) for seat, effect in effects if effect is not None for each in effect.endings]
    for listener in listeners(match):
        told_endings = [sentences.ending_view(listener, ending, seat) for seat, ending in endings]
        told = [
            *(sentences.ruling_text(listener, ruling) for ruling in rulings),
            *(sentences.option_text(listener, option) for _ask, _seat, option in options),
            *(sentences.effect_text(listener, effect) for _seat, effect in effects if effect is not None),
            *(text for each in told_endings for text in (each.when, each.then)),
            *(sentences.fact_view(listener, fact).label for fact in board.facts),
            *(sentences.card_row_text(listener, row) for row in board.cards),
            *([] if situation is None else [sentences.situation_text(listener, situation)]),
            *([] if board.headline is None else [sentences.headline_view(listener, board.headline).figure]),
        ]
        assert all(text.strip() and "{" not in text for text in told), told


@holds_of(OF_MOMENTS, every=3)
def asked_in_short_questions_that_say_you(match: Match) -> None:
    """Third-party games may use another tone."""
    is_ours = type(match.state).__module__.startswith("referee.games.")
    names, questions = match.setup.names, questions_of(match) if is_ours else ()
    for listener in listeners(match):
        for text in sentences.question_texts(listener, questions):
            assert 0 < len(text) <= LONGEST_QUESTION, text
        for question in questions:
            # a player who answers for another clan may be named as its counterpart
            clan = question.values.get("clan")
            is_for_two = isinstance(clan, int) and clan >= len(names)
            # a question about a loan may name the creditor
            for seat in question.seats:
                text, name = sentences.question_text(listener, question, seat), names[seat]
                assert 0 < len(text) <= LONGEST_QUESTION, text
                assert is_for_two or name not in text.removeprefix(f"{name}, "), text


@holds_of(OF_MOMENTS, every=2)
def nothing_twice_on_the_board(match: Match) -> None:
    board = board_of(match)
    rows = Counter((row.key, row.seat) for row in board.cards)
    facts = Counter((fact.key, fact.seat, tuple(fact.values.items())) for fact in board.facts)
    assert {*rows.values(), *facts.values()} <= {1}, (rows, facts)
    assert sum(fact.weight == "key" for fact in board.facts) <= 2


@holds_of(OF_MOMENTS, every=7)
def public_moment_is_whole(match: Match) -> None:
    moment, winners = _public(match), match.outcome.winners if match.outcome else ()
    assert msgspec.json.decode(msgspec.json.encode(moment), type=PublicMoment) == moment
    assert sorted(player.seat for player in moment.players) == list(range(len(match.setup.names)))
    assert {player.seat for player in moment.players if player.is_winner} == set(winners)
    assert moment.is_over == (match.outcome is not None) == bool(winners)
    assert moment.turn is None or not moment.is_over
    assert moment.questions or not any(player.is_asked for player in moment.players)
    assert all(ruling.text for ruling in moment.rulings)
    # claimed cards aren't face up
    lying = [(face, row.seat) for row in board_of(match).cards if row.claimed_by is None for face in row.faces]
    assert _cards(moment.cards) == Counter(lying)
    before = () if match.before is None else _public(match.before).cards
    assert _cards(moment.new_cards) == _cards(moment.cards) - _cards(before)


def _public(match: Match) -> PublicMoment:
    return public_moment(match, listeners(match)[0].language)


def _cards(cards: tuple[PublicCard, ...]) -> Counter[tuple[str, int | None]]:
    return Counter((card.face, card.seat) for card in cards)


@holds_of(OF_MOMENTS, every=9)
def announced_as_the_level_allows(match: Match) -> None:
    spoken = listeners(match)[match.number % 2].language
    public = public_moment(match, spoken)
    rulings = [spoken_text(ruling.text) for ruling in public.rulings]
    cues = [cue_for(match.setup.game, ruling) for ruling in match.rulings]
    weighty = [cue for cue in cues if cue is not None and cue.mood not in PLAY]
    off, by_referee, by_both = (announce(match, spoken, level) for level in LEVELS)
    assert off.spoken == ()
    assert [each.role for each in by_referee.spoken] == ["referee"] * len(weighty)
    assert by_referee.spoken == tuple(each for each in by_both.spoken if each.role == "referee")
    texts = [each.text for each in by_both.spoken]
    coming = texts[len(rulings) :]
    assert texts == [*rulings, *coming]
    assert coming in ([], [spoken_text(public.situation)])
    assert not {"", *rulings} & {*coming}
    assert all(each.spoken for each in (by_referee, by_both) if each.is_urgent)


@holds_of(OF_MOMENTS, every=9)
def why_not_is_told(match: Match) -> None:
    """A refusal names the failed condition, and an offered option is never refused."""
    game, house, rng = match.setup.game, match.setup.house, Random(f"why {match.number}")
    for ask in (ask for ask in match.asks if isinstance(ask, Choice)):
        for option in _other_options(match, ask, rng):
            seat = rng.choice(ask.seats) if ask.seats else None
            refusal = refused(hear(match, Answer(match.number, ask.key, option, seat)))
            assert_worded(match, refusal)
            assert grounds_of_refusal(game, house, refusal, ask.key), refusal
            if refusal.reason is Reason.NO_SUCH_OPTION and "why" not in refusal.values:
                assert option.word not in {other.word for other in ask.options}, option


def _other_options(match: Match, ask: Choice, rng: Random) -> Iterator[Option]:
    game, seats = match.setup.game, (None, *range(len(match.setup.names)))
    faces = (None, *game.table.deck(match.setup.house).counts)
    for word in rng.sample(list(game.words.options), min(12, len(game.words.options))):
        cell = rng.choice((None, *(option.cell for option in ask.options)))
        moved = cell and (cell[0] + rng.randrange(3), cell[1])
        option = Option(word, rng.choice(seats), rng.choice(faces), moved)
        if option not in ask.options:
            yield option


@holds_of(OF_MOMENTS, every=3)
def what_a_press_means_may_be_said(match: Match) -> None:
    at_seats = [Key(role, seat) for role in ("call", "second") for seat in range(len(match.setup.names))]
    for key in (Key("push"), Key("call"), *at_seats):
        for answer in answers(match, key).values():
            allowed(hear(match, answer))


@holds_of(OF_MOMENTS)
def who_is_asked_sees_it_on_a_lamp(match: Match) -> None:
    shown = lights(match)
    for ask in match.asks:
        asked = [shown.seats[seat] for seat in ask.seats] or [shown.attention]
        assert all((pattern.then or pattern) in {TURN, MAY_REACT} for pattern in asked), ask


@holds_of(OF_MOMENTS)
def what_is_asked_for_has_its_zone_on_the_table_and_on_the_mat(match: Match) -> None:
    at_seats, on_mat = _zone_names(match.setup.game.table.parting(len(match.setup.names)))
    for ask in (ask for ask in match.asks if isinstance(ask, Show)):
        assert zone_name(ask.zone) in at_seats, ask
        assert ask.zone.name in on_mat, ask


@cache
def _zone_names(parting: TableLayout) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of a table's zones, and the kinds of zones printed on its mat."""
    at_seats, on_mat = seat_zones(parting, 844, 556), mat_zones(parting.parts)
    return frozenset(at_seats), frozenset(name.split()[0] for name in on_mat)


@holds_of(OF_MOMENTS, every=2)
def answers_of_an_instant_are_put_in_order(match: Match) -> None:
    """The game may add the seats that gave way, and changes nothing else in an answer."""
    rng = Random(f"instant {match.number}")
    drawn = (any_answer(match.asks, match.number, rng) for _seat in match.setup.names if match.asks)
    said = {answer.seat: answer for answer in drawn}
    order = match.setup.game.rules.in_order(match.state, tuple(said.values()))
    assert {one.seat: replace(one, tied=()) for one in order} == said
    assert all(set(one.tied) <= set(said) - {one.seat} for one in order)


@holds_of(OF_MOMENTS, every=20)
def no_state_names_a_card_that_nobody_showed(match: Match) -> None:
    """The referee knows no hidden card, except by deduction from a fully dealt deck."""
    told = _encode([positions(match)[0].state, matches.log(match), [each.rulings for each in moments(match)]])
    state, faces = _encode(match.state), match.setup.game.table.deck(match.setup.house).counts
    new = [face for face in faces if f'"{face}"' in state and f'"{face}"' not in told]
    assert new == [] or match.setup.game.name == "coup-d-etat"


# each answer


@holds_of(OF_ANSWERS, every=7)
def refusals_leave_the_state_as_it_was(before: Match, answer: Answer, _after: Match) -> None:
    assert [*check_refusals(before, answer)] == []
    for wrong in wrong_answers(before, answer):
        assert_worded(before, refused(hear(before, wrong)))


@holds_of(OF_ANSWERS, every=3)
def the_same_answer_leads_to_the_same(before: Match, answer: Answer, after: Match) -> None:
    again = allowed(hear(before, answer))
    assert (again.state, again.asks, again.rulings) == (after.state, after.asks, after.rulings)


@holds_of(OF_ANSWERS)
def taken_back_where_no_card_came_to_light(before: Match, answer: Answer, after: Match) -> None:
    undone = matches.hear(after, TakeBack(after.number, answer.seat))
    moved = {ruling.key for ruling in after.rulings} & before.setup.game.rules.no_way_back
    assert isinstance(undone, Refusal) == bool(moved or isinstance(answer.value, tuple))
    if isinstance(undone, Match):
        assert (undone.state, undone.asks) == (before.state, before.position.asks)
        assert undone.number == after.number + 1


@holds_of(OF_ANSWERS)
def an_answer_is_to_a_question_that_was_asked(before: Match, answer: Answer, after: Match) -> None:
    assert isinstance(after.position, Step)
    assert any(answer.ask in question.asks for question in questions_of(before))


@holds_of(OF_ANSWERS)
def a_line_names_only_cards_that_were_laid_open_or_said_aloud(
    _before: Match, answer: Answer, after: Match
) -> None:
    """A club's hub receives every line."""
    value, faces = answer.value, after.setup.game.table.deck(after.setup.house).counts
    said = (value.word, value.face) if isinstance(value, Option) else value if isinstance(value, tuple) else ()
    line = entry_line(present(after.entry))
    assert {face for face in faces if f'"{face}"' in line} <= {*said}


@holds_of(OF_ANSWERS)
def the_last_verdict_stands_until_something_is_claimed(before: Match, _answer: Answer, after: Match) -> None:
    rules, keys = verdicts_of(before.setup.game), [ruling.key for ruling in after.rulings]
    decided = max((place for place, key in enumerate(keys) if key in rules.decides), default=-1)
    claimed = max((place for place, key in enumerate(keys) if key in rules.claims), default=-1)
    verdict = last_verdict(after)
    if decided < 0 and claimed < 0:
        assert verdict == last_verdict(before)
    else:
        assert (verdict is not None) == (decided >= claimed)


@holds_of(OF_MOMENTS, every=2)
def the_last_verdict_is_one_sentence(match: Match) -> None:
    """A verdict fits on one screen line or two phone lines; each reader may be "you"."""
    verdict, faces = last_verdict(match), match.setup.game.table.deck(match.setup.house).counts
    if verdict is None:
        return
    assert not verdict.face or verdict.face in faces
    for listener in listeners(match):
        for reader in (None, *range(len(match.setup.names))):
            text = sentences.verdict_text(_short(listener), verdict, reader)
            assert 0 < len(text) <= LONGEST_QUESTION, text
            assert "{" not in text


@holds_of(OF_MOMENTS)
def a_scene_stands_with_its_verdict(match: Match) -> None:
    reveal, verdict, seats = reveal_of(match), last_verdict(match), range(len(match.setup.names))
    if reveal is None:
        return
    assert verdict is not None
    assert not {*reveal.won} & {*reveal.lost}
    for listener in listeners(match):
        for reader in (None, *seats):
            told = "".join(sentences.reveal_view(_short(listener), reveal, reader))
            assert 0 < len(told) <= LONGEST_QUESTION
            assert not {*told} & {*"{⟦⟧"}, told
        for row in reveal.rows:
            assert sentences.card_row_text(listener, row)
            assert all(sentences.fact_view(listener, note).text for note in row.notes)
            assert {*row.struck} <= {*range(len(row.faces))}
        if reveal.headline is not None:
            assert sentences.headline_view(listener, reveal.headline).figure


COUP_ENDS = "void void-refunded block-holds block-holds-spent takes steals returns"
COUP_D_ETAT_TOLD = "contract coup stake trick suit holds left prices debt first-trick"
OVER: Mapping[str, tuple[str, str]] = {
    "coyote": ("round", "bid call called trail retired extra"),
    "coup": (COUP_ENDS, "stake claim doubt waiting"),
    "coup-d-etat": ("deal redeal", COUP_D_ETAT_TOLD),
    "plenty-coups": ("turn-over", "laid"),
    "ogallala": ("next", "attacker middle booty last-card strength"),
}
"""Rulings that end something, and the matching part of the board."""


@holds_of(OF_ANSWERS)
def nothing_stays_that_tells_of_what_is_over(_before: Match, _answer: Answer, after: Match) -> None:
    ends, gone = ({*keys.split()} for keys in OVER.get(after.setup.game.name, ("", "")))
    keys = [ruling.key for ruling in after.rulings]
    claims = verdicts_of(after.setup.game).claims
    ended = max((place for place, key in enumerate(keys) if key in ends), default=-1)
    if ended < 0 or any(key in claims for key in keys[ended:]):
        return
    board = board_of(after)
    shown = {each.key for each in (*board.facts, *board.cards)}
    assert not (shown | ({board.headline.key} if board.headline else set())) & gone
    assert not board.changes


COUNTED: Mapping[str, tuple[int, Callable[[Any], tuple[int, ...]]]] = {
    "coup": (50, lambda state: (state.treasury, *state.coins)),
    "plenty-coups": (36, lambda state: (state.plain, *(clan.herd for clan in state.clans))),
}
"""Coins or horses per box, with the stock and the seats' counts."""


@holds_of(OF_ANSWERS)
def no_coin_or_horse_is_lost(before: Match, _answer: Answer, after: Match) -> None:
    if before.setup.game.name in COUNTED:
        most, counts_of = COUNTED[before.setup.game.name]
        stock, *held = counts_of(after.state)
        assert stock + sum(held) == sum(counts_of(before.state)) <= most
        assert min(held) >= 0
        # only an unlimited Treasury pays more than it has
        assert stock >= 0 or after.setup.house.bank_unlimited


# helpers


def _short(listener: sentences.Listener) -> sentences.Listener:
    return replace(listener, names=tuple(map(sentences.short_name, listener.names)))


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
