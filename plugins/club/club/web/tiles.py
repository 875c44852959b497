"""A table's tile on the club's screen: the main fact, who is asked, and who is ahead; pure."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from msgspec import Struct

from club.views import ClubTable
from referee.contract.words import phrase
from referee.public_moment import PublicMoment
from referee.sentences import Language
from webui.views.words import page_text

Say = Callable[..., str]
SHORT, LONG = 3, 8
"""Maximum letters of a fact in large and in medium type; longer facts are set small."""


class Tile(Struct, frozen=True):
    """A tile's content besides the game, the headline and the newest card."""

    number: str  # the short title: the number in “Table 8”
    state: str  # idle, plays, calls, over or away
    key: str
    size: str  # the class of the fact's size
    lamp: str
    line: str
    is_night: bool  # whether a call was just made
    ahead: str


def tile_of(table: ClubTable, language: Language, time_of: Callable[[datetime], str]) -> Tile:
    moment, state = table.moment, _state(table)
    headline = moment.headline if moment is not None and not moment.is_over else None
    say = partial(page_text, language)
    key = _key(moment, say) if headline is None else headline.text
    return Tile(
        number=_number(table.title, say),
        state=state,
        key=key,
        size="" if len(key) <= SHORT else "middling" if len(key) <= LONG else "smaller",
        lamp={"calls": "red", "plays": "green" if len(_asked(moment)) == 1 else "amber"}.get(state, ""),
        line=_line(table, state, say, time_of),
        is_night=moment is not None and any(ruling.mood == "call" for ruling in moment.rulings),
        ahead="" if moment is None or moment.is_over else _ahead(moment),
    )


def _number(title: str, say: Say) -> str:
    """Return the number of a table whose title is only a number."""
    number = title.rpartition(" ")[2]
    return number if number.isdecimal() and title == say(phrase("Table {number}"), number=number) else ""


def _state(table: ClubTable) -> str:
    if table.call is not None:
        return "calls"
    if not table.is_there:
        return "away"
    if table.moment is None:
        return "idle"
    return "over" if table.moment.is_over else "plays"


def _key(moment: PublicMoment | None, say: Say) -> str:
    """Return the main fact of a game without a headline: the winner, the leader, or whose turn it is."""
    if moment is None:
        return "–"
    if moment.is_over:
        winners = [player.name for player in moment.players if player.is_winner]
        return " & ".join(winners) if winners else say(phrase("nobody has won"))
    turn = next((player.name for player in moment.players if player.seat == moment.turn), "–")
    return _ahead(moment) or turn


def _ahead(moment: PublicMoment) -> str:
    first = [player.name for player in moment.players if player.place == 1]
    return " & ".join(first) if len(first) < len(moment.players) and len(first) <= 2 else ""


def _asked(moment: PublicMoment | None) -> list[str]:
    return [player.name for player in (moment.players if moment else ()) if player.is_asked]


def _line(table: ClubTable, state: str, say: Say, time_of: Callable[[datetime], str]) -> str:
    moment = table.moment
    if state == "calls" and table.call is not None:
        is_coming = table.call.state == "coming"
        return say(phrase("the director is coming") if is_coming else phrase("calls the director"))
    if state == "away":
        if table.seen is None:
            return say(phrase("not connected yet"))
        return say(phrase("away since {time}"), time=time_of(table.seen))
    if moment is None:
        return say(phrase("Nobody plays yet."))
    return _over_line(table, say) if moment.is_over else _asked_line(moment, say)


def _over_line(table: ClubTable, say: Say) -> str:
    if table.began is None or table.updated is None or table.updated < table.began:
        return say(phrase("has won"))
    minutes = max(1, round((table.updated - table.began).total_seconds() / 60))
    return say(phrase("won in {minutes} min"), minutes=minutes)


def _asked_line(moment: PublicMoment, say: Say) -> str:
    asked = _asked(moment)
    if len(asked) == 1:
        return say(phrase("{name} is asked"), name=asked[0])
    are_all = len(asked) == len([each for each in moment.players if not each.is_out])
    if not asked or (are_all and moment.situation):
        return moment.situation
    return say(phrase("{names} are asked"), names=", ".join(asked))
