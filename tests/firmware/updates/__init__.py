"""Tests of updates, with small releases signed by throw-away keys."""
