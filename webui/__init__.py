"""The pages of Coyote Table, for phones."""
