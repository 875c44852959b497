"""Process of one job, started by `firmware/services/jobs.py`: reads a request, writes the result."""

import sys
from types import FunctionType

import msgspec

from firmware.services.jobs import JobTerms, answer_asked, build_walls, let_table_go_first
from firmware.start.games import hand_in_games, resolve


def main() -> None:
    """Run one job; files from strangers are read with restricted rights."""
    terms = msgspec.json.decode(sys.argv[1], type=JobTerms)
    let_table_go_first()
    if terms.limits is not None:
        build_walls(terms.limits)
    if terms.has_games:
        hand_in_games()
    given = sys.stdin.buffer
    files = (given,) if terms.has_file else ()
    sys.stdout.buffer.write(answer_asked(resolve(terms.work, FunctionType), given, *files))


if __name__ == "__main__":
    main()
