"""Entry point of `coyote`: load the games, then run the command."""

import os
import signal
import sys
from contextlib import suppress

from firmware.start.supervisor import Supervisor, is_supervised
from firmware.state_folder import other_owner


def main() -> None:
    words = sys.argv[1:]
    is_table = words[:1] in ([], ["run"])
    if is_table and not is_supervised() and other_owner() is None:
        # a supervisor loads neither commands nor games; on an error the command below reports it
        with suppress(OSError):
            sys.exit(Supervisor(words).run())
    from firmware.start.commands import main as run_command  # noqa: PLC0415
    from firmware.start.games import hand_in_games, print_skipped  # noqa: PLC0415
    from firmware.start.guarding import interrupt  # noqa: PLC0415

    print_skipped(hand_in_games())
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    try:
        run_command()
    except SystemExit as end:
        if is_table:
            # Python's exit aborts if a daemon thread is in native code
            with suppress(OSError):
                sys.stdout.flush()
            os._exit(int(end.code or 0))
        raise
    finally:
        # Ctrl-C during Python's exit would print a traceback
        signal.signal(signal.SIGINT, before)
