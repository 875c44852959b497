"""The program `coyote`: the games are handed in, then the command runs."""

from firmware.start.commands import main as run_command
from firmware.start.games import hand_in_games, print_skipped


def main() -> None:
    """Run a command with the games that are installed."""
    print_skipped(hand_in_games())
    run_command()
