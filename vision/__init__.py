"""Eyes: camera, calibration, reading cards. It knows faces by name only, and no game."""
