"""Nothing lost, nobody in, never stuck: scripts that print their figure, and fail if it isn't as promised."""
