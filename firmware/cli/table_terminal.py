"""The companion in a terminal: what is told is printed, what is typed is an answer, or a command."""

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from threading import Event, Thread

from firmware.cli import terminal
from firmware.cli.parsing import MisreadError, command_of, parse_entry
from firmware.cli.rules import tell_head, tell_why_not
from firmware.table.door import News, Result, TableDoor
from firmware.table.notices import Notice, sentence_for
from referee.contract import Refusal
from referee.match import Match
from referee.telling import Listener, tell_refusal
from referee.told import tell_news

LOOK = 0.2

Command = Callable[[Match, list[str]], list[str]]
"""Does something at the current match, with the words typed after it; gives lines to print."""


class Printer:
    """Prints what happens, in a thread of its own, so that a paused terminal holds nothing up."""

    def __init__(self, door: TableDoor) -> None:
        self._listening = door.subscribe()
        self._match = door.moment()
        self._over = Event()
        self._thread = Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Print no more."""
        self._over.set()
        self._thread.join(1)
        self._listening.close()

    def _run(self) -> None:
        while not self._over.is_set():
            news = self._listening.next(LOOK)
            if news is not None:
                terminal.say(self._lines(news))

    def _lines(self, news: News) -> list[str]:
        if not isinstance(news, Match):
            return [sentence_for(news, terminal.listener_of(self._match))]
        self._match = news
        listener = terminal.listener_of(news)
        asked = terminal.tell_asks if news.asks else terminal.standings
        head = tell_head(listener, news) if news.before is None else []
        return [*head, *tell_news(news, listener.language), *asked(listener, news)]


class Keyboard:
    """Reads what is typed, in a thread of its own."""

    def __init__(
        self, door: TableDoor, leave: Callable[[], None], commands: Mapping[str, Command] | None = None
    ) -> None:
        """Begin to read; other commands than answers are known by their first word."""
        self._door, self._leave, self._commands = door, leave, commands or {}
        self._refused: Refusal | None = None
        Thread(target=self._run, name="keyboard", daemon=True).start()

    def _run(self) -> None:
        for typed in sys.stdin:
            text = " ".join(typed.split())
            if command_of(text) == "quit":
                break
            if text:
                terminal.say(self._obey(text))
        else:
            return
        self._leave()

    def _obey(self, text: str) -> list[str]:
        word, *rest = text.split()
        if word == "again":
            self._door.ask_rematch()
            return []
        command = self._commands.get(word.casefold())
        done = [] if command is None else command(self._door.moment(), rest)
        if command_of(word) == "help":
            match = self._door.moment()
            return [*done, *terminal.tell_help(terminal.listener_of(match), match)]
        return done if command is not None else self._answer(text)

    def _answer(self, text: str) -> list[str]:
        match = self._door.moment()
        listener = terminal.listener_of(match)
        if command_of(text) == "why" and self._refused is not None:
            return tell_why_not(listener, match, self._refused)
        if command_of(text) in terminal.TELLINGS:
            return terminal.TELLINGS[command_of(text)](listener, match)
        try:
            entry = parse_entry(listener, match, text)
        except MisreadError as problem:
            return [str(problem)]
        # not by a callback: the loop would call it, and wait for a paused terminal
        try:
            result = self._door.submit(entry).result()
        except CancelledError:
            return []
        self._refused = result if isinstance(result, Refusal) else None
        return _explain_result(result, terminal.listener_of(match))


def _explain_result(result: Result, listener: Listener) -> list[str]:
    match result:
        case Refusal():
            return [tell_refusal(listener, result)]
        case Notice():
            return [sentence_for(result, listener)]
        case _:
            return []
