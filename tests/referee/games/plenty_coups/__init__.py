"""Plenty Coups: the vectors, a second scorer that retells matches, the twin's truth, two looks at a table."""
