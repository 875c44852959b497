"""Tests on an emulated Pi."""
