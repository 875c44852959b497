"""Tests of Ogallala."""
