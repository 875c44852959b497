"""The words after `./run update`, and those of the guard that is asked before each start."""

import argparse
import sys
from pathlib import Path

from firmware.updates.layout import Home
from firmware.updates.tools import UpdateError
from firmware.updates.trial import prepare_safely, start
from firmware.updates.update import go_back, lay_out, update


def main() -> None:
    """Do what the words say; whatever goes wrong is one line."""
    try:
        sys.exit(_do(*sys.argv[1:]))
    except UpdateError as error:
        told = str(error)
    except OSError as error:
        told = f"{error.filename or 'The disk'}: {error.strerror or error}. The version that runs stays."
    except KeyboardInterrupt:
        told = "Stopped. The version that runs stays."
    sys.stderr.write(f"{told}\n")
    sys.exit(1)


def _do(command: str, root: str, *words: str) -> int:
    home = Home(Path(root).resolve())
    match command:
        case "start":
            return start(home, words)
        case "guard":
            return prepare_safely(home)
        case "lay-out":
            return lay_out(home)
        case "update":
            pass
        case _:
            raise UpdateError(f"{command}: there is no such word. Start it by ./run update.")
    told = "Take the newest signed release, built and checked while the table plays on."
    parser = argparse.ArgumentParser(prog="./run update", description=told)
    parser.add_argument("root", help=argparse.SUPPRESS)
    parser.add_argument("where", nargs="?", choices=("back",), help="back to the version before")
    told = "a mirror, a repository, a bundle, or a stick with one"
    parser.add_argument("--from", dest="source", metavar="SOURCE", help=told)
    wish = parser.parse_args([root, *words])
    return go_back(home) if wish.where else update(home, wish.source)
