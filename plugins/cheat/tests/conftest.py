"""Run the tests in English, whatever the environment's language."""

import os

os.environ["LANGUAGE"] = "en"
