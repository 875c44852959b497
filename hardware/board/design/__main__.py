"""Draw all boards anew, into the files that are kept beside them: `python -m hardware.board.design`."""

from hardware.board.board import our_boards
from hardware.board.design import drawings_of
from hardware.board.drawings import DRAWINGS

if __name__ == "__main__":
    for name, board in our_boards().items():
        for file, content in drawings_of(board, name).items():
            (DRAWINGS / file).write_bytes(content)
