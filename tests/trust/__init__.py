"""Nothing lost, no break-in, never stuck: scripts that print their figure, and fail if it isn't as promised."""
