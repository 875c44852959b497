"""The companion: the table as a pure core, the loop, and whole matches on the twin."""
