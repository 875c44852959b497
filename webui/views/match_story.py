"""History pages: match lists, one match round by round, statistics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

import msgspec

from firmware.language.speaking import gap_text
from referee.camera_readings import CameraReadings, worst_share
from referee.contract import Game
from referee.contract.words import Phrase, phrase, plural
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, TakeBack, log, name_key
from referee.moment_view import view_of
from referee.record import FAILED, MISSING, Fault, ParsedRecord
from referee.seatings import seatings_of
from referee.sentences import (
    Language,
    Listener,
    length_text,
    listener_at,
    listener_when,
    rate_text,
    round_text,
    ruling_text,
    share_text,
)
from referee.summaries import (
    DeckReadings,
    JournalMatch,
    PlayerFigures,
    Round,
    Summary,
    rates_of,
    rounds_of,
    summary_of,
)
from webui.views.charts import Series, chart_of, number_text
from webui.views.words import Texts, page_text

NOTHING = "\N{EN DASH}"  # shown instead of a missing figure


def row_of(entry: JournalMatch, language: Language) -> Mapping[str, object]:
    summary, fault = entry.summary, entry.fault
    damage = "" if fault is None else damage_text(fault, language)
    row = {"number": entry.number, "when": "", "game": "", "players": "", "result": damage, "is_open": False}
    if summary is None:
        return row
    return row | {
        "when": _time_text(summary.begun),
        "game": title_of(summary.game, language),
        "players": ", ".join(summary.people),
        "result": damage or result_of(summary, language),
        "is_open": summary.winners is None and not summary.is_ended_early and fault is None,
    }


def story_of(reading: ParsedRecord, language: Language) -> Mapping[str, object] | None:
    match = reading.match
    if match is None:
        return None
    game, summary, rounds = match.setup.game, summary_of(match), rounds_of(match)
    told = view_of(match, language)
    title = _title(game, language)
    return {
        "title": title,
        "facts": facts_of(match, language),
        "result": result_of(summary, language),
        "is_over": match.outcome is not None,
        "is_decided": match.decided is not None,
        "house": told.house,
        "standings": told.results,
        "charts": tuple(_charts(match, [each for each in rounds if each.is_over], language)),
        "by_round": language.gettext(game.words.by_round),
        "rounds": [
            (each.number, round_text(language, game.words, each.number), round_sentences(match, each, language))
            for each in rounds
        ],
        # each player's achievements: counts, then rates
        "names": [name for _seat, name, _feats in summary.credited],
        "feats": _feats(game, [feats for _seat, _name, feats in summary.credited], language),
        "link": play_link(summary, game, title, page_text(language, phrase("Coyote Table"))),
    }


def round_sentences(match: Match, of: Round, language: Language) -> tuple[str, ...]:
    seatings = seatings_of(match)
    told = zip(of.rulings, of.heard, strict=True)
    return tuple(ruling_text(listener_when(match.setup, seatings, at, language), ruling) for ruling, at in told)


def sections_of(
    figures: Iterable[PlayerFigures], summaries: Sequence[Summary], language: Language
) -> list[Mapping[str, object]]:
    """Return how often players won and, for a single game, its other statistics."""
    games: dict[str, list[PlayerFigures]] = {}
    for each in figures:
        games.setdefault(each.game, []).append(each)
    if len(games) == 2:
        # with a single game, the table over all games adds nothing
        games.pop("")
    return [_section(name, rows, summaries, language) for name, rows in games.items()]


def _section(
    name: str, figures: Iterable[PlayerFigures], summaries: Sequence[Summary], language: Language
) -> Mapping[str, object]:
    game = GAMES.get(name)
    return {
        "title": title_of(name, language),
        # finished matches
        "over": sum(1 for each in summaries if each.winners is not None and name in ("", each.game)),
        "rates": [figure_name(game, each.key, language) for each in game.counting.rates] if game else [],
        "rows": [(*_record(each), *(_rates(game, each.feats, language) if game else ())) for each in figures],
    }


def _record(figures: PlayerFigures) -> tuple[str, ...]:
    share = NOTHING if figures.share is None else share_text(figures.share)
    return figures.name, str(figures.played), str(figures.won), share


def _rates(game: Game, feats: Mapping[str, int], language: Language) -> Iterator[str]:
    rates = rates_of(game, feats)
    for rate in game.counting.rates:
        value = rates.get(rate.key)
        yield NOTHING if value is None else rate_text(language, rate, value)


def figure_name(game: Game, key: str, language: Language) -> str:
    return language.gettext(game.words.statistics[key])


def title_of(name: str, language: Language) -> str:
    """Return a game's title; games that aren't installed have only their name."""
    return _title(GAMES[name], language) if name in GAMES else name


def _title(game: Game, language: Language) -> str:
    return language.gettext(game.words.title)


def _time_text(time: str) -> str:
    return time[:16].replace("T", " ")


def result_of(summary: Summary, language: Language) -> str:
    if summary.winners is None:
        return page_text(language, Texts.ended_early if summary.is_ended_early else Texts.is_open)
    names = ", ".join(summary.names[seat] for seat in summary.winners)
    return page_text(language, Texts.wins, names=names) if names else page_text(language, Texts.no_winner)


def damage_text(fault: Fault, language: Language) -> str:
    if fault.key == "unknown-game":
        return page_text(
            language, phrase("The game {game} isn't installed. Its match is still stored."), game=fault.about
        )
    if fault.key == FAILED:
        told = phrase("The game {game} failed to read this match. The match is unchanged.")
        return page_text(language, told, game=fault.about)
    if fault.key == MISSING:
        return page_text(
            language,
            plural(
                "Line {line} is missing; all others are intact.",
                "Missing lines: {count}, starting with line {line}; all others are intact.",
                "count",
            ),
            line=fault.line,
            count=int(fault.about),
        )
    told = phrase("Damaged from line {line}; everything before it is intact.")
    if fault.key in {"refused", "house"}:
        told = phrase("This version of the game doesn't allow line {line}; everything before it is intact.")
    return page_text(language, told, line=fault.line)


def reading_damage(reading: ParsedRecord, language: Language) -> str:
    """Describe a damaged record: the position of the damage, or the missing lines."""
    if reading.fault is not None:
        return damage_text(reading.fault, language)
    return " ".join(gap_text(gap, language) for gap in reading.gaps)


def facts_of(match: Match, language: Language) -> tuple[str, ...]:
    """Describe a match: date, edition, first player, leavers, and number of undone answers."""
    summary, facts = summary_of(match), list[str]()
    if summary.begun:
        facts.append(_time_text(summary.begun))
    if (edition := match.setup.game.words.editions.get(summary.edition)) is not None:
        facts.append(edition)
    if summary.starter is not None:
        facts.append(page_text(language, phrase("{name} started."), name=summary.began))
    for left in summary.left:
        text = phrase("{name} sat at seat {number} until answer {answer}.")
        facts.append(page_text(language, text, answer=left.answer, name=left.name, number=left.seat + 1))
    if back := sum(1 for entry in log(match) if isinstance(entry, TakeBack | Correct)):
        facts.append(page_text(language, phrase("Answers undone or corrected: {count}."), count=back))
    return tuple(facts)


def _charts(match: Match, rounds: Sequence[Round], language: Language) -> Iterator[Mapping[str, object]]:
    if not rounds:
        return
    game, names, listener = match.setup.game, seatings_of(match).people, listener_at(match.setup, language)
    every = [counts for each in rounds for counts in each.counts]
    for key in every[0]:
        if f"standing-{key}" in game.words.statistics and all(key in counts for counts in every):
            values = [tuple(each.counts[seat][key] for each in rounds) for seat in range(len(names))]
            series = [Series(name, each) for name, each in zip(names, values, strict=True)]
            title = figure_name(game, f"standing-{key}", language)
            yield _chart(key, title, phrase("{length}. At the end: {last}."), series, listener)
    keys = dict.fromkeys(key for each in rounds for key in each.points)
    if keys:
        lines = [
            Series(figure_name(game, key, language), tuple(each.points.get(key) for each in rounds))
            for key in keys
        ]
        yield _chart(
            "points",
            page_text(language, phrase("Announced and revealed")),
            phrase("{length}. In the last one: {last}."),
            lines,
            listener,
        )


def _chart(
    key: str, title: str, summary: Phrase, series: Sequence[Series], listener: Listener
) -> Mapping[str, object]:
    ends = ((each.name, each.values[-1]) for each in series)
    last = ", ".join(f"{name} {number_text(value)}" for name, value in ends if value is not None)
    length = length_text(listener, len(series[0].values))
    told = page_text(listener.language, summary, length=length, last=last or NOTHING)
    return chart_of(key, title, told, series)


def _feats(
    game: Game, credited: Sequence[Mapping[str, int]], language: Language
) -> tuple[tuple[str, ...], ...]:
    """Return some players' figures in rows; the first cell of each row is the label."""
    done = {key for feats in credited for key, count in feats.items() if count}
    counts = [
        (figure_name(game, key, language), *(number_text(feats.get(key, 0)) for feats in credited))
        for key in game.words.statistics
        if key in done
    ]
    seats = [tuple(_rates(game, feats, language)) for feats in credited]
    rates = [
        (figure_name(game, rate.key, language), *values)
        for rate, values in zip(game.counting.rates, zip(*seats, strict=True), strict=False)
        if any(value != NOTHING for value in values)
    ]
    return (*counts, *rates)


ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="


def play_link(summary: Summary, game: Game, title: str, location: str) -> str:
    """Return the link; empty if the match is unfinished or its date is unknown."""
    begun, ended = _time(summary.begun), _time(summary.ended)
    if summary.winners is None or begun is None:
        return ""
    play: dict[str, object] = {
        "sourceName": "Coyote Table",
        "sourcePlayId": _id(summary.begun, *summary.names),
        "playDate": f"{begun:%Y-%m-%d %H:%M:%S}",
        "location": location,
        "board": summary.edition.title(),
        "game": {
            "name": title,
            "sourceGameId": summary.game,
            "highestWins": game.counting.is_most_best,
            "noPoints": not game.counting.score,
        },
        "players": [_player(summary, game, seat) for seat in range(len(summary.names))],
    }
    # ignore matches resumed another day, and a Pi's clock may have been wrong at the start
    if ended is not None and begun < ended < begun + timedelta(days=1):
        play["durationMin"] = max(1, round((ended - begun).total_seconds() / 60))
    return ADDRESS + quote(msgspec.json.encode(play).decode(), safe="")


def _player(summary: Summary, game: Game, seat: int) -> Mapping[str, object]:
    name, counts = summary.names[seat], summary.counts[seat]
    score = counts.get(game.counting.score)
    return {
        "name": name,
        "sourcePlayerId": _id(name_key(name)),
        "startPlayer": seat == summary.starter and name == summary.began,
        "winner": seat in (summary.winners or ()),
        "rank": summary.places[seat],
        **({} if score is None else {"score": score}),
    }


def _id(*words: str) -> str:
    """Return the same id for the same words, so that the app recognises it."""
    return sha256("\n".join(words).encode()).hexdigest()[:16]


def _time(text: str) -> datetime | None:
    """Parse a time; without a zone it is local."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# camera readings per deck, and how often people corrected them


def camera_rows(deck: DeckReadings, language: Language) -> Iterator[tuple[str, ...]]:
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
