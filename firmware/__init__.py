"""The firmware of Coyote Table: what runs on the table's computer."""
