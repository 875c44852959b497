"""The case: OpenSCAD sources, rendered and drawn."""
