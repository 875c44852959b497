"""The display of a match of each game in its second setting: what appears on the board and what disappears.

Also included: card moves, effects of options, reasons against other options, and the final analysis.
`python -m tests.referee.shown` rewrites it. Review the differences: players will see them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from itertools import chain, islice
from pathlib import Path
from random import Random

from msgspec import Struct, json
from msgspec.structs import fields

from firmware.table.cards import zone_name
from referee import sentences
from referee.coaching import judgement_texts, line_of
from referee.contract import Answer, Ask, Choice, Game, Option, Ruling, Show
from referee.match import Match, hear
from referee.sentences import Listener
from referee.showing import board_of, situation_of
from referee.summaries import summary_of
from tests.given import refused
from tests.referee import golden
from tests.referee.laboratories import StillLaboratory, match_by_bots
from tests.referee.tables import after_any, new_match

FOLDER = Path(__file__).parent / "playthroughs" / "shown"
MOST_JUDGED = 60
MOST_MOMENTS, OF_A_WORD, MOST_OF_A_WORD = 120, 3, 14
"""Limits of moments, and of effects and refusals per option word."""
PLAIN = ("turn", "number", "trail", "next", "limits", "changes", "goals")
"""Board fields that are numbers and seats."""


def settings() -> dict[Path, tuple[Game, str]]:
    kept = golden.settings(FOLDER).items()
    return {path: (game, rules) for path, (game, rules) in kept if rules == list(game.rules.settings)[1]}


def shown_in(game: Game, rules: str) -> str:
    """Play a match and describe its display; then describe the analysis of a match between bots."""
    sizes = game.rules.seats(game.rules.settings[rules])
    seats = sizes[len(sizes) // 2]
    lines = _lines(new_match(game, rules, seats), Random(f"shown {rules}"))
    judged = _judgement_lines(match_by_bots(game.name, rules, seats))
    return "".join(f"{line}\n" for line in chain(lines, judged))


def _judgement_lines(match: Match) -> Iterator[str]:
    """Yield the analysis of decisions that needs no simulation."""
    judgements = match.setup.game.play.coach(line_of(match), StillLaboratory())
    for each in islice(judgements, MOST_JUDGED):
        better = "" if each.better is None else f", better {_json(each.better)}"
        worth = f"{each.worth:.4f}" if each.best is None else f"{each.worth:.4f} of {each.best:.4f}"
        yield f"judged {each.moment} {each.seat} {each.kind} {worth}{better}"
        yield from (f"    {told}" for told in judgement_texts(match, each, NullTranslations()))


def _lines(match: Match, rng: Random) -> Iterator[str]:
    before, offered, told = dict[str, str](), list[str](), dict[str, str]()
    seats = (None, *range(len(match.setup.names)))
    known = {Option(word, seat): None for word in match.setup.game.words.options for seat in seats}
    while match.asks and match.number < MOST_MOMENTS:
        shown, offers = dict(_board_lines(match)), [*_option_lines(match)]
        yield f"{match.number}"
        yield from (f"  - {part}" for part in before if part not in shown)
        yield from (f"  + {line}" for part, line in shown.items() if before.get(part) != line)
        yield from (f"  ? {line}" for line in offers if line not in offered)
        refusals = _refusals_now(match, known)
        reasons = defaultdict[str, list[str]](list)
        for option, why in refusals.items():
            if told.get(option) != why:
                reasons[why].append(option)
        yield from (f"  ! {why} {' '.join(options)}" for why, options in reasons.items())
        told |= refusals
        _remember(known, match.asks)
        before, offered, match = shown, offers, after_any(match, rng)
        yield from (line for ruling in match.rulings for line in _move_lines(match, ruling))
    yield f"in the end: {_json(summary_of(match))}"


def _board_lines(match: Match) -> Iterator[tuple[str, str]]:
    """Yield the name of each part of the board, and the part."""
    listener, board, game = _listener(match), board_of(match), match.setup.game
    situation = situation_of(match)
    if situation is not None:
        yield "situation", f"{sentences.situation_text(listener, situation)} {_json(situation.values)}"
    for fact in board.facts:
        told, name = sentences.fact_view(listener, fact), f"{fact.key}, {fact.weight}, {fact.seat}"
        yield name, f"{told.label}: {told.text} ({name})"
    for row in board.cards:
        yield f"{row.key} {row.seat}", f"{sentences.card_row_text(listener, row)} {_in_short(row)}"
    for name in PLAIN:
        if getattr(board, name):
            yield name, f"{name} {_json(getattr(board, name))}"
    if board.headline is not None:
        yield "headline", f"headline {_json(sentences.headline_view(listener, board.headline))}"
    if board.track is not None:
        yield "track", f"track: {sentences.track_text(listener, board.track)} {_json(board.track)}"
    for number, grid in enumerate(game.table.grids(game.shown.view(match.state, None))):
        yield f"grid {number}", f"grid {_json(grid)}"
    for number, ruling in enumerate(game.shown.insight(match.state)):
        yield f"known {number}", f"known to all: {sentences.ruling_text(listener, ruling)}"


def _option_lines(match: Match) -> Iterator[str]:
    game, listener = match.setup.game, _listener(match)
    for ask, seat, option in some_options(match.asks):
        effect = game.book.effect(match.state, seat, option)
        if effect is not None:
            changes = "".join(f" {each.seat}: {each.before} to {each.after}" for each in effect.changes)
            yield f"{ask} {_in_short(option)}: {sentences.effect_text(listener, effect)} {effect.face}{changes}"
    for show in match.asks:
        if isinstance(show, Show):
            yield f"{show.key} from {_json(game.table.sources(match.state, show))}"


def _refusals_now(match: Match, known: Iterable[Option]) -> dict[str, str]:
    """Return the refusals of unavailable options, where the game gives reasons."""
    told, offered = dict[str, str](), [*_options(match.asks)]
    now = {option for _ask, _seat, option in offered}
    for ask, seat, _option in offered[:1]:
        for option in (each for each in known if each not in now):
            refusal = refused(hear(match, Answer(match.number, ask, option, seat)))
            if "why" in refusal.values:
                told[_in_short(option)] = sentences.refusal_text(_listener(match), refusal)
    return told


def _remember(known: dict[Option, None], asks: tuple[Ask, ...]) -> None:
    met = Counter(option.word for option in known)
    for _ask, _seat, option in _options(asks):
        if option not in known and met[option.word] < MOST_OF_A_WORD:
            met[option.word] += 1
            known[option] = None


def _move_lines(match: Match, ruling: Ruling) -> Iterator[str]:
    for move in match.setup.game.table.moves(match.state, ruling):
        count = "all" if move.count is None else move.count
        way = f"{zone_name(move.source)} to {zone_name(move.target)}"
        yield " ".join((f"    {ruling.key}: {count}, {way}", *move.faces, *["shuffled"] * move.shuffled))


def _options(asks: tuple[Ask, ...]) -> Iterator[tuple[str, int | None, Option]]:
    for ask in asks:
        if isinstance(ask, Choice):
            seat = ask.seats[0] if ask.seats else None
            yield from ((ask.key, seat, option) for option in ask.options)


def some_options(asks: tuple[Ask, ...]) -> Iterator[tuple[str, int | None, Option]]:
    met = Counter[tuple[str, str]]()
    for ask, seat, option in _options(asks):
        met[ask, option.word] += 1
        if met[ask, option.word] <= OF_A_WORD:
            yield ask, seat, option


def _in_short(value: Struct) -> str:
    usual = {field.name: field.default for field in fields(value)}
    there = {name: getattr(value, name) for name in usual if getattr(value, name) != usual[name]}
    return _json(there)


def _listener(match: Match) -> Listener:
    return Listener(match.setup.game.words, match.setup.names, NullTranslations())


def _json(value: object) -> str:
    return json.encode(value, order="deterministic").decode()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, (game, rules) in settings().items():
        path.write_text(shown_in(game, rules), encoding="utf-8")


if __name__ == "__main__":
    main()
