"""Tests that take minutes or hours; run by hand or at night."""
