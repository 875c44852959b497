"""Overlay for a stream: plates, the situation, the newest cards, a call; pure functions."""

from collections.abc import Mapping
from string import Formatter

from msgspec import Struct

from referee.contract import Mood, Ruling, Weight
from referee.contract.words import Phrase, phrase, wording_of
from referee.match import Match, moments
from referee.moment_view import MomentView
from referee.public_moment import new_cards
from referee.showing import mood_of
from webui.views.looks import Look
from webui.views.plates import Plate, plates_of
from webui.views.screen_view import winners_text
from webui.views.words import Texts, page_text

FANNED = 5  # most cards shown at once
FACT = 16  # most characters of a fact below the title
CRIES: Mapping[Mood, Phrase] = {
    Mood.WIN: Texts.cry_win,
    Mood.CALL: phrase("Challenge!"),
    Mood.LIE: phrase("Caught!"),
    Mood.TRUTH: phrase("It is true!"),
    Mood.COUNTER: phrase("Blocked!"),
    Mood.OUT: phrase("Out!"),
}
"""Exclamation for each mood, greatest first; other moods have none."""


class Cry(Struct, frozen=True):
    """A highlight: one word, its sentence, and its mood."""

    word: str
    line: str
    mood: str


class OverlayView(Struct, frozen=True):
    """Content of an overlay; the address selects the parts to show."""

    title: str
    fact: str
    line: str
    plates: tuple[Plate, ...]
    called: frozenset[int]
    said: Mapping[int, str]  # the current number, at the seat that called it
    cry: Cry | None
    newest: Mapping[str, object] | None  # the cards turned up last, all in one place


def overlay_of(told: MomentView, before_call: MomentView | None, look: Look) -> OverlayView:
    """Return the overlay from public views with short names; `before_call` has the doubted number."""
    match = told.match
    shared = (each for each in told.facts if each.fact.seat is None and each.weight == Weight.MAIN)
    added = new_cards(told) if match.before is not None else ()
    # cards turned up in a second place are the same ones
    newest = tuple(each for each in added if (each.place, each.seat) == (added[0].place, added[0].seat))
    return OverlayView(
        title=told.title,
        # a fact about the whole table, such as the round
        fact=next((text for each in shared if len(text := f"{each.label} {each.text}") <= FACT), ""),
        line=winners_text(told) if told.match.decided else told.situation,
        plates=plates_of(told, look),
        called=_called(match),
        said=_called_number(told) if before_call is None else _doubted_number(told, before_call),
        cry=_cry(told),
        newest={"place": added[0].place, "cards": newest[-FANNED:]} if added else None,
    )


def _called(match: Match) -> frozenset[int]:
    """Return the doubted players: those named by a call's sentence, except the caller."""
    calls = (ruling for ruling in match.rulings if mood_of(match, ruling) is Mood.CALL)
    return frozenset(
        seat
        for ruling in calls
        for name in _players_in(match, ruling)
        if isinstance(seat := ruling.values[name], int) and seat != ruling.values.get("seat")
    )


def _players_in(match: Match, ruling: Ruling) -> tuple[str, ...]:
    """Return the names of a ruling's values that its sentence shows as players."""
    sentence = wording_of(match.setup.game.words.rulings[ruling.key]).told.one
    fields = [(name, kind) for _text, name, kind, _conversion in Formatter().parse(sentence) if name]
    return tuple(name for name, kind in fields if kind in {"player", "actor"} and name in ruling.values)


def moment_before_call(match: Match) -> Match | None:
    """Return the newest moment before the current call; None if there is no call."""
    if not _called(match):
        return None
    return next((moment for moment in moments(match) if not _called(moment)), None)


def _doubted_number(told: MomentView, before_call: MomentView) -> Mapping[int, str]:
    """Return the number that a seat named before it was doubted."""
    doubted = _called(told.match)
    return {seat: number for seat, number in _called_number(before_call).items() if seat in doubted}


def _called_number(told: MomentView) -> Mapping[int, str]:
    """Return the current number at the seat that named it, in games with numbers."""
    headline = told.board.headline
    seat = None if headline is None else headline.values.get("seat")
    if told.headline is None or not told.board.trail or not isinstance(seat, int):
        return {}
    return {seat: told.headline.figure}


def _cry(told: MomentView) -> Cry | None:
    if told.match.decided is not None:
        return Cry(page_text(told.listener.language, Texts.cry_win), winners_text(told), Mood.WIN)
    moods = {each.mood: each.text for each in reversed(told.rulings)}
    mood = next((mood for mood in CRIES if mood in moods), None)
    if mood is None:
        return None
    # the game's own call, such as its name; otherwise the word of the mood
    shouted = "" if told.headline is None else told.headline.figure
    is_shouted = mood is Mood.CALL and shouted.endswith("!")
    return Cry(shouted if is_shouted else page_text(told.listener.language, CRIES[mood]), moods[mood], mood)
