"""The wiring: read from `board.toml`, checked and drawn."""
