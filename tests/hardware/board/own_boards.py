"""Custom boards for tests, with parts that none of ours has, such as LEDs on lines."""

from pathlib import Path

from hardware.board.board import our_boards, read_boards

FILE = Path(__file__).with_name("own.toml")
OWN_BOARDS = read_boards(FILE.read_text(encoding="utf-8"), str(FILE))
BOARDS = {**our_boards(), **OWN_BOARDS}
