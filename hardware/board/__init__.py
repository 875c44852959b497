"""The wiring: read from `board.toml`, checked, drawn."""
