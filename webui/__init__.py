"""The pages that phones look at."""
