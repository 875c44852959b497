"""The table of what the camera has read, deck by deck, and how often people put it right."""

from collections.abc import Iterable, Iterator

from referee.camera_readings import CameraReadings, worst_share
from referee.contract.words import phrase
from referee.summaries import DeckReadings
from referee.telling import Language
from webui.drawing.match_story import StatisticsTable, title_of
from webui.drawing.words import page_text

HEADS = (phrase("Deck"), phrase("Cards read"), phrase("Put right"), phrase("At worst (95 %)"))


def camera_table(decks: Iterable[DeckReadings], language: Language) -> StatisticsTable | None:
    """Put what was read into a table; None if the camera has read nothing."""
    rows = tuple(row for deck in decks for row in _rows(deck, language))
    title, caption = (
        page_text(language, text)
        for text in (
            phrase("What the camera has read"),
            phrase(
                "A card counts as wrong if the host corrected it, or struck the answer out "
                "and others were told."
            ),
        )
    )
    heads = tuple(page_text(language, head) for head in HEADS)
    return StatisticsTable(title, caption, heads, rows) if rows else None


def _rows(deck: DeckReadings, language: Language) -> Iterator[tuple[str, ...]]:
    """Give a row of all matches, and one of the last day where there were others."""
    name = " ".join(filter(None, (title_of(deck.game, language), deck.edition.title())))
    yield name, *_cells(deck.overall, language)
    if deck.last_day.named < deck.overall.named:
        yield page_text(language, phrase("On {day}"), day=deck.day), *_cells(deck.last_day, language)


def _cells(readings: CameraReadings, language: Language) -> tuple[str, ...]:
    wrong = readings.put_right
    share = f" ({_one_in(wrong / readings.named, language)})" if wrong else ""
    return str(readings.named), f"{wrong}{share}", _one_in(worst_share(readings), language)


def _one_in(share: float, language: Language) -> str:
    return page_text(language, phrase("1 in {count}"), count=int(1 / share))
