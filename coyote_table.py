"""Entry point of the command `coyote`: checks that our packages aren't shadowed by others.

Our packages have common names, such as `firmware` and `vision`. Coyote Table needs its own environment; if
another package shadows one of ours, the command reports it and exits.
"""

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

ROOMS = ("referee", "vision", "hardware", "firmware", "webui")


def main() -> None:
    # Ctrl-C ends a start without a traceback; ./run blocks it until here
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    # the eyes multiply small matrices: several threads are slower than one, and heat a Pi
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for room in ROOMS:
        # read the package's first file instead of importing it, because another package may do anything
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
