"""Last game and its players, to play again with one tap; pure functions."""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from referee.contract import Game
from referee.contract.words import phrase
from referee.match import name_key
from referee.sentences import Language
from referee.summaries import JournalMatch, day_of
from webui.views.looks import Look, LookBook
from webui.views.match_story import result_of, title_of
from webui.views.words import Texts, page_text


class LastTime(Struct, frozen=True):
    """The newest completed match, and the people of its evening."""

    number: int
    game: str
    day: str
    told: str
    result: str
    players: tuple[str, ...]  # in order around the table
    others: tuple[str, ...]  # people of that evening who weren't in that match
    begun: str


def last_time_of(entries: Iterable[JournalMatch], language: Language) -> LastTime | None:
    """Return the last game, from matches newest first; None if one of its names has been deleted."""
    played = [(entry.number, entry.summary) for entry in entries if entry.summary is not None]
    found = next(((number, each) for number, each in played if each.winners is not None), None)
    if found is None or any(_is_forgotten(name, language) for name in found[1].names):
        return None
    number, last = found
    day = day_of(last.begun)
    # of a match without an answer, the names may be those of the seats
    matches = [each for _number, each in played if each.ended or each.winners is not None]
    there = {name_key(name): name for each in matches if day_of(each.begun) == day for name in each.names}
    mine = {name_key(name) for name in last.names}
    others = (name for key, name in there.items() if key not in mine and not _is_forgotten(name, language))
    return LastTime(
        number=number,
        game=last.game,
        day=day,
        told=page_text(
            language,
            phrase("{game}, {count} of you."),
            game=title_of(last.game, language),
            count=len(last.names),
        ),
        result=result_of(last, language),
        players=last.names,
        others=tuple(others),
        begun=last.begun,
    )


def _is_forgotten(name: str, language: Language) -> bool:
    """Return whether a name is the placeholder for a deleted one, in the page's language or English."""
    neutral = (Texts.forgotten_player.one, language.gettext(Texts.forgotten_player.one))
    return any(re.fullmatch(re.escape(form).replace(r"\{number\}", r"\d+"), name) for form in neutral)


CARDS = 3  # cards shown for each game


def game_on_shelf(book: LookBook, game: Game, language: Language, chosen: str) -> Mapping[str, object]:
    house, words = game.rules.house(), game.words
    look, seats = book.look(game.name, game.table.deck(house).name), game.rules.seats(house)
    return {
        "name": game.name,
        "title": language.gettext(words.title),
        "pitch": language.gettext(words.pitch) if words.pitch else "",
        "least": seats.start,
        "most": seats.stop - 1,
        "look": look,
        "scene": look.poster_scene(is_small=True),
        "wide": look.poster_scene(),
        "faces": tuple(poster_faces(look, tuple(game.table.deck(house).counts)))[:CARDS],
        "is_chosen": game.name == chosen,
    }


def poster_faces(look: Look, faces: tuple[str, ...]) -> Iterator[str]:
    own = (face for face in look.style.poster if face in faces)
    return (face for face in dict.fromkeys((*own, *faces)) if look.card_address(face))
