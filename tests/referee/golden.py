"""Golden playthroughs: a random match in each setting of each game, described from start to end.

`python -m tests.referee.golden` rewrites them. Review the differences: players will see them.
"""

from collections import Counter
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from random import Random

import msgspec

from hardware.twin.player import any_answer
from referee.cells import value_counted
from referee.contract import Ask, Choice, Game, Number, Show
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from referee.record import head_line
from referee.sentences import Listener, question_texts, ruling_text, value_text, verdict_text
from referee.showing import questions_of
from referee.verdicts import last_verdict
from tests.given import allowed
from tests.referee.tables import new_match

FOLDER = Path(__file__).parent / "playthroughs"


def settings(folder: Path) -> dict[Path, tuple[Game, str]]:
    return {
        folder / f"{game.name}-{rules.replace(', ', '-').replace(' ', '-')}.txt": (game, rules)
        for game in GAMES.values()
        for rules in game.rules.settings
    }


def playthrough(game: Game, rules: str) -> str:
    seats = max(seats for seats in game.rules.seats(game.rules.settings[rules]) if seats <= 4)
    return "\n".join(_moment_lines(new_match(game, rules, seats), Random(rules))) + "\n"


def _moment_lines(match: Match, rng: Random) -> Iterator[str]:
    listener = Listener(match.setup.game.words, match.setup.names, NullTranslations())
    yield head_line(match.setup)
    while match.asks:
        questions, asks = questions_of(match), {ask.key: ask for ask in match.asks}
        for question, told in zip(questions, question_texts(listener, questions), strict=True):
            shapes = " ".join(_shape(asks[key]) for key in question.asks)
            yield f"{match.number:3} ? {told} {shapes}"
        answer = any_answer(match.asks, match.number, rng)
        value = value_counted(match.setup.game, match.state, answer)
        yield f"{match.number:3} > {answer.ask} {answer.seat}: {value_text(listener, value)}"
        after, verdict = allowed(hear(match, answer)), last_verdict(match)
        match = after
        for ruling in match.rulings:
            values = msgspec.json.encode(ruling.values).decode()
            yield f"      {ruling_text(listener, ruling)}  ({ruling.key} {values})"
        if (decided := last_verdict(match)) != verdict:
            yield f"      = {'' if decided is None else verdict_text(listener, decided)}".rstrip()
    for standing in match.setup.game.rules.standings(match.state):
        yield msgspec.json.encode(standing).decode()
    yield msgspec.json.encode(match.outcome).decode()


def _shape(ask: Ask) -> str:
    match ask:
        case Number():
            return f"[{ask.key}: {ask.least} to {ask.most}]"
        case Choice():
            words = Counter(option.word for option in ask.options)
            listed = ", ".join(word if count == 1 else f"{count} x {word}" for word, count in words.items())
            return f"[{ask.key}: {listed}]"
        case Show():
            where = f"{ask.zone.name} of {ask.deck.name}"
            return f"[{ask.key}: {ask.count} out of {sum(ask.among.values())}, {where}, with {ask.must}]"
        case _:
            return f"[{ask.key}]"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, (game, rules) in settings(FOLDER).items():
        path.write_text(playthrough(game, rules), encoding="utf-8")


if __name__ == "__main__":
    main()
