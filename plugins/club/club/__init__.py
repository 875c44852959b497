"""A club: what many tables have said, from a broker into a database, and pages that show it."""

from firmware.language.catalogues import add_catalogues

add_catalogues("club")
