"""Tests of the board's inputs."""
