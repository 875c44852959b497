"""Tests of access control."""
