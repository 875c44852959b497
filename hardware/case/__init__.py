"""The case: OpenSCAD sources, and what checks and shows them."""
