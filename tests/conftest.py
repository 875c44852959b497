"""What all tests share: English, whatever the environment speaks, no journal but their own, and no hurry."""

import os

from hypothesis import settings

os.environ["LANGUAGE"] = "en"  # before the texts of the commands are loaded
os.environ.pop("COYOTE_JOURNAL", None)
# one test a core: threads of OpenBLAS that wait for each other burn more time than they save
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# a busy machine is no fault of the code
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
