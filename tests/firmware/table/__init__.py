"""The companion: the table as a pure core, and the loop."""
