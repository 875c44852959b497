"""Exports of the history: a table for spreadsheets, and JSON."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

import msgspec

from referee.match import Match
from referee.summaries import JournalMatch, Round, Summary, summary_of

OF_MATCH = ("match", "begun", "ended", "game", "edition", "house", "rounds", "over")
COLUMNS = (*OF_MATCH, "seat", "player", "place", "won", "began")
RISKY = ("=", "+", "-", "@", "\t", "\r")  # characters that start a spreadsheet formula
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # byte order mark: spreadsheets need it to detect UTF-8


def table_of(entries: Iterable[JournalMatch]) -> str:
    rows = [row for entry in entries for row in _rows(entry)]
    more = sorted({column for row in rows for column in row} - set(COLUMNS))
    out = StringIO()
    writer = csv.DictWriter(out, (*COLUMNS, *more), restval="")
    writer.writeheader()
    writer.writerows({column: safe_cell(value) for column, value in row.items()} for row in rows)
    return MARK + out.getvalue()


def _rows(entry: JournalMatch) -> Iterator[Mapping[str, str | int]]:
    summary = entry.summary
    if summary is None:
        return
    for seat, name, feats in summary.credited:
        # the final result, for the seat's last player
        end = {
            "place": summary.places[seat],
            "won": int(seat in (summary.winners or ())),
            **{f"in the end: {key}": count for key, count in summary.counts[seat].items()},
        }
        yield {
            "match": entry.number,
            "begun": summary.begun,
            "ended": summary.ended,
            "game": summary.game,
            "edition": summary.edition,
            "house": "; ".join(f"{rule}={','.join(values)}" for rule, values in summary.house.items()),
            "rounds": summary.rounds,
            "over": int(summary.winners is not None),
            "seat": seat,
            "player": name,
            "began": int((seat, name) == (summary.starter, summary.began)),
            **(end if name == summary.names[seat] else {}),
            **{f"{summary.game}: {key}": count for key, count in feats.items()},
        }


def safe_cell(value: str | int) -> str | int:
    """Prevent a spreadsheet from reading a name as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(RISKY) else value


def data_of(entries: Iterable[JournalMatch]) -> bytes:
    return msgspec.json.encode({"matches": [_match_fields(entry.number, entry.summary) for entry in entries]})


def match_data(number: int, match: Match, rounds: Iterable[Round], told: Iterable[Iterable[str]]) -> bytes:
    story = [
        {**msgspec.to_builtins(each), "told": list(sentences)}
        for each, sentences in zip(rounds, told, strict=True)
    ]
    return msgspec.json.encode({**_match_fields(number, summary_of(match)), "story": story})


def _match_fields(number: int, summary: Summary | None) -> dict[str, object]:
    if summary is None:
        return {"match": number, "damaged": True}
    whole = {field: getattr(summary, field) for field in summary.__struct_fields__}
    return {"match": number, "over": summary.winners is not None, **whole}
