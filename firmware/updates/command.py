"""The words after `./run update`, and those of the guard that is asked before each start."""

import argparse
import sys
from pathlib import Path

from firmware.updates.launcher import prepare_safely, start
from firmware.updates.layout import Home
from firmware.updates.tools import UpdateError
from firmware.updates.update import go_back, lay_out, update


def main() -> None:
    """Do what the words say; whatever goes wrong is one line."""
    wish = _parser().parse_args()
    home = Home(wish.root.resolve())
    try:
        sys.exit(_do(home, wish))
    except UpdateError as error:
        told = str(error)
    except OSError as error:
        told = f"{error.filename or home.root}: {error.strerror or error}. The version that runs stays."
    except KeyboardInterrupt:
        told = "Stopped. The version that runs stays."
    sys.stderr.write(f"{told}\n")
    sys.exit(1)


def _do(home: Home, wish: argparse.Namespace) -> int:
    match wish.command:
        case "update" if wish.where:
            return go_back(home)
        case "update":
            return update(home, wish.source)
        case "start":
            return start(home, wish.words)
        case "guard":
            return prepare_safely(home)
    return lay_out(home)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./run")
    commands = parser.add_subparsers(dest="command", required=True)
    told = {
        "update": "Take the newest signed release, built and checked while the table plays on.",
        "start": "Start the version that runs.",
        "guard": "Do what is done before each start of the service.",
        "lay-out": "Make the folder of the versions.",
    }
    parsers = {name: commands.add_parser(name, description=text) for name, text in told.items()}
    parsers["update"].prog = "./run update"
    for each in parsers.values():
        each.add_argument("root", type=Path, help=argparse.SUPPRESS)
    parsers["update"].add_argument("where", nargs="?", choices=("back",), help="back to the version before")
    parsers["update"].add_argument(
        "--from", dest="source", metavar="SOURCE", help="a mirror, a repository, a bundle, or a stick with one"
    )
    parsers["start"].add_argument("words", nargs=argparse.REMAINDER)
    return parser
