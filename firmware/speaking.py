"""The language of whoever types a command: what their environment asks for."""

import os

from firmware.languages import language, preferred

LANGUAGE = language(preferred(os.environ))

_ = LANGUAGE.gettext
