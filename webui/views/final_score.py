"""Shared results of a match or an evening; pure functions."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware.services.score_card import FinalScore, is_drawn
from referee.contract.words import phrase
from referee.match import Match
from referee.moment_view import view_of
from referee.sentences import Language, labelled_text
from referee.summaries import JournalMatch, Summary, day_of, summary_of
from webui.views.match_story import result_of, title_of
from webui.views.screen_view import winners_text
from webui.views.words import page_text


class EveningMatch(Struct, frozen=True):
    """A match of an evening, in words."""

    number: int
    time: str
    title: str
    result: str
    lines: tuple[str, ...]


class Evening(Struct, frozen=True):
    """Matches of an evening, and each player's number of wins."""

    day: str
    matches: tuple[EveningMatch, ...]
    wins: tuple[tuple[str, int], ...]
    won: Mapping[str, Sequence[str]] = {}
    """Titles of the games won by each player, in playing order."""

    @property
    def best(self) -> tuple[str, int] | None:
        """Return the player with the most wins; None if several share them."""
        first = self.wins[0] if self.wins else None
        is_alone = len(self.wins) < 2 or self.wins[0][1] > self.wins[1][1]
        return first if is_alone else None


def final_score(match: Match, language: Language) -> FinalScore:
    """Return a match's score for a picture; names in a script it can't draw become seat numbers."""
    names = tuple(
        name if is_drawn(name) else page_text(language, phrase("Seat {number}"), number=number)
        for number, name in enumerate(match.setup.names, 1)
    )
    match = replace(match, setup=replace(match.setup, names=names))
    told, game, begun = view_of(match, language), match.setup.game, match.setup.begun[:16].replace("T", " ")
    if match.decided:
        result, facts = winners_text(told), begun
    else:
        result = page_text(language, phrase("Standings so far"))
        facts = f"{begun} · {result_of(summary_of(match), language)}"
    return FinalScore(
        game=game.name,
        deck=game.table.deck(match.setup.house).name,
        title=told.title,
        result=result,
        facts=facts,
        lines=told.results,
        made_by=page_text(language, phrase("Refereed by Coyote Table")),
    )


def evening_of(entries: Iterable[JournalMatch], day: str, language: Language) -> Evening | None:
    """Summarise an evening, oldest match first; None if it isn't stored."""
    played = [
        (entry.number, entry.summary)
        for entry in entries
        if entry.summary is not None and day_of(entry.summary.begun) == day
    ]
    if not day or not played:
        return None
    played.sort(key=lambda each: (each[1].begun, each[0]))
    matches = tuple(_match(number, summary, language) for number, summary in played)
    won = dict[str, list[str]]()
    for _number, summary in played:
        for seat in summary.winners or ():
            won.setdefault(summary.names[seat], []).append(title_of(summary.game, language))
    wins = sorted(((name, len(titles)) for name, titles in won.items()), key=lambda each: (-each[1], each[0]))
    return Evening(day, matches, tuple(wins), won)


def evening_text(evening: Evening, language: Language) -> str:
    lines = [page_text(language, phrase("Evening of {day}"), day=evening.day), ""]
    for match in evening.matches:
        lines += [
            labelled_text(language, f"{match.time} {match.title}".strip(), match.result),
            *match.lines,
            "",
        ]
    if evening.wins:
        wins = ", ".join(f"{name} {count}" for name, count in evening.wins)
        lines.append(labelled_text(language, page_text(language, phrase("Matches won")), wins))
    return "\n".join(lines).rstrip() + "\n"


def _match(number: int, summary: Summary, language: Language) -> EveningMatch:
    places = sorted(range(len(summary.places)), key=lambda seat: (summary.places[seat], seat))
    is_over = summary.winners is not None
    return EveningMatch(
        number,
        summary.begun[11:16],
        title_of(summary.game, language),
        result_of(summary, language),
        tuple(f"{summary.places[seat]}. {summary.people[seat]}" for seat in places) if is_over else (),
    )
