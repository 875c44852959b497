"""The pages that phones look at; whatever they know is handed in."""
