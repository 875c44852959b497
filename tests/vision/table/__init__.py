"""Cameras and calibration, as tests."""
