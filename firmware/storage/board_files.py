"""The board that is wired: one of our profiles, or one from a file of the owner's."""

from pathlib import Path

from hardware.board.board import Board, Boards, our_boards, read_boards
from hardware.board.checks import troubles
from hardware.board.troubles import BoardError


def read_profiles(file: Path | None) -> Boards:
    """Read our profiles, or those of a file."""
    if file is None:
        return our_boards()
    return read_boards(file.read_text(encoding="utf-8", errors="replace"), str(file))


def find_board(profile: str | None, file: Path | None = None) -> tuple[str, Board]:
    """Give a profile by its name, the first one if none is named."""
    known = read_profiles(file)
    name = next(iter(known), "") if profile is None else profile
    if name not in known:
        raise BoardError("no such profile", name=name or "-", names=", ".join(known) or "-")
    return name, known[name]


def is_fit_board(profile: str | None, file: Path | None) -> bool:
    """Tell whether a table could start with a board."""
    try:
        return not troubles(find_board(profile, file)[1])
    except (BoardError, OSError):
        return False
