"""The language of the people at the table, and their clock."""
