"""Tests of integrations with other programs."""
