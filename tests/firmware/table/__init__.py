"""Tests of the companion: the table's pure core, and the loop."""
