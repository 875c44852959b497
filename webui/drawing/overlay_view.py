"""What an overlay shows above a stream's picture: plates, the situation, the newest card, a call; pure."""

from collections.abc import Mapping
from string import Formatter

from msgspec import Struct

from referee.contract import Board, Mood, Ruling, Weight
from referee.contract.words import Phrase, phrase, wording_of
from referee.match import Match
from referee.public_moment import PublicCard, new_cards
from referee.showing import board_of, cue_for, situation_of
from referee.telling import Listener, tell, tell_fact, tell_headline, tell_situation, with_short_names
from webui.drawing.looks import Look
from webui.drawing.plates import Plate, plates_of
from webui.drawing.screen_view import winners_text
from webui.drawing.words import Texts, page_text

FANNED = 5
"""Cards that are shown at once, at most."""
FACT = 16
"""Letters for which there is room below the title."""
CRIES: Mapping[Mood, Phrase] = {
    Mood.WIN: Texts.cry_win,
    Mood.CALL: phrase("Challenge!"),
    Mood.LIE: phrase("Caught!"),
    Mood.TRUTH: phrase("It is true!"),
    Mood.COUNTER: phrase("Blocked!"),
    Mood.OUT: phrase("Out!"),
}
"""What is cried at a mood, the greatest moment first; other moods are no such moments."""


class Cry(Struct, frozen=True):
    """A great moment: one word, what has happened, and its mood."""

    word: str
    line: str
    mood: str


class NewestCards(Struct, frozen=True):
    """The cards that were turned up last, all of one place."""

    place: str
    cards: tuple[PublicCard, ...]


class OverlayView(Struct, frozen=True):
    """All that an overlay shows; which parts of it, the address says."""

    title: str
    fact: str
    line: str
    plates: tuple[Plate, ...]
    called: frozenset[int]
    """Whose word is doubted: they are called."""
    said: Mapping[int, str]
    """The number that stands, at the seat that said it."""
    cry: Cry | None
    newest: NewestCards | None


def overlay_of(match: Match, listener: Listener, look: Look) -> OverlayView:
    """Draw the overlay of a moment."""
    game, board, short = match.setup.game, board_of(match), with_short_names(listener)
    grids = game.table.grids(game.shown.view(match.state, None))
    return OverlayView(
        title=listener.language.gettext(game.words.title),
        fact=_short_fact(board, listener),
        line=_line(match, short),
        plates=plates_of(match, board, grids, short, look),
        called=_called(match),
        said=_said(board, listener, match),
        cry=_cry(match, short),
        newest=_newest_cards(new_cards(match, short)) if match.before is not None else None,
    )


def _short_fact(board: Board, listener: Listener) -> str:
    """Return a fact of the whole table that fits below the title, such as the round."""
    shared = (fact for fact in board.facts if fact.seat is None and fact.weight == Weight.MAIN)
    told = (" ".join(tell_fact(listener, fact)) for fact in shared)
    return next((text for text in told if len(text) <= FACT), "")


def _line(match: Match, listener: Listener) -> str:
    if match.outcome is not None:
        return winners_text(match, listener)
    situation = situation_of(match)
    return "" if situation is None else tell_situation(listener, situation)


def _called(match: Match) -> frozenset[int]:
    """Find whose word is doubted: at a call, the players whom its sentence names beside who calls."""
    return frozenset(
        seat
        for ruling in match.rulings
        if _mood_of(match, ruling) is Mood.CALL
        for name in _players_in(match, ruling)
        if isinstance(seat := ruling.values[name], int) and seat != ruling.values.get("seat")
    )


def _players_in(match: Match, ruling: Ruling) -> tuple[str, ...]:
    """Name the values of a ruling that its sentence tells as players."""
    sentence = wording_of(match.setup.game.words.rulings[ruling.key]).told.one
    fields = [(name, kind) for _text, name, kind, _conversion in Formatter().parse(sentence) if name]
    return tuple(name for name, kind in fields if kind == "player" and name in ruling.values)


def _said(board: Board, listener: Listener, match: Match) -> Mapping[int, str]:
    """Put the number that stands, or is doubted, at the seat that said it, where numbers are said."""
    doubted = _called(match)
    if doubted and match.before is not None:
        stood = _said(board_of(match.before), listener, match.before)
        return {seat: number for seat, number in stood.items() if seat in doubted}
    seat = None if board.headline is None else board.headline.values.get("seat")
    if board.headline is None or not board.trail or not isinstance(seat, int):
        return {}
    return {seat: tell_headline(listener, board.headline).figure}


def _cry(match: Match, listener: Listener) -> Cry | None:
    """Cry the greatest of what has just happened."""
    if match.outcome is not None:
        word = page_text(listener.language, Texts.cry_win)
        return Cry(word, winners_text(match, listener), Mood.WIN)
    moods = {
        mood: ruling for ruling in reversed(match.rulings) if (mood := _mood_of(match, ruling)) is not None
    }
    mood = next((mood for mood in CRIES if mood in moods), None)
    return None if mood is None else Cry(_word(match, mood, listener), tell(listener, moods[mood]), mood)


def _mood_of(match: Match, ruling: Ruling) -> Mood | None:
    cue = cue_for(match.setup.game, ruling)
    return None if cue is None else cue.mood


def _word(match: Match, mood: Mood, listener: Listener) -> str:
    """Choose the word: what the game itself shouts at a call, such as its name; else that of the mood."""
    headline = board_of(match).headline
    shouted = "" if headline is None else tell_headline(listener, headline).figure
    if mood is Mood.CALL and shouted.endswith("!"):
        return shouted
    return page_text(listener.language, CRIES[mood])


def _newest_cards(added: tuple[PublicCard, ...]) -> NewestCards | None:
    """Take the cards of the first place where some were turned up: at a second one they are the same."""
    if not added:
        return None
    cards = tuple(card for card in added if (card.place, card.seat) == (added[0].place, added[0].seat))
    return NewestCards(added[0].place, cards[-FANNED:])
