"""The board: senses that turn edges into answers, voices that turn a moment into light and sound."""
