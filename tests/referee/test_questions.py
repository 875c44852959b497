"""What is asked is always a whole sentence: who, what, and about what; short enough for a small screen."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from firmware.language.catalogues import language
from referee.contract import Game, Question, make_ruling
from referee.games.coup import COUP
from referee.games.coup.view import View as CoupView
from referee.games.coup_d_etat.questions import COUPS
from referee.games.coup_d_etat.view import View as CoupDEtatView
from referee.games.coyote import COYOTE
from referee.games.coyote.state import Closed
from referee.games.coyote.view import Guess
from referee.games.coyote.view import View as CoyoteView
from referee.match import Match
from referee.showing import questions_of
from referee.telling import Listener, tell, tell_face, with_short_names
from tests.referee.questions import LONG_NAMES, AskedSentence, asked_sentences, matches_with_long_names
from tests.referee.tables import outer_tables

LONGEST = 90
"""Letters that fit a small screen in three lines."""
SUBJECTS = {
    "en": r"\b(?:you|your|who|the others|if no player|(?:lay|turn up) (?:all )?(?:\d+|the)|the table)\b",
    "fr": r"\b(?:vous|votre|vos|qui|les autres|si personne|retournez|la table|personne)\b|[a-zé]ez\b",
}
"""Words that say of whom something is asked, where no name does."""


def sentences(game: Game, rules: str, seats: int) -> Iterator[tuple[Match, AskedSentence]]:
    """Tell all that is asked in a match played at random, in every language, to everybody and to each seat."""
    for match in matches_with_long_names(game, rules, seats):
        for sentence in asked_sentences(match):
            yield match, sentence


@outer_tables
def test_a_question_is_a_short_whole_sentence(game: Game, rules: str, seats: int) -> None:
    for _match, (text, question, reader, code) in sentences(game, rules, seats):
        assert len(text) <= LONGEST, text
        assert text.endswith(("?", ".")), text
        assert text[0].isupper() or text[0].isdigit(), text
        assert "  " not in text, text
        names = any(name in text for name in LONG_NAMES)
        assert names or not question.seats or re.search(SUBJECTS[code], text, re.IGNORECASE), text
        if reader is not None and question.seats and not _is_for_two(question, seats):
            assert LONG_NAMES[reader] not in _without_address(text, reader), text


def _is_for_two(question: Question, seats: int) -> bool:
    """Tell whether a player is asked for another clan, and then may be named as someone it deals with."""
    clan = question.values.get("clan")
    return isinstance(clan, int) and clan >= seats


def _without_address(text: str, reader: int) -> str:
    """Take away the name with which the reader is addressed at the beginning."""
    return text.removeprefix(f"{LONG_NAMES[reader]}, ")


@outer_tables
def test_a_question_names_the_bid_the_claim_or_the_contract(game: Game, rules: str, seats: int) -> None:
    stakes = STAKES.get(game.name)
    for match in matches_with_long_names(game, rules, seats) if stakes else ():
        view = game.view(match.state, None)
        for text, question, reader, code in asked_sentences(match):
            listener = Listener(game.words, match.setup.names, language(code))
            is_whole = reader is not None or question == questions_of(match)[0]
            for face in stakes(view) if stakes and is_whole else ():
                assert tell_face(listener, face) in text, text


def _coyote_stakes(view: CoyoteView) -> Iterator[str]:
    if view.refused is not None:
        yield str(view.refused)
    elif view.bids and not isinstance(view.now, Guess | Closed):
        yield str(view.bids[-1].number)


def _coup_stakes(view: CoupView) -> Iterator[str]:
    if view.claim is not None and view.phase != "exchange":
        yield view.claim.face


def _coup_d_etat_stakes(view: CoupDEtatView) -> Iterator[str]:
    if view.contract is not None and view.debt is None:
        yield view.contract if view.claimant is None else COUPS[view.contract]


STAKES: Mapping[str, Callable[[Any], Iterator[str]]] = {
    "coyote": _coyote_stakes,
    "coup": _coup_stakes,
    "coup-d-etat": _coup_d_etat_stakes,
}
"""What is at stake in the games that have bids, claims or contracts, as a face or a number."""


def test_long_names_are_cut_and_short_ones_stay() -> None:
    listener = Listener(COYOTE.words, ("Ana", "Maximiliane-Charlotte"), language("en"))
    assert with_short_names(listener).names == ("Ana", "Maximiliane…")


@pytest.mark.parametrize(("name", "whose"), [("Ana", "d\N{RIGHT SINGLE QUOTATION MARK}Ana"), ("Bo", "de Bo")])
def test_french_elides_before_names(name: str, whose: str) -> None:
    ruling = make_ruling("void-refunded", seat=0, coins=3)
    assert f"action {whose} échoue" in tell(Listener(COUP.words, (name,), language("fr")), ruling)
