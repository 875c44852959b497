"""The command `coyote` begins here: under a name of its own, it makes sure that the rooms are ours.

The rooms are called `firmware`, `vision` and so on, names that other packages use too. Coyote Table is an
application for an environment of its own; where another package of such a name comes first, it says so.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOMS = ("referee", "vision", "hardware", "firmware", "webui")


def chosen_version(code: Path) -> Path | None:
    """Find the version that runs in the place of this checkout's code, once it has been updated.

    A service that was installed before the first update starts here.
    """
    command = code / ".versions" / "current" / ".venv" / "bin" / "coyote"
    try:
        is_other = not command.parents[2].samefile(code) and os.access(command, os.X_OK)
    except OSError:
        return None
    return command.resolve() if is_other else None


def main() -> None:
    # the eyes' products are small: threads that wait for each other take longer than one alone, and warm a Pi
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    chosen = chosen_version(Path(__file__).resolve().parent)
    if chosen is not None:
        os.execv(chosen, [str(chosen), *sys.argv[1:]])  # noqa: S606 - our own command
    for room in ROOMS:
        # its first file is looked into without running it: a stranger's may do anything
        spec = find_spec(room)
        first = "" if spec is None or spec.origin is None else spec.origin
        if not first or "Coyote Table" not in Path(first).read_text(encoding="utf-8", errors="replace"):
            sys.exit(
                f"coyote: another package called “{room}” is installed here; "
                "Coyote Table needs an environment of its own: pipx install coyote-table, or ./run"
            )
    from firmware.start.program import main as run_program  # noqa: PLC0415 - not before the rooms are known

    run_program()


if __name__ == "__main__":
    main()
