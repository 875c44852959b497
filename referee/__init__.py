"""The rules of the games, and nothing that can block, print or read a clock."""
