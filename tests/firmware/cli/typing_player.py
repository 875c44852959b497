"""Play a match at the terminal by typing what it offers, in the language of the environment."""

import builtins
import sys
from pathlib import Path
from random import Random

from firmware.start.games import hand_in_games

hand_in_games()

from firmware.cli import play, terminal  # noqa: E402 - it lists the games when it is loaded
from firmware.cli.vocabulary import offered_text, typed_face, vocabulary_of  # noqa: E402
from firmware.language.speaking import _  # noqa: E402
from hardware.twin.player import any_answer  # noqa: E402
from referee.contract import Choice, Option  # noqa: E402
from referee.match import Match  # noqa: E402

NAMES = "Ana,Bo,Chloé"
LOOKS = ("help", "table", "score", "log", "cards", "xyzzy")
EVERY = 7
"""So many answers are given between looks at something else."""


class TypingPlayer:
    """Types what the terminal offers, and looks at everything else now and then."""

    def __init__(self, moves: int) -> None:
        """Begin with nothing typed."""
        self._moves, self._typed, self._rng = moves, 0, Random(moves)
        self.table: play.TerminalTable | None = None

    def read(self, prompt: str) -> str:
        """Type the next line."""
        assert self.table is not None
        self._typed += 1
        text = self._next(self.table.match)
        sys.stdout.write(f"{prompt}{text}\n")
        return text

    def _next(self, match: Match) -> str:
        if self._typed > self._moves or not match.asks:
            return _("quit")
        if self._typed % EVERY == 0 and self._typed // EVERY <= len(LOOKS):
            look = LOOKS[self._typed // EVERY - 1]
            return _(look)
        return self._answer(match)

    def _answer(self, match: Match) -> str:
        answer = any_answer(match.asks, match.number, self._rng)
        words = vocabulary_of(terminal.listener_of(match), match)
        ask = next(ask for ask in match.asks if ask.key == answer.ask)
        match answer.value:
            case Option() if isinstance(ask, Choice):
                return offered_text(words, ask, answer.value, answer.seat)
            case tuple():
                return " ".join(typed_face(words.listener, face) for face in answer.value)
            case None:
                return _("finished")
            case _:
                return str(answer.value)


def main(game: str, moves: str, folder: str) -> None:
    """Play so many moves."""
    player, sit_down = TypingPlayer(int(moves)), play.play_table

    def play_typed(table: play.TerminalTable) -> None:
        player.table = table
        sit_down(table)

    play.play_table, builtins.input = play_typed, player.read  # type: ignore[assignment]
    play.play.main([game, "--seats", NAMES, "--journal", str(Path(folder) / "journal")], standalone_mode=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
