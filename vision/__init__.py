"""Vision of Coyote Table: calibration, teaching and reading of cards."""
