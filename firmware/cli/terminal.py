"""Output of the terminal: events, asks and typable answers."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from string import ascii_uppercase
from threading import Event, Thread

from firmware.cli import parsing
from firmware.cli.output import say_all
from firmware.cli.rules import tell_head, tell_rules_now, tell_why, tell_why_not
from firmware.language.speaking import LANGUAGE, _, game_error_text, label_text
from firmware.table.client import News, TableClient
from firmware.table.notices import Notice, sentence_for
from referee import sentences
from referee.cells import columns_of, face_at, grid_of, lines_of, with_cell_counted
from referee.contract import Ask, Cell, Choice, Done, Grid, Number, Option, Refusal, Show
from referee.games.catalogue import GameError
from referee.match import Entry, Match, Step, standing_answers
from referee.moment_view import MomentView, answer_text, news_texts, view_of
from referee.seatings import seatings_of
from referee.sentences import Listener, face_name, option_text, player_name, refusal_text

HELP: Mapping[str, str] = {
    "back": _("take the last answer back, unless cards have been shown since"),
    "log": _("the answers so far, numbered"),
    "correct": _(
        "a number of the log and a new answer: the host corrects it; the number alone deletes it and "
        "all later ones"
    ),
    "score": _("the score"),
    "table": _("the open cards and their places"),
    "cards": _("the names of all cards"),
    "why": _("the rules behind the last ruling or refusal"),
    "rules": _("the possible actions now, and their rules"),
    "quit": _("leave; the match is stored and can be resumed"),
}
"""Commands available in every game."""
NAME, CARD, CELL = _("NAME"), _("CARD"), _("COLUMN ROW")
"""Placeholders for a player's name, a card's name and a cell's numbers in lists of options."""
MAX_LISTED = 12  # options of one word that are listed individually; more are combined


def listener_of(match: Match) -> Listener:
    return sentences.listener_at(match.setup, LANGUAGE)


def tell_help(listener: Listener, match: Match) -> list[str]:
    names, faces = listener.names, _card_names(listener, match)
    cards = [*faces, *faces][:2]
    named = " ".join(f"{name}={card}" for name, card in zip(names, cards, strict=False))
    word = next((sentences.option_word_text(listener, word) for word in listener.words.options), "1")
    rows = (
        (" ".join(cards), _("cards; {named} also names their owners").format(named=named)),
        (f"{names[-1]} {word}", _("a name first if several players may answer")),
        *((parsing.OWN[each], told) for each, told in HELP.items()),
    )
    head = _("Type your answer: a number, words of the list, or names of cards separated by spaces.")
    return [head, *_in_columns(rows)]


def tell_asks(listener: Listener, match: Match) -> list[str]:
    words, lines = parsing.vocabulary_of(listener, match), list[str]()
    asks = {ask.key: ask for ask in match.asks}
    offered = [(option, parsing.asked_seat(ask)) for ask in words.choices for option in ask.options]
    for grid in words.grids:
        cells = {option.cell for option, seat in offered if option.cell and grid_of((grid,), option, seat)}
        lines += draw_grid(listener, grid, cells) if cells else []
    for told in view_of(match, listener.language).questions:
        keys = told.question.asks
        lines += [told.text, *(line for key in keys for line in _typable_lines(words, asks[key]))]
    return lines


def _typable_lines(words: parsing.Vocabulary, ask: Ask) -> list[str]:
    match ask:
        case Choice():
            by_word: dict[str, list[Option]] = {}
            for option in ask.options:
                by_word.setdefault(option.word, []).append(option)
            rows = [row for options in by_word.values() for row in _rows(words, ask, options)]
            return _in_columns(rows)
        case Done():
            return ["  " + _called(ask, _("finished"))]
        case Number():
            message = _("{least} to {most}, not {barred}") if ask.barred else _("{least} to {most}")
            barred = ", ".join(map(str, ask.barred))
            return ["  " + message.format(least=ask.least, most=ask.most, barred=barred)]
        case Show():
            return []


def _in_columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(typed) for typed, _text in rows)
    return [f"  {typed.ljust(width)}  {text}".rstrip() for typed, text in rows]


def _rows(words: parsing.Vocabulary, ask: Choice, options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """List options of one word, individually or combined by their cards or cells."""
    first = options[0]
    if first.cell is not None and (first.seat is None or len(options) > MAX_LISTED) and len(options) > 1:
        yield from _cell_rows(words, ask, options)
    elif first.face is not None and first.cell is None and first.seat is None and len(options) > 1:
        faces = ", ".join(parsing.typed_face(words.listener, option.face) for option in options if option.face)
        yield _called(ask, f"{sentences.option_word_text(words.listener, first.word)} {CARD}"), faces
    else:
        seat = parsing.asked_seat(ask)
        for option in options:
            text = parsing.offered_text(words, ask, option, seat)
            if seat is not None and parsing.is_spoken(ask):
                # the placeholder NAME replaces individual names
                text = text.removeprefix(player_name(words.listener, seat)).removeprefix(":").removeprefix(" ")
            yield (
                _called(ask, text),
                option_text(words.listener, with_cell_counted(words.grids, option, seat)),
            )


def _called(ask: Choice | Done, text: str) -> str:
    """Add the placeholder for a name if several players may answer."""
    return f"{NAME} {text}" if parsing.is_spoken(ask) else text


def _cell_rows(words: parsing.Vocabulary, ask: Choice, options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    by_seat: dict[int | None, list[Option]] = {}
    for option in options:
        by_seat.setdefault(option.seat, []).append(option)
    for seat, own in by_seat.items():
        aim = "" if seat is None else f" {player_name(words.listener, seat)}"
        word, rows = sentences.option_word_text(words.listener, own[0].word), dict[str, dict[str, None]]()
        for option in own:
            column, row = parsing.typed_cell(words, ask, option).split()
            rows.setdefault(row, {})[column] = None
        told = (_("{columns} in row {row}").format(row=row, columns=", ".join(rows[row])) for row in rows)
        yield _called(ask, f"{word}{aim} {CELL}"), _("; ").join(told)


# views


def standings(listener: Listener, match: Match) -> list[str]:
    lines = list[str]()
    for player in view_of(match, listener.language).results:
        counts = ", ".join(count.text for count in player.counts) + (_(" (out)") if player.is_out else "")
        lines.append(label_text(f"{player.place}. {player.name}", counts))
    return lines


def tell_table(listener: Listener, match: Match) -> list[str]:
    told = view_of(match, listener.language)
    facts = (_of_seat(told, each.fact.seat, each.label, each.text) for each in told.facts)
    rows = ((row, ", ".join(card.name for card in row.cards)) for row in told.rows if row.cards)
    cards = (_of_seat(told, row.row.seat, row.name, names) for row, names in rows)
    grids = (line for grid in told.grids if grid.rows for line in draw_grid(listener, grid))
    return [*facts, *cards, *grids]


def _of_seat(told: MomentView, seat: int | None, label: str, text: str) -> str:
    return label_text(label if seat is None else f"{told.name(seat)}, {label}", text)


def _card_names(listener: Listener, match: Match) -> list[str]:
    deck = match.setup.deck
    return [parsing.typed_face(listener, face) for face in deck.counts]


def answers(listener: Listener, match: Match) -> list[str]:
    seatings = seatings_of(match)

    def told(step: Step) -> str:
        then = sentences.listener_when(match.setup, seatings, step.heard_at, listener.language)
        return answer_text(then, match.setup.game, step.before.state, step.answer)

    return [f"{step.heard_at:4}  {told(step)}" for step in standing_answers(match)]


TELLINGS: Mapping[str, Callable[[Listener, Match], list[str]]] = {
    "help": tell_help,
    "score": standings,
    "log": answers,
    "table": tell_table,
    "cards": lambda listener, match: [", ".join(_card_names(listener, match))],
    "why": tell_why,
    "rules": tell_rules_now,
}
"""Commands that show something."""


def understand(listener: Listener, match: Match, text: str, refused: Refusal | None) -> Entry | list[str]:
    """Return the typed entry, or the lines of a view or an error message."""
    word = parsing.command_of(text)
    if word == "why" and refused is not None:
        return tell_why_not(listener, match, refused)
    if word in TELLINGS:
        return TELLINGS[word](listener, match)
    try:
        return parsing.parse_entry(listener, match, text)
    except parsing.MisreadError as problem:
        return [str(problem)]


LETTERS = (*ascii_uppercase, *(a + b for a in ascii_uppercase for b in ascii_uppercase))
FREE, OFFERED = "·", "+"
WIDTH = 3


def draw_grid(listener: Listener, grid: Grid, offered: Collection[Cell] = ()) -> list[str]:
    faces = dict.fromkeys(face for row in grid.rows for face in row if face)
    letters = dict(zip(faces, LETTERS, strict=False))
    legend = [f"{letter} {face_name(listener, face)}" for face, letter in letters.items()]
    head = " " * WIDTH + "".join(str(number).rjust(WIDTH) for number, _column in enumerate(columns_of(grid), 1))

    def sign(cell: Cell) -> str:
        face = face_at(grid, cell)
        return (letters[face] if face else OFFERED if cell in offered else FREE).rjust(WIDTH)

    lines = [
        str(number).rjust(WIDTH) + "".join(sign((column, row)) for column in columns_of(grid))
        for number, row in enumerate(lines_of(grid), 1)
    ]
    beside = [f"({', '.join(face_name(listener, face) for face in grid.beside)})"] if grid.beside else []
    return [listener.names[grid.seat], head, *lines, *([", ".join(legend)] if legend else []), *beside]


# the running table in a terminal: prints news, reads answers and commands

POLL_INTERVAL = 0.2
Command = Callable[[Match, list[str]], list[str]]
"""Runs a typed command with its arguments at the current match; returns lines to print."""


class Printer:
    """Prints news in its own thread, so that a paused terminal doesn't block the table."""

    def __init__(self, client: TableClient) -> None:
        self._listening = client.subscribe()
        self._match = client.moment()
        self._over = Event()
        self._thread = Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join(1)
        self._listening.close()

    def _run(self) -> None:
        while not self._over.is_set():
            news = self._listening.next(POLL_INTERVAL)
            # the loop reports a game's errors
            with suppress(GameError):
                say_all(() if news is None else self._lines(news))

    def _lines(self, news: News) -> list[str]:
        if not isinstance(news, Match):
            return [sentence_for(news, listener_of(self._match))]
        self._match = news
        listener = listener_of(news)
        asked = tell_asks if news.asks else standings
        head = tell_head(listener, news) if news.before is None else []
        return [*head, *news_texts(news, listener.language), *asked(listener, news)]


class Keyboard:
    """Reads typed lines in its own thread."""

    def __init__(self, client: TableClient, leave: Callable[[], None], commands: Mapping[str, Command]) -> None:
        self._client, self._leave, self._commands = client, leave, commands
        self._refused: Refusal | None = None
        Thread(target=self._run, name="keyboard", daemon=True).start()

    def _run(self) -> None:
        for typed in sys.stdin:
            text = " ".join(typed.split())
            if parsing.command_of(text) == "quit":
                break
            if text:
                say_all(self._obey(text))
        else:
            return
        self._leave()

    def _obey(self, text: str) -> list[str]:
        try:
            word, *rest = text.split()
            if word == "again":
                self._client.ask_rematch()
                return []
            command = self._commands.get(word.casefold())
            done = [] if command is None else command(self._client.moment(), rest)
            if parsing.command_of(word) == "help":
                match = self._client.moment()
                return [*done, *tell_help(listener_of(match), match)]
            return done if command is not None else self._answer(text)
        except GameError as error:
            return [game_error_text(error)]

    def _answer(self, text: str) -> list[str]:
        match = self._client.moment()
        listener = listener_of(match)
        entry = understand(listener, match, text, self._refused)
        if isinstance(entry, list):
            return entry
        # a callback would run in the loop, and a paused terminal would block it
        try:
            result = self._client.submit(entry).result()
        except CancelledError:
            return []
        self._refused = result if isinstance(result, Refusal) else None
        if self._refused is not None:
            return [refusal_text(listener, self._refused)]
        return [sentence_for(result, listener)] if isinstance(result, Notice) else []
