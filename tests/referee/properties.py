"""Properties of every game, checked by `walk.py` for each moment, each answer and the end of a match.

A property is a marked function that raises AssertionError; its randomness depends only on the match.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from firmware.board.inputs.meaning import answers
from firmware.board.outputs.patterns import MAY_REACT, TURN, lights
from firmware.language.catalogues import language, languages
from firmware.storage.found_table import mat_zones, seat_zones
from firmware.table.cards import zone_name
from hardware.board.board import Key
from hardware.twin.player import any_answer
from referee import match as matches
from referee import sentences
from referee.announcing import LEVELS, PLAY, announce, spoken_text
from referee.coaching import analyse, judgement_texts, line_of
from referee.conformance import check_moment, check_refusals, wrong_answers
from referee.contract import Answer, Choice, Done, Option, Reason, Refusal, Ruling, Show
from referee.film import film_of, first_moments, leader_of
from referee.grounds import grounds_of_refusal
from referee.legal import ask_named
from referee.match import Correct, Match, Position, Step, TakeBack, hear, moments, standing_answers
from referee.public_moment import PublicCard, PublicMoment, public_moment
from referee.record import Fault, entry_line, read_film, read_record, record_lines, what_if_lines
from referee.showing import board_of, cue_for, questions_of, situation_of
from referee.summaries import Summary, rounds_of, summary_of
from referee.verdicts import last_verdict, reveal_of, verdicts_of
from tests.given import allowed, present, refused
from tests.referee.laboratories import StillLaboratory
from tests.referee.rule_coverage import citations_of
from tests.referee.shown import some_options

LONGEST_QUESTION = 90  # letters that fit on a small screen in three lines


class Property(NamedTuple):
    """A property, and the interval of moments at which it is checked."""

    check: Callable[..., None]
    every: int


OF_MOMENTS, OF_ANSWERS, OF_ENDS = list[Property](), list[Property](), list[Property]()
"""Properties of a moment; of a match with an answer and its result; and of a finished match."""
Check = TypeVar("Check", bound=Callable[..., None])


def holds_of(properties: list[Property], every: int = 1) -> Callable[[Check], Check]:
    def note(check: Check) -> Check:
        properties.append(Property(check, every))
        return check

    return note


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
    for listener in _listeners(match):
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
    for listener in _listeners(match):
        for text in sentences.question_texts(listener, questions):
            assert 0 < len(text) <= LONGEST_QUESTION, text
        for question in questions:
            # a player who answers for another clan may be named as its counterpart
            clan = question.values.get("clan")
            is_for_two = isinstance(clan, int) and clan >= len(names)
            # a creditor who is asked for a loan may be named
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
    return public_moment(match, _listeners(match)[0].language)


def _cards(cards: tuple[PublicCard, ...]) -> Counter[tuple[str, int | None]]:
    return Counter((card.face, card.seat) for card in cards)


@holds_of(OF_MOMENTS, every=9)
def announced_as_the_level_allows(match: Match) -> None:
    spoken = _listeners(match)[match.number % 2].language
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
            _assert_told(match, refusal)
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
    parting = match.setup.game.table.parting(len(match.setup.names))
    for ask in (ask for ask in match.asks if isinstance(ask, Show)):
        assert zone_name(ask.zone) in seat_zones(parting, 844, 556), ask
        assert ask.zone.name in {name.split()[0] for name in mat_zones(parting.parts)}, ask


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
    told = _encode([_positions(match)[0].state, matches.log(match), [each.rulings for each in moments(match)]])
    state, faces = _encode(match.state), match.setup.game.table.deck(match.setup.house).counts
    new = [face for face in faces if f'"{face}"' in state and f'"{face}"' not in told]
    assert new == [] or match.setup.game.name == "coup-d-etat"


# each answer


@holds_of(OF_ANSWERS, every=7)
def refusals_leave_the_state_as_it_was(before: Match, answer: Answer, _after: Match) -> None:
    assert [*check_refusals(before, answer)] == []
    for wrong in wrong_answers(before, answer):
        _assert_told(before, refused(hear(before, wrong)))


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
    for listener in _listeners(match):
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
    for listener in _listeners(match):
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


# the end


@holds_of(OF_ENDS)
def is_over_for_good(match: Match) -> None:
    winners = present(match.outcome).winners
    assert winners
    assert set(winners) <= set(range(len(match.setup.names)))
    assert refused(hear(match, Answer(match.number, "anything", 1, seat=0))).reason is Reason.OVER


@holds_of(OF_ENDS)
def what_was_decided_can_be_told_of_each_moment_of_the_film(match: Match) -> None:
    """Moments before a correction no longer have the answers that led to them."""
    listener = _listeners(match)[0]
    for moment in moments(match):
        verdict = last_verdict(moment)
        assert verdict is None or sentences.verdict_text(listener, verdict)
        assert reveal_of(moment) is None or verdict is not None


@holds_of(OF_ENDS)
def a_closed_window_never_opens_again(match: Match) -> None:
    last, opened = 0, frozenset[int]()
    for position in _positions(match):
        windows = (ask.window or 0 for ask in position.asks if isinstance(ask, Choice | Done))
        numbers = frozenset(windows) - {0}
        assert all(number > last for number in numbers - opened), numbers
        last, opened = max(numbers, default=last), numbers


@holds_of(OF_ENDS)
def a_replay_gives_the_same_bytes(match: Match) -> None:
    again = _read_again(match)
    assert _state_bytes(again) == _state_bytes(match)
    assert record_lines(again) == record_lines(match)
    assert [each.rulings for each in moments(again)] == [each.rulings for each in moments(match)]


@holds_of(OF_ENDS)
def all_is_taken_back_to_the_root(match: Match) -> None:
    for step in reversed(standing_answers(match)):
        undone = allowed(hear(match, Correct(match.number, step.heard_at)))
        assert (undone.state, undone.asks) == (step.before.state, step.before.asks)
        assert undone.number == match.number + 1
        match = undone
    assert standing_answers(match) == []
    assert _state_bytes(_read_again(match)) == _state_bytes(match)


@holds_of(OF_ENDS)
def a_correction_that_changes_nothing_changes_nothing(match: Match) -> None:
    for step in Random(match.number).sample(standing_answers(match), 3):
        same = allowed(hear(match, Correct(match.number, step.heard_at, step.answer.value)))
        assert _state_bytes(same) == _state_bytes(match)
        assert len(standing_answers(same)) == len(standing_answers(match))
        assert len(matches.log(same)) == len(matches.log(match)) + 1


@holds_of(OF_ENDS)
def owners_of_cards_are_named_and_withdrawn_by_corrections(match: Match) -> None:
    rng, before = Random(f"owners {match.number}"), _state_bytes(match)
    shown = [step for step in standing_answers(match) if isinstance(step.answer.value, tuple)]
    for step in rng.sample(shown, min(2, len(shown))):
        value, count = step.answer.value, len(_cards_in(step))
        ask = present(ask_named(step.before.asks, step.answer.ask))
        seats = (None, *(ask.seats or range(len(match.setup.names))))
        for _turn in range(4):
            owners = () if rng.random() < 0.4 else tuple(rng.choices(seats, k=count))
            match = allowed(hear(match, Correct(match.number, step.heard_at, value, owners)))
            _assert_corrected(match)
            other = any_answer((ask,), 0, rng).value
            after = hear(match, Correct(match.number, step.heard_at, other, owners))
            if isinstance(after, Refusal):
                _assert_told(match, after)
            else:
                _assert_corrected(after)
        match = allowed(hear(match, Correct(match.number, step.heard_at, value)))
        _assert_corrected(match)
        assert _state_bytes(match) == before


def _assert_corrected(match: Match) -> None:
    """A correction describes its changes in every language."""
    assert match.rulings
    assert all(
        sentences.ruling_text(listener, ruling) for listener in _listeners(match) for ruling in match.rulings
    )


def _cards_in(step: Step) -> tuple[str, ...]:
    return step.answer.value if isinstance(step.answer.value, tuple) else ()


@holds_of(OF_ENDS)
def a_rematch_has_the_same_seats_and_house_rules(match: Match) -> None:
    again = allowed(matches.rematch(match))
    assert again.setup == replace(match.setup, after=match.outcome)
    assert again.number == 0
    assert _read_again(again).setup == again.setup


@holds_of(OF_ENDS)
def whatever_happened_has_a_rule(match: Match) -> None:
    cited = citations_of(match) if match.setup.game.book.chapters else ()
    assert not [each for each in cited if not each.rules and each.kind != "ask"]


@holds_of(OF_ENDS)
def summed_up(match: Match) -> None:
    summary = summary_of(match)
    assert msgspec.json.decode(msgspec.json.encode(summary), type=Summary) == summary
    assert summary == summary_of(_read_again(match))
    assert summary.winners == present(match.outcome).winners
    assert {*summary.winners} == {seat for seat, place in enumerate(summary.places) if place == 1}
    if match.setup.game.counting.score:
        assert summary.starter in range(len(match.setup.names))
        assert summary.rounds == len(rounds_of(match)) > 0


@holds_of(OF_ENDS)
def told_round_by_round(match: Match) -> None:
    game, rounds = match.setup.game, rounds_of(match)
    assert [ruling for each in rounds for ruling in each.rulings] == _rulings(match)
    assert all(each.is_over for each in rounds)
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))
    standings = {standing.seat: standing.counts for standing in game.rules.standings(match.state)}
    assert rounds[-1].counts == tuple(standings[seat] for seat in range(len(standings)))


@holds_of(OF_ENDS)
def what_is_counted_has_words(match: Match) -> None:
    game, summary = match.setup.game, summary_of(match)
    words, rates = game.words.statistics.keys(), game.counting.rates
    for each in rounds_of(match) if game.counting.score else ():
        assert {f"standing-{key}" for key in each.counts[0]} - words <= {"standing-owed", "standing-owing"}
        assert each.points.keys() <= words
    assert {key for done in summary.feats for key in done} - words <= {rate.part for rate in rates}
    assert {rate.key for rate in rates} <= words
    assert game.counting.score in ("", *summary.counts[0])


@holds_of(OF_ENDS)
def what_was_counted_adds_up(match: Match) -> None:
    name, rounds = match.setup.game.name, summary_of(match).rounds
    if name == "coyote":
        assert _feats(match, "marks") == _counts(match, "marks")
    elif name == "coup":
        assert _feats(match, "challenges-right").total() == _feats(match, "caught").total()
        left = _counts(match, "influence")
        assert _feats(match, "lost") == Counter({seat: 2 - count for seat, count in left.items()})
        assert _feats(match, "turns").total() == rounds
    elif name == "coup-d-etat":
        money, lent = Counter[object](), Counter[object]()
        for ruling in _rulings(match):
            if ruling.key in {"lends", "repays"}:
                lent[ruling.values["payee"]] += int(str(ruling.values["amount"]))
                lent[ruling.values["payer"]] -= int(str(ruling.values["amount"]))
        won, lost = _feats(match, "money-won"), _feats(match, "money-lost")
        money.update({seat: 10_000 + won[seat] - lost[seat] + lent[seat] for seat in won})
        assert _counts(match, "money") == money
        chosen = _feats(match, "contracts").total() + _feats(match, "coups").total()
        assert chosen == rounds == _feats(match, "deals")[0]


@holds_of(OF_ENDS)
def filmed_moment_by_moment(match: Match) -> None:
    film, standing = film_of(match), {step.heard_at for step in standing_answers(match)}
    assert [moment.match.number for moment in film.moments] == list(range(match.number + 1))
    assert len({(moment.round, moment.step) for moment in film.moments}) == len(film.moments)
    for moment in film.moments:
        if isinstance(moment.match.entry, Answer):
            assert (moment.later == "undone") == (moment.match.number - 1 not in standing)
    if not any(isinstance(entry, Correct) for entry in matches.log(match)):
        # a corrected answer belongs to the round in progress, even if it now ends that round
        assert film.moments[-1].round == max(1, len(rounds_of(match)))
    for number, first in first_moments(film).items():
        assert film.moments[first].round == number


@holds_of(OF_ENDS)
def turned_where_another_leads_alone(match: Match) -> None:
    film, winners = film_of(match), match.outcome.winners if match.outcome else ()
    story = [moment.match for moment in film.moments if moment.later != "undone"]
    led = [(moment.number, leader) for moment in story if (leader := leader_of(moment)) is not None]
    assert [(each.number, each.seat, each.before) for each in film.turns] == [
        (number, seat, before) for (_at, before), (number, seat) in pairwise(led) if seat != before
    ]
    for turn in film.turns:
        is_last = turn is film.turns[-1] and len(winners) == 1
        kept = "at the end" if turn.number == match.number else "to the end"
        assert turn.kept == (kept if is_last else "")
        assert turn.seat in winners or not is_last


@holds_of(OF_ENDS)
def decisions_are_judged_and_told(match: Match) -> None:
    line, decided = line_of(match), {step.heard_at: step.answer for step in standing_answers(match)}
    assert all(one.after is two.state for one, two in pairwise(line))
    for each in analyse(match, StillLaboratory()):
        for judgement in each.judgements:
            assert all(all(judgement_texts(match, judgement, spoken)) for spoken in _spoken())
            assert decided[judgement.moment].value == judgement.chosen
            assert decided[judgement.moment].seat in (each.seat, None)
            assert judgement.loss >= 0


@holds_of(OF_ENDS)
def what_could_have_happened_is_no_record(match: Match) -> None:
    reading, looked_at = read_record(what_if_lines(match, 3)), read_film(what_if_lines(match, 3))
    assert (reading.match, reading.fault) == (None, Fault(1, "what-if", "3"))
    assert (looked_at.what_if, looked_at.fault) == (3, None)
    assert record_lines(present(looked_at.match)) == record_lines(match)
    assert read_film(record_lines(match)).what_if is None


# helpers


@cache
def _spoken() -> tuple[Any, ...]:
    return tuple(map(language, languages()))


def _short(listener: sentences.Listener) -> sentences.Listener:
    return replace(listener, names=tuple(map(sentences.short_name, listener.names)))


def _listeners(match: Match) -> tuple[sentences.Listener, ...]:
    return tuple(sentences.listener_at(match.setup, spoken) for spoken in _spoken())


def _assert_told(match: Match, refusal: Refusal) -> None:
    for listener in _listeners(match):
        told = sentences.refusal_text(listener, refusal)
        assert told
        assert "{" not in told, told


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _state_bytes(match: Match) -> bytes:
    return msgspec.json.encode(match.state)


def _read_again(match: Match) -> Match:
    reading = read_record(record_lines(match))
    assert reading.fault is None, reading.fault
    return present(reading.match)


def _positions(match: Match) -> list[Position]:
    return [*(step.before for step in standing_answers(match)), match.position]


def _rulings(match: Match) -> list[Ruling]:
    return [ruling for position in _positions(match) for ruling in position.rulings]


def _feats(match: Match, key: str) -> Counter[object]:
    return Counter({seat: done.get(key, 0) for seat, done in enumerate(summary_of(match).feats)})


def _counts(match: Match, key: str) -> Counter[object]:
    return Counter({seat: counts[key] for seat, counts in enumerate(summary_of(match).counts)})
