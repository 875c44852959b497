"""Tests speak English, whatever the environment speaks."""

import os

os.environ["LANGUAGE"] = "en"
