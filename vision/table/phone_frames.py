"""The file of a browser's pictures: the pages replace it, and the eyes open it as `live:FOLDER/phone.jpg`."""

PHONE_FRAMES = "phone.jpg"
PHONE_TIMEOUT = 5.0
"""Seconds without a picture after which the browser counts as lost; at rest it sends one each second."""
