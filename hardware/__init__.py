"""The hardware of Coyote Table, and its stand-ins: board, case, decks, twin."""
