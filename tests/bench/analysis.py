"""The time of a Pi 4 for the analysis of a match, by counted instructions."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hardware.twin.dealer import deal_match
from hardware.twin.playouts import BotLaboratory
from referee.coaching import analyse
from referee.contract.coaching import no_judgements
from referee.games.catalogue import GAMES
from referee.match import Match, hear
from referee.record import read_record, record_lines
from tests.bench.instructions import PI_4, count_instructions, require_valgrind
from tests.bench.measured import Measured
from tests.hardware.twin.matches import moments_by_bots
from tests.referee.tables import new_match

SEATS = 4
PROGRAM = "import sys; from tests.bench.analysis import do_part; do_part(*sys.argv[1:])"


def analysis(seed: int = 1) -> Measured:
    """The analysis of a match of four bots: seconds of a Pi 4, by counted instructions."""
    require_valgrind()
    judged = [game.name for game in GAMES.values() if game.play.coach is not no_judgements]
    with ThreadPoolExecutor(2) as counters:
        seconds = dict(zip(judged, counters.map(lambda name: _seconds(name, seed), judged), strict=True))
    return Measured(
        {name: f"{each:.1f} s" for name, each in seconds.items()},
        ("counted by valgrind; a Pi 4's core does 1500 million a second",),
    )


def _seconds(name: str, seed: int) -> float:
    game, rng = GAMES[name], Random(f"{name} {seed}")
    table = deal_match(new_match(game, next(iter(game.rules.settings)), SEATS), rng)
    *_before, (last, answer) = moments_by_bots(table, rng)
    over = hear(last.match, answer)
    if not isinstance(over, Match):
        raise TypeError(f"{name} refused the last answer")
    with TemporaryDirectory() as folder:
        file = Path(folder, "match")
        file.write_text("\n".join(record_lines(over)), encoding="utf-8")
        read, whole = (count_instructions(PROGRAM, str(file), part) for part in ("read", "analyse"))
    return (whole - read) / PI_4


def do_part(file: str, part: str) -> None:
    """Read a match, and analyse it if asked to."""
    match = read_record(Path(file).read_text(encoding="utf-8").splitlines()).match
    if match is not None and part == "analyse":
        analyse(match, BotLaboratory(match.setup, 1))
