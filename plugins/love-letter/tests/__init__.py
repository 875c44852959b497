"""Tests of Love Letter."""
