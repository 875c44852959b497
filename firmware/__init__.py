"""What runs on the table's computer: the journal, the command line; later the board and the companion loop."""
