"""Tests of Plenty Coups: vectors, a second scorer, the twin's truth, and explanations of scenes."""
