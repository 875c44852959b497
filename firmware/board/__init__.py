"""The board: inputs turn edges into answers, outputs turn a moment into light and sound."""
