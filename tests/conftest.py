"""What all tests share: English, whatever the environment speaks, and no journal but their own."""

import os

os.environ["LANGUAGE"] = "en"  # before the texts of the commands are loaded
os.environ.pop("COYOTE_JOURNAL", None)
