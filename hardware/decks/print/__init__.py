"""Drawings as paper and pixels."""
