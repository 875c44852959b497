"""Tests of Coyote, one per sentence of the printed rules."""
