"""What other programs are told: of every moment, whole, and nothing that the rules hide."""

from random import Random

import msgspec

from firmware.language.catalogues import language
from referee.contract import Answer, Game, Option
from referee.games.coup import COUP
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin, hear
from referee.public_moment import SCHEMA, PublicMoment, public_moment
from referee.telling import Listener
from tests.referee.tables import after_any, new_match, outer_tables


def told(match: Match, code: str = "en") -> PublicMoment:
    setup = match.setup
    return public_moment(match, Listener(setup.game.words, setup.names, language(code)))


def moments_of(game: Game, rules: str, seats: int) -> list[Match]:
    rng, match = Random(f"{rules} {seats}"), new_match(game, rules, seats)
    moments = [match]
    while match.outcome is None:
        match = after_any(match, rng)
        moments.append(match)
    return moments


@outer_tables
def test_every_moment_is_told_whole_and_survives_the_wire(game: Game, rules: str, seats: int) -> None:
    moments = [told(match) for match in moments_of(game, rules, seats)]
    for moment in moments:
        assert moment.schema == SCHEMA
        assert [player.seat for player in sorted(moment.players, key=lambda each: each.seat)] == list(
            range(seats)
        )
        assert all(ruling.text for ruling in moment.rulings)
        assert msgspec.json.decode(msgspec.json.encode(moment), type=PublicMoment) == moment
        asked = any(player.is_asked for player in moment.players)
        assert moment.is_over or moment.questions or not asked
    assert [moment.is_over for moment in moments[-2:]] == [False, True]
    assert any(player.is_winner for player in moments[-1].players) or not moments[-1].rulings
    assert moments[-1].turn is None


@outer_tables
def test_a_new_card_is_one_of_the_open_ones(game: Game, rules: str, seats: int) -> None:
    before = None
    for match in moments_of(game, rules, seats):
        moment = told(match)
        assert set(moment.new_cards) <= set(moment.cards)
        if before is not None and before.cards == moment.cards:
            assert moment.new_cards == ()
        before = moment


def play(match: Match, *answers: tuple[str, object, int | None]) -> Match:
    for ask, value, seat in answers:
        heard = hear(match, Answer(match.number, ask, value, seat))
        assert isinstance(heard, Match), heard
        match = heard
    return match


def test_a_claim_is_no_card_until_it_is_proved() -> None:
    match = begin(Setup(COUP, COUP.settings["rule text"], ("Ana", "Bo", "Chloé")))
    match = play(match, ("opener", Option("opens", seat=0), None), ("action", Option("tax"), 0))
    moment = told(match)
    assert moment.cards == ()
    assert [(ruling.key, ruling.mood) for ruling in moment.rulings][-1][1] == "claim"
    match = play(match, ("challenge", Option("challenge"), 1), ("concede", Option("concede"), 0))
    match = play(match, (match.asks[0].key, ("duke",), None))
    (card,) = told(match).new_cards
    assert (card.face, card.name, card.seat) == ("duke", "Duke", 0)
    assert told(match, "fr").new_cards[0].name == "Duc"
    assert told(play(match, ("action", Option("income"), 1))).new_cards == ()


def test_a_bid_stands_in_the_headline() -> None:
    match = begin(Setup(COYOTE, COYOTE.settings["kidult"], ("Ana", "Bo", "Chloé")))
    match = play(match, ("opener", Option("opens", seat=0), None))
    match = play(match, *[(match.asks[0].key, 12, 0)])
    moment = told(match)
    assert moment.headline is not None
    assert moment.headline.text == "12"
    assert moment.turn == 1
