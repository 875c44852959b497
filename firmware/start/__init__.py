"""Composition: open the parts of a table and run it; the only package that imports all others."""
