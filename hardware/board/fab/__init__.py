"""The board that a fab makes: its parts, where they are, how copper joins them, and the files that it takes."""
