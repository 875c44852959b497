"""Score page: clocks, grids and the latest sentences; pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import ceil

from msgspec import Struct

from referee.contract import Answer, Ask
from referee.contract.words import phrase
from referee.match import Correct, Match, moments
from referee.moment_view import MomentView, news_texts
from webui.views.controls import question_texts
from webui.views.grids import Sheet, sheet_of
from webui.views.words import Texts, page_text

MOMENTS = 8  # number of recent moments with sentences; the history has all of them


class Clock(Struct, frozen=True):
    """Time limit of an ask in seconds, and the time when the clock answers, if it is running."""

    seconds: int
    ends: float | None

    @staticmethod
    def of(ask: Ask, ends: Mapping[str, float]) -> "Clock | None":
        return None if ask.deadline is None else Clock(ceil(ask.deadline.seconds), ends.get(ask.key))


class Score(Struct, frozen=True):
    """Content of the score page besides the moment itself."""

    over: str
    asks: Sequence[Mapping[str, object]]
    """Current asks, each with its first clock; the one that stops play comes first."""
    grids: tuple[Sheet, ...]
    news: Sequence[Mapping[str, object]]  # sentences of the latest moments, newest moment first
    clocks: Mapping[str, Clock | None]  # clock of each ask, by the ask's key
    as_recorded: str
    """Advice if the table and the record differ, in games that the camera sees only in part."""
    by_round: str


def score_of(told: MomentView, pictured: frozenset[int] = frozenset(), ends: Mapping[str, float] = {}) -> Score:
    """Return the score; `ends` maps asks with a deadline to the time when the clock answers."""
    match, language = told.match, told.listener.language
    clocks = {ask.key: Clock.of(ask, ends) for ask in match.asks}
    as_recorded = phrase(
        "This is the record. If the table differs, adjust horses and markers. If an answer was wrong, "
        "ask the host to correct it."
    )
    return Score(
        over=_over_text(told),
        asks=tuple(_ask_lines(told, clocks)),
        grids=tuple(sheet_of(grid, told.listener) for grid in told.grids),
        news=tuple(_newest_sentences(told, pictured)),
        clocks=clocks,
        as_recorded="" if match.setup.game.table.turns is None else page_text(language, as_recorded),
        by_round=language.gettext(told.listener.words.by_round),
    )


def _over_text(told: MomentView) -> str:
    """Return the final sentence with the winners; empty while the match goes on."""
    language, names = told.listener.language, ", ".join(told.winners)
    if told.outcome is None:
        return ""
    if told.match.is_ended:
        return told.situation
    won = page_text(language, Texts.wins, names=names) if names else page_text(language, Texts.no_winner)
    return " ".join((page_text(language, Texts.over), won))


def _ask_lines(told: MomentView, clocks: Mapping[str, Clock | None]) -> Iterator[Mapping[str, object]]:
    for each, text in zip(told.questions, question_texts(told), strict=True):
        clock = next(filter(None, (clocks[key] for key in each.question.asks)), None)
        yield {"key": each.question.key, "question": text, "clock": clock}


def _newest_sentences(told: MomentView, pictured: frozenset[int]) -> Iterator[Mapping[str, object]]:
    """Yield sentences with the number of their moment and of the pictured answer behind them."""
    for moment in islice(moments(told.match), MOMENTS):
        if sentences := news_texts(moment, told.listener.language):
            answer = _answer_of(moment)
            why = answer if answer in pictured else None
            yield {"sentences": sentences, "number": moment.number, "why": why}


def _answer_of(moment: Match) -> int | None:
    match moment.entry:
        case Answer():
            return moment.number - 1
        case Correct(heard_at=heard_at):
            return heard_at
        case _:
            return None
