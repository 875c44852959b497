"""Properties of every game, checked by `walk.py` for a finished match."""

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee import match as matches
from referee import sentences
from referee.coaching import analyse, judgement_texts, line_of
from referee.contract import Answer, Choice, Done, Reason, Refusal, Ruling
from referee.film import film_of, first_moments, leader_of
from referee.finish_view import finish_of, story_of
from referee.legal import ask_named
from referee.match import Correct, Match, Step, hear, moments, standing_answers
from referee.record import read_record, record_lines
from referee.summaries import Summary, rounds_of, summary_of
from referee.verdicts import last_verdict, reveal_of
from tests.given import allowed, present, refused
from tests.referee.laboratories import StillLaboratory
from tests.referee.property_tools import Property, assert_worded, holds_of, listeners, positions, spoken
from tests.referee.rule_coverage import citations_of

OF_ENDS = list[Property]()
"""Properties of a finished match."""


@holds_of(OF_ENDS)
def is_over_for_good(match: Match) -> None:
    winners = present(match.outcome).winners
    assert winners
    assert set(winners) <= set(range(len(match.setup.names)))
    assert refused(hear(match, Answer(match.number, "anything", 1, seat=0))).reason is Reason.OVER


@holds_of(OF_ENDS)
def what_was_decided_can_be_told_of_each_moment_of_the_film(match: Match) -> None:
    """Moments before a correction no longer have the answers that led to them."""
    listener = listeners(match)[0]
    for moment in moments(match):
        verdict = last_verdict(moment)
        assert verdict is None or sentences.verdict_text(listener, verdict)
        assert reveal_of(moment) is None or verdict is not None


@holds_of(OF_ENDS)
def the_end_is_presented_with_every_place_and_no_unseen_card(match: Match) -> None:
    seen = {card for step in standing_answers(match) for card in _cards_in(step)}
    best = match.setup.game.finish.highlight(story_of(match))
    assert best is None or {card.face for card in best.cards if not card.is_claimed} <= seen
    for listener in listeners(match):
        for seat in (None, *range(len(match.setup.names))):
            finish = present(finish_of(match, listener.language, seat))
            assert all(each.reason for each in finish.places)
            winners = {each.seat for each in finish.places if each.is_winner}
            assert {each.seat for each in finish.places if each.place == 1} == winners
            assert finish.is_won == (seat in winners)
            assert finish.how


@holds_of(OF_ENDS)
def a_closed_window_never_opens_again(match: Match) -> None:
    last, opened = 0, frozenset[int]()
    for position in positions(match):
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
                assert_worded(match, after)
            else:
                _assert_corrected(after)
        match = allowed(hear(match, Correct(match.number, step.heard_at, value)))
        _assert_corrected(match)
        assert _state_bytes(match) == before


def _assert_corrected(match: Match) -> None:
    """A correction describes its changes in every language."""
    assert match.rulings
    assert all(
        sentences.ruling_text(listener, ruling) for listener in listeners(match) for ruling in match.rulings
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
            assert all(all(judgement_texts(match, judgement, spoken)) for spoken in spoken())
            assert decided[judgement.moment].value == judgement.chosen
            assert decided[judgement.moment].seat in (each.seat, None)
            assert judgement.loss >= 0


# helpers


def _state_bytes(match: Match) -> bytes:
    return msgspec.json.encode(match.state)


def _read_again(match: Match) -> Match:
    reading = read_record(record_lines(match))
    assert reading.fault is None, reading.fault
    return present(reading.match)


def _rulings(match: Match) -> list[Ruling]:
    return [ruling for position in positions(match) for ruling in position.rulings]


def _feats(match: Match, key: str) -> Counter[object]:
    return Counter({seat: done.get(key, 0) for seat, done in enumerate(summary_of(match).feats)})


def _counts(match: Match, key: str) -> Counter[object]:
    return Counter({seat: counts[key] for seat, counts in enumerate(summary_of(match).counts)})
