"""What ends an update: one line that says what to do."""


class UpdateError(Exception):
    """Why an update isn't made; the version that runs stays."""
