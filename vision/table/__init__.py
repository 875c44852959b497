"""The table: cameras, calibration, zones."""
