"""From drawings to paper and pixels."""
