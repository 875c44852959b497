"""The table's loop: one thread and one queue between inputs, referee, journal, eyes and outputs."""
