"""Start tables that can't save anything, or that lack something: `python -m tests.trust.never_dark 5`.

For each environment, 5 tables measure the seconds until a page shows the fault. Then people play, the table is
killed and resumes from memory, and the match is downloaded. Disks fill up during play, memory cards are lost
and restored from a second copy, and copying is killed before each operation. It fails if a page doesn't load,
or if anything is lost; environments that aren't available here are listed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.firmware.start.dark_starts import COPYING, FILLING, LACKING, UNSAVED, DarkFigures, run_dark_start
from tests.firmware.storage.backups.killed_copies import kill_copies
from tests.scripts import SKIPPED, figure_lines, say, script


@script
def main(times: int, scratch: Path, only: str = "", kills: int = 200) -> Iterator[str]:
    wrong, skipped = list[str](), False
    for world in (each for each in (*UNSAVED, *LACKING, FILLING, COPYING) if only in each.name):
        figures, why = DarkFigures(), world.needs()
        skipped = skipped or bool(why)
        for time in range(0 if why else times):
            with TemporaryDirectory(prefix="dark") as folder:
                Path(folder).chmod(0o755)
                run_dark_start(Path(folder, "home"), world, Random(f"{world.name} {time}"), figures)
        say(f"{world.name}: {f'skipped, {why}' if why else ', '.join(figure_lines(figures))}")
        wrong += figures.wrong
    killed = kill_copies(scratch, kills, Random(1))
    say(f"copying, killed: {killed.line()}")
    wrong += killed.wrong
    if skipped and not wrong:
        sys.exit(SKIPPED)
    yield from wrong
