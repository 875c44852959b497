"""The words of pages, speech, terminal and games, in both languages."""
