"""The hardware of Coyote Table, real and simulated: board, case, decks, twin."""
