"""Rule books of our plug-ins: original wording, and rulings that cite their rules."""

from random import Random

import pytest

from firmware.language.catalogues import language
from hardware.twin.player import play_on
from referee.contract import Status
from referee.grounds import grounds_of_ruling
from referee.match import moments
from referee.rule_sentences import book_view, is_own_book
from referee.sentences import Listener
from tests.plugins.installed import OUR_GAMES, game_of
from tests.referee.tables import new_match

every_plugin = pytest.mark.parametrize("name", OUR_GAMES)


@every_plugin
def test_rule_texts_are_our_own_words(name: str) -> None:
    game = game_of(name)
    for house in game.rules.settings.values():
        book = book_view(Listener(game.words, (), language("en")), game, house)
        assert book
        assert is_own_book(book)
        told = {(rule.status, rule.is_printed) for chapter in book for rule in chapter.rules}
        assert told == {(Status.OWN_WORDS, False)}


@every_plugin
def test_rulings_cite_valid_rules(name: str) -> None:
    game = game_of(name)
    for rules, house in game.rules.settings.items():
        match = play_on(new_match(game, rules, min(game.rules.seats(house))), Random(rules))
        for ruling in (ruling for moment in moments(match) for ruling in moment.rulings):
            found = [ground.rule for ground in grounds_of_ruling(game, house, ruling)]
            assert len(found) == len(ruling.rule.split()) > 0, ruling
            assert all(rule.is_own for rule in found)
