"""Seat changes: actions are described with, and credited to, the person seated at the time."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from firmware.cli.terminal import answers, listener_of
from firmware.language.catalogues import language
from hardware.twin.player import any_answer
from referee.announcing import say_aloud
from referee.coaching import analyse, analysis_view
from referee.contract import Answer, Game, Option
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.match import Correct, Entry, Match, hear, moments, seat_person, standing_answers
from referee.moment_view import news_texts, ruling_texts, step_texts, view_of
from referee.public_moment import public_moment
from referee.seatings import seatings_of
from referee.sentences import listener_when, ruling_text
from referee.summaries import Summary, rounds_of, statistics, summary_of
from tests.given import allowed, present
from tests.referee.laboratories import StillLaboratory
from tests.referee.tables import every_game, new_match

ENGLISH = language("en")
ANA, BO, CHLOE = range(3)
CALL = Option("coyote")
SHOWN = ("15", "5", "3")


def after(match: Match, *entries: Entry) -> Match:
    for entry in entries:
        match = allowed(hear(match, replace(entry, moment=match.number)))
    return match


def zoe_for(seat: int, match: Match, name: str = "Zoé") -> Match:
    return allowed(seat_person(match, seat, name))


def said() -> Match:
    """Ana has bid 14, and Bo 15."""
    opens = Answer(0, "opener", Option("opens", seat=ANA))
    return after(
        new_match(COYOTE, "kidult", 3), opens, Answer(0, "announce", 14, ANA), Answer(0, "announce", 15, BO)
    )


def called(match: Match) -> Match:
    """Chloé's seat calls Coyote on Bo's 15."""
    return after(match, Answer(0, "turn", CALL, CHLOE))


def shown(match: Match) -> Match:
    """The cards total 23: the call was wrong."""
    return after(match, Answer(0, "reveal", SHOWN))


@pytest.mark.parametrize("reader", [None, ANA, BO, CHLOE])
def test_call_keeps_the_name_of_its_caller(reader: int | None) -> None:
    """Zoé takes Chloé's seat, before the cards are shown and after."""
    whose, was = ("your", "you were") if reader == BO else ("Bo's", "Bo was")
    match = zoe_for(CHLOE, called(said()))
    assert view_of(match, ENGLISH, reader).situation == f"Chloé calls Coyote on {whose} 15."
    for decided in (shown(match), zoe_for(CHLOE, shown(called(said())))):
        view = view_of(decided, ENGLISH, reader)
        assert (view.players[2].name, view.name(CHLOE)) == ("Zoé", "Zoé")
        assert "".join(present(view.scene).heading) == f"Chloé called Coyote on {whose} 15"
        assert present(view.verdict).text == f"23, so 15 was safe: {was} right, Chloé takes a paw."
    assert "Zoé takes a paw: 1 of 3." in ruling_texts(shown(match), ENGLISH)


def test_bid_keeps_the_name_of_its_bidder() -> None:
    match = zoe_for(BO, said())
    view = view_of(match, ENGLISH)
    assert view.situation == public_moment(match, ENGLISH).situation == "Bo says 15."
    assert (present(view.headline)[0], "Bo's 15" in view.questions[0].text) == ("Bo says", True)
    assert ruling_texts(called(match), ENGLISH) == ("Chloé calls Coyote! Bo said 15.",)
    assert say_aloud(called(match), ENGLISH).spoken[0].text == "Chloé calls Coyote! Bo said 15."
    raised = after(match, Answer(0, "announce", 16, CHLOE), Answer(0, "announce", 17, ANA))
    assert "Zoé" in view_of(raised, ENGLISH).questions[0].text
    assert view_of(after(raised, Answer(0, "announce", 18, BO)), ENGLISH).situation == "Zoé says 18."


def test_terminal_log_names_the_answering_person() -> None:
    match = zoe_for(CHLOE, shown(called(zoe_for(BO, said(), "Yan"))))
    told = [line.split(maxsplit=1)[1] for line in answers(listener_of(match), match)]
    assert told[1:4] == ["Ana: 14", "Bo: 15", "Chloé: Coyote!"]


@pytest.mark.parametrize("seat", [BO, CHLOE])
def test_correction_uses_the_names_of_the_time(seat: int) -> None:
    put_right = after(zoe_for(seat, shown(called(said()))), Correct(0, 4, ("10", "1", "3")))
    assert any(text.startswith("Bo takes a paw") for text in ruling_texts(put_right, ENGLISH))


@pytest.mark.parametrize("at", ["before the call", "before the cards", "after the cards"])
def test_call_and_mark_are_credited_separately(at: str) -> None:
    match = said()
    for moment, step in (("before the call", called), ("before the cards", shown)):
        match = step(zoe_for(CHLOE, match) if moment == at else match)
    if at == "after the cards":
        match = zoe_for(CHLOE, match)
    summary = summary_of(match)
    done = {name: feats for _seat, name, feats in summary.credited}
    assert [name for _seat, name, _feats in summary.credited] == ["Ana", "Bo", "Chloé", "Zoé"]
    caller, marked = ("Zoé" if at == "before the call" else "Chloé"), ("Chloé" if "after" in at else "Zoé")
    for name in ("Chloé", "Zoé"):
        assert (done[name].get("calls", 0), done[name].get("marks", 0)) == (name == caller, name == marked)
    assert (done["Bo"]["contested"], done["Bo"]["stood"], done["Ana"]["announced"]) == (1, 1, 14)
    assert (summary.began, summary.starter) == ("Ana", ANA)


def test_challenged_bid_is_credited_to_its_bidder() -> None:
    summary = summary_of(shown(called(zoe_for(BO, zoe_for(ANA, said(), "Yan")))))
    assert (summary.began, summary.names[ANA]) == ("Ana", "Yan")
    bo = summary.left[-1]
    assert (bo.name, bo.answer) == ("Bo", 4)
    assert bo.feats.items() >= {"announced": 15, "contested": 1, "stood": 1}.items()
    assert not {"announced", "contested", "stood"} & {*summary.feats[BO]}


def test_tallies_restart_with_another_person() -> None:
    """Ana claims the Duke; Zoé takes over the seat and claims it too; then Ana returns."""

    def claims(match: Match) -> list[str]:
        player = view_of(match, ENGLISH).player(ANA)
        return [fact.text for fact in player.facts if fact.label == "Claims"]

    def claim(match: Match) -> Match:
        acts = [Answer(0, "action", Option("tax"), ANA), Answer(0, "challenge", Option("pass"), BO)]
        return after(match, *acts, Answer(0, "action", Option("income"), BO))

    begun = after(new_match(COUP, "rule text", 2), Answer(0, "opener", Option("opens", seat=ANA)))
    once = claim(begun)
    assert claims(once) == ["1 (0 shown, 0 caught)"]
    seated = zoe_for(ANA, once)
    assert claims(seated) == []
    own = claim(seated)
    assert claims(own) == ["1 (0 shown, 0 caught)"]
    back = zoe_for(ANA, own, "Ana")
    assert claims(back) == ["1 (0 shown, 0 caught)"]
    assert claims(claim(back)) == ["2 (0 shown, 0 caught)"]


# random matches with seat changes


def both(game: Game, seed: int) -> tuple[Match, Match]:
    """Play a match to its end, once without and once with seat changes."""
    rules, rng = next(iter(game.rules.settings)), Random(f"{game.name} {seed}")
    plain = parted = new_match(game, rules, game.rules.seats(game.rules.settings[rules])[-1])
    while plain.asks:
        if rng.random() < 0.05:
            seat, name = rng.randrange(len(plain.setup.names)), f"New {len(parted.setup.came)}"
            parted = zoe_for(seat, parted, name)
        answer = any_answer(plain.asks, 0, rng)
        plain, parted = after(plain, answer), after(parted, answer)
    assert parted.setup.came
    return plain, parted


def total(summary: Summary, seat: int) -> Counter[str]:
    own = (Counter(feats) for each, _name, feats in summary.credited if each == seat)
    return sum(own, Counter[str]())


@every_game
def test_feats_are_credited_once(game: Game) -> None:
    plain, parted = map(summary_of, both(game, 1))
    assert parted.left
    for seat in range(len(plain.names)):
        assert total(parted, seat) == +Counter(plain.feats[seat])
    alone, shared = statistics([plain]), statistics([parted])
    done = [sum((Counter(each.feats) for each in of if each.game), Counter[str]()) for of in (alone, shared)]
    assert sum(each.played for each in shared) == sum(each.played for each in alone)
    assert done[0] == done[1]
    unfinished = {gone.name for gone in parted.left} - {*parted.names}
    assert {each.name for each in shared if each.share is None} == unfinished


@every_game
def test_past_moments_use_the_names_of_the_time(game: Game) -> None:
    """The story, the answers and the moments use the names of the time."""
    plain, parted = both(game, 2)
    at_once = [
        text for each in [*moments(parted)][::-1] if each.rulings for text in ruling_texts(each, ENGLISH)
    ]
    played = [text for text in at_once if " plays on for " not in text]
    seatings = seatings_of(parted)
    story = [
        ruling_text(listener_when(parted.setup, seatings, heard, ENGLISH), ruling)
        for each in rounds_of(parted)
        for ruling, heard in zip(each.rulings, each.heard, strict=True)
    ]
    assert story == played
    steps = [text for step in standing_answers(parted) for text in step_texts(parted, step, ENGLISH)]
    assert steps == played[len(played) - len(steps) :]
    for moment in [*moments(parted)][::7]:
        view_of(moment, ENGLISH)
        come = moment.setup.came
        assert not any(f"New {len(come)}" in text for text in news_texts(moment, ENGLISH))
    assert len(played) == sum(len(each.rulings) for each in moments(plain))


def test_decisions_are_judged_per_person() -> None:
    plain, parted = both(COYOTE, 3)
    one, other = (analyse(each, StillLaboratory()) for each in (plain, parted))
    seatings = seatings_of(parted)
    assert sum(len(each.judgements) for each in one) == sum(len(each.judgements) for each in other) > 0
    for each in other:
        assert {seatings.names_at(judged.moment)[each.seat] for judged in each.judgements} <= {each.name}
    told = analysis_view(parted, StillLaboratory(), 1, ENGLISH)
    assert [player.name for player in told.players] == [each.name for each in other]
    first = next(player for player in told.players if player.decisions)
    assert first.decisions[0].told[0].startswith(first.name)
